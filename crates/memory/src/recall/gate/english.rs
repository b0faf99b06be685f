//! The English phrases, in the order in which they are asked.
//!
//! Bare "verbatim", "exactly" and "word for word" are not here: they are ordinary in prompts ("reply exactly OK"). Bare
//! pronouns are not here either: they point into the conversation at hand.

use super::pattern::{PhraseGroup, PhraseTable};
use crate::language::Language;

pub(super) const TABLE: PhraseTable = PhraseTable {
    language: Language::English,
    marks: &[],
    phrases: &[
        (PhraseGroup::Identity, IDENTITY),
        (PhraseGroup::Transcript, TRANSCRIPT),
        (PhraseGroup::Time, TIME),
        (PhraseGroup::Prior, PRIOR),
        (PhraseGroup::Reminder, &["remember|recall that|the"]),
        (PhraseGroup::Recall, RECALL),
        (PhraseGroup::Mine, &["my|our _"]),
    ],
};

const IDENTITY: &[&str] = &[
    "whats my full|first|last|middle? name|age|birthday|job|occupation|profession|hometown|nationality",
    "what is|was my full|first|last|middle? name|age|birthday|job|occupation|profession|hometown|nationality",
    "who am i",
    "do you know|remember my name|age|birthday|job",
    "do you know|remember who i am",
    "do you know|remember where i live|work",
    "do you know|remember me",
    "remember my name",
    "what do|did you know|remember|learn about me",
    "what have you learned|learnt|remembered|stored about me",
    "what can you tell me about myself|me",
    "tell me about myself",
    "tell me what you know|remember about me",
    "everything you know|remember about me",
    "anything you know|remember about me",
    "where do i work|live|study",
    "where am i from",
    "how old am i",
    "when is|was my birthday",
    "whens my birthday",
    "what do i do for a living|work",
    "what kind of person am i",
];

const TRANSCRIPT: &[&str] = &[
    "exact words",
    "exact wording i used",
    "what exactly? did i just? exactly? say|write|type|ask|tell",
    "what exactly? i said|wrote|typed|asked",
    "what was it that? i said|wrote|typed|asked",
    "quote what i said|wrote|typed",
    "quote me back",
    "quote back what i said|wrote|typed",
    "repeat back? what i said|wrote|typed",
    "repeat back what i",
    "repeat what i just? said|wrote|typed",
    "word for word what i said|wrote|typed",
    "what i said|wrote|typed word for word",
    "verbatim what i said|wrote|typed",
    "what i said|wrote|typed verbatim",
];

const TIME: &[&str] = &[
    "yesterday|yesterdays",
    "last week|month|year|time|session|night|weekend|summer|winter|spring|fall|autumn",
    "last weeks|months|years|sessions",
    "last monday|tuesday|wednesday|thursday|friday|saturday|sunday",
    "the other day|week|night",
    "earlier",
    "previously",
    "ago",
    "when did",
    "on monday|tuesday|wednesday|thursday|friday|saturday|sunday",
    "in january|february|march|april|may|june|july|august|september|october|november|december",
];

const PRIOR: &[&str] = &[
    "we discussed|talked|spoke|chatted|covered",
    "we last? discussed|talked|spoke|chatted",
    "did we discuss|talk|decide|agree|cover|say",
    "have|had we discussed|talked|decided|covered",
    "weve discussed|talked|covered",
    "we were talking|discussing",
    "we decided|agreed on",
    "you said|mentioned",
    "you told me",
    "you suggested|recommended",
    "did you say|tell|mention|suggest|recommend",
    "had|have you said|told|mentioned|suggested|recommended",
    "remember|recall|remembering when",
    "do you remember|recall",
    "as i said|mentioned|told",
    "like i said|mentioned|told",
    "i told you",
    "i already told you",
    "i mentioned|said earlier|before|previously",
    "that thing we|you|i",
    "our last|previous|earlier|past|prior conversation|conversations|chat|chats|discussion|discussions|session|sessions|talk|talks",
    "where we left off",
    "where did we leave off",
];

const RECALL: &[&str] = &[
    "remember|recall|remembered|forget|forgot",
    "remind me",
    "did i ever? say|tell|mention",
    "have i ever? said|told|mentioned",
    "do you know about my",
];
