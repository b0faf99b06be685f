//! Wishes, ordinary talk of forgetting and orders of silence in each language, by their form alone.

use super::*;
use crate::learn::control::{self, asks_for_silence};

/// Sentences that ask for something to be forgotten, that only speak of forgetting, and that ask for nothing at all to be kept.
fn check(asked: &[&str], ordinary: &[&str], silences: &[&str]) {
    for wish in asked {
        assert!(matches!(form_of(wish), WishForm::Asked(_)), "{wish}: {:?}", form_of(wish));
        assert!(!asks_for_silence(wish), "{wish}");
    }
    for talk in ordinary {
        assert!(!matches!(form_of(talk), WishForm::Asked(_)), "{talk}: {:?}", form_of(talk));
        assert!(!asks_for_silence(talk), "{talk}");
    }
    for order in silences {
        assert!(asks_for_silence(order), "{order}");
    }
}

#[test]
fn wishes_and_talk_of_forgetting_in_english() {
    check(
        &[
            "Would you be so kind as to forget what I mentioned about Priya?",
            "Please wipe everything to do with Priya.",
            "I'd prefer it if you forgot about Priya and the money.",
            "Get rid of whatever you have on Priya.",
            "Could you delete the bit about my cousin Priya from your notes?",
            "Forget that Priya owes me anything.",
            "can u pls forget the priya thing",
            "Act as if I'd never told you about Priya's debt.",
        ],
        &[
            "Priya forgets every appointment she makes.",
            "Remind me not to forget Priya's wedding gift.",
            "Can you write Priya a text that says forget the money?",
            "I'd forget my lithium if my phone didn't beep.",
            "How do I delete Priya's number from my phone?",
            "We all forget things in Hull when it's this cold.",
            "Don't let me forget the lithium tonight.",
            "Priya told me to forget about the money, should I?",
            "Nobody in Hull forgets a face.",
            "My students forgot their homework again.",
        ],
        &[
            "Please don't keep anything I say in this chat.",
            "Nothing from this conversation should be saved.",
            "Don't store any of what we talk about today.",
            "Don't remember anything I tell you here, please.",
        ],
    );
}

#[test]
fn wishes_and_talk_of_forgetting_in_german() {
    check(
        &[
            "Würdest du bitte vergessen, was ich zu Jörn geschrieben habe?",
            "Lösch bitte alles, was mit Jörn zu tun hat.",
            "Mir wäre lieber, du würdest das mit Jörn vergessen.",
            "Vergessen Sie bitte, was ich Ihnen über Jörn erzählt habe.",
            "Bitte vergiss Jörns Schulden.",
            "Kannst du Jörn aus deinem Gedächtnis streichen?",
            "Ich will nicht, dass du dir das mit Jörn merkst.",
            "Jörn wäre sauer, also vergiss das mit seinen Schulden.",
        ],
        &[
            "Jörn vergisst dauernd, mir das Geld zu geben.",
            "Erinner mich dran, dass ich Jörns Geschenk nicht vergesse.",
            "Schreib Jörn eine Nachricht: Vergiss das Geld.",
            "Wie lösche ich Jörns Nummer aus dem Handy?",
            "In Kiel vergisst man den Stress sofort.",
            "Manchmal vergesse ich das Lithium, ist das schlimm?",
            "Streich Jörn bitte von der Gästeliste.",
            "Meine Oma vergisst immer, dass Jörn mein Cousin ist.",
            "Meine Schüler vergessen ihre Hausaufgaben.",
            "In Kiel hat mich jeder vergessen.",
        ],
        &[
            "Bitte speichere nichts von dem, was ich hier schreibe.",
            "Merk dir bitte nichts von unserem Gespräch.",
            "Nichts aus diesem Chat soll gespeichert werden.",
            "Behalte von dieser Unterhaltung bitte gar nichts.",
        ],
    );
}

