//! Forget means forget: whichever way something is forgotten, no prompt, search, list or digest tells it again, whoever
//! repeated it; and an undo brings all of it back.
//!
//! The scripted model repeats what it is told, so every message stands in the conversation twice.

use memory::types::{MemoryId, RunId};
use recollect::ops::OperationRequest;
use recollect::ops::context::ContextOperation;
use recollect::ops::episodes::EpisodesList;
use recollect::ops::forget::{Forget, Forgotten};
use recollect::ops::identity::{IdentityRefresh, IdentityShow, IdentityVersions};
use recollect::ops::list::ListMemories;
use recollect::ops::runs::Undo;
use recollect::ops::search::Search;
use recollect::ops::sessions::{SessionEnd, SessionShow, SessionsList};
use recollect::ops::transcript::Transcript;
use serde_json::{Value, json};

use super::{Rig, answer, user};

/// What Mara tells in two conversations. The compound sentence is behind several memories, and the assistant repeats all of it.
const FIRST: [&str; 3] = [
    "My name is Mara, I work as a nurse in Leeds and I'm allergic to peanuts.",
    "We decided to paint the kitchen green in March. My cat is called Miso.",
    "So which snacks without peanuts could I take on a night shift? I like carrots and I always take two sandwiches along.",
];
const SECOND: [&str; 2] = ["I work at the children's ward, mostly nights.", "My brother Tom lives in Hull."];

const QUESTIONS: [&str; 5] = [
    "What am I allergic to?",
    "What should I not eat?",
    "What did I tell you about peanuts?",
    "Who am I and where do I work?",
    "What did we talk about last time?",
];

fn asked<R: serde::de::DeserializeOwned>(fields: Value) -> R {
    serde_json::from_value(fields).expect("a request")
}

async fn told() -> Rig {
    let rig = Rig::new().await;
    tells(&rig, "first", &FIRST).await;
    tells(&rig, "second", &SECOND).await;
    rig.ask(asked::<IdentityRefresh>(json!({}))).await;
    rig
}

/// A conversation from its beginning to its end.
async fn tells(rig: &Rig, session: &str, texts: &[&str]) {
    let mut messages = Vec::new();
    for text in texts {
        rig.says(&[("x-recollect-session-id", session)], &mut messages, text).await;
    }
    end(rig, session).await;
}

async fn end(rig: &Rig, session: &str) {
    rig.sessions().await;
    rig.ask(SessionEnd { which: asked(json!({ "session": session })) }).await;
}

async fn shown<R: OperationRequest>(rig: &Rig, request: R) -> String
where
    R::Answer: serde::Serialize,
{
    serde_json::to_string(&rig.ask(request).await).expect("an answer")
}

/// Everything that the house tells without being asked for what is deleted.
async fn everything(rig: &Rig) -> String {
    let mut all = String::new();
    for mode in ["compact", "full"] {
        rig.set("contextMode", json!(mode)).await;
        for question in QUESTIONS {
            rig.chat_with(&[("x-recollect-memory", "read")], &user(question)).await;
            all.push_str(&rig.seen().text().replace(question, ""));
            let context = rig.ask(asked::<ContextOperation>(json!({ "message": question }))).await;
            all.push_str(&context.block);
            for place in ["pinned", "transcript", "episodes"] {
                let search = json!({ "query": question, "place": place, "with_records": true });
                all.push_str(&shown(rig, asked::<Search>(search)).await);
            }
        }
    }
    all.push_str(&shown(rig, ListMemories::default()).await);
    all.push_str(&shown(rig, Transcript::default()).await);
    all.push_str(&shown(rig, EpisodesList::default()).await);
    all.push_str(&shown(rig, IdentityShow::default()).await);
    all.push_str(&shown(rig, asked::<IdentityVersions>(json!({}))).await);
    all.push_str(&shown(rig, SessionsList::default()).await);
    for session in ["first", "second"] {
        let which = asked(json!({ "session": session }));
        if rig.sessions().await.contains_key(session) {
            all.push_str(&shown(rig, SessionShow { which }).await);
        }
    }
    all.to_lowercase()
}

#[track_caller]
fn assert_silent(told: &str, word: &str) {
    if let Some(at) = told.find(word) {
        let (from, to) =
            (told.floor_char_boundary(at.saturating_sub(300)), told.floor_char_boundary(at + 100));
        panic!("{word} is told: …{}…", &told[from..to]);
    }
}

