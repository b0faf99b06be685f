//! Notes, written and read: everything that a note carries is the same on the other side, whatever it says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use memory::error::StoreResult;
use memory::ports::Snapshot;
use memory::types::{Item, Memory, Part, Record, RecordKind, content_hash};
use transfer::TransferFormat;
use transfer::import_model::{FilePiece, ImportedMemory, ImportedRecord};
use transfer::vault::{Flavour, Folder, Zip, export, recognise};

use super::foreign::read_notes as read;
use testkit::tenant::{Chance, HOSTILE, record, tenant};

const FLAVOURS: [Flavour; 2] = [Flavour::Markdown, Flavour::Obsidian];

/// Items as a store would give them, a few at a time.
struct ListedItems(Vec<Item>);

fn part_of(item: &Item) -> Part {
    match item {
        Item::Turn { .. } => Part::Turn,
        Item::Counter { .. } => Part::Counter,
        Item::Archive { .. } => Part::Archive,
        Item::Derivation { .. } => Part::Derivation,
        Item::Record { value, .. } => match value.kind() {
            RecordKind::Memory => Part::Memory,
            RecordKind::Episode => Part::Episode,
            RecordKind::Session => Part::Session,
            RecordKind::Entity => Part::Entity,
            RecordKind::Relation => Part::Relation,
            RecordKind::Link => Part::Link,
            RecordKind::Profile => Part::Profile,
            RecordKind::Override => Part::Override,
            RecordKind::Agent => Part::Agent,
            RecordKind::Held => Part::Held,
            RecordKind::Run => Part::Run,
            RecordKind::Veil => Part::Veil,
        },
        other => panic!("no test makes {other:?}"),
    }
}

#[async_trait]
impl Snapshot for ListedItems {
    async fn count(&mut self, part: Part) -> StoreResult<u64> {
        Ok(self.0.iter().filter(|item| part_of(item) == part).count() as u64)
    }

    async fn page(
        &mut self,
        part: Part,
        after: Option<&str>,
        limit: usize,
    ) -> StoreResult<Option<(String, Vec<Item>)>> {
        let start: usize = after.map_or(0, |place| place.parse().expect("a place that was given"));
        let of_part = self.0.iter().filter(|item| part_of(item) == part);
        let page: Vec<Item> = of_part.skip(start).take(limit.min(3)).cloned().collect();
        Ok((!page.is_empty()).then(|| ((start + page.len()).to_string(), page)))
    }
}

async fn written(items: &[Item], flavour: Flavour) -> tempfile::TempDir {
    let home = testkit::folder::scratch();
    let mut folder = Folder::create(&home.path().join("vault"), false).expect("nothing is there");
    export(&mut ListedItems(items.to_vec()), &mut folder, flavour).await.expect("an export");
    folder.finish().expect("it is moved");
    home
}

fn pieces(path: &Path) -> Vec<FilePiece> {
    read(path).expect("a vault").map(|piece| piece.expect("readable to the end")).collect()
}

fn read_items(path: &Path) -> Vec<Item> {
    let item = |piece: FilePiece| match piece.what {
        Ok(ImportedRecord::Item(item)) => *item,
        other => panic!("{}: {other:?}", piece.place),
    };
    pieces(path).into_iter().map(item).collect()
}

fn read_notes(path: &Path) -> Vec<ImportedMemory> {
    let note = |piece: FilePiece| match piece.what {
        Ok(ImportedRecord::Memory(note)) => *note,
        other => panic!("{}: {other:?}", piece.place),
    };
    pieces(path).into_iter().map(note).collect()
}

/// Items by themselves, whatever their order.
fn dump(items: &[Item]) -> BTreeSet<String> {
    items.iter().map(|item| serde_json::to_string(item).expect("JSON")).collect()
}

fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("inside").to_string_lossy().into_owned();
                found.insert(name, fs::read_to_string(&path).expect("text"));
            }
        }
    }
    found
}