#[test]
fn wishes_and_talk_of_forgetting_in_spanish() {
    check(
        &[
            "¿Te importaría olvidar lo que dije de Nuria?",
            "Borra todo lo relacionado con Nuria.",
            "Preferiría que olvidaras lo de Nuria.",
            "Olvida que Nuria me debe dinero, por favor.",
            "Me gustaría que borraras lo de la deuda de Nuria.",
            "¿Podría usted olvidar lo que le conté sobre Nuria?",
            "No quiero que recuerdes lo de Nuria.",
            "Por favor, olvídate de lo de Nuria.",
        ],
        &[
            "Nuria siempre se olvida de pagarme.",
            "Recuérdame que no olvide el regalo de Nuria.",
            "Escríbele a Nuria un mensaje que diga olvida el dinero.",
            "¿Cómo borro el número de Nuria del móvil?",
            "A veces olvido tomar el litio.",
            "En Vigo uno se olvida del calor.",
            "Mi madre olvida que Nuria vive lejos.",
            "Tacha a Nuria de la lista de invitados.",
            "Mis alumnos olvidan los deberes.",
            "Nuria olvidó mi cumple.",
        ],
        &[
            "No guardes nada de lo que te diga hoy.",
            "No quiero que recuerdes nada de esta charla.",
            "No memorices nada de este chat, por favor.",
            "Por favor, no almacenes nada de esta conversación.",
        ],
    );
}

#[test]
fn wishes_and_talk_of_forgetting_in_french() {
    check(
        &[
            "Tu veux bien oublier ce que j'ai raconté sur Solène ?",
            "Efface tout ce qui a trait à Solène.",
            "J'aimerais que tu oublies la dette de Solène.",
            "Oublie que Solène me doit de l'argent, s'il te plaît.",
            "Pouvez-vous oublier ce que je vous ai dit de Solène ?",
            "Peux-tu supprimer Solène de ta mémoire ?",
            "Je ne veux pas que tu retiennes l'histoire de Solène.",
            "Oublie Solène et ses dettes stp.",
        ],
        &[
            "Solène oublie toujours de me rembourser.",
            "Rappelle-moi de ne pas oublier le cadeau de Solène.",
            "Écris à Solène un message qui dit oublie l'argent.",
            "Comment je supprime le numéro de Solène du téléphone ?",
            "Parfois j'oublie mon lithium.",
            "À Brest on oublie vite le soleil.",
            "Ma mère oublie que Solène habite loin.",
            "Raye Solène de la liste des invités.",
            "Mes élèves oublient leurs devoirs.",
            "Solène a oublié mon anniversaire.",
        ],
        &[
            "N'enregistre rien de ce que je dis ici.",
            "Ne garde rien de notre échange, s'il te plaît.",
            "Je ne veux pas que tu mémorises quoi que ce soit de ce chat.",
            "Ne retenez rien de cette discussion.",
        ],
    );
}

#[test]
fn wishes_and_talk_of_forgetting_in_portuguese() {
    check(
        &[
            "Você poderia esquecer o que eu falei da Inês?",
            "Apague tudo relacionado com a Inês.",
            "Gostaria que esquecesse a dívida da Inês.",
            "Esquece que a Inês me deve dinheiro, por favor.",
            "Quero que você esqueça a história da Inês.",
            "Por favor, esqueça o que contei sobre a Inês.",
            "Não quero que te lembres disso da Inês.",
            "Tira a Inês da tua memória.",
        ],
        &[
            "A Inês esquece-se sempre de me pagar.",
            "Lembra-me de não esquecer a prenda da Inês.",
            "Escreve à Inês uma mensagem a dizer esquece o dinheiro.",
            "Como apago o número da Inês do telemóvel?",
            "Às vezes esqueço o lítio.",
            "Em Braga a gente esquece o stress.",
            "A minha mãe esquece que a Inês vive longe.",
            "Risca a Inês da lista de convidados.",
            "Os meus alunos esquecem os trabalhos de casa.",
            "A Inês esqueceu os meus anos.",
        ],
        &[
            "Não guarde nada do que eu disser aqui.",
            "Não memorizes nada desta conversa, por favor.",
            "Não quero que salve nada deste chat.",
            "Não registes nada do que falarmos hoje.",
        ],
    );
}

