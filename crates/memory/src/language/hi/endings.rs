//! Hindi: how people say that something is over, and that something is not so.

use crate::language::EndingWords;

pub(super) const ENDINGS: EndingWords = EndingWords {
    phrases: &[
        "अब … नहीं",
        "नहीं रहा",
        "नहीं रही",
        "नहीं रहे",
        "छोड़ दिया",
        "छोड दिया",
        "छोड़ दी",
        "छोड़ दिए",
        "बंद कर दिया",
        "बंद कर दी",
        "बेच दिया",
        "बेच दी",
        "रद्द",
        "कैंसिल",
        "रिटायर",
        "इस्तीफा",
        "इस्तीफ़ा",
        "निकाल दिया",
    ],
    deaths: &["गुजर गए", "गुजर गई", "गुज़र गए", "गुज़र गई", "मर गया", "मर गई", "देहांत", "निधन"],
    partings: &[
        "ब्रेकअप",
        "तलाक",
        "अलग हो गए",
    ],
    partners: "बॉयफ्रेंड गर्लफ्रेंड पति पत्नी मंगेतर पार्टनर शादी",
    negations: "नहीं मत न",
};