async fn of_peanuts(rig: &Rig) -> Vec<MemoryId> {
    let listed = rig.ask(ListMemories::default()).await;
    let said = |memory: &memory::types::Memory| memory.content.to_lowercase().contains("peanut");
    listed.memories.into_iter().filter(said).map(|memory| memory.id).collect()
}

async fn forgets(rig: &Rig, request: Forget) -> Forgotten {
    let done = rig.ask(Forget { confirmed: true, ..request }).await;
    assert!(done.total() > 0, "{done:?}");
    done
}

async fn undoes(rig: &Rig, run: &RunId) {
    let undone = rig.ask(Undo { run: run.clone() }).await;
    assert_eq!((undone.changed_since, undone.gone), (0, 0), "{undone:?}");
}

/// What stays where only the allergy is forgotten.
#[track_caller]
fn assert_rest_is_told(told: &str) {
    for word in ["nurse", "miso", "hull", "kitchen"] {
        assert!(told.contains(word), "{word} is not told any more");
    }
}

#[tokio::test]
async fn by_id_and_brought_back() {
    let rig = told().await;
    let before = everything(&rig).await;
    assert!(before.matches("peanut").count() > 10, "it is told everywhere: {before}");
    let ids = of_peanuts(&rig).await;
    assert!(!ids.is_empty());
    let done = forgets(&rig, Forget { ids, ..Forget::default() }).await;
    assert!(done.kinds["turns"] >= 2, "what was said and the replies: {done:?}");
    assert!(done.beyond.iter().any(|place| place.contains("backups")), "{done:?}");
    let after = everything(&rig).await;
    assert_silent(&after, "peanut");
    assert_rest_is_told(&after);
    undoes(&rig, &done.run.expect("a run")).await;
    let again = everything(&rig).await;
    assert!(again.matches("peanut").count() > 10, "all of it is back");
    let turns = |sessions: &std::collections::BTreeMap<String, Vec<memory::types::Turn>>| {
        sessions["first"].iter().map(|turn| turn.text.clone()).collect::<Vec<_>>()
    };
    let said = turns(&rig.sessions().await);
    assert_eq!(said[0], FIRST[0], "to the byte");
    assert_eq!(said[1], format!("You said: {}", FIRST[0]));
}

#[tokio::test]
async fn by_words_that_stand_in_turns_too() {
    let rig = told().await;
    let request = Forget { matching: Some("peanuts".into()), ..Forget::default() };
    let would = rig.ask(request.clone()).await;
    let done = forgets(&rig, request.clone()).await;
    assert_eq!(would.kinds, done.kinds, "it does what it says");
    let after = everything(&rig).await;
    assert_silent(&after, "peanut");
    assert_rest_is_told(&after);
    let again = rig.ask(Forget { confirmed: true, ..request }).await;
    assert_eq!(again.total(), 0, "there is nothing left to forget: {again:?}");
    undoes(&rig, &done.run.expect("a run")).await;
    assert!(everything(&rig).await.matches("peanut").count() > 10);
}

#[tokio::test]
async fn words_that_only_turns_have_are_found() {
    let rig = told().await;
    let done = forgets(&rig, Forget { matching: Some("sandwiches".into()), ..Forget::default() }).await;
    assert!(done.kinds.contains_key("turns"), "{done:?}");
    assert_silent(&everything(&rig).await, "sandwich");
}

#[tokio::test]
async fn by_user_and_by_session() {
    let rig = told().await;
    let first = asked::<recollect::ops::select::Selection>(json!({ "session": "first" }));
    let done = forgets(&rig, Forget { filter: first, ..Forget::default() }).await;
    let after = everything(&rig).await;
    for word in ["peanut", "miso", "kitchen", "carrots"] {
        assert_silent(&after, word);
    }
    assert!(after.contains("hull"), "the other conversation stays");
    undoes(&rig, &done.run.expect("a run")).await;
    assert_rest_is_told(&everything(&rig).await);

    let user = asked::<recollect::ops::select::Selection>(json!({ "user": "default" }));
    let done = forgets(&rig, Forget { filter: user, ..Forget::default() }).await;
    let after = everything(&rig).await;
    for word in ["peanut", "miso", "kitchen", "hull", "nurse", "mara", "ward"] {
        assert_silent(&after, word);
    }
    undoes(&rig, &done.run.expect("a run")).await;
    assert_rest_is_told(&everything(&rig).await);
}

