//! The lines of `recollect ingest`, imported: `crates/transfer` walks over the lines, the binary reads what stands in them.

use transfer::import_model::{ImportedConversation, ImportedRecord};
use transfer::{ingest, json_stream, mem0};

#[test]
fn ingest_lines_come_with_the_ids_they_have_when_ingested() {
    let lines = "\u{feff}{\"conversation_id\": \"c1\", \"session_date\": \"2026-03-01\", \"turns\": [{\"user\": \"I live in Oslo\", \"assistant\": \"Nice\"}]}\n\n\
        {\"conversation_id\": 2, \"user_id\": \"ada\", \"messages\": [{\"role\": \"user\", \"content\": \"Tea\", \"id\": \"m1\", \"date\": \"2026-03-02\"}, {\"role\": \"tool\", \"content\": \"\"}]}\n\
        not json\n{\"conversation_id\": \"c3\"}\n";
    let seen = json_stream::glimpse(lines.as_bytes()).expect("JSON");
    assert!(ingest::recognise(&seen) && !mem0::recognise(&seen));
    let folder = testkit::folder::scratch();
    let path = folder.path().join("lines");
    std::fs::write(&path, lines).expect("written");
    let (mut read, mut wrong): (Vec<ImportedConversation>, Vec<String>) = (Vec::new(), Vec::new());
    for piece in ingest::read(&path, recollect::exchange::line).expect("lines") {
        let piece = piece.expect("readable to the end");
        match piece.what {
            Ok(ImportedRecord::Conversation(conversation)) => read.push(*conversation),
            Ok(other) => panic!("{other:?}"),
            Err(message) => wrong.push(format!("{}: {message}", piece.place)),
        }
    }
    assert_eq!(wrong.len(), 2, "{wrong:?}");
    assert!(wrong[0].starts_with("line 4: the line is not JSON"), "{wrong:?}");
    assert!(wrong[1].starts_with("line 5: neither `turns` nor `messages`"), "{wrong:?}");
    let said: Vec<&str> = read[0].turns.iter().map(|turn| turn.text.as_str()).collect();
    assert_eq!(said, ["I live in Oslo", "Nice"]);
    assert!(read[0].turns[0].id.starts_with("recollect:"));
    assert_eq!((read[1].id.as_str(), read[1].turns.len(), read[1].turns[0].id.as_str()), ("2", 1, "m1"));
    assert_eq!(read[1].user.as_ref().map(|id| id.as_str()), Some("ada"));
}