#[tokio::test]
async fn everything_that_notes_carry_comes_back() {
    for seed in 0..40 {
        let items = tenant(seed, 1 + (seed as usize % 12));
        for flavour in FLAVOURS {
            let home = written(&items, flavour).await;
            let back = read_items(&home.path().join("vault"));
            let (before, after) = (dump(&items), dump(&back));
            let lost: Vec<_> = before.difference(&after).collect();
            let new: Vec<_> = after.difference(&before).collect();
            assert!(
                lost.is_empty() && new.is_empty(),
                "seed {seed}, {flavour:?}: lost {lost:#?}, new {new:#?}"
            );
            assert_eq!(items.len(), back.len(), "seed {seed}: nothing comes twice");
        }
    }
}

#[tokio::test]
async fn what_is_named_comes_before_what_names_it() {
    for seed in 100..110 {
        let items = tenant(seed, 8);
        let home = written(&items, Flavour::Obsidian).await;
        let mut known = BTreeSet::new();
        for item in read_items(&home.path().join("vault")) {
            match &item {
                Item::Turn { value } => assert!(known.contains(&value.session.to_string())),
                Item::Counter { memory, .. } => assert!(known.contains(memory.as_str())),
                Item::Derivation { child, .. } => assert!(known.contains(child.id())),
                Item::Record { value, .. } => {
                    match &**value {
                        Record::Link(link) => {
                            assert!(known.contains(link.from.as_str()) && known.contains(link.to.as_str()))
                        }
                        Record::Relation(relation) => {
                            assert!(
                                known.contains(relation.subject.as_str())
                                    && known.contains(relation.object.as_str())
                            );
                        }
                        Record::Episode(episode) => assert!(known.contains(&episode.session.to_string())),
                        _ => {}
                    }
                    known.insert(value.id());
                }
                _ => {}
            }
        }
    }
}

#[tokio::test]
async fn every_hostile_text_is_kept_to_the_byte() {
    let mut chance = Chance::seeded(7);
    let contents = HOSTILE.iter().map(|text| (*text).to_owned()).filter(|text| !text.trim().is_empty());
    let large = ["x ".repeat(8 * 1024), "語".repeat(16 * 1024 / 3), "---\n".repeat(4 * 1024)];
    let memories: Vec<Memory> = contents
        .chain(large)
        .map(|content| {
            let mut memory = chance.memory();
            memory.content_hash = content_hash(&content);
            memory.content = content;
            memory
        })
        .collect();
    let items: Vec<Item> = memories.into_iter().map(record).collect();
    for flavour in FLAVOURS {
        let home = written(&items, flavour).await;
        assert_eq!(dump(&items), dump(&read_items(&home.path().join("vault"))));
    }
}

#[tokio::test]
async fn a_note_reads_as_a_person_expects() {
    let mut chance = Chance::seeded(1);
    let plain = |content: &str, id: &str| {
        let (id, owner) = (id.parse().expect("an id"), memory::types::Owner::unnamed());
        let at = "2026-05-01T12:30:00Z".parse().expect("a time");
        let kind = memory::types::Kind::Preference;
        Memory::new(id, memory::types::TenantId::local(), &owner, kind, content.to_owned(), at)
    };
    let mut first = plain("User prefers TypeScript over Python", "mt_01890a5d-ac96-774b-bcce-b3020000beef");
    first.tags = vec!["language".into(), "to read".into()];
    first.strength = 0.87;
    let second = plain("User deploys with Docker", "mt_01890a5d-ac96-774b-bcce-b3020000cafe");
    let link = memory::types::Link {
        id: chance.id("li_"),
        version: 1,
        from: first.id.clone(),
        to: second.id.clone(),
        kind: memory::types::LinkKind::Related,
        weight: 0.5,
        created_at: first.created_at,
        updated_at: first.created_at,
    };
    let items = [record(first), record(second), record(link)];
    let expected = "User prefers TypeScript over Python\n<!-- recollect:end -->\n";
    let front = "---\nrecollect: memory 2\nid: mt_01890a5d-ac96-774b-bcce-b3020000beef\ntype: semantic\nkind: preference\nscope: user\nstrength: 0.87\ntags:\n  - language\n  - to read\ncreatedAt: \"2026-05-01T12:30:00.000000Z\"\n";
    let name = "semantic/user-prefers-typescript-over-python-0000beef.md";

    let home = written(&items, Flavour::Obsidian).await;
    let note = &files(&home.path().join("vault"))[name];
    assert!(note.starts_with(front), "{note}");
    let related =
        "\n#language #to-read\n\n### Related\n\n- [[user-deploys-with-docker-0000cafe]] — related 0.5\n";
    assert!(note.ends_with(&format!("---\n{expected}{related}")), "{note}");

    let home = written(&items, Flavour::Markdown).await;
    let note = &files(&home.path().join("vault"))[name];
    let related = "\n### Related\n\n- [user-deploys-with-docker-0000cafe](../semantic/user-deploys-with-docker-0000cafe.md) — related 0.5\n";
    assert!(note.ends_with(&format!("---\n{expected}{related}")), "{note}");
}

