//! Whole sessions: the episode, the graph, what is repeated, and what must hold for any text.

use proptest::prelude::*;

use super::{candidates, distilled, turn};
use crate::learn::draft::EntityDraft;
use crate::learn::heuristic::{SessionBackground, distil};
use crate::text::Analyser;
use crate::types::{EntityType, Origin, Role};

#[test]
fn the_episode_tells_what_it_was_about() {
    let draft = distilled(&[
        "Hi there!",
        "I'm planning a kitchen renovation and I want to replace the kitchen cabinets.",
        "We went with oak for the kitchen cabinets. The carpenter comes on June 3, 2023.",
        "Thanks!",
    ]);
    let episode = draft.episode.expect("something was said");
    assert!(episode.summary.contains("kitchen renovation"), "{}", episode.summary);
    assert!(
        !episode.summary.contains("Hi there") && !episode.summary.contains("Thanks"),
        "{}",
        episode.summary
    );
    assert!(
        episode.topics.contains(&"kitchen cabinets".to_owned()) && episode.topics.len() <= 6,
        "{:?}",
        episode.topics
    );
    assert_eq!(episode.decisions, ["User went with oak for the kitchen cabinets"]);
    assert_eq!(episode.key_dates, ["2023-06-03: The carpenter comes on June 3, 2023"]);
    assert_eq!(draft.origin, Origin::Heuristic);
    assert_eq!(distilled(&[""]).episode, None);
}

#[test]
fn earlier_turns_belong_to_the_episode_only() {
    let earlier = [turn(0, Role::User, "I live in Rome and I'm planning a trip to Japan.")];
    let turns = [turn(1, Role::User, "I prefer trains.")];
    let context = SessionBackground { earlier: &earlier, ..SessionBackground::default() };
    let draft = distil(&turns, context, &Analyser::default());
    let contents: Vec<&str> = draft.candidates.iter().map(|candidate| candidate.content.as_str()).collect();
    assert_eq!(contents, ["User prefers trains"]);
    assert!(draft.episode.expect("something was said").summary.contains("Japan"));
}

#[test]
fn the_graph_has_both_ends() {
    let draft = distilled(&[
        "My sister Ana works at Acme in Oslo. I live in Bergen. Alice is the tech lead on Project Nova.",
    ]);
    let edges: Vec<String> = draft
        .relations
        .iter()
        .map(|one| format!("{} {} {}", one.subject, one.predicate, one.object))
        .collect();
    assert_eq!(edges, ["Ana SISTER_OF User", "User LIVES_IN Bergen", "Alice TECH_LEAD_ON Project Nova"]);
    let typed = |name: &str| draft.entities.iter().find(|one| one.name == name).map(|one| one.entity_type);
    assert_eq!(typed("Ana"), Some(EntityType::Person));
    assert_eq!(typed("Acme"), Some(EntityType::Company));
    assert_eq!(typed("Oslo"), Some(EntityType::Place));
    assert_eq!(typed("Project Nova"), Some(EntityType::Project));
}

#[test]
fn relatives_by_name_are_the_users_in_every_language() {
    let told = [
        ("Mein Bruder Manfred hat am Sonntag Geburtstag.", "Manfred", "BROTHER_OF"),
        ("mi hermana mayor, Lucía, se casa en mayo", "Lucía", "SISTER_OF"),
        ("minha filha Beatriz começou a nadar", "Beatriz", "DAUGHTER_OF"),
        ("ma copine Inès déteste le fromage", "Inès", "GIRLFRIEND_OF"),
        ("la mia nonna Assunta abita a Bari", "Assunta", "GRANDMOTHER_OF"),
        ("mijn vrouw Femke werkt morgen niet", "Femke", "WIFE_OF"),
        ("mój mąż Tomek pracuje na noce", "Tomek", "HUSBAND_OF"),
        ("Моя младшая сестра Полина учится в Казани", "Полина", "SISTER_OF"),
        ("kızım Defne bu yıl okula başladı", "Defne", "DAUGHTER_OF"),
        ("我女儿叫小雨，今年上小学了", "小雨", "DAUGHTER_OF"),
        ("息子の名前は陽太です", "陽太", "SON_OF"),
        ("제 딸 이름은 서연이에요", "서연", "DAUGHTER_OF"),
        ("أختي اسمها سلمى وتسكن في حلب", "سلمى", "SISTER_OF"),
        ("मेरी बेटी का नाम काव्या है", "काव्या", "DAUGHTER_OF"),
    ];
    for (text, name, predicate) in told {
        let draft = distilled(&[text]);
        let relations: Vec<(&str, &str, &str)> = draft
            .relations
            .iter()
            .map(|one| (one.subject.as_str(), one.predicate.as_str(), one.object.as_str()))
            .collect();
        assert!(relations.contains(&(name, predicate, "User")), "{text}: {relations:?}");
        let person = |one: &EntityDraft| one.name == name && one.entity_type == EntityType::Person;
        assert!(draft.entities.iter().any(person), "{text}: {:?}", draft.entities);
    }
    for text in [
        "Meine Schwester kommt am Montag nach Berlin.",
        "mi hermana vive en Sevilla desde mayo",
        "Su hermano Pablo es médico",
        "我女儿今天不想上学",
        "أختي تسكن في حلب",
        "mon frère habite à Nantes",
        "Karim Hassan sent the file on an eSIM Airalo card",
        "Ich habe meiner Mutter Blumen gekauft",
        "ceno con mi hermano, Ana y Luis",
        "我妈叫我回家吃饭",
        "친구 딸 이름은 지우예요",
    ] {
        assert_eq!(distilled(&[text]).relations, [], "{text}");
    }
}

