//! What stands in a prompt, from what people said on days that the test chooses: [`over`] what no longer holds is told by no copy of it, [`times`] a
//! message's days choose, [`following`] short messages are understood by what was said before, [`named`] names and
//! rare words find what has them, [`explained`] each line says why, [`private`] what is somebody's own waits until it is called for, [`modes`] what other gates tell.

mod explained;
mod following;
mod modes;
mod named;
mod over;
mod private;
mod times;

use memory::types::Role;
use recollect::ops::context::{ContextOperation, Contextual};

use crate::scene::{Scene, conversation, session_id};

impl Scene {
    /// A conversation on a day: what the user says, each answered.
    async fn day(&self, day: &str, said: &[&str]) {
        let talk: Vec<(Role, &str)> =
            said.iter().flat_map(|text| [(Role::User, *text), (Role::Assistant, "Noted!")]).collect();
        self.talked(day, &talk).await;
    }

    async fn talked(&self, day: &str, talk: &[(Role, &str)]) {
        self.at(&format!("{day}T10:00:00Z"));
        self.ask(conversation(day, talk)).await.expect("the conversation is taken");
    }

    /// What a message in a new conversation gets.
    async fn told(&self, message: &str) -> Contextual {
        let request = ContextOperation { message: message.to_owned(), ..ContextOperation::default() };
        self.ask(request).await.expect("a context")
    }

    /// What a message in a conversation gets that took place already.
    async fn told_in(&self, session: &str, message: &str) -> Contextual {
        let session = Some(session_id(session));
        let request =
            ContextOperation { message: message.to_owned(), session, ..ContextOperation::default() };
        self.ask(request).await.expect("a context")
    }
}

fn has(block: &str, words: &[&str]) -> bool {
    let block = block.to_lowercase();
    words.iter().all(|word| block.contains(&word.to_lowercase()))
}
