//! English: how people hand over a text to work on, and begin a game of roles.

use crate::language::GivenWords;

pub(super) const GIVEN: GivenWords = GivenWords {
    work: "translate translation proofread proof-read spellcheck summarise summarize paraphrase rephrase \
        reword rewrite re-write shorten condense",
    amend: "correct fix improve polish check edit tidy",
    say: "say said put write sound",
    languages: "english spanish french german italian portuguese dutch polish russian turkish arabic hindi \
        chinese mandarin cantonese japanese korean swedish norwegian danish finnish greek czech \
        hungarian romanian ukrainian hebrew thai vietnamese welsh irish latin catalan basque",
    this: "this that it these those following below above",
    right: "is_that_correct is_this_correct is_that_right is_this_right does_that_sound does_this_sound \
        sound_natural any_mistakes grammar",
    goes_on: "continue carry_on go_on_with finish first_person the_voice_of",
    writes: "write compose make_up draft create",
    texts: "story poem novel chapter scene song lyrics tale fiction monologue diary bio paragraph text \
        passage sentence letter article",
    on_behalf: "for to",
    play: "role_play roleplay role-play roleplaying mock_interview you_be_the",
    invites: "let's lets let_us can_we could_we shall_we want_to_practise want_to_practice i'd_like_to \
        we_could do_a",
    you_are: "you_are_the you're_the you_be_the you_play you_will_be_the you'll_be_the you_are_a you're_a",
    i_am: "i_am_the i'm_the i_be_the i'll_be_the i_play i_am_a i'm_a i'll_play",
    ends: "stop_the_role end_the_role end_of_role stop_role end_role out_of_character stop_playing \
        break_character end_of_the_role",
    supposes: "pretend_i'm pretend_i_am pretend_that_i",
};
