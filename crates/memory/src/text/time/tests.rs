//! What is found in a text, as tables of phrases and days.

use super::*;
use jiff::civil::date;
use proptest::prelude::*;

/// A Saturday.
const REFERENCE: Date = date(2023, 5, 20);

/// Renders the spans as `phrase = first day..day after the last`, or `phrase = day` for a single day.
fn render(text: &str, reference: Date) -> String {
    let render_one = |span: &TimeSpan| {
        let phrase = &text[span.phrase.clone()];
        match span.start.tomorrow() {
            Ok(next) if next == span.end => format!("{phrase} = {}", span.start),
            _ => format!("{phrase} = {}..{}", span.start, span.end),
        }
    };
    find(text, reference).iter().map(render_one).collect::<Vec<_>>().join("; ")
}

fn check(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(render(text, REFERENCE), *expected, "{text:?}");
    }
}

#[test]
fn named_days_are_found() {
    check(&[
        ("What did I do today?", "today = 2023-05-20"),
        ("tonight", "tonight = 2023-05-20"),
        ("this morning", "this morning = 2023-05-20"),
        ("Yesterday's lunch", "Yesterday = 2023-05-19"),
        ("yesterday evening", "yesterday evening = 2023-05-19"),
        ("last night", "last night = 2023-05-19"),
        ("the day before yesterday", "the day before yesterday = 2023-05-18"),
        ("tomorrow", "tomorrow = 2023-05-21"),
        ("the day after tomorrow", "the day after tomorrow = 2023-05-22"),
        ("the other day", "the other day = 2023-05-13..2023-05-21"),
        ("what have I read recently", "recently = 2023-04-22..2023-05-21"),
    ]);
}

#[test]
fn other_languages_name_days_weeks_and_dates() {
    check(&[
        ("Ieri ho corso", "Ieri = 2023-05-19"),
        ("che cosa ho fatto la settimana scorsa?", "la settimana scorsa = 2023-05-08..2023-05-15"),
        ("l'anno scorso a Roma", "l'anno scorso = 2022-01-01..2023-01-01"),
        ("quest'anno", "quest'anno = 2023-01-01..2024-01-01"),
        ("due settimane fa", "due settimane fa = 2023-05-03..2023-05-10"),
        ("3 giorni fa", "3 giorni fa = 2023-05-17"),
        ("lunedì scorso", "lunedì scorso = 2023-05-15"),
        ("il 7 maggio 2023", "il 7 maggio 2023 = 2023-05-07"),
        ("a marzo sono andato", "marzo = 2023-03-01..2023-04-01"),
        ("nel maggio del 2021", "maggio del 2021 = 2021-05-01..2021-06-01"),
        ("vor zwei Wochen", "vor zwei Wochen = 2023-05-03..2023-05-10"),
        ("am 7. Mai 2023", "7. Mai 2023 = 2023-05-07"),
        ("letzten Montag, im März", "letzten Montag = 2023-05-15; März = 2023-03-01..2023-04-01"),
        ("hace tres días", "hace tres días = 2023-05-17"),
        ("el 7 de mayo de 2023", "el 7 de mayo de 2023 = 2023-05-07"),
        ("il y a un mois", "il y a un mois = 2023-04-01..2023-05-01"),
        ("l'année dernière", "l'année dernière = 2022-01-01..2023-01-01"),
        ("na segunda-feira", "segunda-feira = 2023-05-15"),
        ("há dois anos", "há dois anos = 2021-01-01..2022-01-01"),
        ("два дня назад", "два дня назад = 2023-05-18"),
        ("7 мая 2023 года", "7 мая 2023 года = 2023-05-07"),
        ("我昨天去了上海", "昨天 = 2023-05-19"),
        ("三天前", "三天前 = 2023-05-17"),
        ("2023年5月7日见面", "2023年5月7日 = 2023-05-07"),
        ("去年5月", "去年5月 = 2022-05-01..2022-06-01"),
        ("先週東京に行きました", "先週 = 2023-05-08..2023-05-15"),
        ("2週間前に", "2週間前 = 2023-05-03..2023-05-10"),
    ]);
}