#[tokio::test]
async fn by_mem0s_calls() {
    for call in ["delete", "delete_all", "delete_users"] {
        let rig = told().await;
        let delete = |path: String| answer(rig.client.delete(format!("{}{path}", rig.url)));
        match call {
            "delete" => {
                for id in of_peanuts(&rig).await {
                    // What goes with the first is gone.
                    let status = delete(format!("/v1/memories/{id}/")).await.status;
                    assert!([200, 204, 404].contains(&status), "{status}");
                }
            }
            "delete_all" => {
                assert_eq!(delete("/v1/memories/?user_id=default".into()).await.status, 200);
            }
            _ => assert_eq!(delete("/v2/entities/user/default/".into()).await.status, 200),
        }
        let after = everything(&rig).await;
        assert_silent(&after, "peanut");
        if call != "delete" {
            for word in ["miso", "kitchen", "hull", "nurse"] {
                assert_silent(&after, word);
            }
        }
    }
}

#[tokio::test]
async fn for_good_by_id_and_no_reply_keeps_it() {
    let rig = told().await;
    let ids = of_peanuts(&rig).await;
    let done = forgets(&rig, Forget { ids, purge: true, ..Forget::default() }).await;
    assert!(done.rewritten["turns"] >= 2, "{done:?}");
    let after = everything(&rig).await;
    assert_silent(&after, "peanut");
    assert_rest_is_told(&after);
    let receipt = done.receipt.expect("a receipt");
    assert!(receipt.beyond.iter().any(|place| place.contains("providers")), "{receipt:?}");
}

#[tokio::test]
async fn for_good_what_was_forgotten_before() {
    let rig = told().await;
    forgets(&rig, Forget { matching: Some("peanuts".into()), ..Forget::default() }).await;
    let purged =
        forgets(&rig, Forget { matching: Some("peanuts".into()), purge: true, ..Forget::default() }).await;
    assert!(purged.kinds.contains_key("turns"), "{purged:?}");
    let tenant = rig.tenant().await;
    let veils =
        memory::ports::ReadStore::records_after(&tenant, memory::types::RecordKind::Veil, 0, 100).await;
    assert_eq!(veils.expect("readable").len(), 0, "nothing lies hidden any more");
}

/// Clara, in three conversations and with another agent.
async fn told_of_clara() -> Rig {
    let rig = Rig::new().await;
    let talk = ["My friend Clara is getting divorced, she moved out in May.", "My dog is called Udon."];
    tells(&rig, "first", &talk).await;
    let mut messages = Vec::new();
    let elsewhere = [("x-recollect-session-id", "second"), ("x-recollect-agent-id", "helper")];
    rig.says(&elsewhere, &mut messages, "Clara's new flat is in Whitby. I live in Oslo.").await;
    end(&rig, "second").await;
    rig
}

async fn everything_of(rig: &Rig, questions: &[&str]) -> String {
    let mut all = String::new();
    for question in questions {
        for agent in ["default", "helper"] {
            let headers = [("x-recollect-memory", "read"), ("x-recollect-agent-id", agent)];
            rig.chat_with(&headers, &user(question)).await;
            all.push_str(&rig.seen().text().replace(question, ""));
        }
    }
    all.push_str(&shown(rig, ListMemories::default()).await);
    all.push_str(&shown(rig, Transcript::default()).await);
    all.push_str(&shown(rig, EpisodesList::default()).await);
    all.to_lowercase()
}

const OF_CLARA: [&str; 3] =
    ["What do you know about my friends?", "Who is getting divorced?", "Who lives in Whitby?"];

#[tokio::test]
async fn by_a_wish_in_a_chat_that_can_be_undone() {
    let rig = told_of_clara().await;
    assert!(everything_of(&rig, &OF_CLARA).await.matches("clara").count() > 3);
    let mut messages = Vec::new();
    let headers = [("x-recollect-session-id", "third")];
    let answer = rig.says(&headers, &mut messages, "Please forget what I told you about Clara.").await;
    assert!(answer.header("x-recollect-forgotten").parse::<u64>().expect("a number") > 1);
    let run: RunId = answer.header("x-recollect-forget-run").parse().expect("a run");
    let between = everything_of(&rig, &OF_CLARA).await;
    for word in ["divorce", "whitby", "moved out"] {
        assert_silent(&between, word);
    }
    end(&rig, "third").await;
    let after = everything_of(&rig, &OF_CLARA).await;
    for word in ["clara", "divorce", "whitby"] {
        assert_silent(&after, word);
    }
    assert!(after.contains("udon") && after.contains("oslo"), "the rest stays: {after}");
    let listed = rig.ask(SessionsList::default()).await;
    let asked =
        listed.sessions.iter().find(|line| line.session.key.session.as_str() == "third").expect("listed");
    assert_eq!(asked.forgotten_on_request, std::slice::from_ref(&run));

    undoes(&rig, &run).await;
    let again = everything_of(&rig, &OF_CLARA).await;
    assert!(again.contains("clara") && again.contains("divorced"), "{again}");
    assert_silent(&again, "please forget");
}

