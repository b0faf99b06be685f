//! Arabic: how people say that something is over, and that something is not so.

use crate::language::EndingWords;

pub(super) const ENDINGS: EndingWords = EndingWords {
    phrases: &[
        "لم أعد",
        "لم اعد",
        "لم يعد",
        "لم تعد",
        "لم نعد",
        "ما عاد",
        "ما عدت",
        "مش … تاني",
        "تركت",
        "ترك",
        "استقلت",
        "استقال",
        "توقفت عن",
        "بطلت",
        "أقلعت عن",
        "بعت",
        "بعنا",
        "ألغيت",
        "الغيت",
        "ألغي",
        "تم إلغاء",
        "تقاعدت",
        "تخليت عن",
        "انتقلت من",
    ],
    deaths: &["توفي", "توفيت", "مات", "ماتت"],
    partings: &[
        "انفصلت",
        "انفصلنا",
        "تطلقت",
        "طلقت",
        "طلاق",
        "افترقنا",
    ],
    partners: "خطيبي خطيبتي زوجي زوجتي حبيبي حبيبتي شريكي متزوج متزوجة",
    negations: "ليس ليست لا مش لم",
};
