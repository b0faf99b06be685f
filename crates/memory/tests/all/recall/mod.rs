//! The read path over a real store: what a message's context holds, and when it is made anew.
//!
//! [`contexts`] is about what goes into a block, [`freshness`] about what is kept between two questions.

mod contexts;
mod freshness;

use std::sync::Arc;

use memory::ports::{Clock, Store};
use memory::recall::Recaller;
use memory::recall::context::{Aids, Context, ContextCache, ContextRequest};
use memory::recall::gate::GateModel;
use memory::settings::Settings;
use memory::toolkit::Toolkit;
use memory::types::{
    Episode, Memory, Origin, Override, OverrideId, Owner, ProfileId, ProfileVersion, TenantId, Time, UserId,
    Viewer,
};
use testkit::build;

use testkit::subject::{Subject, sqlite_file};

/// A store, and what asking it for contexts needs.
struct RecallScene {
    subject: Subject,
    settings: Settings,
    cache: ContextCache,
}

/// A model that is as sure as it is told to be.
struct CertainGate(f64);

impl GateModel for CertainGate {
    fn probability(&self, _text: &str, _vector: Option<&[f32]>) -> f64 {
        self.0
    }

    fn threshold(&self) -> f64 {
        0.5
    }
}

fn viewer(user: &str, session: Option<&str>) -> Viewer {
    Viewer::new(build::owner("default", user), session.map(build::session_id))
}

impl RecallScene {
    async fn new() -> Self {
        Self { subject: sqlite_file().await, settings: Settings::default(), cache: ContextCache::default() }
    }

    /// A message of the unnamed user, in the middle of a session.
    fn request(&self, message: &str) -> ContextRequest {
        let viewer = Viewer::new(Owner::unnamed(), None);
        ContextRequest::new(TenantId::local(), message, viewer, self.subject.clock.now())
    }

    fn recaller(&self, store: &Arc<dyn Store>) -> Recaller {
        let tools = self.subject.tools(self.settings.clone());
        Recaller { tools: Toolkit { store: Arc::clone(store), ..tools } }
    }

    /// The context without anything kept from before.
    async fn fresh(&self, request: &ContextRequest) -> Arc<Context> {
        self.asked(request, Aids::default()).await
    }

    async fn block(&self, message: &str) -> String {
        self.fresh(&self.request(message)).await.block.clone()
    }

    async fn cached(&self, request: &ContextRequest) -> Arc<Context> {
        self.asked(request, Aids { learned: None, cache: Some(&self.cache), model: None }).await
    }

    async fn asked(&self, request: &ContextRequest, aids: Aids<'_>) -> Arc<Context> {
        let recaller = self.recaller(&self.subject.store);
        let context = recaller.context(request, aids).await;
        context.expect("the store answers")
    }

    async fn add_override(&self, text: &str) {
        let statement = Override {
            id: OverrideId::from_uuid(self.subject.clock.uuid()),
            version: 1,
            user: UserId::unnamed(),
            text: text.to_owned(),
            memory: None,
            origin: Origin::Person,
            created_at: self.subject.clock.now(),
        };
        self.subject.apply(self.subject.batch().insert(statement)).await;
    }

    async fn add_profile(&self, text: &str) {
        let profile = ProfileVersion {
            id: ProfileId::from_uuid(self.subject.clock.uuid()),
            version: 1,
            user: UserId::unnamed(),
            number: 1,
            text: text.to_owned(),
            difference: String::new(),
            sources: Vec::new(),
            edited: None,
            checked_at: None,
            origin: Origin::Model,
            created_at: self.subject.clock.now(),
        };
        self.subject.apply(self.subject.batch().insert(profile)).await;
    }

    async fn add_rule(&self, text: &str) -> Memory {
        let rule = |memory: &mut Memory| memory.kind = memory::types::Kind::Rule;
        self.subject.add_with(text, rule).await
    }

    /// An episode of the unnamed owner that ended at a moment.
    async fn add_episode(&self, session: &str, summary: &str, ended_at: Time) -> Episode {
        let mut episode = build::episode(&self.subject.clock, session, summary);
        (episode.started_at, episode.ended_at) = (ended_at, ended_at);
        self.subject.apply(self.subject.batch().insert(episode.clone())).await;
        episode
    }

    fn days_ago(&self, days: i64) -> Time {
        self.subject.clock.now().plus_seconds(-days * 86_400)
    }
}
