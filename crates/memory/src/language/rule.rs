//! What a rule of the distiller is, and the words that the reading of sentences hangs on: data, so that a language is a
//! folder.
//!
//! A rule is a pattern over words, the English sentence it comes to, and what is known of statements of that sort. The
//! patterns' notation, read by the heuristic distiller:
//!
//! ```text
//! i ~ <like|love> {object}     words; `~` any adverbs; `<…>` a verb that the sentence repeats; `{…}` a slot
//! [to] ask|tell_me $           `[…]` optional; `|` either; `_` a space inside an alternative; `$` the clause ends
//! ```
//!
//! The sentence's notation: `{verb}` is the captured verb with its `-s`, `{base}` without, `{object}` the slot in the
//! third person ("my" is "their"), `{object:s}` the same with `-s` on its first verb, `{name}` and the other slots as said.

use crate::types::{Kind, StatementDurability};

/// What a statement's dates mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dates {
    /// Holds from then, or until then, as the words say ("since", "until").
    AsSaid,
    /// Began then: "I moved last week".
    Begin,
    /// To be done by then.
    Due,
    /// Held until now: "I used to".
    Ended,
}

/// Where a rule may match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RulePlace {
    /// Where a clause begins, in a statement.
    Clause,
    /// Where a sentence begins.
    Sentence,
    /// Anywhere, questions too: "should I ask my sister Ana" takes for granted that she is one.
    Anywhere,
    /// Where a sentence begins in which no other rule found anything.
    Otherwise,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct DistilRule {
    pub name: &'static str,
    pub pattern: &'static str,
    pub kind: Kind,
    pub category: &'static str,
    pub says: &'static str,
    pub subject: &'static str,
    pub predicate: &'static str,
    pub object: &'static str,
    /// The key of a fact that has one value at a time.
    pub slot: Option<&'static str>,
    pub confidence: f32,
    pub salience: f32,
    pub durability: StatementDurability,
    pub dates: Dates,
    pub place: RulePlace,
    /// Only where the sentence names a time.
    pub needs_date: bool,
    /// Not in a turn that asks for something: "I want to sort a list, can you help" is a task.
    pub unasked: bool,
    /// Not in a turn that shows code, unless a date makes it an event.
    pub uncoded: bool,
    /// In a turn that asks for something, only what names or counts something.
    pub specific: bool,
    /// "when I am tired" belongs to what is said.
    pub keeps_conditions: bool,
    /// What follows "and" belongs to it though it is a past form: "went there and met her".
    pub joins_past: bool,
    /// Also an edge of the graph.
    pub relates: bool,
    /// Only behind this phrase in the same sentence: "now I run" says more behind "I used to".
    pub after: &'static str,
    /// Only with a word for a trade: "faccio il muratore" names one, "faccio il bucato" none.
    pub needs_trade: bool,
}

impl DistilRule {
    /// The ground of a family of rules.
    pub const fn family(kind: Kind, category: &'static str, confidence: f32, salience: f32) -> Self {
        let durability = match kind {
            Kind::Event => StatementDurability::Session,
            Kind::Rule => StatementDurability::Explicit,
            _ => StatementDurability::Lasting,
        };
        Self {
            name: category,
            pattern: "",
            kind,
            category,
            says: "User {object}",
            subject: "User",
            predicate: "",
            object: "{object}",
            slot: None,
            confidence,
            salience,
            durability,
            dates: Dates::AsSaid,
            place: RulePlace::Clause,
            needs_date: false,
            unasked: false,
            uncoded: false,
            specific: false,
            keeps_conditions: false,
            joins_past: false,
            relates: false,
            after: "",
            needs_trade: false,
        }
    }

    pub const fn on(mut self, name: &'static str, pattern: &'static str) -> Self {
        self.name = name;
        self.pattern = pattern;
        self
    }

    pub const fn says(mut self, sentence: &'static str, predicate: &'static str) -> Self {
        self.says = sentence;
        self.predicate = predicate;
        self
    }