#[test]
fn wishes_and_talk_of_forgetting_in_italian() {
    check(
        &[
            "Potresti dimenticare quello che ho detto su Giada?",
            "Cancella tutto ciò che riguarda Giada.",
            "Preferirei che dimenticassi il debito di Giada.",
            "Dimentica che Giada mi deve dei soldi, per favore.",
            "Voglio che tu dimentichi la faccenda di Giada.",
            "Può dimenticare quello che le ho raccontato di Giada?",
            "Non voglio che ricordi la storia di Giada.",
            "Scordati di quello che ti ho detto di Giada.",
        ],
        &[
            "Giada si dimentica sempre di pagarmi.",
            "Ricordami di non dimenticare il regalo di Giada.",
            "Scrivi a Giada un messaggio che dice dimentica i soldi.",
            "Come cancello il numero di Giada dal telefono?",
            "A volte dimentico il litio.",
            "A Lecce ci si dimentica dello stress.",
            "Mia madre dimentica che Giada vive lontano.",
            "Togli Giada dalla lista degli invitati.",
            "I miei studenti dimenticano i compiti.",
            "Giada ha dimenticato il mio compleanno.",
        ],
        &[
            "Non memorizzare nulla di quello che dico qui.",
            "Non ricordare niente di questa chat, per favore.",
            "Non voglio che tu conservi nulla di questa conversazione.",
            "Non tenere traccia di niente di ciò che diciamo oggi.",
        ],
    );
}

#[test]
fn wishes_and_talk_of_forgetting_in_dutch() {
    check(
        &[
            "Wil je vergeten wat ik over Fleur vertelde?",
            "Wis alles wat met Fleur te maken heeft.",
            "Ik heb liever dat je dat van Fleur vergeet.",
            "Vergeet dat Fleur me geld schuldig is, alsjeblieft.",
            "Zou je de schuld van Fleur kunnen vergeten?",
            "Kunt u vergeten wat ik over Fleur gezegd heb?",
            "Ik wil niet dat je dat over Fleur onthoudt.",
            "Vergeet Fleur en haar schulden maar.",
        ],
        &[
            "Fleur vergeet elke keer me terug te betalen.",
            "Herinner me eraan Fleurs cadeau niet te vergeten.",
            "Schrijf Fleur een berichtje: vergeet het geld.",
            "Hoe verwijder ik het nummer van Fleur van mijn telefoon?",
            "Soms vergeet ik mijn lithium.",
            "In Assen vergeet je alle drukte.",
            "Mijn moeder vergeet dat Fleur ver weg woont.",
            "Streep Fleur van de gastenlijst.",
            "Mijn leerlingen vergeten hun huiswerk.",
            "Fleur vergat mijn verjaardag.",
        ],
        &[
            "Bewaar niets van wat ik hier zeg.",
            "Sla niets uit deze chat op, alsjeblieft.",
            "Ik wil niet dat je iets van dit gesprek onthoudt.",
            "Onthoud alsjeblieft niks van vandaag.",
        ],
    );
}

