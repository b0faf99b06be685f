//! Messages that are understood by what was said before them: "and on Thursday?", "what about her?".
//!
//! Such a message names nothing to look for. What the user said before it in the conversation is then weighed and searched for with
//! it; its own words and days count all the same.

use super::ContextRequest;
use crate::error::StoreResult;
use crate::ports::{ReadStore, SpeechJudge};
use crate::recall::search::Glance;
use crate::text::{Analyser, clip};
use crate::types::{Filter, PageRequest, Role};

/// Words that a message has at most to be too short to be understood by itself, and words of one whose subject the judge does not find in it.
const TOO_FEW_WORDS: usize = 1;
const FEW_WORDS: usize = 4;

/// The same in letters of scripts whose words are not set apart.
const TOO_FEW_WIDE_LETTERS: usize = 4;
const FEW_WIDE_LETTERS: usize = 10;

/// How sure the judge must be that whom a message is about is not named in it.
const SUBJECT_ELSEWHERE: f32 = 0.3;

/// Characters of what was said before that are weighed with a message.
const BEFORE_CHARACTERS: usize = 300;

/// Messages of the conversation that are looked at: the message itself may be stored by now.
const LOOKED_AT: usize = 2;

impl Glance<'_> {
    /// What the user said before the message, where the message is understood by it.
    pub(super) async fn followed(
        &self,
        request: &ContextRequest,
        judge: &dyn SpeechJudge,
    ) -> StoreResult<Option<String>> {
        let Some(session) = request.viewer.session.clone().filter(|_| !request.first_turn) else {
            return Ok(None);
        };
        if !leans_on_more(&request.message, judge, &self.tools.analyser) {
            return Ok(None);
        }
        let owner = &request.viewer.owner;
        let filter = Filter {
            agent: Some(owner.agent.clone()),
            user: Some(owner.user.clone()),
            session: Some(session),
            ..Filter::ever()
        };
        let said = self.view.list_turns(&filter, Some(Role::User), PageRequest::newest(LOOKED_AT)).await?;
        let own = request.message.trim();
        let before = said.items.into_iter().map(|turn| turn.text).find(|text| text.trim() != own);
        Ok(before.map(|text| clip(text.trim(), BEFORE_CHARACTERS)))
    }
}

/// Whether a message names too little to be understood by itself.
fn leans_on_more(message: &str, judge: &dyn SpeechJudge, analyser: &Analyser) -> bool {
    let wide =
        message.chars().filter(|character| *character >= '\u{2E80}' && character.is_alphabetic()).count();
    let (count, too_few, few) = match wide {
        0 => (analyser.ranked_terms(message).len(), TOO_FEW_WORDS, FEW_WORDS),
        letters => (letters, TOO_FEW_WIDE_LETTERS, FEW_WIDE_LETTERS),
    };
    let unnamed = || judge.read(&[message], None)[0].subject_elsewhere >= SUBJECT_ELSEWHERE;
    count <= too_few || count <= few && unnamed()
}
