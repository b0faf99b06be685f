//! The other languages, a table each.

use super::check;
use crate::types::Kind::{self, Decision, Fact, Preference, Rule};

fn check_all(table: &[(&str, Kind, &str, &str)]) {
    for (text, kind, content, key) in table {
        check(text, &[(*kind, *content, *key)]);
    }
}

#[test]
fn german_statements_are_learned() {
    check_all(&[
        ("Ich heiße Sasha.", Fact, "User's name is Sasha", "identity:name"),
        ("Ich wohne in Köln.", Fact, "User lives in Köln", "home:city"),
        ("Ich arbeite als Krankenschwester.", Fact, "User works as Krankenschwester", "work:role"),
        ("Ich arbeite bei Siemens.", Fact, "User works at Siemens", "work:employer"),
        (
            "Ich bevorzuge TypeScript, weil es sicher ist.",
            Preference,
            "User prefers TypeScript",
            "preference:typescript",
        ),
        ("Ich mag Python nicht.", Preference, "User does not like Python", "preference:python"),
        ("Ich mag keinen Koriander.", Preference, "User does not like Koriander", "preference:koriander"),
        ("Ich mag Tee.", Preference, "User likes Tee", "preference:tee"),
        ("Ich werde Postgres verwenden.", Decision, "User will use Postgres", "decision:postgres"),
        ("Antworte ab jetzt auf Deutsch.", Rule, "Answer in Deutsch", "rule:answer_language"),
        ("Bitte verwende keine Emojis.", Rule, "Do not use Emojis", "rule:do_not_use_emojis"),
    ]);
    super::check_nothing(&["Wenn ich in Köln wohne, mag ich Tee.", "Mag ich Tee?", "Ich mag es."]);
}

#[test]
fn spanish_statements_are_learned() {
    check_all(&[
        ("Me llamo Ana.", Fact, "User's name is Ana", "identity:name"),
        ("Vivo en Madrid.", Fact, "User lives in Madrid", "home:city"),
        ("Trabajo como enfermera.", Fact, "User works as enfermera", "work:role"),
        (
            "Prefiero TypeScript porque es seguro.",
            Preference,
            "User prefers TypeScript",
            "preference:typescript",
        ),
        ("No me gusta el café.", Preference, "User does not like el café", "preference:el_cafe"),
        ("Me encanta el café.", Preference, "User likes el café", "preference:el_cafe"),
        ("Voy a usar Postgres.", Decision, "User will use Postgres", "decision:postgres"),
        ("Yo usaré Postgres.", Decision, "User will use Postgres", "decision:postgres"),
        ("A partir de ahora responde en español.", Rule, "Answer in español", "rule:answer_language"),
    ]);
    super::check_nothing(&["Si vivo en Madrid, me gusta.", "¿Vivo en Madrid?"]);
}

#[test]
fn french_statements_are_learned() {
    check_all(&[
        ("Je m'appelle Anaïs.", Fact, "User's name is Anaïs", "identity:name"),
        ("J’habite à Lyon.", Fact, "User lives in Lyon", "home:city"),
        ("Je travaille comme infirmière.", Fact, "User works as infirmière", "work:role"),
        ("Je préfère TypeScript.", Preference, "User prefers TypeScript", "preference:typescript"),
        ("Je n'aime pas Python.", Preference, "User does not like Python", "preference:python"),
        ("J'adore le thé.", Preference, "User likes le thé", "preference:le_the"),
        ("Je vais utiliser Postgres.", Decision, "User will use Postgres", "decision:postgres"),
        ("Désormais, réponds en français.", Rule, "Answer in français", "rule:answer_language"),
    ]);
}

#[test]
fn italian_statements_are_learned() {
    check_all(&[
        ("Mi chiamo Chiara.", Fact, "User's name is Chiara", "identity:name"),
        ("Abito a Torino.", Fact, "User lives in Torino", "home:city"),
        ("Mi sono trasferita a Bologna.", Fact, "User lives in Bologna", "home:city"),
        ("Vengo dall'Italia.", Fact, "User is from Italia", "identity:origin"),
        ("Ho 34 anni.", Fact, "User is 34 years old", "identity:age"),
        ("Lavoro come infermiera.", Fact, "User works as infermiera", "work:role"),
        ("Lavoro per Olivetti.", Fact, "User works at Olivetti", "work:employer"),
        ("Sono allergica alle noci.", Fact, "User is allergic to noci", "health:noci"),
        (
            "Preferisco TypeScript perché è sicuro.",
            Preference,
            "User prefers TypeScript",
            "preference:typescript",
        ),
        (
            "Non mi piace il coriandolo.",
            Preference,
            "User does not like il coriandolo",
            "preference:il_coriandolo",
        ),
        ("Mi piace molto il tè.", Preference, "User likes il tè", "preference:il_te"),
        ("Adoro il caffè.", Preference, "User likes il caffè", "preference:il_caffe"),
        ("Non sopporto Python.", Preference, "User can't stand Python", "preference:python"),
        ("Useremo Postgres.", Decision, "User will use Postgres", "decision:postgres"),
        ("D'ora in poi rispondi in italiano.", Rule, "Answer in italiano", "rule:answer_language"),
        ("Per favore, non usare emoji.", Rule, "Do not use emoji", "rule:do_not_use_emoji"),
    ]);
    super::check_nothing(&[
        "Se abito a Torino, mi piace.",
        "Abito a Torino?",
        "Mi piace.",
        "Usare Postgres è meglio.",
    ]);
}