#[test]
fn words_of_several_languages_are_no_time_alone() {
    check(&[
        ("ich bin hier", ""),
        ("Guten Morgen", ""),
        ("hasta mañana", ""),
        ("la segunda vez", ""),
        ("Mars is a planet", ""),
        ("due to rain", ""),
        ("un fa diesis", ""),
        ("le mai", ""),
        ("окружающая среда", ""),
        ("五月天", ""),
    ]);
}

/// A day of one language that is a frequent word of another is no day among the other's words.
#[test]
fn a_word_counts_in_its_own_language() {
    use crate::language::Language;
    for (language, words) in Language::timed() {
        let lists = words.periods.iter().map(|(.., list)| *list).chain(words.weekdays.split('|'));
        let alone = lists.flat_map(str::split_whitespace).filter(|phrase| !phrase.contains('_'));
        for word in alone {
            for (other, others) in Language::timed().filter(|(other, _)| *other != language) {
                let frequent: Vec<&str> = others.function_words.split_whitespace().collect();
                if !frequent.contains(&word) || others.unspaced {
                    continue;
                }
                let own: Vec<&str> = words.function_words.split_whitespace().collect();
                let around: Vec<&str> = frequent
                    .iter()
                    .copied()
                    .filter(|one| !own.contains(one) && *one != word)
                    .take(4)
                    .collect();
                let text = format!("{} {word}", around.join(" "));
                assert_eq!(render(&text, REFERENCE), "", "{word} of {language} among words of {other}");
            }
        }
    }
}

/// Said on Sunday, 15 November 2026: what somebody plans, to the day.
#[test]
fn plans_are_dated_ahead_to_the_day() {
    let said = date(2026, 11, 15);
    for (text, expected) in [
        ("interview on Tuesday 24 November", "2026-11-24"),
        ("Saturday 5 December", "2026-12-05"),
        ("dentist Friday the 20th", "2026-11-20"),
        ("send it by Monday week", "2026-11-15..2026-11-24"),
        ("we start on 1 March", "2027-03-01"),
        ("the exam is in two weeks", "2026-11-29"),
        ("tomorrow at nine", "2026-11-16"),
        ("Monday 16 November 2026", "2026-11-16"),
        // 3 March 2027 is a Wednesday; a Tuesday it was in 2026.
        ("Tuesday 3 March", "2026-03-03"),
        ("for two weeks from 20 December", "2026-12-20..2027-01-03"),
        ("Vorstellungsgespräch am Dienstag, den 24. November", "2026-11-24"),
        ("Zahnarzt am Freitag, den 20.", "2026-11-20"),
        ("die Prüfung ist in zwei Wochen", "2026-11-29"),
        ("la entrevista es el martes 24 de noviembre", "2026-11-24"),
        ("tengo dentista el viernes 20", "2026-11-20"),
        ("rendez-vous vendredi 20 novembre", "2026-11-20"),
        ("on part dans deux semaines", "2026-11-29"),
        ("ho il dentista venerdì 20", "2026-11-20"),
        ("a entrevista é na terça-feira, 24 de novembro", "2026-11-24"),
        ("de tandarts is op vrijdag 20 november", "2026-11-20"),
        ("mam dentystę w piątek 20 listopada", "2026-11-20"),
        ("egzamin jest za dwa tygodnie", "2026-11-29"),
        ("собеседование во вторник 24 ноября", "2026-11-24"),
        ("экзамен через две недели", "2026-11-29"),
        ("24 Kasım Salı günü mülakatım var", "2026-11-24"),
        ("عندي موعد يوم الجمعة 20 نوفمبر", "2026-11-20"),
        ("मेरा इंटरव्यू मंगलवार 24 नवंबर को है", "2026-11-24"),
        ("我下周五去看牙医", "2026-11-20"),
        ("11月24日星期二面试", "2026-11-24"),
        ("11月24日火曜日に面接があります", "2026-11-24"),
        ("2週間後に試験があります", "2026-11-29"),
        ("다음 주 금요일에 치과 예약이 있어요", "2026-11-20"),
    ] {
        let found = mentions(text, said, TimeLean::Future);
        let shown = found.iter().map(|mention| match mention.day() {
            Some(day) => day.to_string(),
            None => format!("{}..{}", mention.start, mention.end),
        });
        assert_eq!(shown.collect::<Vec<_>>().join("; "), expected, "{text:?}");
    }
}

