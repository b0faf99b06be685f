//! Polish: how people ask that something be forgotten or that nothing be kept, and what only sounds so.

use crate::language::WishWords;

pub(super) const WISHES: WishWords = WishWords {
    orders: &[
        "zapomnij", "zapomnijcie", "niech pan zapomni", "niech pani zapomni", "proszę zapomnieć",
        "proszę zapomnij",
    ],
    deletions: &[
        "^ usuń", "^ usuńcie", "^ skasuj", "^ wykasuj", "^ wymaż", "^ wykreśl", "^ proszę usunąć",
        "^ proszę skasować", "proszę usuń", "proszę skasuj", "skasuj|usuń|wymaż|wykreśl $",
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
        "^ nie zapamiętuj|zapamiętujcie|pamiętaj", "nie chcę żebyś|abyś … pamiętał*|zapamięt*",
        "nie musisz … pamiętać", "tego|to nie zapisuj|zapamiętuj|zachowuj|notuj",
        "nie zapisuj|zapamiętuj|zachowuj|notuj tego|tej_informacji proszę|ok|dobrze|pls",
        "ale|tylko nie zapisuj|zapamiętuj|zachowuj|notuj tego",
    ],
    keepings: &[
        "^ nie zapisuj|zachowuj|przechowuj|notuj", "nie chcę żebyś|abyś … zapisywał*|zapisał*|zachow*|notował*",
        "proszę nie zapisywać|zachowywać|notować|zapisuj|zachowuj",
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
        "to o", "to co", "informacje o", "sprawę z", "sprawie", "historię z", "że ci|tobie", "historii z|o",
    ],
    own: &[
        "mój|moją|moje|mojego|mojej|nasz … adres|numer|telefon|urodziny|mail|email|pensję|wypłatę|wiek|imię|nazwisko|wagę|hasło|pesel|czynsz|diagnozę|datę_urodzenia|numer_telefonu",
    ],
    ordinary: &[
        "zapominam", "zapomina", "zapominają", "zapominasz", "zapomniałem", "zapomniałam", "zapomniał",
        "zapomniała", "zapomnę", "nie zapomnij", "nie zapominaj", "nie zapomnieć", "nie zapomnę",
        "nigdy nie zapom*", "żebym … zapom*", "żebym zapom*", "żeby zapom*", "jeśli zapom*", "jak usunąć",
        "jak skasować", "jak wykasować", "mogę zapomnieć", "chcę zapomnieć", "chciałbym zapomnieć",
        "^ zapomnij $",
    ],
    passed_on: &[
        "napisz", "powiedz", "przekaż", "wiadomość", "maila", "mail", "list do", "wiersz", "piosenkę",
        "powiedział żebym", "powiedziała żebym", "powiedział mi żebym", "powiedziała mi żebym", "kazał mi",
        "kazała mi", "przypomnij mi", "przypomnij", "przetłumacz",
    ],
    silences: &[
        "^ nie zapamiętuj|zapisuj|zachowuj|pamiętaj|przechowuj|notuj niczego|nic|żadnych|żadnej",
        "^ nie zapamiętywać|zapisywać|zachowywać niczego|nic",
        "proszę nie zapamiętywać|zapisywać|zachowywać niczego|nic",
        "^ nic|niczego nie zapisuj|zapamiętuj|zachowuj|notuj",
        "nie chcę żebyś|abyś cokolwiek|niczego|nic|coś … pamiętał*|zapamięt*|zapis*|zachow*|notował*",
        "nie chcę żebyś|abyś pamiętał*|zapamięt*|zapis*|zachow*|notował* cokolwiek|niczego|nic|tę_rozmowę|tej_rozmowy",
        "^ nie zapisuj|zapamiętuj|zachowuj tej|tę rozmowy|rozmowę", "^ nie zapisuj|zapamiętuj tego czatu",
        "^ zapomnij wszystko|o_wszystkim $", "^ zapomnij o tej rozmowie", "^ zapomnij tę rozmowę",
        "^ zapomnij wszystko|o_wszystkim co … mówiłem|mówiłam|powiedziałem|powiedziałam",
    ],
    here: &[
        "tej|tego|tę|ten|naszej|nasza|naszego rozmowy|czatu|rozmowę|czat|rozmowa",
        "co tu|ci|mówię|piszę|napiszę|powiem|powiedziałem|powiedziałam|mówiłem|mówiłam", "z tego|tej",
        "tutaj|tu", "dzisiaj|dziś",
    ],
    about: &[
        "o|na_temat|dotycząc*", "sprawie|sprawy",
    ],
    about_behind: &[],
    pointing: "to tego tej tym ten ta tę te co o z ci ja mi mnie my nas tu tutaj dziś dzisiaj teraz rozmowy \
        rozmowę rozmowie rozmowa czatu czat mówię mówimy mówiłem mówiłam powiem powiedziałem powiedziałam \
        piszę pisałem pisałam napiszę naszej nasza nic niczego wszystko wszystkim sobie tobie że w żadnych \
        żadnej informacji przed chwilą",
    verb_far: false,
    openers: "proszę hej cześć ok okej dobra no i a ale więc teraz też to przepraszam dzięki dziękuję słuchaj \
        jeszcze jedno może lepiej pls tylko",
    closers: "",
};