#[test]
fn wishes_and_talk_of_forgetting_in_polish() {
    check(
        &[
            "Czy mogłabyś zapomnieć o tym, co mówiłam o Kasi?",
            "Usuń wszystko, co dotyczy Kasi.",
            "Wolałabym, żebyś zapomniał o długu Kasi.",
            "Zapomnij, że Kasia jest mi winna pieniądze.",
            "Czy może pan zapomnieć o tym, co mówiłem o Kasi?",
            "Proszę zapomnieć o sprawie Kasi.",
            "Nie chcę, żebyś pamiętał o Kasi i jej długach.",
            "Skasuj to, co wiesz o Kasi.",
        ],
        &[
            "Kasia zawsze zapomina oddać mi pieniądze.",
            "Przypomnij mi, żebym nie zapomniał o prezencie dla Kasi.",
            "Napisz do Kasi wiadomość: zapomnij o pieniądzach.",
            "Jak usunąć numer Kasi z telefonu?",
            "Czasem zapominam o licie.",
            "W Opolu człowiek zapomina o stresie.",
            "Moja mama zapomina, że Kasia mieszka daleko.",
            "Skreśl Kasię z listy gości.",
            "Moi uczniowie zapominają o pracy domowej.",
            "Kasia zapomniała o moich urodzinach.",
        ],
        &[
            "Nie zapamiętuj niczego, co tu napiszę.",
            "Nie zapisuj nic z tego czatu, proszę.",
            "Nie chcę, żebyś cokolwiek z tej rozmowy pamiętał.",
            "Proszę nie zachowywać niczego z naszej rozmowy.",
        ],
    );
}

#[test]
fn wishes_and_talk_of_forgetting_in_russian() {
    check(
        &[
            "Не могла бы ты забыть то, что я рассказала о Даше?",
            "Удали всё, что связано с Дашей.",
            "Мне бы хотелось, чтобы ты забыл про долг Даши.",
            "Забудь, что Даша мне должна, пожалуйста.",
            "Пожалуйста, забудьте то, что я сказал о Даше.",
            "Можете стереть то, что я говорил про Дашу?",
            "Я не хочу, чтобы ты помнил про Дашу.",
            "Забудь про Дашу и её долги, ладно?",
        ],
        &[
            "Даша вечно забывает вернуть деньги.",
            "Напомни мне, чтобы я не забыл подарок для Даши.",
            "Напиши Даше сообщение: забудь про деньги.",
            "Как удалить номер Даши из телефона?",
            "Иногда я забываю про литий.",
            "В Пскове забываешь о суете.",
            "Моя мама забывает, что Даша живёт далеко.",
            "Вычеркни Дашу из списка гостей.",
            "Мои ученики забывают домашку.",
            "Даша забыла про мой день рождения.",
        ],
        &[
            "Не сохраняй ничего из того, что я здесь пишу.",
            "Не запоминай ничего из этого чата, пожалуйста.",
            "Я не хочу, чтобы ты что-то запоминал из нашей беседы.",
            "Пожалуйста, не записывай ничего из этой переписки.",
        ],
    );
}

#[test]
fn wishes_and_talk_of_forgetting_in_turkish() {
    check(
        &[
            "Defne hakkında anlattıklarımı unutabilir misin?",
            "Defne'yle ilgili her şeyi sil.",
            "Defne'nin borcunu unutmanı isterim.",
            "Lütfen Defne'nin bana borçlu olduğunu unut.",
            "Defne konusunu unutun lütfen.",
            "Defne'yi hafızandan siler misin?",
            "Defne ile ilgili söylediğimi hatırlamanı istemiyorum.",
            "Defne'den bahsettiğimi unut gitsin.",
        ],
        &[
            "Defne borcunu ödemeyi hep unutuyor.",
            "Defne'nin hediyesini unutmamam için bana hatırlat.",
            "Defne'ye parayı unut diye bir mesaj yaz.",
            "Defne'nin numarasını telefondan nasıl silerim?",
            "Bazen lityumu unutuyorum.",
            "Sivas'ta insan stresi unutuyor.",
            "Annem Defne'nin uzakta oturduğunu unutuyor.",
            "Defne'yi davetli listesinden çıkar.",
            "Öğrencilerim ödevlerini unutuyor.",
            "Defne doğum günümü unuttu.",
        ],
        &[
            "Burada söylediğim hiçbir şeyi saklama.",
            "Bu sohbetten hiçbir şey hatırlama lütfen.",
            "Bu konuşmadan bir şey kaydetmeni istemiyorum.",
            "Bugün konuştuklarımızın hiçbirini hafızana alma.",
        ],
    );
}

