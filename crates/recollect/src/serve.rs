//! `recollect serve`: opens the store, binds the address and the socket, and leaves in good order.
//!
//! Start: take the folder's seat, open the store, bind both doors, say where they are. Stop, on SIGINT or SIGTERM: no
//! new requests, those under way get `server.drainSeconds` to end, the store writes what it holds, the socket goes
//! away. A second signal ends the waiting.

use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::serve::ListenerExt;
use memory::ports::KnownText;
use memory::types::TenantId;
use models::Upstream;
use store::Credential;
use tokio::net::{TcpListener, UnixListener};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use crate::app::{AppState, app_with, operator_app_with};
use crate::auth::origin_policy::Door;
use crate::backend;
use crate::config::{Config, LogFormat};
use crate::connections::{self, ListenerBounds};
use crate::core_model::Models;
use crate::learning::worker::Worker;
use crate::ops::Services;
use crate::ops::settings::SettingsGet;
use crate::problem::{Code, Problem};
use crate::proxy::Patience;
use crate::proxy::hops;
use crate::rest::events::Stopping;
use crate::socket::ServeLock;
use crate::tending::scheduler::Scheduler;
use crate::{limits, metrics};

/// Serves until told to stop.
pub async fn serve(config: &Config, quiet: bool) -> Result<(), Problem> {
    if !backend::exists(&config.data) {
        // Refused before anything is made.
        check_address(config.listen, false)?;
    }
    let mut house = backend::open(&config.data, config.store_options())?;
    if house.tenants.lost_its_keys().await? {
        let message = "keys are needed here, and the control database knows none: it is new, and tenants or their keys are older";
        let hint = "put control.sqlite3 back from a backup, make a key with `recollect keys create`, or, if nobody but this machine is to be let in, say `recollect keys open`";
        return Err(Problem::new(Code::Denied, message).hint(hint));
    }
    let keyed = house.tenants.needs_key().await?;
    check_address(config.listen, keyed)?;
    let worker = Worker::default();
    house.worker = Some(worker.clone());
    // Recall has a fraction of a second: the tables are read before anybody can ask.
    let tables = tokio::task::spawn_blocking(memory::learn::read_tables);
    // The judge's weights are unpacked and the tables of dates read before the first message waits for them.
    let judge = Arc::clone(&house.judge);
    drop(tokio::task::spawn_blocking(move || {
        memory::text::time::recurring_weekdays("every Monday");
        judge.weigh("Good morning", &[KnownText::of("Good morning")])
    }));
    house.models = Arc::new(Models::new(config.upstreams.clone()));
    let seat = ServeLock::take(&config.data)?;
    let network =
        TcpListener::bind(config.listen).await.map_err(|error| cannot_listen(config.listen, &error))?;
    let socket = seat.bind().map_err(Problem::ours)?;
    let mut signals = Signals::new()?;
    let address = network.local_addr().map_err(Problem::ours)?;
    hops::refuse_own_address(&config.upstreams, address)?;
    tables.await.map_err(Problem::ours)?;
    announce(config, address, &house, keyed, quiet).await?;

    let (stop, stopped) = watch::channel(false);
    let learning = tokio::spawn(worker.clone().run(house.clone(), stopped.clone()));
    let tending = tokio::spawn(Scheduler::new(house.clone()).run(stopped.clone()));
    let measuring = tokio::spawn(fold_measurements());
    let state = AppState { house: house.clone(), door: Arc::new(Door::new(config, address)) };
    let serving = both(network, socket, state, Patience::of(config.memory_wait_ms), stopped);
    tokio::pin!(serving);
    tokio::select! {
        // Never before it is told to; nothing would be left to stop.
        () = &mut serving => return Ok(()),
        name = signals.next() => tracing::info!(signal = name, "stopping"),
    }
    stop.send_replace(true);
    tokio::select! {
        () = &mut serving => {}
        () = tokio::time::sleep(Duration::from_secs(config.drain_seconds)) => {
            tracing::warn!(seconds = config.drain_seconds, "requests were still under way after the time to drain");
        }
        name = signals.next() => tracing::warn!(signal = name, "stopping at once"),
    }
    let drain = Duration::from_secs(config.drain_seconds);
    let unstored = house.backlog.settled(drain).await;
    if unstored > 0 {
        metrics::captures_cut_off(unstored as u64);
        tracing::warn!(unstored, "what was said could not all be stored before the end");
    }
    if tokio::time::timeout(drain, learning).await.is_err() {
        tracing::warn!("a session was still being distilled; it is taken up at the next start");
    }
    if tokio::time::timeout(drain, tending).await.is_err() {
        tracing::warn!("upkeep was under way; it goes on at the next start");
    }
    measuring.abort();
    worker.drain(&house, config.drain_seconds).await;
    house.tenants.close().await;
    drop(seat);
    tracing::info!("stopped");
    Ok(())
}

/// Nobody may ever read `/metrics`, and what is measured must not pile up until they do.
async fn fold_measurements() {
    loop {
        tokio::time::sleep(limits::METRICS_UPKEEP).await;
        metrics::recorder().run_upkeep();
    }
}