    /// Subject and object where they are not the user and the object slot.
    pub const fn between(mut self, subject: &'static str, object: &'static str) -> Self {
        self.subject = subject;
        self.object = object;
        self
    }

    pub const fn slot(mut self, key: &'static str) -> Self {
        self.slot = Some(key);
        self
    }

    pub const fn kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    pub const fn lasts(mut self, durability: StatementDurability) -> Self {
        self.durability = durability;
        self
    }

    pub const fn dated(mut self, dates: Dates) -> Self {
        self.dates = dates;
        self
    }

    pub const fn at(mut self, place: RulePlace) -> Self {
        self.place = place;
        self
    }

    pub const fn sure(mut self, confidence: f32, salience: f32) -> Self {
        self.confidence = confidence;
        self.salience = salience;
        self
    }

    pub const fn with_date(mut self) -> Self {
        self.needs_date = true;
        self
    }

    pub const fn unasked(mut self) -> Self {
        self.unasked = true;
        self
    }

    pub const fn uncoded(mut self) -> Self {
        self.uncoded = true;
        self
    }

    pub const fn specific(mut self) -> Self {
        self.specific = true;
        self
    }

    pub const fn joining_past(mut self) -> Self {
        self.joins_past = true;
        self
    }

    pub const fn with_conditions(mut self) -> Self {
        self.keeps_conditions = true;
        self
    }

    pub const fn after(mut self, phrase: &'static str) -> Self {
        self.after = phrase;
        self
    }

    pub const fn of_a_trade(mut self) -> Self {
        self.needs_trade = true;
        self
    }

    pub const fn relating(mut self) -> Self {
        self.relates = true;
        self
    }
}

/// The families that every language's table draws from.
pub(super) const PREFERENCE: DistilRule = DistilRule::family(Kind::Preference, "preference", 0.8, 0.7);
pub(super) const DECISION: DistilRule = DistilRule::family(Kind::Decision, "decision", 0.75, 0.65);
pub(super) const HABIT: DistilRule = DistilRule::family(Kind::Fact, "pattern", 0.75, 0.6).with_conditions();
pub(super) const IDENTITY: DistilRule = DistilRule::family(Kind::Fact, "identity", 0.9, 0.9);
pub(super) const HOME: DistilRule = DistilRule::family(Kind::Fact, "home", 0.85, 0.85).relating();
pub(super) const WORK: DistilRule = DistilRule::family(Kind::Fact, "work", 0.85, 0.8);
pub(super) const HEALTH: DistilRule = DistilRule::family(Kind::Fact, "health", 0.85, 0.9);
pub(super) const FACT: DistilRule = DistilRule::family(Kind::Fact, "fact", 0.75, 0.6);
pub(super) const FAMILY: DistilRule =
    DistilRule::family(Kind::Relationship, "relationship", 0.85, 0.75).relating();
pub(super) const SKILL: DistilRule = DistilRule::family(Kind::Skill, "skill", 0.75, 0.6);
pub(super) const GOAL: DistilRule = DistilRule::family(Kind::Goal, "goal", 0.65, 0.6).unasked();
pub(super) const COMMITMENT: DistilRule =
    DistilRule::family(Kind::Commitment, "commitment", 0.7, 0.6).dated(Dates::Due);
pub(super) const CORRECTION: DistilRule = DistilRule::family(Kind::Correction, "correction", 0.7, 0.65);
pub(super) const EVENT: DistilRule = DistilRule::family(Kind::Event, "event", 0.6, 0.4)
    .dated(Dates::Begin)
    .uncoded()
    .specific()
    .joining_past();
pub(super) const INSTRUCTION: DistilRule = DistilRule::family(Kind::Rule, "rule", 0.9, 0.9)
    .at(RulePlace::Sentence)
    .between("", "")
    .with_conditions();

