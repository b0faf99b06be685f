//! Who the user is, from what is said to what a prompt gets to know.
//!
//! [`profile`]: when a version is made, what it says, what a person's edit does. [`overrides`]: what is always said, and when
//! a machine may say so. [`forgetting`]: what goes with a memory. [`contexts`]: what a message gets. [`model`]: the same with a
//! model, good and bad. [`commands`]: the command line. Most run in this process on a clock that the test moves.

mod commands;
mod contexts;
mod forgetting;
mod model;
mod overrides;
mod profile;

use std::ops::Deref;

use memory::ports::ReadStore;
use memory::types::{Filter, Identity, Memory, Override, PageRequest, ProfileVersion, Role, Status, UserId};
use recollect::ops::OperationRequest;
use recollect::ops::context::{ContextOperation, Contextual};
use recollect::ops::forget::Forget;
use recollect::ops::identity::{
    IdentityEdit, IdentityRefresh, IdentityShow, IdentityVersions, OverrideAdd, OverrideRemove,
    ProfileChanged,
};
use recollect::ops::ingest::{Ingest, IngestMessage};
use recollect::problem::Problem;

use crate::scene::Scene;

/// A house whose user is told of. Every question comes a moment after the one before.
struct ProfileScene(Scene);

impl Deref for ProfileScene {
    type Target = Scene;

    fn deref(&self) -> &Scene {
        &self.0
    }
}

impl ProfileScene {
    fn new() -> Self {
        Self(Scene::new())
    }

    async fn ask<R: OperationRequest>(&self, request: R) -> Result<R::Answer, Problem> {
        self.clock.tick();
        self.0.ask(request).await
    }

    /// The unnamed user says these sentences in a conversation, which is learned from.
    async fn says(&self, session: &str, sentences: &[&str]) {
        self.says_to(None, session, sentences).await;
    }

    async fn says_to(&self, agent: Option<&str>, session: &str, sentences: &[&str]) {
        let message = |text: &&str| IngestMessage::of(Role::User, *text);
        let request = Ingest {
            agent: agent.map(|agent| agent.parse().expect("an agent's name")),
            user: None,
            session: session.parse().expect("a session's name"),
            messages: sentences.iter().map(message).collect(),
            skip_extraction: false,
            time_zone: None,
        };
        self.ask(request).await.expect("the conversation is taken");
    }

    async fn identity(&self) -> Box<Identity> {
        self.ask(IdentityShow::default()).await.expect("shown")
    }

    async fn profile(&self) -> ProfileVersion {
        self.identity().await.profile.expect("there is a profile")
    }

    async fn overrides(&self) -> Vec<String> {
        self.identity().await.overrides.into_iter().map(|line| line.text).collect()
    }

    async fn versions(&self) -> Vec<ProfileVersion> {
        self.ask(IdentityVersions::default()).await.expect("listed").versions
    }

    async fn edit(&self, text: &str) -> Result<Box<ProfileChanged>, Problem> {
        self.ask(IdentityEdit { text: Some(text.to_owned()), ..IdentityEdit::default() }).await
    }

    async fn hand_back(&self) -> Box<ProfileChanged> {
        self.ask(IdentityEdit { generated: true, ..IdentityEdit::default() }).await.expect("handed back")
    }

    async fn refresh(&self) -> Box<ProfileChanged> {
        self.ask(IdentityRefresh::default()).await.expect("refreshed")
    }

    async fn add_override(&self, text: &str) -> Result<(bool, Override), Problem> {
        let added = self.ask(OverrideAdd { user: None, text: text.to_owned() }).await?;
        Ok((added.added, added.line))
    }

    async fn remove_override(&self, which: &str) -> Result<Box<Override>, Problem> {
        self.ask(OverrideRemove { user: None, which: which.to_owned() }).await
    }

    async fn context(&self, message: &str) -> Contextual {
        let request = ContextOperation { message: message.to_owned(), ..ContextOperation::default() };
        self.ask(request).await.expect("a context")
    }

    /// The active memory that contains this.
    async fn memory(&self, part: &str) -> Memory {
        let filter = Filter { statuses: vec![Status::Active], ..Filter::ever() };
        let listed = self.tenant().await.list_memories(&filter, PageRequest::first(100)).await;
        let mut found = listed.expect("listed").items;
        found.retain(|memory| memory.content.contains(part));
        assert_eq!(found.len(), 1, "{part}: {found:?}");
        found.remove(0)
    }

    async fn forget(&self, part: &str, purge: bool) {
        let id = self.memory(part).await.id;
        let request = Forget { ids: vec![id], confirmed: true, purge, ..Forget::default() };
        self.ask(request).await.expect("forgotten");
    }
}

fn lines(profile: &ProfileVersion) -> Vec<&str> {
    profile.text.lines().collect()
}

fn user(name: &str) -> Option<UserId> {
    Some(name.parse().expect("a user's name"))
}
