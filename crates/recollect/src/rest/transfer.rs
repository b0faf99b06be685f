//! `GET /api/memory/export` and `POST /api/memory/import`: memory, out and in.
//!
//! An export is read from the store as the client takes it, at one moment of the store. What comes in waits in a file until all of it is
//! there, because it is looked through before anything is written.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use http_body::Frame;
use http_body_util::BodyExt;
use memory::types::{AgentId, Extent, Time, UserId};
use serde::Deserialize;
use store::Role;
use tempfile::NamedTempFile;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;
use utoipa::{PartialSchema, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::QueryParams;
use super::schema::{ReadFormat, WrittenFormat};
use crate::app::AppState;
use crate::exchange;
use crate::limits;
use crate::ops::errands::Errand;
use crate::ops::{Caller, OpContext};
use crate::problem::{Code, Problem};
use crate::request::values::{GivenAgent, GivenUser, MomentOrDay, NamedScope};
use crate::request::wrong;
use transfer::TransferFormat;
use transfer::export::{self, Encoding};
use transfer::intake::{self, ImportOptions, ImportReport};

pub const EXPORT: &str = "/api/memory/export";
pub const IMPORT: &str = "/api/memory/import";

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(export_memory)).routes(routes!(import_memory))
}

/// What a conversation becomes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportedConversationKind {
    #[default]
    Sessions,
    Memories,
}

/// What to export.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct ExportQuery {
    /// `json` unless said.
    format: Option<WrittenFormat>,
    #[serde(default)]
    whose: NamedScope,
    /// Only what was made then or later.
    since: Option<MomentOrDay>,
    /// Only what was made earlier.
    until: Option<MomentOrDay>,
    /// With vectors.
    #[serde(default)]
    embeddings: bool,
    /// With what is marked deleted or was removed.
    #[serde(default)]
    include_deleted: bool,
    /// False: without sessions, turns and digests.
    conversations: Option<bool>,
}

/// What a file is, and what becomes of it.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct ImportQuery {
    /// What the file is; told by its content unless said.
    format: Option<ReadFormat>,
    /// Say what it would come to, and change nothing.
    #[serde(default)]
    dry_run: bool,
    /// False: take in memories whose like is here too.
    dedup: Option<bool>,
    /// What conversations become.
    #[serde(default)]
    r#as: ImportedConversationKind,
    /// Learn from conversations.
    #[serde(default)]
    distil: bool,
    /// Whose everything becomes.
    agent_id: Option<GivenAgent>,
    /// Whose everything becomes.
    user_id: Option<GivenUser>,
}

/// Bytes of a file.
pub struct FileBytes;

impl PartialSchema for FileBytes {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        let bytes = utoipa::openapi::ObjectBuilder::new().schema_type(utoipa::openapi::Type::String);
        let bytes = bytes.description(Some("The file, as it is"));
        utoipa::openapi::RefOr::T(bytes.content_media_type("application/octet-stream").build().into())
    }
}

impl ToSchema for FileBytes {}

/// An export as one document; `docs/reference/export-schema.json` says what its items are.
#[derive(ToSchema)]
pub struct ExportDocument {
    /// Format, version, moment, tenant, extent and counts.
    #[schema(value_type = Object)]
    pub recollect: serde_json::Value,
    #[schema(value_type = Vec<Object>)]
    pub items: Vec<serde_json::Value>,
}

/// Export what is remembered
///
/// As it stands at this moment. JSON and JSON lines come as they are read; a database as a file, notes as a zip of them. Settings,
/// agents' records and runs are in it for keys with the role admin. An export of ours that breaks off is known by its
/// missing end.
#[utoipa::path(get, path = EXPORT, tag = "memories", operation_id = "exportMemory", params(QueryParams<ExportQuery>),
    responses((status = 200, description = "The export", content((ExportDocument = "application/json"),
    (FileBytes = "application/x-ndjson"), (FileBytes = "application/vnd.sqlite3"), (FileBytes = "application/zip")))))]
async fn export_memory(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<ExportQuery>,
) -> Result<Response, Problem> {
    let format = asked.format.map_or(TransferFormat::Json, |word| word.0);
    if !format.is_exported() {
        return Err(wrong("format", "expected json, jsonl, sqlite, markdown or obsidian"));
    }
    let (agent, user) = (asked.whose.agent(), asked.whose.user());
    let leave = state.house.leave(&caller, Errand::Export, agent, user)?;
    let extent = Extent {
        // A key of several agents exports what belongs to all of them.
        agents: leave.agents().to_vec(),
        agent_only: caller.bounds().is_agent_only(),
        user: leave.user().cloned(),
        session: asked.whose.session(),
        since: asked.since.map(Time::from),
        until: asked.until.map(Time::from),
        deleted: asked.include_deleted,
        conversations: asked.conversations.unwrap_or(true),
        embeddings: asked.embeddings,
        administration: caller.role() >= Role::Admin,
    };
    let OpContext { tenant, now, .. } = state.house.visit(&leave).await?;
    let (sender, receiver) = mpsc::channel(limits::EXPORT_CHUNKS);
    if matches!(format, TransferFormat::Json | TransferFormat::JsonLines) {
        let encoding = Encoding::new(&tenant, &extent, format, now).await?;
        tokio::spawn(send_encoding(encoding, sender));
    } else {
        let (file, _) = export::to_file(&tenant, &extent, format, &std::env::temp_dir()).await?;
        tokio::spawn(send_file(file, sender));
    }
    let (kind, ending) = match format {
        TransferFormat::Json => ("application/json", "json"),
        TransferFormat::JsonLines => ("application/x-ndjson", "jsonl"),
        TransferFormat::Sqlite => ("application/vnd.sqlite3", "sqlite3"),
        _ => ("application/zip", "zip"),
    };
    let name = format!("attachment; filename=\"recollect-{}.{ending}\"", tenant.id());
    let name = HeaderValue::from_str(&name).map_err(Problem::ours)?;
    let head = [(CONTENT_TYPE, HeaderValue::from_static(kind)), (CONTENT_DISPOSITION, name)];
    Ok((head, Body::new(Chunks(receiver))).into_response())
}