#[test]
fn wishes_and_talk_of_forgetting_in_arabic() {
    check(
        &[
            "هل بإمكانك أن تنسى ما ذكرته عن هدى؟",
            "امسح كل شيء يتعلق بهدى.",
            "أفضل أن تنسى دين هدى.",
            "انس أن هدى مدينة لي، من فضلك.",
            "أرجو أن تنسى قصة هدى.",
            "ممكن تنسى اللي قلته عن هدى؟",
            "لا أريدك أن تتذكر موضوع هدى.",
            "انسَ موضوع هدى لو سمحت.",
        ],
        &[
            "هدى تنسى دائمًا أن تدفع لي.",
            "ذكرني كي لا أنسى هدية هدى.",
            "اكتب لهدى رسالة تقول انسي المال.",
            "كيف أحذف رقم هدى من هاتفي؟",
            "أحيانًا أنسى الليثيوم.",
            "في فاس ينسى الإنسان همومه.",
            "أمي تنسى أن هدى تسكن بعيدًا.",
            "احذف هدى من قائمة الضيوف.",
            "طلابي ينسون واجباتهم.",
            "هدى نسيت عيد ميلادي.",
        ],
        &[
            "لا تحفظ شيئًا مما أقوله هنا.",
            "لا تسجل أي شيء من هذا الحوار.",
            "لا أريدك أن تتذكر أي شيء من هذه المحادثة.",
            "لا تحتفظ بأي شيء مما نقوله اليوم.",
        ],
    );
}

#[test]
fn wishes_and_talk_of_forgetting_in_hindi() {
    check(
        &[
            "क्या आप नेहा के बारे में मेरी बात भूल सकते हैं?",
            "नेहा से जुड़ी हर बात मिटा दो।",
            "मैं चाहता हूँ कि आप नेहा का उधार भूल जाएँ।",
            "प्लीज़ भूल जाओ कि नेहा ने उधार लिया है।",
            "नेहा वाली बात भूल जाइए।",
            "नेहा को अपनी याददाश्त से हटा दो।",
            "नेहा की बात याद मत रखना।",
            "भूल जाओ जो मैंने नेहा के बारे में कहा।",
        ],
        &[
            "नेहा हमेशा पैसे लौटाना भूल जाती है।",
            "याद दिलाना कि मैं नेहा का तोहफ़ा न भूलूँ।",
            "नेहा को मैसेज लिखो कि पैसे भूल जाओ।",
            "फ़ोन से नेहा का नंबर कैसे डिलीट करूँ?",
            "कभी-कभी मैं लिथियम लेना भूल जाता हूँ।",
            "नागपुर में आदमी सब भूल जाता है।",
            "मेरी माँ भूल जाती हैं कि नेहा दूर रहती है।",
            "मेहमानों की लिस्ट से नेहा का नाम हटा दो।",
            "मेरे छात्र होमवर्क भूल जाते हैं।",
            "नेहा मेरा जन्मदिन भूल गई।",
        ],
        &[
            "यहाँ जो भी कहूँ, कुछ भी सेव मत करना।",
            "इस चैट का कुछ भी याद मत रखो।",
            "इस बातचीत की कोई भी बात मत सहेजो।",
            "आज की बातों में से कुछ भी मत रखना याद।",
        ],
    );
}

#[test]
fn wishes_and_talk_of_forgetting_in_chinese() {
    check(
        &[
            "可以请你忘记我提到的小燕的事吗？",
            "把跟小燕有关的都删了。",
            "我想让你忘掉小燕欠钱的事。",
            "请忘记小燕欠我钱这件事。",
            "麻烦你把小燕的事忘了。",
            "能不能把小燕从你的记忆里抹掉？",
            "不要记住小燕的事。",
            "忘了小燕欠我钱吧。",
        ],
        &[
            "小燕老是忘记还我钱。",
            "提醒我别忘了给小燕买礼物。",
            "帮我给小燕写条消息说忘了钱的事吧。",
            "怎么从手机里删除小燕的号码？",
            "我有时候会忘记吃锂盐。",
            "在苏州人会忘记烦恼。",
            "我妈总忘了小燕住得远。",
            "把小燕从宾客名单上删掉。",
            "我的学生总是忘记写作业。",
            "小燕忘了我的生日。",
        ],
        &[
            "我在这里说的什么都别保存。",
            "不要记录这次对话的任何内容。",
            "今天聊的内容一个字都别记。",
            "这段对话请不要保存任何东西。",
        ],
    );
}

