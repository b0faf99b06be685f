//! Everything that a tenant can hold, by chance: what people write and what nobody should. A seed gives the same every time.

use std::str::FromStr;

use memory::types::{
    ArchivedText, Counters, Emotion, Entity, EntityType, Episode, Item, Kind, Layer, Link, LinkKind, Memory,
    MemoryId, Node, Origin, Override, Owner, Record, Relation, Role, Scope, Session, SessionKey, Status,
    TenantId, Time, Turn, content_hash,
};
use serde_json::{Value, json};

use crate::random::Random;

/// Texts that break what is careless about YAML, Markdown, lines, scripts or marks.
pub const HOSTILE: &[&str] = &[
    "---",
    "---\na: b\n---\n",
    "text\n---\nmore",
    "...",
    "<!-- recollect:end -->",
    "before\n<!-- recollect:end -->\n\n### Related\n\n- [[x]]\n",
    "<!-- \\recollect:end --> and <!-- \\\\recollect:turn {} -->",
    "[[wikilink]] ![[embed.png]] [[a|b]] [a](b.md) #tag `code` ```\nfence\n```",
    "- [[looks like a link]] — related",
    "### Related",
    "#only #tags",
    "# Heading\r\n\r\nwith CRLF\r\n",
    "\r",
    "lone\rreturn",
    "  leading and trailing  ",
    "\n\nblank lines around\n\n",
    "tab\tand\u{b}vertical\u{c}feed",
    "nul \u{0} bell \u{7} escape \u{1b} delete \u{7f} next line \u{85} separators \u{2028}\u{2029}",
    "\u{feff}begins with a byte order mark",
    "🦀 emoji 👩‍👩‍👧‍👦 and 🇯🇵",
    "日本語の文章です。改行\nも。",
    "עברית وعربي mixed with English",
    "e\u{301} and é, ﬁ, ｆｕｌｌ",
    "key: value # comment",
    "'single' \"double\" \\backslash\\ %percent &anchor *alias !tag |pipe >fold @at",
    "null",
    "true",
    "0123",
    "1e5",
    "2024-01-01",
    "../../etc/passwd",
    "CON",
    "con.md",
    "a/b\\c:d*e?f\"g<h>i|j",
    "<script>alert(1)</script> &amp; <b>bold</b>",
    "$x^2$ {{template}} %% comment %%",
    "…",
    "-",
];

pub struct Chance {
    pub random: Random,
    made: u64,
}

impl Chance {
    pub fn seeded(seed: u64) -> Self {
        Self { random: Random::seeded(seed), made: seed << 20 }
    }

    pub fn id<T: FromStr<Err: std::fmt::Debug>>(&mut self, prefix: &str) -> T {
        self.made += 1;
        let random = self.random.next_u64();
        let text = format!(
            "{prefix}{:08x}-{:04x}-7{:03x}-8{:03x}-{:012x}",
            self.made >> 16,
            self.made & 0xffff,
            random & 0xfff,
            (random >> 12) & 0xfff,
            random >> 16
        );
        text.parse().expect("a made id")
    }

    fn maybe(&mut self) -> bool {
        self.random.below(2) == 0
    }