/// Each text with what is read in it to the day, said on Tuesday, 12 February 2013, of what is to come.
fn check_exactly(table: &[(&str, &str)]) {
    for (text, expected) in table {
        let found = mentions(text, date(2013, 2, 12), TimeLean::Future);
        let shown = found.iter().map(|mention| match mention.day() {
            Some(day) => day.to_string(),
            None => format!("{}..{}", mention.start, mention.end),
        });
        assert_eq!(shown.collect::<Vec<_>>().join("; "), *expected, "{text:?}");
    }
}

#[test]
fn an_hour_behind_a_day_is_no_last_day() {
    check_exactly(&[
        ("el dentista es el 4 de diciembre a las 11", "2013-12-04"),
        ("tengo cita el 4 de diciembre a la 1", "2013-12-04"),
        ("il dentista è il 3 dicembre alle 15", "2013-12-03"),
        ("estoy fuera del 4 al 11 de diciembre", "2013-12-04..2013-12-12"),
        ("sono via dal 3 al 15 dicembre", "2013-12-03..2013-12-16"),
    ]);
}

#[test]
fn a_weekday_tells_the_order_of_figures() {
    check_exactly(&[
        // 7 June 2013 is a Friday, 6 July is not.
        ("Friday 7/6", "2013-06-07"),
        ("dinner on Friday 3/1 at seven", "2013-03-01"),
        ("on Friday 01/03/2013", "2013-03-01"),
        // Neither is one: a slip, and the weekday counts.
        ("Friday 5/12", "2013-02-15"),
        ("Friday 7.10", "2013-02-15"),
        ("Friday 7-9", "2013-02-15"),
        ("Friday (March 15)", "2013-03-15"),
        ("Friday (5/13 tests passed)", "2013-02-15"),
        ("05/07/2013", ""),
    ]);
}

#[test]
fn figures_without_marks_are_dates_where_they_can_be_nothing_else() {
    check_exactly(&[
        ("IMG_20130301_123456.jpg", "2013-03-01"),
        ("backup-20130301T103000Z.tar", "2013-03-01"),
        ("Wed Oct 26 15:50:06 2016 it failed", "2016-10-26"),
        ("order #20130301", ""),
        ("20131301", ""),
        ("20130301b", ""),
        ("99990301", ""),
    ]);
}

#[test]
fn ranges_are_read_with_what_one_end_says_of_the_other() {
    check_exactly(&[
        ("2/29-3/1", "2012-02-29..2013-03-02"),
        ("from 3/5 to 3/17", "2013-03-05..2013-03-18"),
        ("1/16-3/8 inch", ""),
        ("from 3/5 to 3/7", ""),
        ("from April 27 to the third", "2013-04-27..2013-05-04"),
        ("from December 27 2012 to the 3rd", "2012-12-27..2013-01-04"),
        ("domenica 22 novembre alle 17", "2013-11-22"),
        ("February between 14 and 17", "2013-02-14..2013-02-18"),
        ("in June from 4 to 6 pm", "2013-06-01..2013-07-01"),
        ("you may between 2 and 7", ""),
        ("last week between Friday and Sunday", "2013-02-08..2013-02-11"),
        ("this week from Friday to Monday", "2013-02-15..2013-02-19"),
        ("from the middle of 2007 to the end of 2008", "2007-07-02..2009-01-01"),
        ("from mid-March to May", "2013-03-16..2013-06-01"),
    ]);
}