#[tokio::test]
async fn by_a_wish_about_what_was_just_said() {
    let rig = Rig::new().await;
    let mut messages = Vec::new();
    let headers = [("x-recollect-session-id", "first")];
    rig.says(&headers, &mut messages, "My flat is in Bergen and I love sailing there.").await;
    rig.says(&headers, &mut messages, "My salary is 4100 euros a month.").await;
    let answer = rig.says(&headers, &mut messages, "Please don't save that.").await;
    assert_ne!(answer.header("x-recollect-forgotten"), "", "{:?}", answer.headers);
    end(&rig, "first").await;
    let after = everything_of(&rig, &["How much do I earn?", "Where is my flat?"]).await;
    assert_silent(&after, "4100");
    assert!(after.contains("bergen"), "{after}");
}

/// Who asks that nothing be kept is told that nothing will be.
#[tokio::test]
async fn a_silenced_conversation_is_told_so() {
    let rig = Rig::new().await;
    let headers = [("x-recollect-session-id", "quiet")];
    let mut messages = Vec::new();
    let order = "I was told that I have gout.\n```\nward = \"zebrafish\"\n```\nPlease don't save any of this conversation.";
    let answer = rig.says(&headers, &mut messages, order).await;
    assert_eq!(answer.header("x-recollect-silenced"), "true", "{:?}", answer.headers);
    let answer = rig.says(&headers, &mut messages, "My flat is in Bergen and I love sailing there.").await;
    assert_eq!(answer.header("x-recollect-silenced"), "", "{:?}", answer.headers);
    end(&rig, "quiet").await;
    assert_silent(&shown(&rig, ListMemories::default()).await.to_lowercase(), "bergen");
    for (question, told) in [("Where is my flat?", "bergen"), ("What was I told that I have?", "gout")] {
        rig.chat(&user(question)).await;
        assert_silent(&rig.seen().text().to_lowercase(), told);
    }
    for told in ["gout", "zebrafish"] {
        assert_silent(&shown(&rig, Transcript::default()).await.to_lowercase(), told);
    }
    let listed = rig.ask(SessionsList::default()).await;
    let quiet = listed.sessions.iter().find(|line| line.session.key.session.as_str() == "quiet");
    let runs = quiet.expect("listed").forgotten_on_request.clone();
    assert_eq!(runs.len(), 1, "the list of conversations says so");
    undoes(&rig, &runs[0]).await;
    end(&rig, "quiet").await;
    assert!(
        shown(&rig, Transcript::default()).await.contains("Bergen"),
        "who undoes it is not silenced again"
    );
}

/// Who asks politely is heeded as soon as who orders.
#[tokio::test]
async fn by_a_request_in_a_chat() {
    for request in
        ["Could you forget what I said about Clara?", "Ich möchte, dass du das mit Clara vergisst."]
    {
        let rig = told_of_clara().await;
        let answer = rig.chat(&user(request)).await;
        assert_ne!(answer.header("x-recollect-forgotten"), "", "{request}");
        let after = everything_of(&rig, &OF_CLARA).await;
        for word in ["divorce", "whitby", "moved out"] {
            assert_silent(&after, word);
        }
    }
}

#[tokio::test]
async fn ordinary_talk_of_forgetting_has_no_header() {
    let rig = told_of_clara().await;
    for text in [
        "How do I make git forget that file?",
        "Don't forget that Clara's birthday is in June.",
        "Clara always forgets what I told her.",
        "Tell Clara to forget about the money in the text you're drafting.",
        "Clara vergisst ständig ihre Schlüssel.",
        "Clara siempre olvida mi cumpleaños.",
        "Clara oublie toujours de m'appeler.",
        "A minha avó esquece que a Clara está doente.",
        "Mia nonna dimentica il nome di Clara.",
        "Mijn oma vergeet dat Clara ziek is.",
        "Can you put this into Italian? Forget everything I told you about Clara.",
    ] {
        let answer = rig.chat(&user(text)).await;
        assert_eq!(answer.header("x-recollect-forgotten"), "", "{text}");
    }
    assert!(everything_of(&rig, &OF_CLARA).await.contains("clara"));
}

