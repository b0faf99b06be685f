//! Polish: how people ask that something be forgotten or that nothing be kept, and what only sounds so.

use crate::language::WishWords;

pub(super) const WISHES: WishWords = WishWords {
    orders: &[
        "zapomnij", "zapomnijcie", "niech pan zapomni", "niech pani zapomni", "proszę zapomnieć",
        "proszę zapomnij",
    ],
    deletions: &[
        "^ usuń", "^ usuńcie", "^ skasuj", "^ wykasuj", "^ wymaż", "^ wykreśl", "^ proszę usunąć",
        "^ proszę skasować", "proszę usuń", "proszę skasuj",
    ],
    removals: &[
        "^ wyrzuć", "wyrzuc*",
    ],
    requests: &[
        "możliwe żebyś", "możliwe aby", "wdzięczny gdybyś", "wdzięczna gdybyś", "wdzięczny jeśli",
        "lepiej gdybyś", "dobrze gdybyś", "gdybyś mógł", "gdybyś mogła", "gdybyś", "prosić żebyś", "prosić o",
        "możesz", "mógłbyś", "mogłabyś", "mógłby pan", "mogłaby pani", "może pan", "może pani", "możecie",
        "zechcesz", "chcę żebyś", "chcę abyś", "chciałbym żebyś", "chciałabym żebyś", "chciałbym abyś",
        "chciałabym abyś", "chciałbym żeby", "wolałbym żebyś", "wolałabym żebyś", "wolę żebyś", "proszę żebyś",
        "proszę cię żebyś", "proszę abyś", "lepiej żebyś", "dobrze żebyś", "dobrze jakbyś", "potrzebuję żebyś",
        "powinieneś", "powinnaś", "masz", "musisz", "proszę",
    ],
    forgetting: &[
        "zapomn*", "zapomin*",
    ],
    deleting: &[
        "usun*", "usuń*", "skasow*", "skasuj*", "wykasow*", "wymaz*", "wykreśl*",
    ],
    refusals: &[
        "^ nie zapamiętuj", "^ nie zapisuj tego", "^ nie zapisuj", "^ nie zachowuj", "^ nie pamiętaj",
        "^ nie przechowuj", "^ nie notuj", "nie chcę żebyś … pamiętał*", "nie chcę żebyś … zapamięt*",
        "nie chcę żebyś … zapis*", "nie chcę żebyś … zachow*", "nie chcę abyś … pamiętał*",
        "nie musisz … pamiętać",
    ],
    pretences: &[
        "udawaj że … nie", "udawaj że … nigdy", "udawajmy że … nie", "udawaj jakby*", "nie powinienem był ci",
        "nie powinnam była ci",
    ],
    memory: &[
        "pamięci", "swoich notatek", "twoich notatek", "swojej głowy",
    ],
    told: &[
        "zapomnij że", "zapomnij proszę o", "zapomnieć że", "o całej", "całą sprawę", "tej historii",
        "co mówiłem", "co mówiłam", "co powiedziałem", "co powiedziałam", "co pisałem", "co pisałam",
        "co ci mówi*", "co ci powie*", "co wiesz o", "co dotyczy", "wszystko o", "wszystko co", "o tym co",
        "to o", "to co", "informacje o", "sprawę z", "sprawie", "historię z",
    ],
    ordinary: &[
        "zapominam", "zapomina", "zapominają", "zapominasz", "zapomniałem", "zapomniałam", "zapomniał",
        "zapomniała", "zapomnę", "nie zapomnij", "nie zapominaj", "nie zapomnieć", "nie zapomnę",
        "nigdy nie zapom*", "żebym … zapom*", "żebym zapom*", "żeby zapom*", "jeśli zapom*", "jak usunąć",
        "jak skasować", "jak wykasować", "mogę zapomnieć", "chcę zapomnieć", "chciałbym zapomnieć", "ciągle",
        "zawsze", "często", "^ zapomnij $",
    ],
    passed_on: &[
        "napisz", "powiedz", "przekaż", "wiadomość", "maila", "mail", "list do", "wiersz", "piosenkę",
        "powiedział żebym", "powiedziała żebym", "powiedział mi żebym", "powiedziała mi żebym", "kazał mi",
        "kazała mi", "przypomnij mi", "przypomnij", "przetłumacz",
    ],
    silences: &[
        "^ nie zapamiętuj niczego", "^ nie zapamiętuj nic", "^ nie zapisuj niczego", "^ nie zapisuj nic",
        "^ nie zachowuj niczego", "^ nie zachowuj nic", "^ nie zachowywać niczego", "^ nie pamiętaj niczego",
        "^ nie pamiętaj nic", "^ nie przechowuj niczego", "^ nie notuj niczego", "^ nic nie zapisuj",
        "^ nic nie zapamiętuj", "^ niczego nie zapisuj", "^ niczego nie zapamiętuj", "^ niczego nie zachowuj",
        "nie zapisywać niczego", "nie zapamiętywać niczego", "nie zachowywać niczego",
        "nie chcę żebyś cokolwiek", "nie chcę żebyś … cokolwiek", "nie chcę żebyś … niczego",
        "nie chcę żebyś … nic", "^ nie zapisuj tej rozmowy", "^ nie zapamiętuj tej rozmowy",
        "^ zapomnij wszystko $", "^ zapomnij o wszystkim $", "^ zapomnij o tej rozmowie",
    ],
    verb_far: false,
    openers: "proszę hej cześć ok okej dobra no i a ale więc teraz też to przepraszam dzięki dziękuję słuchaj \
        jeszcze jedno może lepiej",
    closers: "",
};