#[test]
fn amounts_are_read_whole() {
    check_exactly(&[
        ("the last 2 weeks and 3 days", "2013-01-26..2013-02-12"),
        ("in the last two weeks, 3 days were rainy", "2013-01-29..2013-02-12"),
        ("the last 3 weeks and two days before Easter", "2013-01-22..2013-02-12; 2013-03-29"),
        ("within the next month", "2013-02-12..2013-03-13"),
        ("he turns 3 next week", "2013-02-18..2013-02-25"),
        ("the 5 past years", "2008-02-12..2013-02-12"),
        ("two Sundays from now", "2013-02-24"),
        ("three Fridays ago", "2013-01-25"),
        ("3 weeks after Christmas on Friday", "2014-01-17"),
    ]);
}

#[test]
fn decades_and_weekends_by_name() {
    check_exactly(&[
        ("in the nineteen seventies", "1970-01-01..1980-01-01"),
        ("in the twenty-twenties", "2020-01-01..2030-01-01"),
        ("en la década de 1990", "1990-01-01..2000-01-01"),
        ("las décadas de 1960 y 1970", "1960-01-01..1970-01-01; 1970-01-01..1980-01-01"),
        ("sales of CY18", "2018-01-01..2019-01-01"),
        ("over Labor Day weekend", "2013-08-31..2013-09-03"),
        ("Halloween weekend 2010", "2010-10-30..2010-11-01"),
        ("Easter weekend", "2013-03-30..2013-04-01"),
    ]);
}

#[test]
fn what_is_listed_goes_on() {
    check_exactly(&[
        ("this week or next if you can", "2013-02-11..2013-02-18; 2013-02-18..2013-02-25"),
        ("this week and next steps", "2013-02-11..2013-02-18"),
        ("Friday this week or next week", "2013-02-15; 2013-02-22"),
        ("Friday this week, next week we travel", "2013-02-15; 2013-02-18..2013-02-25"),
        ("the first Monday of March or April", "2013-03-04; 2013-04-01"),
        ("in 2007, 2009 and 2011", "2007-01-01..2008-01-01; 2009-01-01..2010-01-01; 2011-01-01..2012-01-01"),
        ("the 1970s and early 1980s", "1970-01-01..1980-01-01; 1980-01-01..1984-12-31"),
        ("in the 1960s and 1970s", "1960-01-01..1970-01-01; 1970-01-01..1980-01-01"),
        ("in 2007 and 2009 people came", "2007-01-01..2008-01-01"),
    ]);
}

#[test]
fn what_was_before_is_told_from_a_time_before_another() {
    for text in [
        "where did I live before?",
        "Where did I use to live?",
        "which city was I in before I moved?",
        "Wo habe ich früher gewohnt?",
        "¿dónde vivía antes?",
        "où est-ce que j'habitais avant ?",
        "dove abitavo prima?",
        "onde é que eu morava antes?",
        "waar woonde ik vroeger?",
        "gdzie mieszkałem wcześniej?",
        "где я жил раньше?",
        "eskiden nerede oturuyordum?",
        "أين كنت أسكن سابقا؟",
        "मैं पहले कहाँ रहता था?",
        "我以前住在哪里？",
        "以前どこに住んでいた？",
        "예전에 내가 어디 살았지?",
    ] {
        assert!(super::speaks_of_before(text), "{text}");
    }
    for text in [
        "what do I have before Christmas?",
        "Anything to pack before I leave?",
        "这个月底之前还有什么必须交的东西？",
        "网上买了个书架",
        "where do I live?",
        "Was muss ich vor Freitag erledigen?",
    ] {
        assert!(!super::speaks_of_before(text), "{text}");
    }
}