async fn both(
    network: TcpListener,
    socket: UnixListener,
    state: AppState,
    patience: Patience,
    stopped: watch::Receiver<bool>,
) {
    // Those who listen to changes would never go by themselves.
    let stopping = Extension(Stopping(stopped.clone()));
    let (outside, inside) = (
        app_with(state.clone(), patience).layer(stopping.clone()),
        operator_app_with(state, patience).layer(stopping),
    );
    // Without this the end of a stream, which is written by itself, waits for the client to acknowledge what came before.
    let network = network.tap_io(|connection| {
        if let Err(error) = connection.set_nodelay(true) {
            tracing::debug!(%error, "a connection gathers small writes");
        }
    });
    let network = connections::accept(network, outside, ListenerBounds::of_network(), stopped.clone());
    let socket = connections::accept(socket, inside, ListenerBounds::of_socket(), stopped);
    tokio::join!(network, socket);
}

/// Without keys, whoever reaches the address reads everything. So only this machine may reach it.
fn check_address(listen: SocketAddr, keyed: bool) -> Result<(), Problem> {
    if keyed || listen.ip().is_loopback() {
        return Ok(());
    }
    let message = format!(
        "refusing to listen on {listen}: without keys, everyone who can reach it could read everything"
    );
    let hint = format!(
        "make a key first with `recollect keys create`, or listen on 127.0.0.1:{}, for this machine alone",
        listen.port()
    );
    Err(Problem::new(Code::Denied, message).hint(hint))
}

/// Who answers chats, the default first named as such.
fn answering(house: &Services) -> String {
    let upstreams = house.models.upstreams();
    let usual = upstreams.default_one().map(|upstream| upstream.name.as_str());
    let one = |upstream: &Upstream| {
        let default = if Some(upstream.name.as_str()) == usual { ", the default" } else { "" };
        format!("{} ({}{default})", upstream.name, upstream.base_url)
    };
    let names: Vec<String> = upstreams.all().iter().map(one).collect();
    match names.is_empty() {
        true => {
            "chats are answered by recollect/recall alone, from memory; OPENAI_API_KEY or an upstream in the \
                 configuration adds models"
                .to_owned()
        }
        false => format!("chats are answered by {}", names.join(", ")),
    }
}

fn cannot_listen(listen: SocketAddr, error: &std::io::Error) -> Problem {
    let message = format!("cannot listen on {listen}: {error}");
    Problem::new(Code::Unavailable, message).hint("choose another address with --listen 127.0.0.1:PORT")
}

/// Says where it listens, where the data lies, what memory does by itself and how to stop.
async fn announce(
    config: &Config,
    address: SocketAddr,
    house: &Services,
    keyed: bool,
    quiet: bool,
) -> Result<(), Problem> {
    let on = is_enabled(house).await?;
    let data = config.data.display();
    if quiet || config.log_format == LogFormat::Json {
        tracing::info!(%address, %data, memory = if on { "on" } else { "off" }, "serving");
        return Ok(());
    }
    let memory = match on {
        true => {
            "memory is on, at some 200 tokens a conversation, which providers cache after the first turn; \
             `recollect settings set enabled false` switches it off"
        }
        false => "memory is off; `recollect settings set enabled true` switches it on",
    };
    let keys = match keyed {
        true => "requests need a key; `recollect keys list` shows them",
        false => "requests from this machine need no key; `recollect keys create` changes that",
    };
    // Nobody may be reading, which is no reason not to serve.
    let _ = writeln!(
        anstream::stderr(),
        "Recollect {} listening on http://{address}\n  data: {data}\n  {}\n  {memory}\n  {keys}\n  stop with Ctrl-C",
        env!("CARGO_PKG_VERSION"),
        answering(house),
    );
    Ok(())
}

async fn is_enabled(house: &Services) -> Result<bool, Problem> {
    let caller = house.admit(Credential::Operator { tenant: TenantId::local() }).await?;
    let request = SettingsGet { name: "enabled".to_owned() };
    Ok(house.ask(&caller, request).await?.value.as_bool().unwrap_or(true))
}

/// The two ways of asking a process to leave.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    fn new() -> Result<Self, Problem> {
        let listen = |kind| signal(kind).map_err(Problem::ours);
        Ok(Self { interrupt: listen(SignalKind::interrupt())?, terminate: listen(SignalKind::terminate())? })
    }

    async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.interrupt.recv() => "SIGINT",
            _ = self.terminate.recv() => "SIGTERM",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_served_without_keys() {
        for allowed in ["127.0.0.1:1", "127.8.8.8:1", "[::1]:1"] {
            assert!(check_address(allowed.parse().expect("an address"), false).is_ok(), "{allowed}");
        }
        for refused in ["0.0.0.0:1", "192.168.0.1:1", "[::]:1", "8.8.8.8:1"] {
            let problem = check_address(refused.parse().expect("an address"), false).expect_err(refused);
            assert!(problem.hint.expect("says how").contains("keys create"));
            assert!(check_address(refused.parse().expect("an address"), true).is_ok(), "{refused} with keys");
        }
    }
}
