//! Nomination: any text may be a query, and what is there is found.

use memory::ports::Nominee;
use memory::types::{Corpus, Filter};
use testkit::build;

use testkit::subject::Subject;

pub async fn any_text_may_be_a_query(subject: Subject) {
    subject.add("what's the foo-bar of unbalanced C++ 😀").await;
    subject.add("nothing of the kind").await;
    let found = [
        "what's",
        "foo-bar",
        "\"unbalanced",
        "C++",
        "😀",
        "foo AND",
        "NOT",
        "(foo",
        "foo)",
        "foo*bar",
        "foo:bar",
        "^foo",
        "{foo}",
        "foo\u{0}bar",
        "NEAR(foo bar, 2)",
        "surface : foo",
        "foo'; DROP TABLE memory; --",
        "FOO",
        "ｆｏｏ",
    ];
    for text in found {
        assert_eq!(subject.found(text).await.len(), usize::from(text != "NOT"), "{text:?}");
    }
    let long = "foo ".repeat(25_000);
    for text in ["", " ", "\u{0}", "...", "\"\"", "*", "()", "%", "_", &"x".repeat(100_000), "\u{202e}"] {
        subject.found(text).await;
    }
    assert_eq!(subject.found(&long).await.len(), 1, "a query of 100 KB");
    let different: String = (0..15_000).map(|number| format!("w{number} ")).collect();
    subject.found(&different).await;
}

pub async fn operators_select(subject: Subject) {
    subject.add("red wine and green tea").await;
    subject.add("red tea").await;
    subject.add("green wine").await;
    subject.add("teapots of tin").await;
    let table: [(&str, &[&str]); 8] = [
        ("\"red tea\"", &["red tea"]),
        ("red AND wine", &["red wine and green tea"]),
        ("green OR red", &["green wine", "red tea", "red wine and green tea"]),
        ("tea NOT green", &["red tea"]),
        ("teap*", &["teapots of tin"]),
        ("(red OR green) AND wine", &["green wine", "red wine and green tea"]),
        ("\"wine and\" green", &["red wine and green tea"]),
        ("red AND (", &["red tea", "red wine and green tea"]),
    ];
    for (text, expected) in table {
        let mut found = subject.found(text).await;
        found.sort();
        assert_eq!(found, expected, "{text}");
    }
}

pub async fn words_are_found_by_their_stem(subject: Subject) {
    subject.add("Maria was running marathons").await;
    for text in ["run", "runs", "running", "marathon", "MARATHONS", "Does María run?"] {
        assert_eq!(subject.found(text).await.len(), 1, "{text}");
    }
    assert_eq!(subject.found("runway").await, [""; 0]);
}

pub async fn every_script_is_found(subject: Subject) {
    let table = [
        ("我上个月搬到了上海", "上海"),
        ("明日は東京タワーに行きます", "東京"),
        ("한국어 수업을 들어요", "한국"),
        ("Я люблю крепкий кофе", "кофе"),
        ("Crème brûlée à Besançon", "creme brulee"),
        ("Ο Νίκος μένει στην Αθήνα", "αθηνα"),
        ("मुझे हिन्दी पसंद है", "हिन्दी"),
        ("ฉันชอบอาหารไทย", "อาหาร"),
        ("أحب القهوة العربية", "القهوة"),
        ("party at 5 🎉", "🎉"),
    ];
    for (content, _) in table {
        subject.add(content).await;
        subject.say("s1", content).await;
    }
    for (content, text) in table {
        assert_eq!(subject.found(text).await.first().map(String::as_str), Some(content), "{text}");
        assert_eq!(
            subject.turns_found(text, &subject.current()).await.first().map(String::as_str),
            Some(content)
        );
    }
}

pub async fn ties_keep_the_order_of_insertion(subject: Subject) {
    let mut expected = Vec::new();
    for number in 0..30 {
        // The same words in all of them, and times that would sort the other way round.
        let memory = subject.add_with("a tie of blue silk", |memory| {
            memory.created_at = memory.created_at.plus_seconds(-2 * number);
        });
        expected.push(memory.await.id.to_string());
    }
    let nominees = subject.nominate(Corpus::Memories, "blue tie", &subject.current(), 100).await;
    assert_eq!(ids(&nominees), expected);
    assert!(nominees.is_sorted_by_key(|nominee| nominee.row), "rows count the insertions");
    let first = subject.nominate(Corpus::Memories, "blue tie", &subject.current(), 10).await;
    assert_eq!(ids(&first), expected[..10]);
}

pub async fn the_limit_is_kept(subject: Subject) {
    for number in 0..12 {
        subject.add(&format!("apple number {number}")).await;
    }
    for limit in [0, 1, 5, 12, 200] {
        let found = subject.found_by("apple", &subject.current(), limit).await;
        assert_eq!(found.len(), limit.min(12), "limit {limit}");
    }
}