#[test]
fn what_recurs_says_on_which_days() {
    use jiff::civil::Weekday::{Friday, Monday, Saturday, Thursday, Tuesday, Wednesday};
    for (text, expected) in [
        ("yoga every Tuesday", Some(vec![Tuesday])),
        ("I swim on Thursdays at seven", Some(vec![Thursday])),
        ("choir every Monday and Friday", Some(vec![Monday, Friday])),
        ("Chor donnerstags um acht", Some(vec![Thursday])),
        ("jeden Mittwoch Training", Some(vec![Wednesday])),
        ("todos los martes tengo clase", Some(vec![Tuesday])),
        ("каждую среду бассейн", Some(vec![Wednesday])),
        ("по вторникам у меня хор", Some(vec![Tuesday])),
        ("her perşembe yüzme", Some(vec![Thursday])),
        ("cumartesileri koşuyorum", Some(vec![Saturday])),
        ("每周三晚上打羽毛球", Some(vec![Wednesday])),
        ("毎週水曜日はバイト", Some(vec![Wednesday])),
        ("매주 금요일에 수영해", Some(vec![Friday])),
        ("rent is due monthly", Some(Vec::new())),
        ("dentist on Tuesday", None),
    ] {
        assert_eq!(super::recurring_weekdays(text), expected, "{text}");
    }
}

#[test]
fn what_recurs_is_told_from_what_happens_once() {
    for text in [
        "yoga every Tuesday",
        "we meet on the first Monday of the month",
        "therapy on Thursdays",
        "jeden Dienstag Yoga",
        "todos los martes tengo clase",
        "chaque mardi",
        "ogni martedì",
        "toda terça-feira",
        "elke dinsdag",
        "w każdy wtorek",
        "каждый вторник",
        "her Salı",
        "كل ثلاثاء",
        "हर मंगलवार",
        "每个星期二",
        "毎週火曜日",
        "매주 화요일",
    ] {
        assert!(recurs(text), "{text:?}");
    }
    for text in ["dentist on Friday the 20th", "am Dienstag", "下周二", "every time I go", "all my friends"]
    {
        assert!(!recurs(text), "{text:?}");
    }
}

#[test]
fn amounts_ago_and_to_come() {
    check(&[
        ("3 days ago", "3 days ago = 2023-05-17"),
        ("a day ago", "a day ago = 2023-05-19"),
        ("an hour ago", "an hour ago = 2023-05-20"),
        ("two weeks ago", "two weeks ago = 2023-05-03..2023-05-10"),
        ("a week ago", "a week ago = 2023-05-10..2023-05-17"),
        ("a fortnight ago", "a fortnight ago = 2023-05-03..2023-05-10"),
        ("three months ago", "three months ago = 2023-02-01..2023-03-01"),
        ("half a year ago", "half a year ago = 2022-11-01..2022-12-01"),
        ("12 years ago", "12 years ago = 2011-01-01..2012-01-01"),
        ("a year ago", "a year ago = 2022-01-01..2023-01-01"),
        ("a couple of days ago", "a couple of days ago = 2023-05-17..2023-05-19"),
        ("a few days ago", "a few days ago = 2023-05-15..2023-05-19"),
        ("a few weeks ago", "a few weeks ago = 2023-04-12..2023-05-10"),
        ("several months ago", "several months ago = 2022-10-01..2023-03-01"),
        ("a few years back", "a few years back = 2018-01-01..2022-01-01"),
        ("it is due in three days", "in three days = 2023-05-23"),
        ("we have not met in three days", ""),
        ("not built in a day", ""),
        ("two weeks from now", "two weeks from now = 2023-05-31..2023-06-07"),
        ("999 years ago", "999 years ago = 1024-01-01..1025-01-01"),
        ("1000 years ago", ""),
        ("three days", ""),
        ("long ago", ""),
    ]);
}

#[test]
fn rolling_windows_end_today() {
    check(&[
        ("the last 3 days", "the last 3 days = 2023-05-17..2023-05-21"),
        ("over the last few weeks", "the last few weeks = 2023-04-15..2023-05-21"),
        ("in the past two months", "the past two months = 2023-03-20..2023-05-21"),
        ("the past week", "the past week = 2023-05-13..2023-05-21"),
        ("this past year", "this past year = 2022-05-20..2023-05-21"),
        ("in the last couple of days", "the last couple of days = 2023-05-17..2023-05-21"),
        ("the last 24 hours", "the last 24 hours = 2023-05-19..2023-05-21"),
        ("the last hour", ""),
        ("the next two weeks", "the next two weeks = 2023-05-20..2023-06-04"),
    ]);
}

