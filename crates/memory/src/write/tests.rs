//! Tables of what a write makes of what stands.

use serde_json::json;

use super::*;
use crate::types::{Kind, MemoryId, Owner, Scope};

fn memory(content: &str) -> Memory {
    let at: Time = "2026-03-01T00:00:00Z".parse().expect("it is a time");
    let owner = Owner { agent: "bot".parse().expect("an id"), user: "ann".parse().expect("an id") };
    let id = MemoryId::from_uuid(uuid::Uuid::nil());
    Memory::new(id, TenantId::local(), &owner, Kind::Fact, content.to_owned(), at)
}

fn with(content: &str, change: impl FnOnce(&mut Memory)) -> Memory {
    let mut made = memory(content);
    change(&mut made);
    made
}

fn tags(tags: &[&str]) -> Vec<String> {
    tags.iter().map(|tag| (*tag).to_owned()).collect()
}

#[test]
fn the_same_memory_has_the_same_content_layer_scope_and_owner_and_is_alive() {
    let session = |name: &str| Some(name.parse().expect("an id"));
    let thread = |name: &'static str| {
        move |m: &mut Memory| {
            m.scope = Scope::Thread;
            m.session = session(name);
        }
    };
    let cases: Vec<(&str, Memory, Memory, bool)> = vec![
        ("itself", memory("Tea."), memory("Tea."), true),
        ("other content", memory("Tea."), memory("Coffee."), false),
        ("other layer", memory("Tea."), with("Tea.", |m| m.layer = crate::types::Layer::Episodic), false),
        ("other scope", memory("Tea."), with("Tea.", |m| m.scope = Scope::Persona), false),
        ("other agent", memory("Tea."), with("Tea.", |m| m.agent = "cat".parse().expect("an id")), true),
        (
            "an agent's and another agent's",
            with("Tea.", |m| m.scope = Scope::Agent),
            with("Tea.", |m| (m.scope, m.agent) = (Scope::Agent, "cat".parse().expect("an id"))),
            false,
        ),
        ("other user", memory("Tea."), with("Tea.", |m| m.user = "bob".parse().expect("an id")), false),
        ("archived", with("Tea.", |m| m.status = Status::Archived), memory("Tea."), false),
        (
            "said elsewhere",
            with("Tea.", |m| m.session = session("a")),
            with("Tea.", |m| m.session = session("b")),
            true,
        ),
        ("of one thread", with("Tea.", thread("a")), with("Tea.", thread("a")), true),
        ("of two threads", with("Tea.", thread("a")), with("Tea.", thread("b")), false),
    ];
    for (name, standing, new, same) in cases {
        assert_eq!(is_same(&standing, &new), same, "{name}");
    }
}

#[test]
fn what_a_person_wrote_survives_a_machine_and_not_another_person() {
    let later: Time = "2026-04-01T00:00:00Z".parse().expect("it is a time");
    let new = with("Ann drinks coffee.", |m| {
        m.updated_at = later;
        m.origin = Origin::Model;
        m.tags = tags(&["b"]);
        m.metadata.insert("from".into(), json!("chat"));
        m.salience = 0.2;
    });
    for (origin, pinned, by, survives) in [
        (Origin::Model, false, Actor::Model, false),
        (Origin::Model, true, Actor::Model, true),
        (Origin::Person, false, Actor::Model, true),
        (Origin::Person, false, Actor::Tend, true),
        (Origin::Person, false, Actor::Person, false),
        (Origin::Person, true, Actor::Person, false),
    ] {
        let standing = with("Ann drinks tea.", |m| {
            (m.origin, m.pinned, m.version) = (origin, pinned, 7);
            m.tags = tags(&["a"]);
            m.salience = 0.9;
        });
        let merged = restate(standing.clone(), &new, by);
        let content = if survives { &standing.content } else { &new.content };
        assert_eq!(&merged.content, content, "{origin} {pinned} {by}");
        assert_eq!((merged.id, merged.version, merged.created_at), (standing.id, 7, standing.created_at));
        assert_eq!((merged.tags, merged.updated_at), (tags(&["a", "b"]), later));
        assert_eq!(merged.metadata["from"], json!("chat"));
        assert_eq!(merged.pinned, pinned);
        assert!((merged.salience - 0.9).abs() < f32::EPSILON, "what was salient stays salient");
    }
}

#[test]
fn a_memory_that_is_said_again_gains_what_it_lacks_and_keeps_what_it_has() {
    let standing = with("Tea.", |m| {
        m.tags = tags(&["a"]);
        m.metadata.insert("n".into(), json!(1));
    });
    assert_eq!(widen(&standing, &standing), None);
    let again = with("Tea.", |m| {
        m.tags = tags(&["a", "b"]);
        m.metadata.insert("n".into(), json!(2));
        m.metadata.insert("o".into(), json!(3));
    });
    let wider = widen(&standing, &again).expect("it gains something");
    assert_eq!(
        (wider.tags, &wider.metadata["n"], &wider.metadata["o"]),
        (tags(&["a", "b"]), &json!(1), &json!(3))
    );
    let huge = with("Tea.", |m| {
        m.metadata.insert("big".into(), json!("x".repeat(limits::METADATA_BYTES)));
        m.pinned = true;
    });
    let wider = widen(&standing, &huge).expect("it is pinned now");
    assert!(wider.pinned);
    assert_eq!(wider.metadata, standing.metadata, "what would not fit together stays as it stands");
}

#[test]
fn united_tags_never_exceed_what_one_memory_may_have() {
    let many: Vec<String> = (0..limits::TAGS + 9).map(|n| format!("t{n}")).collect();
    let standing = with("Tea.", |m| m.tags = tags(&["mine"]));
    let other = with("Tea.", |m| m.tags = many);
    let at = standing.updated_at;
    let wider = unite(&standing, &other, at).expect("it gains tags");
    assert_eq!((wider.tags.len(), wider.tags[0].as_str()), (limits::TAGS, "mine"));
    assert_eq!(unite(&wider, &other, at), None);
    assert_eq!(unite(&standing, &memory("Tea."), at), None);
}

#[test]
fn a_write_goes_through_only_on_what_it_expects() {
    let of = RecordRef { kind: RecordKind::Memory, id: "m".into() };
    let cases = [
        (Expect::Absent, None, Some(1)),
        (Expect::Absent, Some(1), None),
        (Expect::Version(3), Some(3), Some(4)),
        (Expect::Version(3), Some(4), None),
        (Expect::Version(3), None, None),
        (Expect::Any, None, Some(1)),
        (Expect::Any, Some(8), Some(9)),
    ];
    for (expect, standing, version) in cases {
        assert_eq!(next_version(&of, expect, standing).ok(), version, "{expect:?} {standing:?}");
    }
    let gone = next_version(&of, Expect::Version(3), None);
    assert!(matches!(gone, Err(StoreError::NotFound(_))));
}

#[test]
fn coming_in_changes_nothing_where_history_leads_to_it() {
    let last = |by_import, before, purged| LastEvent { by_import, before, purged };
    for (event, version, leads) in [
        (last(false, None, false), 1, true),
        (last(false, None, false), 2, false),
        (last(true, None, false), 5, true),
        (last(false, Some(4), false), 5, true),
        (last(false, Some(5), false), 5, false),
        (last(true, Some(5), false), 5, true),
        (last(false, Some(4), true), 5, false),
    ] {
        assert_eq!(leads_to(event, version), leads, "{event:?} {version}");
    }
}