#[test]
fn dates_are_read_in_other_languages_too() {
    for (text, from) in [
        ("L'anno scorso mi sono trasferita a Bologna.", "2022-01-01"),
        ("Ich bin letzte Woche nach Köln gezogen.", "2023-05-08"),
    ] {
        let found = super::candidates(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert_eq!(super::day(found[0].valid_from), from, "{text}");
    }
}

#[test]
fn portuguese_statements_are_learned() {
    check_all(&[
        ("Meu nome é Ana.", Fact, "User's name is Ana", "identity:name"),
        ("Eu moro em Lisboa.", Fact, "User lives in Lisboa", "home:city"),
        ("Trabalho como enfermeira.", Fact, "User works as enfermeira", "work:role"),
        ("Prefiro TypeScript.", Preference, "User prefers TypeScript", "preference:typescript"),
        ("Não gosto de Python.", Preference, "User does not like Python", "preference:python"),
        ("Eu gosto muito de chá.", Preference, "User likes chá", "preference:cha"),
        ("Vou usar Postgres.", Decision, "User will use Postgres", "decision:postgres"),
        ("A partir de agora, responda em português.", Rule, "Answer in português", "rule:answer_language"),
    ]);
}

#[test]
fn russian_statements_are_learned() {
    check_all(&[
        ("Меня зовут Саша.", Fact, "User's name is Саша", "identity:name"),
        ("Я живу в Москве.", Fact, "User lives in Москве", "home:city"),
        ("Я работаю медсестрой.", Fact, "User works as медсестрой", "work:role"),
        ("Я предпочитаю TypeScript.", Preference, "User prefers TypeScript", "preference:typescript"),
        ("Мне не нравится Python.", Preference, "User does not like Python", "preference:python"),
        ("Я очень люблю чай, потому что он вкусный.", Preference, "User likes чай", "preference:чай"),
        ("Я буду использовать Postgres.", Decision, "User will use Postgres", "decision:postgres"),
        ("Отвечай всегда на русском.", Rule, "Answer in русском", "rule:answer_language"),
    ]);
    super::check_nothing(&["Если я живу в Москве, то хорошо.", "Я живу в Москве?"]);
}

#[test]
fn chinese_statements_are_learned() {
    check_all(&[
        ("我叫小明。", Fact, "User's name is 小明", "identity:name"),
        ("我住在上海。", Fact, "User lives in 上海", "home:city"),
        ("我在腾讯工作。", Fact, "User works at 腾讯", "work:employer"),
        ("我更喜欢TypeScript，因为它安全。", Preference, "User prefers TypeScript", "preference:typescript"),
        ("我不喜欢香菜。", Preference, "User does not like 香菜", "preference:香菜"),
        ("我很喜欢喝茶。", Preference, "User likes 喝茶", "preference:喝茶"),
        ("我决定用Postgres。", Decision, "User decided: 用Postgres", "decision:用postgres"),
        ("以后请用中文回答。", Rule, "Answer in 中文", "rule:answer_language"),
    ]);
    super::check_nothing(&["如果我住在上海就好了。", "我住在上海吗？"]);
}

#[test]
fn japanese_statements_are_learned() {
    check_all(&[
        ("私の名前は太郎です。", Fact, "User's name is 太郎", "identity:name"),
        ("私は東京に住んでいます。", Fact, "User lives in 東京", "home:city"),
        ("トヨタで働いています。", Fact, "User works at トヨタ", "work:employer"),
        ("TypeScriptの方が好きです。", Preference, "User prefers TypeScript", "preference:typescript"),
        ("私はパクチーが嫌いです。", Preference, "User hates パクチー", "preference:パクチー"),
        ("猫が好きです。", Preference, "User likes 猫", "preference:猫"),
        ("Postgresを使うことにしました。", Decision, "User will use Postgres", "decision:postgres"),
        ("これからは日本語で答えてください。", Rule, "Answer in 日本語", "rule:answer_language"),
    ]);
    super::check_nothing(&["東京に住んでいますか？", "もし東京に住んでいたら"]);
    // What is said of somebody else is not the user's.
    super::check_nothing(&["母が来月68歳になる。"]);
}