/// Who hands a text over, or speaks of anything else than of keeping, asks for no silence.
#[tokio::test]
async fn ordinary_talk_silences_nothing() {
    let rig = Rig::new().await;
    for text in [
        "I don't want you to use any emojis in your answers.",
        "C'est mieux que rien.",
        "Meine Tochter sagt, dass sie nichts essen will.",
        "No quiero que mi hijo coma nada con gluten.",
        "咖啡里什么都别放。",
        "밥을 하나도 남기지 않고 먹었어요.",
        "Translate this into Spanish: please don't save anything from this conversation.",
    ] {
        let answer = rig.chat(&user(text)).await;
        assert_eq!(answer.header("x-recollect-silenced"), "", "{text}");
    }
    for order in [
        "não salva nada dessa conversa",
        "متحفظش اي حاجة من الشات ده",
        "इस चैट से कुछ सेव मत करना",
        "don't save anything from this chat",
    ] {
        let answer = rig.chat(&user(order)).await;
        assert_eq!(answer.header("x-recollect-silenced"), "true", "{order}");
    }
}

/// "…, don't save that" means what stands before it in the same sentence.
#[tokio::test]
async fn by_what_is_added_to_a_statement() {
    let mut kept = Vec::new();
    for (said, word) in [
        ("im on sertraline since march, dont save that pls", "sertraline"),
        ("tomo sertralina desde marzo pero eso no lo guardes", "sertralina"),
        ("tomo sertralina desde março, mas não guarda isso", "sertralina"),
        ("prendo sertralina da marzo ma questo non salvarlo", "sertralina"),
        ("باخد سيرترالين من مارس بس متحفظش ده", "سيرترالين"),
    ] {
        let rig = Rig::new().await;
        let headers = [("x-recollect-session-id", "first")];
        rig.says(&headers, &mut Vec::new(), said).await;
        end(&rig, "first").await;
        if shown(&rig, ListMemories::default()).await.contains(word) {
            kept.push(said);
        }
    }
    assert!(kept.is_empty(), "{kept:#?}");
}

/// The same in the next message.
#[tokio::test]
async fn by_a_wish_about_the_message_before() {
    let mut kept = Vec::new();
    for (said, wish) in [
        ("i earn 5200 a month", "dont remember that"),
        ("je gagne 5200 par mois", "retiens pas ça"),
        ("ganho 5200 por mês", "não guarda isso"),
        ("guadagno 5200 al mese", "questo non ricordarlo"),
        ("مرتبي 5200 في الشهر", "متفتكرش ده"),
    ] {
        let rig = Rig::new().await;
        let headers = [("x-recollect-session-id", "first")];
        let mut messages = Vec::new();
        rig.says(&headers, &mut messages, said).await;
        rig.says(&headers, &mut messages, wish).await;
        end(&rig, "first").await;
        if shown(&rig, ListMemories::default()).await.contains("5200") {
            kept.push(said);
        }
    }
    assert!(kept.is_empty(), "{kept:#?}");
}

/// Names are written small in a chat, and in the case that the sentence asks for.
#[tokio::test]
async fn by_a_name_in_small_letters() {
    let mut kept = Vec::new();
    for (said, wish, word) in [
        ("my cousin eva has cancer", "please forget what i told you about eva", "cancer"),
        ("mijn nicht eva heeft kanker", "vergeet aub wat ik over eva zei", "kanker"),
        ("moja kuzynka ewa ma raka", "zapomnij proszę co mówiłam o ewie", "raka"),
        ("у моей двоюродной сестры евы рак", "пожалуйста забудь что я говорила про еву", "рак"),
    ] {
        let rig = Rig::new().await;
        let headers = [("x-recollect-session-id", "first")];
        rig.says(&headers, &mut Vec::new(), said).await;
        end(&rig, "first").await;
        let headers = [("x-recollect-session-id", "second")];
        rig.says(&headers, &mut Vec::new(), wish).await;
        end(&rig, "second").await;
        if shown(&rig, ListMemories::default()).await.contains(word) {
            kept.push(said);
        }
    }
    assert!(kept.is_empty(), "{kept:#?}");
}