#[test]
fn saying_it_again_adds_a_source() {
    let draft = distilled(&["I prefer tea.", "As I said, I prefer tea."]);
    assert_eq!(draft.candidates.len(), 1);
    assert_eq!(draft.candidates[0].sources.len(), 2);
}

#[test]
fn facts_with_one_value_say_so() {
    let single = |text: &str| candidates(text).first().map(|one| one.single_valued);
    assert_eq!(single("I live in Rome."), Some(true));
    assert_eq!(single("I prefer tea."), Some(false));
}

/// Text as people send it and text as nobody should.
fn any_text() -> impl Strategy<Value = String> {
    let words = "I|my|am|like|don't|can’t|always|\\.|,|\\?|\"|'|:|\n|`|```|name|is|Sasha|St\\.|used|to|now|if|and|because|every|\
                 morning|ich|mag|nicht|我|喜欢|です|が好き|j'aime|yesterday|by|Friday|call|me|from|é|👍|7|35|-|>";
    let assembled = proptest::collection::vec(words, 0..40).prop_map(|words| words.join(" "));
    prop_oneof![any::<String>(), assembled]
}

proptest! {
    #[test]
    fn evidence_is_always_what_was_said(text in any_text()) {
        let draft = distilled(&[&text]);
        for candidate in &draft.candidates {
            prop_assert!(text.contains(&candidate.evidence) && !candidate.evidence.is_empty());
            prop_assert!(!candidate.content.is_empty());
            prop_assert!((0.0..=1.0).contains(&candidate.confidence) && (0.0..=1.0).contains(&candidate.salience));
        }
    }
}

/// Topics of what somebody says in one session.
fn topics(texts: &[&str]) -> Vec<String> {
    distilled(texts).episode.expect("something was said").topics
}

/// Every expected word is among the topics, and none of the others are.
fn check_topics(texts: &[&str], expected: &[&str], never: &[&str]) {
    let found = topics(texts);
    let lower: Vec<String> = found.iter().map(|topic| topic.to_lowercase()).collect();
    for word in expected {
        assert!(lower.iter().any(|topic| topic.contains(word)), "{word} is missing: {found:?}");
    }
    for word in never {
        assert!(!lower.iter().any(|topic| topic.split(' ').any(|part| part == *word)), "{word}: {found:?}");
    }
    assert!(found.len() <= 6, "{found:?}");
}