#[tokio::test]
async fn names_are_good_on_every_file_system() {
    let mut chance = Chance::seeded(3);
    let names = [
        "CON",
        "con",
        "Notes",
        "notes",
        "NOTES",
        "../../x",
        "a:b",
        "x.",
        "",
        ".hidden",
        "語",
        &"w".repeat(400),
    ];
    let mut items = Vec::new();
    for name in names {
        let mut memory = chance.memory();
        memory.metadata.clear();
        memory.metadata.insert("notePath".into(), format!("folder/{name}.md").into());
        items.push(record(memory));
    }
    items.extend((0..30).map(|_| record(chance.memory())));
    let home = written(&items, Flavour::Obsidian).await;
    let found = files(&home.path().join("vault"));
    assert_eq!(found.len(), items.len());
    let mut stems = BTreeSet::new();
    for path in found.keys() {
        let (folder, file) = path.split_once('/').expect("a folder");
        assert!(["semantic", "episodic", "procedural", "prospective"].contains(&folder), "{path}");
        let stem = file.strip_suffix(".md").expect("a note");
        assert!(
            file.len() <= 255 && !stem.is_empty() && !stem.starts_with('.') && stem.trim() == stem,
            "{path}"
        );
        assert!(!stem.contains(['/', '\\', ':', '*', '?', '"', '<', '>', '|', '#', '^', '[', ']']), "{path}");
        assert!(!["con", "prn", "aux", "nul"].contains(&stem.to_lowercase().as_str()), "{path}");
        assert!(stems.insert(stem.to_lowercase()), "{path} is there in another case");
    }
    assert!(found.keys().any(|path| path.ends_with("/Notes.md")), "a note keeps its name");
}

#[tokio::test]
async fn an_archive_is_the_same_vault() {
    let items = tenant(11, 6);
    let mut zip = Zip::new(Vec::new());
    let exported =
        export(&mut ListedItems(items.clone()), &mut zip, Flavour::Obsidian).await.expect("an export");
    let bytes = zip.finish().expect("an archive");
    let home = testkit::folder::scratch();
    let path = home.path().join("vault.zip");
    fs::write(&path, bytes).expect("written");
    assert_eq!(dump(&items), dump(&read_items(&path)));
    assert_eq!(exported.memories, 6);
    assert!(recognise(&path).is_some());
}

#[tokio::test]
async fn what_a_person_edits_counts() {
    let mut chance = Chance::seeded(5);
    let mut memory = chance.memory();
    memory.content = "The office is in Köln".into();
    memory.content_hash = content_hash(&memory.content);
    memory.subject = Some("office".into());
    memory.tags = vec!["work".into()];
    let home = written(&[record(memory.clone())], Flavour::Obsidian).await;
    let vault = home.path().join("vault");
    let (name, text) = files(&vault).pop_first().expect("a note");
    let edited = text.replace("in Köln\n", "in Bonn\n").replace("#work", "#work #moved") + "\nSince May.\n";
    fs::write(vault.join(&name), edited).expect("edited");
    let items = read_items(&vault);
    let Item::Record { value, .. } = &items[0] else { panic!("{items:?}") };
    let Record::Memory(back) = &**value else { panic!("{value:?}") };
    assert_eq!(back.content, "The office is in Bonn\n\nSince May.");
    assert_eq!(back.content_hash, content_hash(&back.content));
    assert_eq!(back.tags, ["work", "moved"]);
    assert_eq!((back.id.clone(), back.created_at), (memory.id, memory.created_at));
    assert_eq!((back.subject.as_deref(), back.origin), (None, memory::types::Origin::Person));

    fs::copy(vault.join(&name), vault.join("copy.md")).expect("copied");
    let refused = pieces(&vault).into_iter().find_map(|piece| piece.what.err()).expect("one is told of");
    assert!(refused.contains("another note has the id"), "{refused}");
}