#[test]
fn wishes_and_talk_of_forgetting_in_japanese() {
    check(
        &[
            "美穂について話したことを忘れていただけますか？",
            "美穂に関することは全部消して。",
            "美穂の借金のことは忘れてほしい。",
            "美穂のこと、忘れてください。",
            "美穂の話は記憶から消してくれる？",
            "美穂にお金を貸していることは忘れて。",
            "美穂の件は覚えないでください。",
            "さっきの美穂の話、忘れてね。",
        ],
        &[
            "美穂はいつもお金を返すのを忘れる。",
            "美穂のプレゼントを忘れないようにリマインドして。",
            "美穂に「お金のことは忘れて」ってメッセージを書いて。",
            "携帯から美穂の番号を消す方法は？",
            "時々リチウムを飲み忘れる。",
            "松江にいると嫌なことを忘れる。",
            "母は美穂が遠くに住んでいるのを忘れている。",
            "招待客リストから美穂を消して。",
            "生徒たちはいつも宿題を忘れる。",
            "美穂は私の誕生日を忘れた。",
        ],
        &[
            "ここで話すことは何も保存しないで。",
            "今日の会話は一切記録しないでください。",
            "この会話の内容は覚えないでほしい。",
            "このチャットのことは何も記憶しないで。",
        ],
    );
}

#[test]
fn wishes_and_talk_of_forgetting_in_korean() {
    check(
        &[
            "수진이에 대해 말한 거 잊어 주실 수 있나요?",
            "수진이랑 관련된 건 다 지워.",
            "수진이 빚 이야기는 잊어 줬으면 좋겠어.",
            "수진이가 돈 빌린 거 잊어 주세요.",
            "수진이 일은 기억하지 말아 줘.",
            "수진이를 기억에서 삭제해 줄래?",
            "제발 수진이 얘기 잊어줘.",
            "수진이 이야기는 못 들은 걸로 해 주세요.",
        ],
        &[
            "수진이는 맨날 돈 갚는 걸 잊어버려.",
            "수진이 선물 잊지 않게 알려 줘.",
            "수진이한테 돈은 잊어버리라고 문자 써 줘.",
            "휴대폰에서 수진이 번호 어떻게 삭제해?",
            "가끔 리튬 먹는 걸 까먹어.",
            "전주에 있으면 스트레스를 잊게 돼.",
            "엄마는 수진이가 멀리 사는 걸 자꾸 잊어요.",
            "초대 손님 명단에서 수진이 지워 줘.",
            "우리 학생들은 숙제를 자꾸 잊어.",
            "수진이가 내 생일을 잊었어.",
        ],
        &[
            "여기서 하는 말은 아무것도 저장하지 마세요.",
            "이 채팅에서 아무것도 기억하지 말아 줘.",
            "오늘 대화 내용은 하나도 남기지 마.",
            "이 대화는 기록하지 말아 주세요.",
        ],
    );
}

#[test]
fn who_offers_something_else_means_no_memory() {
    for talk in ["Forget Leeds, York is better", "Забудь про Тулу, там нечего делать, лучше в Питер."]
    {
        assert_eq!(form_of(talk), WishForm::Ordinary, "{talk}");
    }
    assert_eq!(form_of("Vergiss Ulm, die Mieten dort sind verrückt"), WishForm::Asked(Plainness::GoesOn));
    assert_eq!(form_of("Forget it, I'll figure it out myself."), WishForm::Ordinary);
    assert_eq!(form_of("Never mind, forget it. What's the capital of Peru?"), WishForm::Ordinary);
    assert_eq!(form_of("Please forget it."), WishForm::Asked(Plainness::Surely));
}