    fn some<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.maybe().then(|| make(self))
    }

    pub fn time(&mut self) -> Time {
        Time::from_microseconds(1_500_000_000_000_000 + (self.random.next_u64() % 300_000_000_000_000) as i64)
    }

    fn share(&mut self) -> f32 {
        self.random.share() as f32
    }

    fn word(&mut self) -> &'static str {
        let words: &[&'static str] = &[
            "coffee",
            "Köln",
            "prefers",
            "日本",
            "the",
            "deploys",
            "מילה",
            "c++",
            "naïve",
            "Ünïcode",
            "2024",
        ];
        self.random.choose::<&'static str>(words)
    }

    /// Never blank, since no store takes that.
    pub fn text(&mut self, most_bytes: usize) -> String {
        let mut text = match self.random.below(10) {
            0 => "long sentence, ".repeat(self.random.below(1_000)),
            1..=4 => String::new(),
            _ => (*self.random.choose(HOSTILE)).to_owned(),
        };
        for _ in 0..self.random.below(6) {
            text.push_str(if self.random.below(8) == 0 { "\n" } else { " " });
            text.push_str(self.word());
        }
        if text.trim().is_empty() {
            text.push_str("said");
        }
        text.truncate(text.floor_char_boundary(most_bytes));
        text
    }

    fn name(&mut self) -> String {
        let text = self.text(60);
        let clean: String = text.chars().filter(|sign| !sign.is_control()).collect();
        let clean = clean.trim().to_owned();
        if clean.is_empty() { "name".into() } else { clean }
    }

    fn tags(&mut self) -> Vec<String> {
        let mut tags: Vec<String> = Vec::new();
        for _ in 0..self.random.below(5) {
            let tag = match self.random.below(3) {
                0 => self.word().to_owned(),
                1 => self
                    .random
                    .choose(&[
                        "to read",
                        "a/b",
                        "c#",
                        "2024",
                        "#hash",
                        "yes",
                        "日本 語",
                        "x, y",
                        "Tag",
                        "tag",
                    ])
                    .to_string(),
                _ => self.text(100),
            };
            if !tags.contains(&tag) {
                tags.push(tag);
            }
        }
        tags
    }

    fn metadata(&mut self) -> serde_json::Map<String, Value> {
        let mut metadata = serde_json::Map::new();
        for _ in 0..self.random.below(4) {
            let value = match self.random.below(7) {
                0 => json!(null),
                1 => json!(self.random.next_u64()),
                2 => json!(-(self.random.below(1_000) as i64)),
                3 => json!(self.random.share() * 1e6),
                4 => json!([self.text(50), true, [], {}]),
                5 => json!({ "nested_key": self.text(50), "deepKey": { "x": [1.5, "1.5"] } }),
                _ => json!(self.text(200)),
            };
            metadata.insert(self.text(40), value);
        }
        metadata
    }

    pub fn memory(&mut self) -> Memory {
        let owner = Owner { agent: self.given(), user: self.given() };
        let kind = *self.random.choose(Kind::ALL);
        let content = self.text(memory::limits::MEMORY_CONTENT_BYTES);
        let at = self.time();
        let mut memory = Memory::new(self.id("mt_"), TenantId::local(), &owner, kind, content, at);
        memory.version = 1 + self.random.below(9) as u64;
        memory.layer = *self.random.choose(Layer::ALL);
        memory.scope = *self.random.choose(Scope::ALL);
        memory.origin = *self.random.choose(Origin::ALL);
        memory.status =
            *self.random.choose(&[Status::Active, Status::Active, Status::Superseded, Status::Archived]);
        // Only live memories are known by their key, and only one by each.
        memory.key = self.some(|chance| format!("{}{}", chance.text(40), chance.made));
        memory.session = self.some(Self::given);
        memory.subject = self.some(|chance| chance.text(100));
        memory.predicate = self.some(|chance| chance.text(100));
        memory.object = self.some(|chance| chance.text(100));
        memory.evidence = self.some(|chance| chance.text(500));
        (memory.confidence, memory.salience, memory.strength) = (self.share(), self.share(), self.share());
        memory.stability_days = 1.0 + self.share() * 400.0;
        memory.pinned = self.maybe();
        memory.tags = self.tags();
        memory.emotion =
            self.some(|chance| Emotion { valence: chance.share() - 0.5, arousal: chance.share() });
        memory.metadata = self.metadata();
        memory.valid_from = self.some(Self::time);
        memory.valid_until = memory.valid_from.map(|from| from.plus_seconds(86_400));
        memory.expires_at = self.some(Self::time);
        memory.updated_at = at.plus_seconds(self.random.below(100_000) as i64);
        memory
    }

    fn given<T: FromStr<Err: std::fmt::Debug>>(&mut self) -> T {
        let given = self.random.choose(&[
            "default",
            "ada",
            "123",
            "true",
            "ünï",
            "a: b",
            "http://x/y#z",
            "null",
            "日本",
        ]);
        given.parse().expect("a given id")
    }

    fn link(&mut self, from: &MemoryId, to: &MemoryId, kind: LinkKind) -> Link {
        let at = self.time();
        let (id, weight) = (self.id("li_"), self.share());
        Link {
            id,
            version: 2,
            from: from.clone(),
            to: to.clone(),
            kind,
            weight,
            created_at: at,
            updated_at: at.plus_seconds(3),
        }
    }

    fn turn(&mut self, key: &SessionKey, index: u64, at: Time) -> Turn {
        Turn {
            id: self.id("tu_"),
            external_id: self.some(|chance| format!("{}{index}", chance.text(40))),
            session: key.clone(),
            index,
            role: *self.random.choose(Role::ALL),
            speaker: self.some(|chance| chance.text(40)),
            text: self.text(5_000),
            tokens: self.random.below(500) as u32,
            at: at.plus_seconds(index as i64),
            partial: self.maybe(),
        }
    }

    fn episode(&mut self, key: &SessionKey) -> Episode {
        let at = self.time();
        Episode {
            id: self.id("ep_"),
            version: 3,
            session: key.clone(),
            summary: self.text(900),
            topics: self.tags(),
            decisions: self.tags(),
            key_dates: self.tags(),
            action_items: self.tags(),
            salience: self.share(),
            origin: *self.random.choose(Origin::ALL),
            status: Status::Active,
            started_at: at,
            ended_at: at.plus_seconds(60),
            created_at: at,
            updated_at: at,
        }
    }

    fn entity(&mut self, owner: &Owner, number: usize) -> Entity {
        let at = self.time();
        Entity {
            id: self.id("en_"),
            version: 1,
            owner: owner.clone(),
            name: format!("{} {number}", self.name()),
            entity_type: *self.random.choose(EntityType::ALL),
            aliases: self.some(Self::name).into_iter().collect(),
            status: Status::Active,
            created_at: at,
            updated_at: at,
        }
    }
}