fn vault(notes: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
    let home = testkit::folder::scratch();
    let path = home.path().join("vault");
    for (name, text) in notes {
        let file = path.join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        fs::write(file, text).expect("written");
    }
    (home, path)
}

fn links_of<'a>(notes: &'a [ImportedMemory], name: &str) -> Vec<&'a str> {
    let note =
        notes.iter().find(|note| note.name.as_deref() == Some(name)).unwrap_or_else(|| panic!("no {name}"));
    note.links.iter().map(|link| link.to.as_str()).collect()
}

#[test]
fn links_find_the_notes_they_mean() {
    let (_home, path) = vault(&[
        (
            "a/Index.md",
            "[[Target]] [[b/Index]] [[index]] [[Nowhere]] ![[picture.png]] ![[Base.base]] [[Base.base]]",
        ),
        ("b/Index.md", "[[Index]] [x](../a/Index.md) [y](Deep%20Note.md) [z](https://x.y/z.md)"),
        ("c/Cafe\u{301}.md", "[[café]]"),
        ("b/Deep Note.md", "[[TARGET#Heading|alias]] [[Café]]"),
        (
            "Target.md",
            "---\nsee: \"[[Deep Note]]\"\nmore: [\"[[Unwritten]]\"]\n---\n[[Target]] points to itself",
        ),
        ("picture.png", ""),
        ("Base.base", ""),
    ]);
    let notes = read_notes(&path);
    assert_eq!(notes.len(), 5);
    assert_eq!(links_of(&notes, "a/Index"), ["Target", "b/Index", "Nowhere"]);
    assert_eq!(links_of(&notes, "b/Index"), ["a/Index", "b/Deep Note"]);
    assert_eq!(links_of(&notes, "b/Deep Note"), ["Target", "c/Cafe\u{301}"]);
    assert_eq!(links_of(&notes, "Target"), ["Unwritten", "b/Deep Note"]);
    assert_eq!(recognise(&path), Some(TransferFormat::Obsidian));
}

#[tokio::test]
async fn a_new_note_may_link_to_one_of_ours() {
    let mut chance = Chance::seeded(9);
    let mut memory = chance.memory();
    memory.content = "The tower is tall".into();
    let home = written(&[record(memory.clone())], Flavour::Obsidian).await;
    let path = home.path().join("vault");
    let name = files(&path).pop_first().expect("a note").0;
    let stem = Path::new(&name).file_stem().expect("a name").to_string_lossy().into_owned();
    fs::write(path.join("A mine.md"), format!("I saw [[{stem}]]")).expect("written");
    let note = pieces(&path).into_iter().find_map(|piece| match piece.what {
        Ok(ImportedRecord::Memory(note)) => Some(note),
        _ => None,
    });
    assert_eq!(note.expect("a new note").links[0].to, memory.id.as_str());
}

#[test]
fn what_is_no_note_is_left_and_what_is_broken_is_told() {
    let (_home, path) = vault(&[
        (".obsidian/workspace.md", "hidden"),
        (".trash/gone.md", "hidden"),
        ("Attachments/file.pdf", "%PDF"),
        ("Good.md", "text"),
        ("Bad.md", "---\nx: [\n---\nstill here"),
    ]);
    fs::write(path.join("Latin.md"), b"caf\xe9").expect("written");
    fs::write(path.join("Huge.md"), vec![b'x'; 17 * 1024 * 1024]).expect("written");
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc", path.join("link")).expect("linked");
    let mut taken = Vec::new();
    let mut told = Vec::new();
    for piece in pieces(&path) {
        match piece.what {
            Ok(ImportedRecord::Memory(note)) => taken.push(note.content),
            Ok(ImportedRecord::LeftOut(_)) => told.push(piece.place),
            Ok(other) => panic!("{other:?}"),
            Err(message) => {
                assert!(!message.is_empty());
                told.push(piece.place);
            }
        }
    }
    assert_eq!(taken, ["Bad\n\nstill here", "Good\n\ntext"]);
    told.sort();
    assert_eq!(told, ["Bad.md, line 2", "Huge.md", "Latin.md", "link"]);
}

