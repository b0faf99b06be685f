//! Sentences that have the words of a pattern and say something else: no pattern may make a fact about the user of them. What stands beside each
//! shows that the pattern still reads what it is for.

use super::{candidates, distilled};
use crate::types::Kind;

/// No statement about the user comes out, or this one among others.
fn check(text: &str, expected: Option<&str>) {
    let about_user = |content: &String| content.starts_with("User");
    let found: Vec<String> = candidates(text)
        .into_iter()
        .filter(|one| !matches!(one.kind, Kind::Event | Kind::Rule))
        .map(|one| one.content)
        .filter(about_user)
        .collect();
    match expected {
        None => assert!(found.is_empty(), "{text}: {found:?}"),
        Some(expected) => assert!(found.iter().any(|content| content == expected), "{text}: {found:?}"),
    }
}

fn check_all(table: &[(&str, Option<&str>)]) {
    table.iter().for_each(|(text, expected)| check(text, *expected));
}

#[test]
fn japanese_patterns_say_nothing_false() {
    check_all(&[
        ("娘は卵アレルギーです。", None),
        ("夫は銀行で働いています。", None),
        ("母はタバコが嫌い。", None),
        ("部長は京都出身です。", None),
        ("週末に神戸に引っ越しました。", None),
        ("先月東京に引っ越しました。", Some("User lives in 東京")),
        ("彼は京都に住んでいます。", None),
        ("弟は仙台に住んでいます。", None),
        ("私は仙台に住んでいます。", Some("User lives in 仙台")),
        ("彼女は市役所で働いている。", None),
        ("僕は市役所で働いています。", Some("User works at 市役所")),
        ("名古屋に住んでいる友達がいます。", None),
        ("名古屋に住んでいます。", Some("User lives in 名古屋")),
        ("去年の春に福岡に引っ越しました。", None),
        ("福岡に引っ越したいです。", None),
        ("祖母はそばアレルギーです。", None),
        ("そばアレルギーです。", Some("User is allergic to そば")),
        ("息子が野菜が嫌いで困っています。", None),
        ("野菜が嫌いです。", Some("User hates 野菜")),
        ("姪は長野出身です。", None),
        ("長野出身です。", Some("User is from 長野")),
        ("昔は犬が好きだった。", None),
        ("犬が大好きです。", Some("User likes 犬")),
        ("お父さんは教師として働いています。", None),
        ("私は教師として働いています。", Some("User works as 教師")),
        ("甲殻類アレルギーですか？", None),
        ("子供の頃、青森に住んでいました。", None),
        ("妹も猫が好きです。", None),
        ("猫が好きになれない。", None),
    ]);
}

#[test]
fn chinese_patterns_say_nothing_false() {
    check_all(&[
        ("我搬到青岛了。", Some("User lives in 青岛")),
        ("我住在银川，是护士。", Some("User lives in 银川")),
        ("我妹妹住在武汉。", None),
        ("我爱人在铁路局工作。", None),
        ("我在铁路局工作。", Some("User works at 铁路局")),
        ("我对花生不过敏。", None),
        ("我对花生过敏。", Some("User is allergic to 花生")),
        ("我搬到厦门了。", Some("User lives in 厦门")),
        ("我搬到厦门以后一直失眠。", None),
        ("我住在大连，喜欢钓鱼。", Some("User lives in 大连")),
        ("我住在大连的表姐下周来。", None),
        ("我喜欢爬山，也喜欢游泳。", Some("User likes 爬山")),
        ("我喜欢的歌手要开演唱会了。", None),
        ("我在银行工作过两年。", None),
        ("我在晚上工作。", None),
        ("我恨不得马上下班。", None),
        ("我讨厌香菜。", Some("User hates 香菜")),
        ("我是从朋友那里听说的。", None),
        ("我来自桂林。", Some("User is from 桂林")),
        ("我叫了一辆车。", None),
        ("我叫陈小满，是护士。", Some("User's name is 陈小满")),
        ("叫我起床。", None),
        ("我在想明天要不要上班。", None),
    ]);
}

#[test]
fn spanish_patterns_say_nothing_false() {
    check_all(&[
        ("Trabajo de lunes a viernes, mañana y tarde.", None),
        ("Trabajo de noche y duermo de día.", None),
        ("Trabajo de camarero en un bar.", Some("User works as camarero en un bar")),
        ("Trabajo de martes a sábado.", None),
        ("Trabajo como profesora de inglés.", Some("User works as profesora de inglés")),
        ("Mi cuñada vive en Vitoria.", None),
        ("Vivo en Vitoria.", Some("User lives in Vitoria")),
        ("Vivo en paz desde que me separé.", None),
        ("A mi suegro le encanta el fútbol.", None),
        ("Me encanta el fútbol.", Some("User likes el fútbol")),
        ("Me gusta a mi hermana.", None),
        ("No me gusta cómo me habla mi jefe.", None),
        ("Trabajo de sol a sol.", None),
        ("Me gustan los gatos, odio los perros.", Some("User likes los gatos")),
        ("Soy alérgica a los ácaros y mi hijo a la leche.", Some("User is allergic to los ácaros")),
        ("Trabajo en lo que puedo.", None),
        ("Me mudé a casa de mi madre.", None),
        ("Nos mudamos a Teruel en agosto.", Some("User lives in Teruel")),
    ]);
}