/// What is on its way to a client.
struct Chunks(mpsc::Receiver<Result<Bytes, Problem>>);

impl http_body::Body for Chunks {
    type Data = Bytes;
    type Error = Problem;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Problem>>> {
        self.0.poll_recv(context).map(|chunk| chunk.map(|chunk| chunk.map(Frame::data)))
    }
}

type ChunkSender = mpsc::Sender<Result<Bytes, Problem>>;

/// Whoever takes nothing for long is given up: what they look at is held for them.
async fn sent(sender: &ChunkSender, chunk: Result<Bytes, Problem>) -> bool {
    matches!(tokio::time::timeout(limits::EXPORT_STALLS, sender.send(chunk)).await, Ok(Ok(())))
}

async fn send_encoding(mut encoding: Encoding, sender: ChunkSender) {
    loop {
        let chunk = match encoding.next().await {
            Ok(Some(bytes)) => Ok(bytes.into()),
            Ok(None) => return,
            Err(error) => Err(error.into()),
        };
        let over = chunk.is_err();
        if !sent(&sender, chunk).await || over {
            return;
        }
    }
}

async fn send_file(file: NamedTempFile, sender: ChunkSender) {
    let mut open = match tokio::fs::File::open(file.path()).await {
        Ok(open) => open,
        Err(error) => {
            sent(&sender, Err(Problem::ours(error))).await;
            return;
        }
    };
    loop {
        let mut bytes = vec![0; 256 * 1024];
        let chunk = match open.read(&mut bytes).await {
            Ok(0) => return,
            Ok(count) => {
                bytes.truncate(count);
                Ok(bytes.into())
            }
            Err(error) => Err(Problem::ours(error)),
        };
        let over = chunk.is_err();
        if !sent(&sender, chunk).await || over {
            return;
        }
    }
}

/// Import an export: ours, or another system's
///
/// The body is the file, or the archive as it was downloaded. What it is, is told by its content unless `format` says it. What is
/// here already stays as it is; a broken file changes nothing. Settings, agents' records, runs and history come in for keys with
/// the role admin.
#[utoipa::path(post, path = IMPORT, tag = "memories", operation_id = "importMemory", params(QueryParams<ImportQuery>),
    request_body(content = FileBytes, content_type = "application/octet-stream"),
    responses((status = 200, description = "What came of it", body = ImportReport)))]
async fn import_memory(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<ImportQuery>,
    request: Request,
) -> Result<Json<ImportReport>, Problem> {
    let (agent, user) = (asked.agent_id.map(AgentId::from), asked.user_id.map(UserId::from));
    let leave = state.house.leave(&caller, Errand::Import, agent, user)?;
    let options = ImportOptions {
        dry_run: asked.dry_run,
        no_dedup: asked.dedup == Some(false),
        as_memories: asked.r#as == ImportedConversationKind::Memories,
        distil: asked.distil,
        // A key of several agents may import for all of them: the file says for which.
        agent: leave.only_agent().cloned(),
        user: leave.user().cloned(),
    };
    let format = asked.format.map(|word| word.0);
    let file = spooled(request).await?;
    let visit = state.house.visit(&leave).await?;
    let importer = exchange::importer(&visit);
    let report = intake::import(importer, file.path(), format, options, &mut |_| {}).await;
    state.house.wrote(leave.caller().tenant());
    report.map(Json).map_err(|error| unnamed(error.into(), &file))
}

/// The body in a file that only we may read, and that goes when we are done.
async fn spooled(request: Request) -> Result<NamedTempFile, Problem> {
    let file = NamedTempFile::new().map_err(Problem::ours)?;
    let mut open = tokio::fs::File::from_std(file.reopen().map_err(Problem::ours)?);
    let mut body = request.into_body();
    let mut bytes = 0;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Problem::invalid("the body broke off; expected all of the file"))?;
        let Ok(data) = frame.into_data() else { continue };
        bytes += data.len();
        if bytes > limits::IMPORT_BODY_BYTES {
            let message = format!("the file has more than {} bytes", limits::IMPORT_BODY_BYTES);
            let hint = "use `recollect import` on the server's machine";
            return Err(Problem::new(Code::TooLarge, message).hint(hint));
        }
        open.write_all(&data).await.map_err(Problem::ours)?;
    }
    open.flush().await.map_err(Problem::ours)?;
    if bytes == 0 {
        return Err(Problem::invalid("the body is empty; expected a file"));
    }
    Ok(file)
}

/// Where the file waited is nobody's business.
fn unnamed(mut problem: Problem, file: &NamedTempFile) -> Problem {
    let path = file.path().display().to_string();
    let name = file.path().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    problem.message = problem.message.replace(&path, "the file").replace(&name, "the file");
    problem
}
