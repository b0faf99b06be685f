//! `bench lived`: what a search and a context cost the server on a store that people have lived in.
//!
//! A store of memories alone hides most of the work: conversations, their digests and the names in them are searched too, and other
//! users' beside one's own. So there are six turns to ten memories, in conversations of twenty with a digest each, of as many users as are asked
//! for, and every setting is the default. Times depend on the machine; the processor's time depends on it less, and instructions, counted by
//! callgrind with `--count`, hardly at all.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use http_body_util::Full;
use hyper::Request;
use hyper::body::Bytes;
use memory::ports::{Clock, WriteStore};
use memory::types::{
    Actor, Batch, Change, Entity, EntityId, EntityType, Episode, EpisodeId, Kind, Memory, MemoryId, Origin,
    Owner, Role, SessionId, SessionKey, Status, Turn, TurnId,
};
use store::{SystemClock, Tenants};

use crate::proxy::load::Connection;
use crate::proxy::servers::{BenchServer, InstructionCount};
use crate::recall::{WordSource, options as store_options};
use crate::report::{BenchReport, Figure, ReportTable, percentile};
use crate::store::open;

/// Of ten thousand memories: turns, turns of a conversation, and names.
const TURNS: f64 = 0.6;
const TURNS_OF_A_SESSION: usize = 20;
const NAMES: f64 = 0.0115;

const BATCH: usize = 500;
const WARM_UP: usize = 10;

/// What a context may cost of a search.
const OF_A_SEARCH: f64 = 1.5;

/// Requests whose instructions are counted: each takes seconds so.
const COUNTED: usize = 5;

#[derive(clap::Args)]
pub struct LivedOptions {
    /// Memories in the store.
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000, 100_000])]
    memories: Vec<usize>,
    /// Users who share them.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 40])]
    users: Vec<usize>,
    /// Requests timed of each kind.
    #[arg(long, default_value_t = 60)]
    requests: usize,
    /// Count instructions too, by callgrind (Debian's package valgrind).
    #[arg(long)]
    count: bool,
    /// The binary to measure.
    #[arg(long, default_value = "target/release/recollect")]
    binary: PathBuf,
    /// Keep the filled stores here, one folder each, and use those that are there: two binaries meet the same.
    #[arg(long)]
    keep: Option<PathBuf>,
}

/// What is asked of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LivedCall {
    Search,
    Context,
    NoNeed,
}

const CALLS: [LivedCall; 3] = [LivedCall::Search, LivedCall::Context, LivedCall::NoNeed];

pub async fn run(options: &LivedOptions) -> anyhow::Result<BenchReport> {
    let columns = [
        "search p50",
        "search CPU",
        "context p50",
        "context CPU",
        "context / search",
        "no need CPU",
        "resident",
    ];
    let mut table = ReportTable::new("lived", "a request among", &columns);
    let columns = ["search", "context", "context / search", "no need"];
    let mut counts = ReportTable::new("instructions", "millions of instructions among", &columns);
    for &users in &options.users {
        for &memories in &options.memories {
            let temporary = tempfile::tempdir()?;
            let name = format!("{memories}-of-{users}");
            let data = options.keep.as_deref().unwrap_or(temporary.path()).join(name);
            if !data.exists() {
                eprintln!("filling a store with {memories} memories of {users} users …");
                fill(&data, memories, users).await?;
            }
            let label = format!("{memories} memories of {users}");
            let taken = measure(options, &data, users).await?;
            let ratio = taken[1].cpu / taken[0].cpu.max(1e-9);
            table.row(
                &label,
                vec![
                    Figure::milliseconds(taken[0].middle),
                    Figure::Milliseconds(taken[0].cpu),
                    Figure::milliseconds(taken[1].middle),
                    Figure::Milliseconds(taken[1].cpu),
                    Figure::Ratio(ratio),
                    Figure::Milliseconds(taken[2].cpu),
                    Figure::Mebibytes(taken[2].resident),
                ],
            );
            table.verdict(format!("1.5 × search / context, {label}"), OF_A_SEARCH / ratio, 1.0);
            if options.count {
                let counted = count(options, &data, users).await?;
                let [search, context, no_need] = counted.map(|count| count / 1e6);
                let figures = [search, context, context / search, no_need];
                counts.row(&label, figures.map(Figure::Ratio).to_vec());
            }
        }
    }
    let mut report = BenchReport::default();
    report.push(table);
    if options.count {
        report.push(counts);
    }
    Ok(report)
}

/// What one kind of request took of the server.
struct ServerCost {
    middle: Duration,
    /// Milliseconds of the processor a request.
    cpu: f64,
    resident: f64,
}

async fn measure(options: &LivedOptions, data: &Path, users: usize) -> anyhow::Result<[ServerCost; 3]> {
    let server = BenchServer::recollect(&options.binary, data, nowhere())?;
    let mut connection = Connection::open(server.address).await?;
    let mut words = WordSource::seeded(3);
    let mut costs = Vec::new();
    for call in CALLS {
        for number in 0..WARM_UP {
            connection.send(request(server.address, call, &mut words, number % users)?).await?;
        }
        let before = server.cpu_milliseconds()?;
        let mut taken = Vec::new();
        for number in 0..options.requests {
            taken.push(
                connection.send(request(server.address, call, &mut words, number % users)?).await?.whole,
            );
        }
        let cpu = (server.cpu_milliseconds()? - before) / options.requests.max(1) as f64;
        costs.push(ServerCost {
            middle: percentile(&taken, 0.5),
            cpu,
            resident: server.resident_mebibytes()?,
        });
    }
    costs.try_into().map_err(|_| anyhow::anyhow!("a cost for each call"))
}