/// One language: its rules, and the words that the reading of its sentences hangs on. Lists of words are separated by
/// white space, with `_` for a space inside one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lexicon {
    /// Written without spaces; looked for only where such characters are.
    pub unspaced: bool,
    pub rules: &'static [&'static [DistilRule]],
    /// Words that may stand between a subject and its verb.
    pub adverbs: &'static str,
    /// Words behind which a clause begins.
    pub openers: &'static str,
    /// Words at which an object ends.
    pub boundaries: &'static str,
    /// Words that end an object only before another clause: "and I", "and then".
    pub joints: &'static str,
    /// Words that, behind a joint, show that another clause begins.
    pub clause_words: &'static str,
    /// Words that make what follows a supposition.
    pub suppositions: &'static str,
    /// Words that make a clause a question when it begins with them.
    pub questions: &'static str,
    /// Words that an object may not consist of.
    pub empty_objects: &'static str,
    /// Words that need another one to say something: "a project", "people".
    pub hollow: &'static str,
    /// Words that an object does not end with.
    pub dangling: &'static str,
    /// Words that an object may not begin with.
    pub refused_openings: &'static str,
    /// "for now", "just today".
    pub passing: &'static str,
    /// "from now on", "always".
    pub durable: &'static str,
    pub relations: &'static str,
    pub professions: &'static str,
    pub possessions: &'static str,
    pub conditions: &'static str,
    pub past: &'static str,
    pub ongoing: &'static str,
    pub imperatives: &'static str,
    /// Feelings that are worth an event whatever the agent's character: "I'm worried about the exam".
    pub feelings: &'static str,
    /// Beginnings that lose their vowel before another: `l'`, `d'`. They are words of their own.
    pub elisions: &'static str,
    /// Verbs of an action that say too little: "know", "make sure"; and nouns of which the same holds: "my question is".
    pub idle_actions: &'static str,
    /// Verbs of what one sits down to do now, which no goal is made of: "fix", "calculate".
    pub task_actions: &'static str,
    /// Capitalised words that are nobody's name.
    pub not_names: &'static str,
    /// What the slots of its patterns may not hold.
    pub slots: SlotWords,
}

/// What shows that a slot has taken in what it is not for. Lists of words are separated by white space, with `_` for a space inside one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SlotWords {
    /// Words that no slot holds: "my" and "me", which only English exchanges, and what begins another clause.
    pub nowhere: &'static str,
    /// Words that no home, work, name or condition holds: times, manners and states ("de noche", "in Scheidung").
    pub no_facts: &'static str,
    /// Beginnings of a slot that stand for something else: "我爱人" is a spouse.
    pub no_beginnings: &'static str,
    /// Verbs with which no name, home or work begins, where words are not set apart; what is liked may ("我喜欢吃火锅").
    pub doings: &'static str,
    /// Clubs that one is said to be of as one is from a place: "sou do Benfica". One may live in the quarter that has the name.
    pub clubs: &'static str,
    /// Endings of a word for a trade, where a pattern needs one to know that a trade is meant.
    pub trades: &'static str,
    /// Where words are not set apart: what may follow a pattern up to the end of its clause, and what begins another one.
    pub behind: &'static str,
    pub goes_on: &'static str,
    /// Where a sentence needs no subject: who else it may be about.
    pub others: &'static str,
    /// The same: marks of a subject, and how one's own is said.
    pub subject_marks: &'static str,
    pub oneself: &'static str,
}

impl SlotWords {
    pub const EMPTY: Self = Self {
        nowhere: "",
        no_facts: "",
        no_beginnings: "",
        doings: "",
        clubs: "",
        trades: "",
        behind: "",
        goes_on: "",
        others: "",
        subject_marks: "",
        oneself: "",
    };
}

impl Lexicon {
    pub const EMPTY: Self = Self {
        unspaced: false,
        rules: &[],
        adverbs: "",
        openers: "",
        boundaries: "",
        joints: "",
        clause_words: "",
        suppositions: "",
        questions: "",
        empty_objects: "",
        hollow: "",
        dangling: "",
        refused_openings: "",
        passing: "",
        durable: "",
        relations: "",
        professions: "",
        possessions: "",
        conditions: "",
        past: "",
        ongoing: "",
        imperatives: "",
        feelings: "",
        elisions: "",
        idle_actions: "",
        task_actions: "",
        not_names: "",
        slots: SlotWords::EMPTY,
    };
}