pub async fn the_last_tier_takes_words_literally(subject: Subject) {
    for content in ["100% wool", "100 sheep", "snake_case", "snakeXcase", "a \\ backslash", "Straße"] {
        subject.add(content).await;
    }
    let table: [(&str, &[&str]); 6] = [
        ("100%", &["100% wool"]),
        ("100", &["100 sheep", "100% wool"]),
        ("snake_case", &["snake_case"]),
        ("\\", &["a \\ backslash"]),
        ("WOOL", &["100% wool"]),
        ("Straße", &["Straße"]),
    ];
    for (word, expected) in table {
        let words = [word.to_owned()];
        let nominees = subject.store.nominate_like(Corpus::Memories, &words, &subject.current(), 10).await;
        let nominees = nominees.expect("any word may be searched for");
        assert_eq!(subject.contents(&nominees).await, expected, "{word}: newest first");
    }
    let many: Vec<String> = (0..5_000).map(|number| format!("word{number}")).collect();
    for words in
        [vec!["x".repeat(100_000)], many, Vec::new(), vec![String::new()], vec!["a\u{0}b".to_owned()]]
    {
        let nominees = subject.store.nominate_like(Corpus::Memories, &words, &subject.current(), 10).await;
        nominees.expect("any words may be searched for");
    }
}

pub async fn the_newest_come_first_when_nothing_is_asked(subject: Subject) {
    for number in 0..5 {
        subject.add(&format!("note {number}")).await;
        subject.say("s1", &format!("turn {number}")).await;
    }
    let recent =
        subject.store.nominate_recent(Corpus::Memories, &subject.current(), 3).await.expect("searchable");
    assert_eq!(subject.contents(&recent).await, ["note 4", "note 3", "note 2"]);
    let recent =
        subject.store.nominate_recent(Corpus::Turns, &subject.current(), 2).await.expect("searchable");
    let rows: Vec<i64> = recent.iter().map(|nominee| nominee.row).collect();
    let turns = subject.store.turns_at(&rows).await.expect("turns can be read");
    let mut texts: Vec<&str> = turns.iter().map(|(_, turn)| turn.text.as_str()).collect();
    texts.sort_unstable();
    assert_eq!(texts, ["turn 3", "turn 4"]);
}

pub async fn rows_from_outside_are_admitted_by_the_filter(subject: Subject) {
    subject.add("alpha of mine").await;
    subject.insert(build::memory_of(&subject.clock, &build::owner("default", "ben"), "beta of ben")).await;
    let (alpha, beta) =
        (subject.row_of(Corpus::Memories, "alpha").await, subject.row_of(Corpus::Memories, "beta").await);
    let mut filter = subject.current();
    filter.user = Some("ben".parse().expect("a name"));
    let rows = [beta, 999_999, alpha];
    let admitted = subject.store.admit(Corpus::Memories, &rows, &filter).await.expect("searchable");
    assert_eq!(subject.contents(&admitted).await, ["beta of ben"]);
    let both = subject.store.admit(Corpus::Memories, &rows, &subject.current()).await.expect("searchable");
    assert_eq!(both.len(), 2);
    assert_eq!(subject.store.admit(Corpus::Memories, &[], &filter).await.expect("searchable"), []);
}

pub async fn an_edit_is_found_by_its_new_words_only(subject: Subject) {
    let memory = subject.add("prefers aisle seats").await;
    let edited = subject.edit(&memory, |memory| memory.content = "prefers window seats".into()).await;
    assert_eq!(subject.found("aisle").await, [""; 0]);
    assert_eq!(subject.found("window").await, ["prefers window seats"]);
    subject.edit(&edited, |memory| memory.tags = vec!["travel".into()]).await;
    assert_eq!(subject.found("window seats").await.len(), 1);
}

pub async fn episodes_are_searched_too(subject: Subject) {
    let mut episode = build::episode(&subject.clock, "s1", "planned the garden");
    episode.topics = vec!["tomatoes".into()];
    episode.action_items = vec!["buy compost".into()];
    subject.apply(subject.batch().insert(episode.clone())).await;
    for text in ["garden", "tomato", "compost"] {
        let nominees = subject.nominate(Corpus::Episodes, text, &subject.current(), 10).await;
        assert_eq!(ids(&nominees), [episode.id.to_string()], "{text}");
    }
    assert_eq!(subject.nominate(Corpus::Turns, "garden", &Filter::ever(), 10).await, []);
    let stored = subject.store.episodes(&[episode.id.to_string()]).await.expect("episodes can be read");
    assert_eq!(stored, [episode]);
}

fn ids(nominees: &[Nominee]) -> Vec<String> {
    nominees.iter().map(|nominee| nominee.id.clone()).collect()
}