#[test]
fn units_of_the_calendar() {
    check(&[
        ("last week", "last week = 2023-05-08..2023-05-15"),
        ("last week's meeting", "last week = 2023-05-08..2023-05-15"),
        ("this week", "this week = 2023-05-15..2023-05-22"),
        ("next week", "next week = 2023-05-22..2023-05-29"),
        ("last month", "last month = 2023-04-01..2023-05-01"),
        ("this month", "this month = 2023-05-01..2023-06-01"),
        ("next month", "next month = 2023-06-01..2023-07-01"),
        ("last year", "last year = 2022-01-01..2023-01-01"),
        ("this year", "this year = 2023-01-01..2024-01-01"),
        ("last quarter", "last quarter = 2023-01-01..2023-04-01"),
        ("Q1 2022", "Q1 2022 = 2022-01-01..2022-04-01"),
        ("last weekend", "last weekend = 2023-05-13..2023-05-15"),
        ("this weekend", "this weekend = 2023-05-20..2023-05-22"),
        ("next weekend", "next weekend = 2023-05-27..2023-05-29"),
        ("the week before last", "the week before last = 2023-05-01..2023-05-08"),
        ("the month before last", "the month before last = 2023-03-01..2023-04-01"),
        ("the weekend before last", "the weekend before last = 2023-05-06..2023-05-08"),
        ("the year after next", "the year after next = 2025-01-01..2026-01-01"),
        ("in the 1990s", "the 1990s = 1990-01-01..2000-01-01"),
    ]);
}

#[test]
fn weekdays_are_the_last_one_unless_told() {
    check(&[
        ("last Friday", "last Friday = 2023-05-19"),
        ("last Saturday", "last Saturday = 2023-05-13"),
        ("on Monday", "Monday = 2023-05-15"),
        ("on Tuesday night", "Tuesday night = 2023-05-16"),
        ("last tue", "last tue = 2023-05-16"),
        ("this Friday", "this Friday = 2023-05-19"),
        ("next Friday", "next Friday = 2023-05-26"),
        ("by Friday", "by Friday = 2023-05-20..2023-05-27"),
        ("Friday, May 5", "Friday, May 5 = 2023-05-05"),
        ("on Sunday the 7th of May 2023", "Sunday the 7th of May 2023 = 2023-05-07"),
        ("the Sunday before 25 May 2023", "the Sunday before 25 May 2023 = 2023-05-21"),
        ("every Friday", ""),
        ("the cat sat in the sun", ""),
    ]);
}

#[test]
fn months_are_the_last_one_unless_told() {
    check(&[
        ("in March", "March = 2023-03-01..2023-04-01"),
        ("in May", "May = 2023-05-01..2023-06-01"),
        ("in June", "June = 2022-06-01..2022-07-01"),
        ("in may 2023", "may 2023 = 2023-05-01..2023-06-01"),
        ("May of 2021", "May of 2021 = 2021-05-01..2021-06-01"),
        ("September, 2022", "September, 2022 = 2022-09-01..2022-10-01"),
        ("May last year", "May last year = 2022-05-01..2022-06-01"),
        ("in May of last year", "May of last year = 2022-05-01..2022-06-01"),
        ("last March", "last March = 2023-03-01..2023-04-01"),
        ("last May", "last May = 2022-05-01..2022-06-01"),
        ("this June", "this June = 2023-06-01..2023-07-01"),
        ("next January", "next January = 2024-01-01..2024-02-01"),
        ("my January report", "January = 2023-01-01..2023-02-01"),
        ("in Feb", "Feb = 2023-02-01..2023-03-01"),
        ("by June", "by June = 2023-05-20..2023-07-01"),
        ("2022-11", "2022-11 = 2022-11-01..2022-12-01"),
    ]);
}

#[test]
fn months_that_are_other_words() {
    check(&[
        ("I may go", ""),
        ("may I ask", ""),
        ("this may take a while", ""),
        ("this May was warm", "this May = 2023-05-01..2023-06-01"),
        ("we march on", ""),
        ("we march 3 miles", ""),
        ("you may 2 of them", ""),
        ("on may 7", "may 7 = 2023-05-07"),
        ("what did April say to June", ""),
        ("I can and may go", ""),
        ("they decided to march", ""),
        ("in early march we met", "early march = 2023-03-01..2023-03-11"),
        ("April called", ""),
        ("an august body", ""),
        ("I fall asleep", ""),
        ("spring rolls", ""),
    ]);
}