#[test]
fn german_patterns_say_nothing_false() {
    check_all(&[
        ("Ich nehme 50 Mikrogramm L-Thyroxin.", None),
        ("Ich nehme den Bus zur Arbeit.", None),
        ("Ich nehme 20 mg Citalopram.", None),
        ("Ich nehme meistens das Fahrrad.", None),
        ("Wir nehmen Postgres für das Projekt.", None),
        ("Ich werde Postgres verwenden.", Some("User will use Postgres")),
        ("Mein Schwager wohnt in Kassel.", None),
        ("Ich wohne in Kassel.", Some("User lives in Kassel")),
        ("Ich lebe in Scheidung.", None),
        ("Ich lebe in ständiger Angst.", None),
        ("Ich arbeite lieber als mein Mann.", None),
        ("Ich arbeite als Schreinerin.", Some("User works as Schreinerin")),
        ("Ich mag meine Schwiegermutter nicht besonders.", None),
        ("Ich mag keinen Rosenkohl.", Some("User does not like Rosenkohl")),
        ("Ich bin allergisch gegen Pollen.", Some("User is allergic to Pollen")),
        ("Ich bin nicht allergisch gegen Pollen.", None),
        ("Ich komme am Montag aus Paris zurück.", None),
        ("Ich komme aus Siegen.", Some("User is from Siegen")),
        ("Ich liebe es, wenn es regnet.", None),
        ("Ich liebe Lakritz.", Some("User likes Lakritz")),
    ]);
}

#[test]
fn french_patterns_say_nothing_false() {
    check_all(&[
        ("Je travaille de nuit.", None),
        ("Je vis au jour le jour.", None),
        ("Je vis à Quimper.", Some("User lives in Quimper")),
        ("Je vis en couple.", None),
        ("Mon beau-frère habite à Brest.", None),
        ("Je travaille à mi-temps.", None),
        ("Je travaille chez Decathlon.", Some("User works at Decathlon")),
        ("Je travaille à Noël aussi.", None),
        ("Je viens de Pâques à la ferme.", None),
        ("Je viens de Namur.", Some("User is from Namur")),
        ("J'aime mon mari, pas sa mère.", None),
        ("J'aime le fromage de chèvre.", Some("User likes le fromage de chèvre")),
        ("Je vais prendre le train demain.", None),
        ("Je vais prendre une douche.", None),
        ("J'ai déménagé à Pâques.", None),
        ("J'ai déménagé à Vannes.", Some("User lives in Vannes")),
    ]);
}

#[test]
fn russian_patterns_say_nothing_false() {
    check_all(&[
        ("Работаю из дома по пятницам.", None),
        ("Я работаю по вечерам.", None),
        ("Я работаю водителем автобуса.", Some("User works as водителем автобуса")),
        ("Я работаю каждый день.", None),
        ("Я работаю удалённо.", None),
        ("Я работаю с детьми.", None),
        ("Я работаю много.", None),
        ("Я работаю днём, а учусь вечером.", None),
        ("Я работаю учительницей.", Some("User works as учительницей")),
        ("Мой шурин живёт в Твери.", None),
        ("Я живу в Твери.", Some("User lives in Твери")),
        ("Я живу в страхе.", None),
        ("Я люблю своего мужа.", None),
        ("Я люблю гречку.", Some("User likes гречку")),
        ("Мне нравится, как ты пишешь.", None),
        ("Я работаю в Новый год.", None),
        ("У меня аллергия на пыльцу.", Some("User is allergic to пыльцу")),
    ]);
}

#[test]
fn italian_patterns_say_nothing_false() {
    check_all(&[
        ("Vivo in affitto.", None),
        ("Vivo a Trieste.", Some("User lives in Trieste")),
        ("Mio cognato vive a Bari.", None),
        ("Lavoro da casa.", None),
        ("Lavoro da Gennaio senza contratto.", None),
        ("Lavoro per Enel.", Some("User works at Enel")),
        ("Sono da Luca a studiare.", None),
        ("Sono di Cuneo.", Some("User is from Cuneo")),
        ("Lavoro come un matto.", None),
        ("Lavoro come infermiera.", Some("User works as infermiera")),
        ("Faccio la doccia.", None),
        ("Faccio la parrucchiera.", Some("User works as parrucchiera")),
        ("Faccio il bucato.", None),
        ("Faccio il muratore.", Some("User works as muratore")),
        ("Mi piace come canti.", None),
        ("Mi piace il gelato.", Some("User likes il gelato")),
        ("Sono allergica alle noci.", Some("User is allergic to noci")),
        ("Amo mio marito.", None),
    ]);
}

