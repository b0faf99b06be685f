//! The stored form of every record, as it has stood on disks, in exports and in backups.
//!
//! A body is the JSON of a record, and the same JSON is read by every version to come: whoever renames or drops a field breaks
//! what people have. Each body here has every field filled, and must read and be written again as it stands. A field that is
//! added goes into `golden/records.json`; one that is there never changes.

use memory::types::{Record, RecordKind};
use serde_json::{Map, Value};

const RECORDS: &str = include_str!("golden/records.json");

fn records() -> Map<String, Value> {
    serde_json::from_str(RECORDS).expect("the golden file is JSON")
}

#[test]
fn every_kind_of_record_is_read_and_written_as_it_always_was() {
    let golden = records();
    assert_eq!(golden.len(), RecordKind::ALL.len(), "one body for each kind");
    for kind in RecordKind::ALL {
        let body = golden.get(kind.as_str()).unwrap_or_else(|| panic!("no golden body of a {kind}"));
        let record = Record::from_body(*kind, &body.to_string());
        let record = record.unwrap_or_else(|error| panic!("the golden {kind} no longer reads: {error}"));
        let written: Value = serde_json::from_str(&record.body()).expect("a body is JSON");
        assert_eq!(written, *body, "a {kind} is written otherwise than it was");
    }
}

#[test]
fn no_body_needs_more_than_its_first_version_had() {
    // What was optional from the beginning may be missing; reading must not ask for it.
    let optional =
        ["session", "key", "subject", "predicate", "object", "evidence", "emotion", "metadata", "tags"];
    let mut bare = records().remove("memory").expect("a golden memory");
    let fields = bare.as_object_mut().expect("an object");
    optional.iter().for_each(|field| drop(fields.remove(*field)));
    Record::from_body(RecordKind::Memory, &bare.to_string()).expect("a memory without what is optional");
}