#[test]
fn dates_are_read_in_both_orders() {
    check(&[
        ("May 7, 2023", "May 7, 2023 = 2023-05-07"),
        ("May 7 2023", "May 7 2023 = 2023-05-07"),
        ("May 7th", "May 7th = 2023-05-07"),
        ("May the 4th", "May the 4th = 2023-05-04"),
        ("7 May 2023", "7 May 2023 = 2023-05-07"),
        ("7th of May", "7th of May = 2023-05-07"),
        ("the fourth of July", "the fourth of July = 2022-07-04"),
        ("on June 3", "June 3 = 2022-06-03"),
        ("Sept. 7, 2022", "Sept. 7, 2022 = 2022-09-07"),
        ("7-May-2023", "7-May-2023 = 2023-05-07"),
        ("Feb 29", "Feb 29 = 2020-02-29"),
        ("Feb 30", ""),
        ("2023-05-07", "2023-05-07 = 2023-05-07"),
        ("at 2023-05-07T10:30:00Z it", "2023-05-07 = 2023-05-07"),
        ("2023/05/07", "2023/05/07 = 2023-05-07"),
        ("2023-13-07", ""),
        ("05/07/2023", ""),
        ("on the 7th", "the 7th = 2023-05-07"),
        ("by the 7th", "by the 7th = 2023-05-20..2023-06-08"),
        ("on the 7th floor", ""),
    ]);
}

#[test]
fn seasons_and_holidays() {
    check(&[
        ("last summer", "last summer = 2022-06-01..2022-09-01"),
        ("this summer", "this summer = 2023-06-01..2023-09-01"),
        ("next winter", "next winter = 2023-12-01..2024-03-01"),
        ("last winter", "last winter = 2022-12-01..2023-03-01"),
        ("this spring", "this spring = 2023-03-01..2023-06-01"),
        ("last fall", "last fall = 2022-09-01..2022-12-01"),
        ("in the autumn", "the autumn = 2022-09-01..2022-12-01"),
        ("the summer of 2021", "the summer of 2021 = 2021-06-01..2021-09-01"),
        ("around Christmas", "Christmas = 2022-12-24..2022-12-27"),
        ("Christmas Eve 2021", "Christmas Eve 2021 = 2021-12-24"),
        ("next Christmas", "next Christmas = 2023-12-24..2023-12-27"),
        ("on New Year's Eve", "New Year's Eve = 2022-12-31"),
        ("over New Year's", "New Year = 2022-12-31..2023-01-02"),
        ("a new year of work", ""),
        ("last Thanksgiving", "last Thanksgiving = 2022-11-24"),
        ("Valentine's Day", "Valentine's Day = 2023-02-14"),
    ]);
}

#[test]
fn parts_and_neighbours() {
    check(&[
        ("early May 2023", "early May 2023 = 2023-05-01..2023-05-11"),
        ("mid-May", "mid-May = 2023-05-11..2023-05-21"),
        ("late May 2022", "late May 2022 = 2022-05-21..2022-06-01"),
        ("in early 2022", "early 2022 = 2022-01-01..2022-05-02"),
        ("late last year", "late last year = 2022-08-31..2023-01-01"),
        ("the end of the month", "the end of the month = 2023-05-21..2023-06-01"),
        ("at the end of the day", ""),
        ("the first week of June", "the first week of June = 2022-06-01..2022-06-08"),
        ("the last week of June 2023", "the last week of June 2023 = 2023-06-24..2023-07-01"),
        ("the second half of 2022", "the second half of 2022 = 2022-07-01..2023-01-01"),
        ("the first Monday in May", "the first Monday in May = 2023-05-01"),
        ("the last weekend of April", "the last weekend of April = 2023-04-29..2023-05-01"),
        ("the first day of school", ""),
        ("the weekend of July 4", "the weekend of July 4 = 2022-07-02..2022-07-04"),
        ("the week of May 7, 2023", "the week of May 7, 2023 = 2023-05-01..2023-05-08"),
        ("the week before 9 June 2023", "the week before 9 June 2023 = 2023-06-02..2023-06-09"),
        ("the weekend before 9 June 2023", "the weekend before 9 June 2023 = 2023-06-03..2023-06-05"),
        ("the day after Christmas Day", "the day after Christmas Day = 2022-12-26"),
        ("the month after May 2022", "the month after May 2022 = 2022-06-01..2022-07-01"),
        ("two days before May 7", "two days before May 7 = 2023-05-05"),
    ]);
}

