//! English: how people ask that something be forgotten or that nothing be kept, and what only sounds so.

use crate::language::WishWords;

pub(super) const WISHES: WishWords = WishWords {
    orders: &[
        "^ forget", "please forget", "pls forget", "plz forget", "and forget i", "just forget",
        "mind forgetting", "unlearn", "^ disregard",
    ],
    deletions: &[
        "^ delete", "^ erase", "^ remove", "^ wipe", "^ scrub", "^ purge", "^ scratch", "^ strike",
        "^ get rid of", "mind deleting", "mind erasing", "mind removing", "please delete", "please erase",
        "please remove", "please wipe", "^ scrap",
    ],
    removals: &[
        "^ drop", "^ clear", "^ take", "please take", "please drop", "drop*", "take", "taking",
    ],
    requests: &[
        "you mind", "happier if you", "thankful if you", "if you could", "if you would", "possible for you to",
        "ask that you", "request that you", "id like it if you", "better you", "can you", "could you", "can u",
        "could u", "cud u", "will you", "would you", "would u", "want you to", "want u to", "wanted you to",
        "like you to", "need you to", "ask you to", "asking you to", "prefer you to", "prefer it if you",
        "prefer if you", "prefer that you", "rather you", "better if you", "best if you", "good if you",
        "nice if you", "great if you", "glad if you", "happy if you", "grateful if you", "appreciate it if you",
        "wish you would", "wish youd", "you should", "you must", "you need to", "you have to", "youd better",
        "please", "be so kind as to", "feel free to", "be great to", "would it be possible to",
        "is it possible for you to", "^ try to", "^ you can", "^ you may",
    ],
    forgetting: &[
        "forget", "forgot", "forgetting", "unlearn*", "disregard*",
    ],
    deleting: &[
        "delet*", "eras*", "remov*", "wip*", "scrub*", "purg*", "scratch*", "get rid", "getting rid", "scrap*",
    ],
    refusals: &[
        "^ dont|do_not remember this|that|it|what|the|my|his|her|their|any*|anything|everything",
        "^ dont|do_not memorize|memorise", "please|pls|plz dont|do_not|not remember|memorize|memorise",
        "dont want you to remember", "dont want you remembering", "not want you to remember",
        "rather you didnt remember", "^ stop remembering", "you to stop remembering",
        "^ keep … out of your memory", "^ no need to remember", "you dont need to remember",
        "could|can|would you … not remember",
        "dont save|store|record|log|remember this|that|it pls|please|plz|ok|thanks|tho|though",
        "dont save|store|remember that|this $",
        "but dont|do_not save|store|remember|keep|record|log that|this|it",
    ],
    keepings: &[
        "^ dont|do_not keep|save|store|retain|record|log|note|write|hold_on_to|hang_on_to|hold_onto",
        "please|pls|plz dont|do_not|not keep|save|store|retain|record|log|note",
        "dont want you to keep|save|store|retain|record|log", "dont want you keeping|saving|storing",
        "not want you to keep|save|store", "rather you didnt keep|save|store|record",
        "could|can|would you … not keep|save|store|record", "^ no need to save|store|record",
    ],
    pretences: &[
        "^ pretend … never|didnt|did_not|hadnt|havent",
        "please|just|can_you|could_you|would_you|lets|to pretend … never|didnt|hadnt|havent",
        "act like|as_if|as_though i|we|this|that|none … never|didnt|hadnt",
        "i shouldnt|should_not|should_never have told you", "i shouldnt|should_not|should_never have mentioned",
        "i shouldnt|should_not|should_never have said that|this|anything|what about",
        "act like|as_if|as_though id|ive|i_had|i_have|i|we|this never|didnt|hadnt|not",
    ],
    memory: &[
        "your memory", "from memory", "out of memory", "your memories", "your notes", "your records",
        "your mind", "your knowledge", "your storage", "your database", "what you have on",
        "whatever you have on", "everything you have on",
    ],
    told: &[
        "forget that", "forget all that", "forget all of", "what i said", "what i told", "what i wrote",
        "what i mentioned", "what i shared", "what i just", "what ive said", "what ive told", "what ive shared",
        "everything i said", "everything i told", "everything ive", "anything i said", "anything i told",
        "all i said", "whatever i said", "whatever i told", "i said", "i told you", "i mentioned", "i ever",
        "i shared", "told you about", "thing* i said", "thing* i told", "thing about", "things about",
        "bit about", "bits about", "part about", "parts about", "stuff about", "story about",
        "information about", "info about", "details about", "everything about", "everything to do with",
        "all about", "anything about", "you know about", "you have about", "you have on", "you remember about",
        "you stored about", "you saved about", "thing with", "business with", "forget everything i|about|to_do",
        "all the stuff", "stuff i said|told|shared|mentioned|wrote", "i told u", "told u about",
        "things i said|told", "my story about",
    ],
    own: &[
        "my|our … address|birthday|birthdate|dob|phone|number|email|mail|salary|income|wage|rent|weight|age|name|surname|diagnosis|medication|meds|iban|password|pin|postcode|location|employer|date_of_birth",
    ],
    ordinary: &[
        "forgets", "forgotten", "forgetful", "i forget", "i always forget", "i never forget", "i … forget to",
        "i often forget", "i keep forgetting", "i forgot", "i have forgotten", "ive forgotten", "id forget",
        "ill forget", "ill never forget", "we forget", "we all forget", "we always forget", "they forget",
        "they always forget", "people forget", "you forget", "you forgot", "if i forget", "if you forget",
        "to not forget", "dont … forget", "do not … forget", "dont let me forget", "not to forget",
        "not forget", "wont forget", "wouldnt forget", "didnt forget", "cant forget", "cannot forget",
        "couldnt forget", "could forget", "did i forget", "did you forget", "do i forget", "always forget*",
        "often forget*", "sometimes forget*", "keep forgetting", "keeps forgetting", "kept forgetting",
        "constantly forget*", "usually forget*", "how do i", "how can i", "how to", "what happens", "what if",
        "lets forget", "let us forget", "we should forget", "we can forget", "we could forget",
        "i should forget", "should i forget", "i can forget", "i could forget", "i want to forget",
        "id like to forget", "i wish i could", "i would forget", "would forget", "will forget",
        "tends to forget", "remind me", "help me forget", "make me forget", "made me forget",
        "trying to forget", "^ forget it $", "we dont keep|save|store|record",
        "i dont keep|save|store|record|retain", "they dont keep|save|store", "people dont keep|save|store",
        "you dont keep|save|store", "never forget",
    ],
    passed_on: &[
        "tell him", "tell her", "tell them", "tell my", "telling him", "telling her", "telling them",
        "telling my", "write him", "write her", "write them", "write a", "write an", "write me a", "write my",
        "draft a", "draft an", "draft me", "text him", "text her", "text them", "text to", "a text",
        "a message", "an email", "a letter", "a note", "a card", "email him", "email her", "email to",
        "email that", "message to", "message that", "letter to", "a poem", "a song", "a story", "lyrics",
        "a speech", "told me to", "tells me to", "asked me to", "says to", "said to", "wants me to",
        "told him to", "told her to", "translate", "rephrase", "proofread",
    ],
    silences: &[
        "^ dont|do_not save|store|keep|remember|retain|record|log|memorize|memorise anything|any_of|any_part",
        "please|pls dont|do_not|not save|store|keep|remember|retain|record|log|memorize|memorise anything|any_of",
        "^ dont|do_not save|store|keep|remember|retain|record|log|memorize … this|our|the chat|conversation|convo|discussion",
        "please dont save|store|keep|remember|record|log … this|our|the chat|conversation|convo|discussion",
        "dont|not want you to save|store|keep|remember|retain|record|log|memorize|memorise anything|any_of",
        "dont|not want you to save|store|keep|remember|retain|record|log … this|our chat|conversation|convo|discussion",
        "nothing … should|to be saved|kept|stored|remembered|recorded|logged",
        "^ remember|keep|save|store|record nothing", "^ keep this conversation|chat out|private|off|between_us",
        "^ forget this|our conversation|chat|convo|discussion",
        "^ forget this whole conversation|chat|convo|discussion|thing", "^ forget everything $",
        "^ forget everything|all i|weve|ive|we", "^ forget everything about|in|from", "^ forget it all",
        "^ forget all|any of this|that|it", "^ use|go incognito", "^ off the record",
        "^ this is off the record", "^ keep this off", "stays|thats|is off the record",
        "could|can|would you not save|keep|store|remember|record|log anything|any_of",
    ],
    here: &[
        "this|the|our chat|conversation|convo|discussion|session|thread|talk",
        "what|anything|everything|all i say|tell|write|type|said|told|wrote|typed|just",
        "anything|any|what|all … we talk|say|discuss|said|discussed", "of|from|about this|that|it|here|today",
        "here", "today", "incognito", "off the record", "it all",
    ],
    about: &[
        "about|regarding|concerning|re",
    ],
    about_behind: &[],
    pointing: "this that it these those today now me myself us the my our any anything all of in from to with at \
        what i you u we say said tell told telling talk talked write wrote type typed mention mentioned \
        just here chat conversation convo discussion session thread whole everything nothing stuff part \
        again",
    verb_far: false,
    openers: "please pls plz kindly just hey hi ok okay oh ah so and but then also now actually well sorry right \
        alright thanks btw ps by the way one more thing anyway quick before we start maybe first second \
        finally honestly look listen im gonna tho though lol seriously",
    closers: "",
};