/// A record as an item.
pub fn record(record: impl Into<Record>) -> Item {
    Item::Record { value: Box::new(record.into()), next_index: None }
}

/// A whole tenant, in an order in which a store takes it in.
pub fn tenant(seed: u64, memories: usize) -> Vec<Item> {
    let mut chance = Chance::seeded(seed);
    let mut items = Vec::new();
    let owner = Owner::unnamed();
    let mut turns: Vec<Turn> = Vec::new();
    let mut keys = Vec::new();
    for number in 0..1 + chance.random.below(4) {
        let at = chance.time();
        let mut session = Session::new(&owner, format!("session {number}").parse().expect("an id"), at);
        session.title = chance.some(|chance| chance.text(80));
        session.metadata = chance.metadata();
        session.ended_at = chance.some(Chance::time);
        let count = chance.random.below(8) as u64;
        let said: Vec<Turn> = (0..count).map(|index| chance.turn(&session.key, index, at)).collect();
        session.last_turn_at = said.last().map_or(at, |turn| turn.at);
        keys.push(session.key.clone());
        items.push(Item::Record { value: Box::new(session.into()), next_index: Some(count) });
        turns.extend(said);
    }
    items.extend(turns.iter().map(|turn| Item::Turn { value: Box::new(turn.clone()) }));
    let held: Vec<Memory> = (0..memories).map(|_| chance.memory()).collect();
    items.extend(held.iter().map(|memory| record(memory.clone())));
    beside(&mut chance, &held, &turns, &mut items);
    for key in &keys {
        let episode = chance.episode(key);
        items.push(record(episode));
    }
    let entities: Vec<Entity> =
        (0..chance.random.below(6)).map(|number| chance.entity(&owner, number)).collect();
    items.extend(entities.iter().map(|entity| record(entity.clone())));
    for pair in entities.windows(2) {
        let at = chance.time();
        let relation = Relation {
            id: chance.id("re_"),
            version: 1,
            owner: owner.clone(),
            subject: pair[0].id.clone(),
            predicate: chance.text(50),
            object: pair[1].id.clone(),
            confidence: chance.share(),
            valid_from: chance.some(Chance::time),
            valid_until: None,
            status: Status::Active,
            created_at: at,
            updated_at: at,
        };
        items.push(record(relation));
    }
    let text = chance.text(900);
    let held_id = held.first().map(|memory| memory.id.clone());
    let created_at = chance.time();
    items.push(record(Override {
        id: chance.id("ov_"),
        version: 1,
        user: owner.user,
        text,
        memory: held_id,
        origin: Origin::Person,
        created_at,
    }));
    items
}

fn beside(chance: &mut Chance, held: &[Memory], turns: &[Turn], items: &mut Vec<Item>) {
    let mut later = Vec::new();
    for (index, memory) in held.iter().enumerate() {
        if chance.maybe() {
            let last_used_at = chance.some(Chance::time);
            let value =
                Counters { use_count: 3, source_count: 1, last_used_at, used: 2, ignored: 1, wrong: 0 };
            items.push(Item::Counter { memory: memory.id.clone(), value });
        }
        if chance.random.below(4) == 0 {
            let text = chance.text(2_000);
            let (hash, archived_at) = (content_hash(&text), chance.time());
            let value =
                ArchivedText { memory: memory.id.clone(), text, hash, archived_at, last_access_at: None };
            items.push(Item::Archive { value, run: None });
        }
        for kind in LinkKind::ALL {
            let other = chance.random.below(held.len());
            if other != index && chance.random.below(3) == 0 {
                let link = chance.link(&memory.id, &held[other].id, *kind);
                later.push(record(link));
            }
        }
        if let Some(turn) = turns.get(chance.random.below(turns.len() + 1)) {
            let (child, parent) = (Node::Memory(memory.id.clone()), Node::Turn(turn.id.clone()));
            later.push(Item::Derivation { child, parent, run: None });
        }
    }
    items.extend(later);
}