#[test]
fn an_archive_cannot_lead_out_and_its_folder_says_nothing() {
    let home = testkit::folder::scratch();
    let path = home.path().join("vault.zip");
    let mut zip = zip_writer(&path);
    for (name, text) in [
        ("my vault/Notes/A.md", "[[B]]"),
        ("my vault/B.md", "b"),
        ("my vault/.obsidian/app.json", "{}"),
        ("../../evil.md", "out"),
        ("/root.md", "out"),
        ("__MACOSX/my vault/._B.md", "x"),
    ] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).expect("started");
        std::io::Write::write_all(&mut zip, text.as_bytes()).expect("written");
    }
    zip.finish().expect("an archive");
    let mut notes = Vec::new();
    let mut refused = 0;
    for piece in pieces(&path) {
        match piece.what {
            Ok(ImportedRecord::Memory(note)) => notes.push(*note),
            other => {
                assert!(other.is_err());
                refused += 1;
            }
        }
    }
    assert_eq!(refused, 2);
    assert_eq!(notes.len(), 2);
    assert_eq!(links_of(&notes, "Notes/A"), ["B"]);
    assert_eq!(notes.iter().find(|note| note.name.as_deref() == Some("Notes/A")).expect("A").tags, ["Notes"]);
    assert_eq!(recognise(&path), Some(TransferFormat::Obsidian));

    let whole = fs::read(&path).expect("bytes");
    fs::write(&path, &whole[..whole.len() / 2]).expect("cut");
    assert!(read(&path).is_err(), "half an archive is none");
}

fn zip_writer(path: &Path) -> zip::ZipWriter<fs::File> {
    zip::ZipWriter::new(fs::File::create(path).expect("a file"))
}

#[tokio::test]
async fn a_link_that_a_person_adds_is_a_link() {
    let mut chance = Chance::seeded(13);
    let (mut one, mut other) = (chance.memory(), chance.memory());
    (one.content, other.content) = ("One".into(), "Other".into());
    (one.content_hash, other.content_hash) = (content_hash("One"), content_hash("Other"));
    let home = written(&[record(one.clone()), record(other.clone())], Flavour::Obsidian).await;
    let path = home.path().join("vault");
    let notes = files(&path);
    let find =
        |start: &str| notes.iter().find(|(name, _)| name.contains(&format!("/{start}-"))).expect("a note");
    let (name, text) = find("one");
    let target = Path::new(find("other").0).file_stem().expect("a name").to_string_lossy().into_owned();
    fs::write(path.join(name), format!("{text}\n### Related\n\n- [[{target}]]\n")).expect("edited");
    let link = read_items(&path).into_iter().find_map(|item| match item {
        Item::Record { value, .. } => memory::types::Link::try_from(*value).ok(),
        _ => None,
    });
    let link = link.expect("a link");
    assert_eq!((link.from, link.to), (one.id, other.id));
}

#[tokio::test]
async fn wikilinks_come_out_as_they_went_in() {
    let mut chance = Chance::seeded(17);
    let mut memory = chance.memory();
    memory.content = "Meeting\n\nDiscussed [[Out of Control|the book]]".into();
    memory.metadata.clear();
    memory.metadata.insert("notePath".into(), "Notes/Meeting.md".into());
    memory.metadata.insert("topics".into(), serde_json::json!(["[[Emergence]]"]));
    memory.metadata.insert("links".into(), serde_json::json!(["Out of Control", "Emergence"]));
    let home = written(&[record(memory)], Flavour::Obsidian).await;
    let notes = files(&home.path().join("vault"));
    let (name, text) = notes.first_key_value().expect("a note");
    assert!(name.ends_with("/Meeting.md"), "{name}");
    let body = text.rsplit_once("\n---\n").expect("front-matter").1;
    for link in ["[[Out of Control|the book]]", "- [[Out of Control]] — named", "- [[Emergence]] — named"]
    {
        assert!(body.contains(link), "{link} in {body}");
    }
}