#[test]
fn what_is_deleted_must_have_been_told() {
    for talk in [
        "Delete the duplicates from this list",
        "Lösch Anke bitte von der Einkaufsliste",
        "把小燕从宾客名单上删掉。",
    ] {
        assert!(!matches!(form_of(talk), WishForm::Asked(_)), "{talk}");
    }
    assert_eq!(form_of("Delete Olly from your memory"), WishForm::Asked(Plainness::Surely));
    assert_eq!(form_of("Erase what I said about Olly"), WishForm::Asked(Plainness::Deletion));
}

#[test]
fn one_matter_is_no_silence() {
    for wish in ["Don't keep anything about Olly", "Merk dir nichts über Anke", "No guardes nada sobre Iker"]
    {
        assert!(!asks_for_silence(wish), "{wish}");
    }
}

#[test]
fn sentences_do_what_they_are_marked_with() {
    let lines =
        include_str!("sentences.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut wrong = Vec::new();
    for line in lines {
        let mut parts = line.splitn(3, ' ').skip(1);
        let (mark, sentence) = (parts.next().expect("a mark"), parts.next().expect("a sentence"));
        let (form, silence) = (control::wish_form(sentence), asks_for_silence(sentence));
        let asked = matches!(form, WishForm::Asked(_));
        let right = match mark {
            "surely" => !silence && form == WishForm::Asked(Plainness::Surely),
            "asked" => !silence && asked,
            "deletion" => !silence && asked && form >= WishForm::Asked(Plainness::Deletion),
            "silence" => silence,
            "ordinary" => !silence && !asked,
            "unsure" => !silence && form <= WishForm::Asked(Plainness::Order),
            other => panic!("no such mark: {other}"),
        };
        if !right {
            wrong.push(format!("{line}: {form:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_text_without_stops_asks_for_nothing() {
    let long = format!("Forget what I said about Olly {}", "and so on ".repeat(100));
    assert_eq!(form_of(&long), WishForm::Nothing);
    assert!(!asks_for_silence(&format!("Don't save anything of this chat {}", "and so on ".repeat(100))));
}

/// Lines of conversations that ask nothing of a memory and have the form of a sure wish or of silence, at most. Nobody wrote them for these tables, and some
/// of them do ask: "vergiss, was ich gestern gefragt habe".
const FALSE_ALARMS: usize = 9;

/// The least of those that ask for something to be forgotten, by their form; the others are the judge's.
const HEARD_BY_THEIR_FORM: usize = 170;

#[test]
fn what_people_say_is_seldom_taken_for_a_wish() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../eval/told");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the conversations").flatten().map(|file| file.path()).collect();
    files.sort();
    let mut alarms = Vec::new();
    let (mut heard, mut wishes) = (0, 0);
    for file in files.iter().filter(|file| file.to_string_lossy().ends_with(".lines.txt")) {
        for line in std::fs::read_to_string(file).expect("a file of lines").lines() {
            let Some((mark, text)) = line.split_once(" | ") else { continue };
            let text = text.split(" || ").next().unwrap_or(text);
            let form = control::wish_form(text);
            let sure = form >= WishForm::Asked(Plainness::Deletion) || asks_for_silence(text);
            if mark.starts_with('f') {
                wishes += 1;
                heard += usize::from(sure || matches!(form, WishForm::Asked(_)));
            } else if sure && !mark.starts_with('x') {
                alarms.push(text.to_owned());
            }
        }
    }
    assert!(wishes > 0 && heard >= HEARD_BY_THEIR_FORM, "{heard} of {wishes}");
    assert!(alarms.len() <= FALSE_ALARMS, "{}:\n{}", alarms.len(), alarms.join("\n"));
}
