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
        "aklında tutma|tutmayın", "hatırlama $", "hatırlamayın $", "hatırlamasan", "hatırlaman* istemi*",
        "hafızana alma", "hafızanda tutma|tutmayın|tutmayınız", "hafızanızda tutmayın|tutmayınız",
        "hatırlamana gerek yok",
        "bunu|bunları|şunu|onu|bunlar kaydetme|saklama|yazma|hatırlama|not_alma|kaydetmeyin|saklamayın $",
        "bunu|bunları bir_yere kaydetme|yazma $",
    ],
    keepings: &[
        "kaydetme|kaydetmeyin|saklama|saklamayın $", "kaydetmen*|saklaman* istemi*", "not alma|almayın $",
        "bir yere yazma $",
    ],
    pretences: &[
        "hiç … gibi davran", "hiç … gibi yap", "hiç … say",
        "bahsetmemişim|söylememişim|anlatmamışım|dememişim|yazmamışım … say|farz|gibi|olsun|kabul",
        "hiç duymamış|bilmiyormuş say|ol|olun|gibi", "keşke … söylemeseydim", "keşke … anlatmasaydım",
    ],
    memory: &[
        "hafızan*", "belleğin*", "aklından", "kayıtların*", "notların*",
    ],
    told: &[
        "söyledi*", "anlattı*", "dedi*", "bahsetti*", "hakkında", "ilgili", "konusunu", "meselesini", "olayını",
        "konuyu", "bildiğin*", "bildikler*",
    ],
    own: &[
        "adresimi|telefonumu|numaramı|doğum_günümü|doğum_tarihimi|maaşımı|yaşımı|adımı|ismimi|soyadımı|kilomu|şifremi|mailimi|kiramı|iban*|adresimizi",
        "benim|bizim … adres*|numara*|doğum",
    ],
    ordinary: &[
        "unutuyor*", "unuttu*", "unutmuş*", "unuturum", "unutur $", "unuturuz", "unutma", "unutmayın",
        "unutmam", "unutmayayım", "unutmamam", "unutmamak", "unutmamız", "unutursam", "unutmak ist*",
        "unutamıyor*", "unutamam", "unutulmaz", "nasıl silerim", "nasıl sil*", "silmek", "hep|sürekli unut*",
    ],
    passed_on: &[
        "diye bir", "diye mesaj", "mesaj yaz", "mail yaz", "şiir", "şarkı", "yaz $", "söyle", "unut dedi",
        "unut diyor", "unutun dedi", "hatırlat", "çevir", "mektup yaz", "e posta yaz|gönder|at",
    ],
    silences: &[
        "hiçbir şey|şeyi|şeyini … kaydetme|hatırlama|saklama|kaydetmeyin|hatırlamayın|saklamayın $",
        "hiçbir* … kaydetme|hatırlama|saklama $", "hiçbir* … hafızana|aklına alma $",
        "hiçbir* … hafızanda|aklında tutma $", "bir|hiçbir şey|şeyi … kaydetmen*|hatırlaman*|saklaman* istemi*",
        "bu konuşmayı|sohbeti kaydetme|hatırlama|saklama|unut",
        "bu konuşmadan|sohbetten … kaydetme|hatırlama|saklama $", "^ her şeyi unut $",
    ],
    here: &[
        "bu|bizim konuşma*|sohbet*|yazışma*", "burada|buraya", "bugün",
        "söylediğim|konuştuğumuz|konuştuklarımız*|yazdığım|söyleyeceğim", "bunlar*|bunu*|bundan",
    ],
    about: &[],
    about_behind: &[
        "hakkında", "ile ilgili", "ilgili", "konusunda", "bahsettiğim|söz_ettiğim",
    ],
    pointing: "bu bunu bunun bunlar bunları bunların şu şunu onu o benim bana ben sana biz bizim konuşma \
        konuşmadan konuşmanın konuşmayı konuşmamız konuşmamızdan sohbet sohbetten sohbetin sohbeti burada \
        buradan buraya bugün şimdi az önce söylediğim söylediklerim söylediğimi yazdığım yazdıklarım \
        anlattığım anlattıklarım dediğim konuştuğumuz konuştuklarımızın konuştuklarımız hiçbir şey şeyi bir \
        yere ile ilgili hakkında her de da sadece",
    verb_far: true,
    openers: "lütfen hey selam tamam peki ve ama o zaman şimdi bir de pardon hayır teşekkürler rica ederim ya \
        sadece yalnız",
    closers: "lütfen olur mu tamam tamam mı artık gitsin bence ya ne olur olsun tabii",
};
