//! Polish: how people hand over a text to work on, and begin a game of roles.

use crate::language::GivenWords;

pub(super) const GIVEN: GivenWords = GivenWords {
    work: "przetłumacz przetłumaczyć przetłumaczysz tłumaczenie streść streścić podsumuj sparafrazuj \
        przeredaguj przepisz skróć",
    amend: "popraw poprawić poprawisz sprawdź skoryguj ulepsz",
    say: "powiedz powiedzieć powiesz mówi napisz zapisz",
    languages: "angielski angielsku hiszpański hiszpańsku francuski francusku niemiecki niemiecku włoski \
        włosku portugalski portugalsku niderlandzki niderlandzku holenderski holendersku polski \
        polsku rosyjski rosyjsku turecki turecku arabski arabsku hindi chiński chińsku japoński \
        japońsku koreański koreańsku szwedzki czeski czesku ukraiński ukraińsku",
    this: "to tego ten ta tę następujący poniższy tekst zdanie",
    right: "czy_to_poprawnie czy_to_poprawne czy_to_dobrze czy_tak_jest_poprawnie brzmi_naturalnie są_błędy są_tu_błędy jakieś_błędy na_błędy \
        gramatyka",
    goes_on: "dalej kontynuuj dokończ ciąg_dalszy",
    writes: "napisz wymyśl ułóż stwórz",
    texts: "opowiadanie opowieść wiersz powieść rozdział scenę piosenkę bajkę monolog tekst akapit zdanie \
        list historię",
    on_behalf: "dla do",
    play: "odgrywanie odegrajmy odgrywamy zabawę_w_role role_play roleplay scenkę_o zabawa_w_role",
    invites: "zróbmy zagrajmy pobawmy odegrajmy pograjmy możemy chcę_poćwiczyć",
    you_are: "ty_jesteś jesteś_lekarzem ty_grasz ty_będziesz",
    i_am: "ja_jestem a_ja ja_gram ja_będę",
    ends: "koniec_zabawy koniec_scenki koniec_odgrywania przestańmy_grać",
    supposes: "udawaj_że_jestem załóżmy_że_jestem wyobraź_sobie_że_jestem udawajmy_że",
};