#[test]
fn topics_are_words_that_matter_in_fifteen_languages() {
    check_topics(
        &[
            "The landlord wants four thousand for the deposit and I think that is a lot.",
            "Could you look at the lease with me? The landlord keeps saying that the deposit is normal.",
        ],
        &["landlord", "deposit"],
        &["wants", "four", "thousand", "keeps", "saying", "think", "lot"],
    );
    check_topics(
        &[
            "Ich habe mir letzte Woche ein Lastenrad gekauft und jetzt quietscht die Bremse.",
            "Die Werkstatt meint, die Bremse vom Lastenrad muss man einfach einfahren.",
        ],
        &["lastenrad", "bremse"],
        &["habe", "jetzt", "einfach", "meint", "ich", "man"],
    );
    check_topics(
        &[
            "Mi hermana quiere alquilar una furgoneta para la mudanza del sábado.",
            "La mudanza es a Zaragoza y la furgoneta tiene que ser grande.",
        ],
        &["mudanza", "furgoneta"],
        &["quiere", "para", "tiene", "que", "una"],
    );
    check_topics(
        &[
            "Preciso renovar o passaporte antes da viagem e o cartório só abre de manhã.",
            "O passaporte venceu ontem, será que o cartório aceita protocolo?",
        ],
        &["passaporte", "cartório"],
        &["preciso", "antes", "que", "será", "só"],
    );
    check_topics(
        &[
            "La chaudière est encore tombée en panne et le plombier ne répond pas.",
            "Si le plombier change la chaudière, est-ce que l'assurance rembourse ?",
        ],
        &["chaudière", "plombier"],
        &["encore", "est", "que", "pas"],
    );
    check_topics(
        &[
            "Sto preparando il concorso per la scuola di restauro a Firenze.",
            "Il concorso di restauro ha due prove scritte e una orale.",
        ],
        &["concorso", "restauro"],
        &["sto", "due", "una", "per"],
    );
    check_topics(
        &[
            "Mijn volkstuin staat vol met courgettes en de slakken eten alles op.",
            "Wat helpt er tegen slakken in de volkstuin zonder gif?",
        ],
        &["volkstuin", "slakken"],
        &["alles", "wat", "zonder", "mijn", "vol"],
    );
    check_topics(
        &[
            "Mój pies ma alergię na kurczaka i weterynarz kazał zmienić karmę.",
            "Ile kosztuje karma bez kurczaka, którą polecał weterynarz?",
        ],
        &["weterynarz", "kurczaka"],
        &["mój", "ile", "bez", "na"],
    );
    check_topics(
        &[
            "Мы с мужем хотим застеклить балкон на даче до зимы.",
            "Сколько стоит застеклить балкон, если рамы деревянные?",
        ],
        &["балкон"],
        &["мы", "хотим", "сколько", "если", "стоит"],
    );
    check_topics(
        &[
            "Kızımın keman dersi artık çarşamba günleri, eski hocası taşındı.",
            "Keman için omuz yastığı almam gerekiyor mu sence?",
        ],
        &["keman"],
        &["artık", "için", "mu", "eski"],
    );
    check_topics(
        &["اشتريت أمس طابعة جديدة ولكن الطابعة لا تتصل بالحاسوب.", "كيف أصل الطابعة بالحاسوب من غير سلك؟"],
        &["طابعة"],
        &["من", "لا", "كيف", "غير"],
    );
    check_topics(
        &["मेरी बेटी को मूंगफली से एलर्जी है और स्कूल में मूंगफली मिलती है।", "क्या मैं स्कूल को एलर्जी के बारे में चिट्ठी लिखूँ?"],
        &["मूंगफली", "एलर्जी"],
        &["है", "में", "को", "और", "क्या"],
    );
    check_topics(
        &["요즘 발코니에서 토마토를 키우는데 잎이 노래져요.", "토마토 화분에 비료를 더 줘야 할까요?"],
        &["토마토"],
        &["요즘", "더", "키우는데", "할까요"],
    );
    check_topics(
        &["我在学陶艺，每周去两次工作室。", "陶艺用的釉料在哪里买比较便宜？我想自己试试釉料。"],
        &["陶艺", "釉料"],
        &["我", "是", "了", "的", "哪里", "自己", "一个", "学陶艺", "比较"],
    );
    check_topics(
        &[
            "来月から盆栽教室に通うことにしました。",
            "盆栽の剪定はいつがいいですか。剪定ばさみも買いたいです。",
        ],
        &["盆栽", "剪定"],
        &["いつ", "こと", "です"],
    );
}

#[test]
fn entities_have_the_right_types() {
    let typed = |texts: &[&str], name: &str| {
        let draft = distilled(texts);
        draft.entities.iter().find(|one| one.name == name).map(|one| one.entity_type)
    };
    assert_eq!(typed(&["We meet in Room 12, and Room 14 is free. The Room is cold."], "Room"), None);
    assert_eq!(
        typed(&["I write using UK spelling.", "We used UK suppliers."], "UK"),
        Some(EntityType::Place)
    );
    assert_eq!(
        typed(&["We are at home at Christmas.", "I was at Christmas alone."], "Christmas"),
        Some(EntityType::Event)
    );
    for (said, name) in [
        ("Our kids Leo, Mia and Tom love the sea.", "Mia"),
        ("Our kids Leo, Mia and Tom love the sea.", "Tom"),
        ("My daughter Freya starts school.", "Freya"),
        ("I have two boys, and Jonas is 7 now.", "Jonas"),
        ("Meine Tochter Frieda lernt Geige.", "Frieda"),
        ("Mi hijo Mateo toca la trompeta.", "Mateo"),
    ] {
        assert_eq!(typed(&[said], name), Some(EntityType::Person), "{said}");
    }
}
