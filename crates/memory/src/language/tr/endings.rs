//! Turkish: how people say that something is over, and that something is not so.

use crate::language::EndingWords;

pub(super) const ENDINGS: EndingWords = EndingWords {
    phrases: &[
        "yerine",
        "değiştirdim",
        "değiştirdik",
        "bırakıyorum",
        "artık … değil",
        "artık … yok",
        "artık",
        "bıraktım",
        "bıraktık",
        "bıraktı",
        "ayrıldı",
        "istifa ettim",
        "istifa etti",
        "boşandı",
        "sattım",
        "sattık",
        "sattı",
        "iptal ettim",
        "iptal oldu",
        "iptal edildi",
        "emekli oldum",
        "kovuldum",
        "vazgeçtim",
        "vazgeçtik",
        "taşındım",
        "kalmadı",
    ],
    deaths: &["öldü", "vefat etti", "kaybettik"],
    partings: &[
        "ayrıldık",
        "ayrıldım",
        "boşandık",
        "boşandım",
        "nişanı attık",
    ],
    partners: "sevgilim sevgilimin arkadaşım arkadaşımın kocam kocamın karım karımın eşim eşimin nişanlım nişanlımın partnerim evliyim",
    negations: "değil yok",
};