#[test]
fn years_bounds_and_ranges() {
    check(&[
        ("in 2022", "2022 = 2022-01-01..2023-01-01"),
        ("I have 2022 emails", ""),
        ("since March", "since March = 2023-03-01..2023-05-21"),
        ("since 2020", "since 2020 = 2020-01-01..2023-05-21"),
        ("since last week", "since last week = 2023-05-08..2023-05-21"),
        ("before 2020", "before 2020 = -009999-01-01..2020-01-01"),
        ("after March", "after March = 2023-04-01..2023-05-21"),
        ("until Tuesday", "until Tuesday = 2023-05-20..2023-05-24"),
        ("between March and May 2022", "between March and May 2022 = 2022-03-01..2022-06-01"),
        ("between April and June", "between April and June = 2022-04-01..2022-07-01"),
        ("from 2019 to 2021", "from 2019 to 2021 = 2019-01-01..2022-01-01"),
        ("from December to February 2022", "from December to February 2022 = 2021-12-01..2022-03-01"),
        ("from last week to yesterday", "from last week to yesterday = 2023-05-08..2023-05-20"),
        ("from May 3 to May 9", "from May 3 to May 9 = 2023-05-03..2023-05-10"),
        ("an email from May 2022", "May 2022 = 2022-05-01..2022-06-01"),
    ]);
}

#[test]
fn several_in_one_text() {
    check(&[
        ("Did I run yesterday, or last week?", "yesterday = 2023-05-19; last week = 2023-05-08..2023-05-15"),
        ("I left in May. 7 people stayed.", "May = 2023-05-01..2023-06-01"),
        ("What is my name?", ""),
        ("", ""),
        ("昨天 вчера gestern", "昨天 = 2023-05-19; вчера = 2023-05-19; gestern = 2023-05-19"),
    ]);
}

#[test]
fn at_the_ends_of_the_calendar_nothing_is_found() {
    for reference in [Date::MIN, Date::MAX] {
        for text in [
            "yesterday",
            "tomorrow",
            "999 years ago",
            "last week",
            "since last winter",
            "will end in 999 decades",
        ] {
            for span in find(text, reference) {
                assert!(span.start < span.end, "{text}");
            }
        }
    }
}

#[test]
fn long_chains_are_bounded() {
    assert!(find(&"early ".repeat(20_000), REFERENCE).is_empty());
    assert!(find(&"the day before ".repeat(5_000), REFERENCE).is_empty());
}

fn any_phrase() -> impl Strategy<Value = String> {
    let words = "the|a|last|next|week|day|of|before|after|May|7|2023|Friday|early|in|since|few|ago|summer|31|é|,|\\.|-";
    let assembled = proptest::collection::vec(words, 0..12).prop_map(|words| words.join(" "));
    prop_oneof![any::<String>(), assembled]
}

proptest! {
    #[test]
    fn spans_are_in_order_and_on_characters(text in any_phrase(), day in -4_000_000..2_900_000_i32) {
        let reference = date(2000, 1, 1).checked_add(jiff::Span::new().days(day)).unwrap_or(REFERENCE);
        let mut last_end = 0;
        for span in find(&text, reference) {
            prop_assert!(span.start < span.end);
            prop_assert!(span.phrase.start >= last_end && text.get(span.phrase.clone()).is_some());
            last_end = span.phrase.end;
        }
    }
}
