//! German: the most common forms.

use crate::language::rule::{
    DECISION, Dates, HEALTH, HOME, IDENTITY, INSTRUCTION, Lexicon, PREFERENCE, RulePlace, DistilRule, SlotWords, WORK,
};
use crate::types::StatementDurability;

pub(super) const LEXICON: Lexicon = Lexicon {
    rules: &[RULES],
    adverbs: "sehr gerne gern wirklich auch eher lieber total besonders am_liebsten einfach jetzt aktuell derzeit schon",
    openers: "und aber oder weil denn da ja nein also eigentlich übrigens hallo hi ok okay dass",
    boundaries: "weil da denn aber sondern obwohl während damit wenn falls dass um_zu und_zwar",
    joints: "und oder sowie",
    clause_words: "ich wir er sie es du ihr das dann mein meine habe bin ist sind war kann könnte will muss möchte",
    suppositions: "wenn falls angenommen stell_dir_vor würde hätte wäre",
    questions: "was wie warum wer wo welche welcher kannst_du könntest_du können_sie soll_ich kann_ich",
    empty_objects: "es das dies ihn sie sich dich mich etwas alles nichts die der den dem ein eine einen so sehr nicht",
    refused_openings: "es du dein deine dich dir ihn mir mich wenn dass zu_wissen",
    passing: "vorerst nur_heute für_heute im_moment diesmal gerade",
    durable: "ab_jetzt ab_sofort von_nun_an merk_dir vergiss_nicht nicht_vergessen in_zukunft künftig",
    not_names: "deutsch deutscher deutsche montag dienstag mittwoch donnerstag freitag samstag sonntag",
    dangling: "und oder für mit von vom in im an am auf zu zum zur bei aus als wie dass aber sehr der die das den dem ein eine einen noch halt eben",
    slots: SlotWords {
        nowhere: "mein meine meinen meinem meiner meines mir mich ich unser unsere unseren unserem unserer uns dein deine du sie",
        no_facts: "angst scheidung trennung frieden ruhe armut sorge sorgen hoffnung freiheit sünde saus gefahr stress unsicherheit ungewissheit abstinenz keuschheit partnerschaft beziehung ehe gemeinschaft saison montag dienstag mittwoch donnerstag freitag samstag sonntag weihnachten ostern nachts tagsüber morgens abends teilzeit vollzeit schicht schichten eile",
        ..SlotWords::EMPTY
    },
    ..Lexicon::EMPTY
};

// One rule a line, so that the table can be read as one.
#[rustfmt::skip]
const RULES: &[DistilRule] = &[
    IDENTITY.on("name", "mein name ist {name}").says("User's name is {name}", "NAMED").between("User", "{name}").slot("identity:name"),
    IDENTITY.on("called", "ich heiße {name}").says("User's name is {name}", "NAMED").between("User", "{name}").slot("identity:name"),
    IDENTITY.on("call_me", "nenn|nenne|nennt mich [bitte] {name}").says("User goes by {name}", "GOES_BY").between("User", "{name}").slot("identity:preferred_name"),
    IDENTITY.on("age", "ich bin ~ {number} [jahre] [alt] $").says("User is {number} years old", "AGE").between("User", "{number}").slot("identity:age"),
    HOME.on("lives_in", "ich|wir ~ wohne|lebe|wohnen|leben ~ in {place}").says("User lives in {place}", "LIVES_IN").between("User", "{place}").slot("home:city"),
    HOME.on("moved_to", "ich bin [letzte_woche|letzten_monat|vor_kurzem|kürzlich|gerade] nach {name} gezogen|umgezogen").says("User lives in {name}", "LIVES_IN").between("User", "{name}").slot("home:city").dated(Dates::Begin),
    HOME.on("from", "ich komme ~ aus {name}").says("User is from {name}", "FROM").between("User", "{name}").slot("identity:origin"),
    WORK.on("works_as", "ich arbeite ~ als {object}").says("User works as {object}", "WORKS_AS").slot("work:role"),
    WORK.on("works_at", "ich arbeite ~ bei|für {name}").says("User works at {name}", "WORKS_AT").between("User", "{name}").slot("work:employer").relating(),
    HEALTH.on("allergic", "ich bin ~ allergisch gegen|auf {object}").says("User is allergic to {object}", "ALLERGIC_TO"),
    PREFERENCE.on("prefers", "ich|wir ~ bevorzuge|bevorzugen {object}").says("User prefers {object}", "PREFERS"),
    PREFERENCE.on("dislikes", "ich mag|liebe ~ kein|keine|keinen {object}").says("User does not like {object}", "DISLIKES"),
    PREFERENCE.on("dislikes", "ich mag {object} ~ nicht").says("User does not like {object}", "DISLIKES"),
    PREFERENCE.on("cannot_stand", "ich kann {object} nicht ausstehen|leiden").says("User can't stand {object}", "DISLIKES"),
    PREFERENCE.on("hates", "ich hasse {object}").says("User hates {object}", "DISLIKES"),
    PREFERENCE.on("prefers", "ich mag|benutze|nutze|verwende lieber {object}").says("User prefers {object}", "PREFERS"),
    PREFERENCE.on("likes", "ich mag|liebe ~ {object}").says("User likes {object}", "LIKES"),
    DECISION.on("will_use", "ich|wir werde|werden {object} verwenden|benutzen|nutzen|einsetzen").says("User will use {object}", "WILL_USE"),
    DECISION.on("decided_on", "ich|wir habe|haben mich|uns für {object} entschieden").says("User decided on {object}", "DECIDED_ON"),
    INSTRUCTION.on("call_me", "nenn|nenne mich [bitte] {name}").says("Call the user {name}", "").slot("rule:form_of_address").at(RulePlace::Clause),
    INSTRUCTION.on("answer_in", "[bitte] antworte|antworten_sie|schreib|sprich [mir|mit_mir] [bitte] [ab_jetzt|immer|nur] auf|in {what} $").says("Answer in {what}", "").slot("rule:answer_language").lasts(StatementDurability::Lasting),
    INSTRUCTION.on("answer_in", "ab_jetzt|ab_sofort|von_nun_an [,] [bitte] [immer] antworte|schreib|sprich [mir|mit_mir] [bitte] [immer|nur] auf|in {what} $").says("Answer in {what}", "").slot("rule:answer_language"),
    INSTRUCTION.on("from_now_on", "ab_jetzt|ab_sofort|von_nun_an [,] {object}").says("From now on: {object}", ""),
    INSTRUCTION.on("always", "[bitte] <immer|niemals> {object}").says("{base} {object}", ""),
    // Polish begins what it denies with "nie".
    INSTRUCTION.on("never", "bitte <nie> {object}").says("{base} {object}", ""),
    INSTRUCTION.on("do_not_use", "[bitte] verwende|benutze|nutze keine|keinen|kein {object}").says("Do not use {object}", "").lasts(StatementDurability::Lasting),
];
