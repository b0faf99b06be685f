//! Turkish: how people ask that something be forgotten or that nothing be kept, and what only sounds so.

use crate::language::WishWords;

pub(super) const WISHES: WishWords = WishWords {
    orders: &[
        "unutursan sevinirim", "unutursanız sevinirim", "unutursan memnun", "unutursan iyi", "unutursanız iyi",
        "unutman* mümkün", "unutman* müm*", "unut ki", "unut $", "unutun $", "unutunuz $", "unutsana $",
        "unutsanız $", "unutsan", "unutsanız", "^ unut", "^ unutun", "unutur musun", "unutur musunuz",
        "unutabilir mi*", "unutuver", "unutman* ist*", "unutman* rica", "unutman* tercih", "unutman* lazım",
        "unutmalısın", "unutmalısınız", "unut gitsin", "unut lütfen",
    ],
    deletions: &[
        "sil $", "silin $", "siliver", "siler misin", "siler misiniz", "silebilir mi*", "silmen* ist*",
        "sil gitsin", "^ sil", "kaldır $",
    ],
    removals: &[
        "çıkar $", "çıkarır mısın", "çıkarabilir mi*", "çıkarman* ist*", "çıkar",
    ],
    requests: &[
        "lütfen",
    ],
    forgetting: &[
        "unut*",
    ],
    deleting: &[
        "sil", "silin", "siler", "silmek", "silmen*", "sildi*", "silebil*",
    ],
    refusals: &[
        "aklında tutma", "aklında tutmayın", "hatırlama $", "hatırlamayın $", "hatırlamasan",
        "hatırlaman* istemi*", "kaydetme $", "kaydetmeyin $", "kaydetmen* istemi*", "saklama $",
        "saklamayın $", "saklaman* istemi*", "hafızana alma", "hafızanda tutma", "hatırlamana gerek yok",
    ],
    pretences: &[
        "memişim gibi", "mamışım gibi", "hiç … gibi davran", "hiç … gibi yap", "hiç … say", "bahsetmemiş*",
        "söylememiş*", "anlatmamış*", "keşke … söylemeseydim", "keşke … anlatmasaydım",
    ],
    memory: &[
        "hafızan*", "belleğin*", "aklından", "kayıtların*", "notların*",
    ],
    told: &[
        "söyledi*", "anlattı*", "dedi*", "bahsetti*", "hakkında", "ilgili", "konusunu", "meselesini",
        "olayını", "konuyu", "bildiğin*", "bildikler*",
    ],
    ordinary: &[
        "unutuyor*", "unuttu*", "unutmuş*", "unuturum", "unutur $", "unuturuz", "unutma", "unutmayın",
        "unutmam", "unutmayayım", "unutmamam", "unutmamak", "unutmamız", "unutursam", "unutmak ist*",
        "unutamıyor*", "unutamam", "unutulmaz", "hep", "sürekli", "nasıl silerim", "nasıl sil*", "silmek",
    ],
    passed_on: &[
        "diye bir", "diye mesaj", "mesaj yaz", "mektup", "e posta", "mail yaz", "şiir", "şarkı", "yaz $",
        "söyle", "unut dedi", "unut diyor", "unutun dedi", "hatırlat", "çevir",
    ],
    silences: &[
        "hiçbir şey … kaydetme", "hiçbir şeyi … kaydetme", "hiçbir şey … hatırlama", "hiçbir şeyi … hatırlama",
        "hiçbir şey … saklama", "hiçbir şeyi … saklama", "hiçbir* … kaydetme*", "hiçbir* … hatırlama*",
        "hiçbir* … saklama*", "hiçbir* … alma", "hiçbir* … tutma*", "bir şey … kaydetmen* istemi*",
        "bir şey … hatırlaman* istemi*", "bir şey … saklaman* istemi*", "bu konuşmayı kaydetme",
        "bu konuşmayı hatırlama", "bu konuşmayı unut", "bu sohbeti kaydetme", "bu sohbeti hatırlama",
        "bu sohbeti unut", "^ her şeyi unut $",
    ],
    verb_far: true,
    openers: "lütfen hey selam tamam peki ve ama o zaman şimdi bir de pardon hayır teşekkürler rica ederim",
    closers: "lütfen olur mu tamam tamam mı artık gitsin bence ya ne olur olsun tabii",
};