#[test]
fn portuguese_patterns_say_nothing_false() {
    check_all(&[
        ("Sou do Benfica desde miúdo.", None),
        ("Sou de Évora.", Some("User is from Évora")),
        ("Vivo em união de facto.", None),
        ("Moro em Braga.", Some("User lives in Braga")),
        ("O meu cunhado mora em Faro.", None),
        ("Trabalho no Natal este ano.", None),
        ("Trabalho como um burro.", None),
        ("Trabalho como eletricista.", Some("User works as eletricista")),
        ("Não gosto do meu chefe novo.", None),
        ("Gosto de pão com manteiga.", Some("User likes pão com manteiga")),
        ("Eu amo minha esposa.", None),
        ("Eu adoro forró.", Some("User likes forró")),
    ]);
}

#[test]
fn english_patterns_say_nothing_false() {
    check_all(&[
        ("I live in fear of my landlord.", None),
        ("I live in Whitby.", Some("User lives in Whitby")),
        ("My brother-in-law lives in Whitby.", Some("User's brother-in-law lives in Whitby")),
        ("I work as hard as I can.", None),
        ("I work as a locksmith.", Some("User works as a locksmith")),
        ("My cousin is called Aled, we met at a festival.", None),
        ("I'm allergic to penicillin.", Some("User is allergic to penicillin")),
        ("I love rhubarb crumble.", Some("User loves rhubarb crumble")),
        ("I live in hope.", None),
    ]);
}

#[test]
fn a_film_that_is_named_like_a_day_is_no_day() {
    for text in ["My favourite film is The Day After Tomorrow.", "My favourite song is Yesterday."] {
        let found = candidates(text);
        assert!(found.iter().all(|one| !one.content.contains(" on 20")), "{text}: {found:?}");
    }
}

#[test]
fn who_was_spoken_of_right_before_is_not_the_user() {
    for texts in
        [["弟から電話があった。", "郵便局で働いています。"], ["友達の健の話です。", "名古屋に住んでいます。"]]
    {
        let found = distilled(&texts).candidates;
        assert!(found.is_empty(), "{texts:?}: {found:?}");
    }
}

#[test]
fn jokes_addresses_and_moods_are_no_facts() {
    check_all(&[
        ("im at 14 brudenell rd leeds", None),
        ("I'm new to Rust.", Some("User is new to Rust")),
        ("im allergic to mornings lol", None),
        ("I'm allergic to shellfish.", Some("User is allergic to shellfish")),
        ("soy alérgica al trabajo jaja", None),
        ("ich bin allergisch gegen montage", None),
        ("i hate my life today", None),
        ("I hate coriander.", Some("User hates coriander")),
        ("vivo en una caja de zapatos", None),
        ("I'm allergic to eggs, just kidding!", None),
        ("soy alergica a los mariscos por si acaso vamos a cenar", Some("User is allergic to los mariscos")),
        ("i live with my parents still, in hove", Some("User lives with their parents")),
    ]);
}

#[test]
fn ordinary_facts_fill_their_slots() {
    check_all(&[
        ("Moro em Botafogo.", Some("User lives in Botafogo")),
        ("Sou do Botafogo.", None),
        ("Vivo em Benfica.", Some("User lives in Benfica")),
        ("我住在无锡。", Some("User lives in 无锡")),
        ("我喜欢吃火锅。", Some("User likes 吃火锅")),
        ("我喜欢听音乐。", Some("User likes 听音乐")),
        ("我叫心怡。", Some("User's name is 心怡")),
        ("我叫去了。", None),
        ("小学校の先生として働いています。", Some("User works as 小学校の先生")),
        ("先生は銀行で働いています。", None),
    ]);
}

#[test]
fn days_that_were_booked_are_coming_ones() {
    for (said, day) in [
        ("I had to book the dentist for 3 March.", "2024-03-03"),
        ("我订了5月3日的机票。", "2024-05-03"),
        ("5月3日の便を予約しました。", "2024-05-03"),
        ("5월 3일 병원을 예약했어요.", "2024-05-03"),
        ("My son was born on 3 March.", "2023-03-03"),
    ] {
        let episode = distilled(&[said]).episode;
        let dates: Vec<&String> = episode.iter().flat_map(|episode| &episode.key_dates).collect();
        assert!(dates.iter().any(|date| date.starts_with(day)), "{said}: {dates:?}");
    }
}
