//! Polish: the words of time expressions.

use crate::language::{Holiday, TimeUnit, TimeWords};

pub(crate) const TIME: TimeWords = TimeWords {
    function_words: "i w we z ze na do nie jest są był była było będę będzie się to że jak ja ty on ona my wy mój moja mnie mi o od po za dla ale czy co kto gdzie
        kiedy mam ma jestem tak już przez przy",
    periods: &[
        (TimeUnit::Day, -2, "przedwczoraj wczoraj_wieczorem_"),
        (TimeUnit::Day, -1, "wczoraj wczoraj_wieczorem zeszłej_nocy"),
        (TimeUnit::Day, 0, "dziś dzisiaj tego_dnia obecnego_dnia dziś_wieczorem dzisiaj_wieczorem dziś_rano dzisiejszy_dzień tej_nocy dzisiejszego_dnia dzis"),
        (TimeUnit::Day, 1, "jutro jutrzejszy_dzień jutra jutrzejszego_dnia"),
        (TimeUnit::Day, 2, "pojutrze po_jutrze"),
    ],
    weekdays: "poniedziałek poniedziałku poniedziałki | wtorek wtorku wtorki | środa środę środy środzie | czwartek czwartku czwartki | piątek piątku piątki |
        sobota sobotę soboty sobocie | niedziela niedzielę niedzieli niedziele",
    short_weekdays: "pon pn | wt wto | śr śro | czw cz | pt pią | sob so | niedz nd ndz",
    months: "styczeń stycznia styczniu | luty lutego lutym | marzec marca marcu | kwiecień kwietnia kwietniu | maj maja maju | czerwiec czerwca czerwcu |
        lipiec lipca lipcu | sierpień sierpnia sierpniu | wrzesień września wrześniu | październik października październiku | listopad listopada
        listopadzie | grudzień grudnia grudniu",
    months_and_names: "maja",
    short_months: "sty | lut |  | kwi |  | cze | lip | sierp | wrz | paź | lis | gru",
    seasons: "wiosna wiosny wiosnę wiosną | lato lata latem | jesień jesieni jesienią | zima zimy zimę zimą",
    units: &[
        (TimeUnit::Minute, "sekunda sekundę sekundy sekund minuta minutę minuty minut"),
        (TimeUnit::Hour, "godzina godzinę godziny godzin h"),
        (TimeUnit::Day, "dzień dnia dni dniu doba dobę"),
        (TimeUnit::Workday, "dzień_roboczy dni_robocze dni_roboczych"),
        (TimeUnit::Week, "tyg tydzień tygodnia tygodnie tygodni tygodniu"),
        (TimeUnit::Weekend, "weekend weekendu weekendy"),
        (TimeUnit::Month, "miesiąc miesiąca miesiące miesięcy miesiącu"),
        (TimeUnit::Quarter, "kwartał kwartału kwartały kwartale"),
        (TimeUnit::Half, "półrocze półrocza połowa połowie"),
        (TimeUnit::Year, "rok roku lata lat latach"),
        (TimeUnit::Decade, "dekada dekady dekadę dekadzie"),
        (TimeUnit::Century, "wiek wieku stulecie"),
    ],
    numbers: "jeden jedna jedną jedno | dwa dwie dwóch dwoma dwu | trzy trzech | cztery czterech | pięć pięciu | sześć sześciu | siedem siedmiu | osiem ośmiu |
        dziewięć dziewięciu | dziesięć dziesięciu | jedenaście | dwanaście | trzynaście | czternaście | piętnaście | szesnaście | siedemnaście |
        osiemnaście | dziewiętnaście | dwadzieścia",
    greater_numbers: &[(30, "trzydzieści"), (40, "czterdzieści"), (50, "pięćdziesiąt"), (100, "sto"), (1000, "tysiąc tysiące"), (2000, "dwa_tysiące")],
    ordinals: "pierwszy pierwszego pierwsza pierwszą pierwszej pierwsze pierwszym | drugi drugiego druga drugą drugiej drugim | trzeci trzeciego trzecia trzecią
        trzeciej trzecim | czwarty czwartego czwarta czwartą czwartym | piąty piątego piąta piątą piątym | szósty szóstego szóstym | siódmy siódmego
        siódmym | ósmy ósmego ósmym | dziewiąty dziewiątego dziewiątym | dziesiąty dziesiątego dziesiątym | jedenasty jedenastego | dwunasty dwunastego |
        trzynasty trzynastego | czternasty czternastego | piętnasty piętnastego | szesnasty szesnastego | siedemnasty siedemnastego | osiemnasty
        osiemnastego | dziewiętnasty dziewiętnastego | dwudziesty dwudziestego | dwudziesty_pierwszy dwudziestego_pierwszego | dwudziesty_drugi
        dwudziestego_drugiego | dwudziesty_trzeci dwudziestego_trzeciego | dwudziesty_czwarty dwudziestego_czwartego | dwudziesty_piąty
        dwudziestego_piątego | dwudziesty_szósty dwudziestego_szóstego | dwudziesty_siódmy dwudziestego_siódmego | dwudziesty_ósmy dwudziestego_ósmego |
        dwudziesty_dziewiąty dwudziestego_dziewiątego | trzydziesty trzydziestego | trzydziesty_pierwszy trzydziestego_pierwszego",
    last_ordinal: "ostatni ostatnia ostatnią ostatnie ostatniego ostatnim",
    ordinal_marks: "go szy ty ci ego szego tego",
    amounts: &[(6, TimeUnit::Month, "pół_roku"), (1, TimeUnit::Week, "tydzień"), (1, TimeUnit::Month, "miesiąc"), (1, TimeUnit::Year, "rok"), (1, TimeUnit::Day, "dzień"), (1, TimeUnit::Hour, "godzinę minutę sekundę pół_godziny")],
    vague: &[(2, 3, "parę para"), (2, 5, "kilka kilku")],
    last: "zeszły zeszłym zeszłego zeszłą zeszłej zeszła ostatni ostatnie ostatnich ostatnim ostatnią ostatniej ostatniego ubiegły ubiegłym ubiegłego ubiegłej
        poprzedni poprzednim poprzedniego poprzednią poprzedniej poprzednia miniony minionym minionego przeszłym przeszłą przeszłej minione minionych
        minionej minioną",
    this: "ten tę ta tą tej tym tego to te bieżący bieżącym bieżącego bieżącą obecnej obecną obecny obecnym obecnego",
    next: "następny następnym następnego następną następnej następne następnych następna przyszły przyszłym przyszłego przyszłą przyszłej przyszłe przyszła
        nadchodzący nadchodzącym nadchodzącą nadchodzące nadchodzących nadchodzącego nadchodzącej kolejnego kolejnej kolejną kolejna kolejny kolejne kolejnych kolejnym najbliższy najbliższe
        najbliższych najbliższą najbliższym",
    ago_behind: "temu wstecz wcześniej",
    ahead_before: "za",
    ahead_behind: "później od_teraz od_dziś od_dzisiaj",
    within_before: "w_ciągu w_przeciągu w_ciągu_najbliższych",
    since_before: "od począwszy_od",
    until_before: "do najpóźniej_do aż_do",
    before_before: "przed",
    after_before: "po",
    from: "od z",
    to: "do a aż_do",
    between: "między pomiędzy",
    and: "i a oraz lub albo",
    joints: "w we",
    leads: "w we od do na po przed z przed_ koło około dnia",
    year_words: "rok roku roku_pańskiego",
    year_marks: "r rok roku",
    day_leads: "dnia",
    early: "początek początku na_początku wczesny",
    middle: "środek połowa połowie w_połowie",
    late: "koniec końcu pod_koniec końcem końca",
    rest: "reszta reszty resztę",
    every: "każdy każdą każde każdego co każdej",
    recurring: "urodziny rocznica codziennie co_tydzień co_miesiąc co_rok tygodniowo miesięcznie rocznie poniedziałki wtorki czwartki piątki",
    day_parts: "rano rankiem przedpołudniem popołudniem popołudniu po_południu wieczorem wieczór nocą w_nocy południe północ ranek wieczora rana nad_ranem
        popołudnie noc noc",
    recent: &[(4, TimeUnit::Week, "ostatnio niedawno")],
    now: "teraz natychmiast w_tej_chwili właśnie_teraz",
    holidays: &[
        (Holiday::Christmas, "boże_narodzenie bożego_narodzenia"),
        (Holiday::On(12, 24), "wigilia wigilię wigilii"),
        (Holiday::On(12, 31), "sylwester sylwestra"),
        (Holiday::NewYear, "nowy_rok nowego_roku"),
        (Holiday::On(1, 6), "trzech_króli święto_trzech_króli"),
        (Holiday::On(2, 14), "walentynki dzień_zakochanych"),
        (Holiday::On(5, 1), "święto_pracy"),
        (Holiday::On(5, 3), "święto_konstytucji"),
        (Holiday::On(5, 26), "dzień_matki dzien_matki"),
        (Holiday::On(6, 23), "dzień_ojca dzien_ojca"),
        (Holiday::On(10, 31), "halloween"),
        (Holiday::On(11, 1), "wszystkich_świętych"),
        (Holiday::On(11, 11), "święto_niepodległości"),
        (Holiday::Nth(11, 4, 3), "święto_dziękczynienia"),
        (Holiday::Easter(0), "wielkanoc niedziela_wielkanocna"),
        (Holiday::Easter(1), "lany_poniedziałek poniedziałek_wielkanocny"),
    ],
    past_tense: "był była było byłem byłam byli poszedłem zrobiłem kupiłem spotkałem wydarzyło stało przyszedł",
    formerly: "wcześniej przedtem dawniej",
    ..TimeWords::NONE
};