/// Instructions a request of each kind.
async fn count(options: &LivedOptions, data: &Path, users: usize) -> anyhow::Result<[f64; 3]> {
    let counter = InstructionCount::start(&options.binary, data)?;
    let mut connection = Connection::open(counter.address()).await?;
    let mut words = WordSource::seeded(4);
    let mut counted = [0.0; 3];
    for (call, counted) in CALLS.into_iter().zip(&mut counted) {
        for number in 0..WARM_UP {
            connection.send(request(counter.address(), call, &mut words, number % users)?).await?;
        }
        counter.begin()?;
        for number in 0..COUNTED {
            connection.send(request(counter.address(), call, &mut words, number % users)?).await?;
        }
        *counted = counter.end()? as f64 / COUNTED as f64;
    }
    Ok(counted)
}

/// Nobody is asked for a chat, so the upstream may be anything.
fn nowhere() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 9))
}

fn request(
    address: SocketAddr,
    call: LivedCall,
    words: &mut WordSource,
    user: usize,
) -> anyhow::Result<Request<Full<Bytes>>> {
    let user = user_name(user);
    let question = words.sentence(6);
    let (path, body) = match call {
        LivedCall::Search => {
            let body =
                serde_json::json!({ "query": question, "top_k": 10, "user_id": user, "counts_use": false });
            ("/api/memory/search", body)
        }
        LivedCall::Context => {
            let message = format!("do you remember my {question}?");
            let body = serde_json::json!({ "message": message, "user_id": user, "counts_use": false });
            ("/api/memory/context", body)
        }
        LivedCall::NoNeed => {
            let message = format!("Reply exactly OK {question}");
            let body = serde_json::json!({ "message": message, "user_id": user, "counts_use": false });
            ("/api/memory/context", body)
        }
    };
    let request = Request::post(path).header("host", address.to_string());
    Ok(request.header("content-type", "application/json").body(Full::from(body.to_string()))?)
}

fn user_name(user: usize) -> String {
    format!("user-{user}")
}

/// A store that has been lived in: memories, conversations with their digests, and names, of several users.
pub async fn fill(folder: &Path, memories: usize, users: usize) -> anyhow::Result<()> {
    let tenants = Tenants::open_folder(folder, store_options())?;
    let tenant = open(&tenants, "local").await?;
    let (mut words, clock) = (WordSource::seeded(1), SystemClock);
    let mut batch = Batch::new(Actor::Import, clock.now());
    for place in 0..memories {
        let id = MemoryId::from_uuid(clock.uuid());
        let content = words.sentence(12);
        let mut memory =
            Memory::new(id, tenant.id().clone(), &owner(place % users), Kind::Fact, content, clock.now());
        memory.origin = Origin::Heuristic;
        batch = batch.insert(memory);
        if batch.changes.len() >= BATCH {
            tenant.apply(std::mem::replace(&mut batch, Batch::new(Actor::Import, clock.now()))).await?;
        }
    }
    let sessions = (memories as f64 * TURNS) as usize / TURNS_OF_A_SESSION;
    for session in 0..sessions.max(1) {
        let name: SessionId = format!("talk-{session}").parse()?;
        let key = SessionKey::new(&owner(session % users), name);
        let turn = |at: usize| spoken(&key, at, words.sentence(16));
        let turns = (0..TURNS_OF_A_SESSION).map(turn).collect();
        batch = batch
            .with(Change::AppendTurns { turns, pending: false })
            .insert(digest(&key, words.sentence(24)));
        if batch.changes.len() >= BATCH / TURNS_OF_A_SESSION {
            tenant.apply(std::mem::replace(&mut batch, Batch::new(Actor::Import, clock.now()))).await?;
        }
    }
    for place in 0..(memories as f64 * NAMES) as usize {
        batch = batch.insert(named(&owner(place % users), format!("{}{place}", words.sentence(1))));
    }
    tenant.apply(batch).await?;
    drop(tenant);
    tenants.close().await;
    Ok(())
}

fn owner(user: usize) -> Owner {
    Owner { user: user_name(user).parse().expect("a name"), ..Owner::unnamed() }
}

fn spoken(session: &SessionKey, at: usize, text: String) -> Turn {
    Turn {
        id: TurnId::from_uuid(SystemClock.uuid()),
        external_id: None,
        session: session.clone(),
        index: 0,
        role: if at.is_multiple_of(2) { Role::User } else { Role::Assistant },
        speaker: None,
        tokens: memory::text::tokens::estimate(&text) as u32,
        text,
        at: SystemClock.now(),
        partial: false,
    }
}

fn digest(session: &SessionKey, summary: String) -> Episode {
    let now = SystemClock.now();
    Episode {
        id: EpisodeId::from_uuid(SystemClock.uuid()),
        version: 1,
        session: session.clone(),
        summary,
        topics: Vec::new(),
        decisions: Vec::new(),
        key_dates: Vec::new(),
        action_items: Vec::new(),
        salience: 0.5,
        origin: Origin::Heuristic,
        status: Status::Active,
        started_at: now,
        ended_at: now,
        created_at: now,
        updated_at: now,
    }
}

fn named(owner: &Owner, name: String) -> Entity {
    let now = SystemClock.now();
    Entity {
        id: EntityId::from_uuid(SystemClock.uuid()),
        version: 1,
        owner: owner.clone(),
        name,
        entity_type: EntityType::Person,
        aliases: Vec::new(),
        status: Status::Active,
        created_at: now,
        updated_at: now,
    }
}
