//! Names in what the user said, with their types, and the edges that the rules found.
//!
//! A name is a run of capitalised words. At a sentence's beginning everything is capitalised, so a single word there counts
//! only if it is known, or stands elsewhere in the session in the middle of a sentence. The type comes from the words
//! around it ("at Acme", "in Oslo", "my sister Ana"), each a vote; a name that no cue types must be said twice.

use std::collections::BTreeMap;

use super::UserTurn;
use super::clauses::Sentence;
use super::lexicon::{TONGUES, Tongue};
use crate::learn::draft::{Candidate, EntityDraft, RelationDraft};
use crate::types::{EntityType, TurnId};

/// Entities of one draft.
const ENTITIES_MAXIMUM: usize = 50;

/// Words of one name.
const NAME_WORDS_MAXIMUM: usize = 5;

/// What a word before a name says of it, and how surely.
const BEFORE: [(EntityType, usize, &str); 8] = [
    (EntityType::Company, 1, "at"),
    (EntityType::Company, 2, "joined company startup employer"),
    (EntityType::Place, 1, "in"),
    (EntityType::Place, 2, "near visit visited visiting"),
    (EntityType::Person, 1, "with"),
    (EntityType::Person, 2, "met told asked named called dr mr mrs ms prof hey hi hello dear"),
    (EntityType::Project, 2, "project"),
    (EntityType::Tool, 2, "using use used install installed via"),
];

/// What a word behind a name says of it.
const BEHIND: [(EntityType, usize, &str); 4] = [
    (
        EntityType::Person,
        2,
        "said says told suggested recommended asked thinks mentioned shared advised and_i who who's",
    ),
    (EntityType::Project, 2, "project app"),
    (EntityType::Tool, 2, "library framework api"),
    (EntityType::Event, 2, "conference festival workshop"),
];

/// What a word inside a name says of it.
const INSIDE: [(EntityType, usize, &str); 4] = [
    (
        EntityType::Company,
        3,
        "inc corp ltd llc gmbh group university institute college studios bank hospital journal",
    ),
    (EntityType::Project, 3, "project"),
    (EntityType::Event, 3, "conference festival summit symposium workshop marathon awards"),
    (
        EntityType::Place,
        3,
        "street park beach island lake river museum cafe café city gardens restaurant library hotel",
    ),
];

/// What is named without any cue and would be taken for something else by the word before it: "at Christmas", "using UK English".
const KNOWN: [(EntityType, &str); 2] = [
    (
        EntityType::Event,
        "christmas xmas easter halloween thanksgiving hanukkah diwali holi eid ramadan passover lent advent weihnachten ostern
        silvester navidad pascua nochevieja natal páscoa noël pâques natale pasqua kerst kerstmis pasen boże_narodzenie wielkanoc
        рождество пасха bayram ramazan kwanzaa valentine's songkran nowruz oktoberfest carnaval karneval fasching",
    ),
    (
        EntityType::Place,
        "uk usa us u.k u.s eu uae nyc la england scotland wales ireland britain america canada mexico brazil argentina chile peru
        colombia germany france spain portugal italy greece turkey poland russia ukraine austria switzerland belgium netherlands
        holland denmark sweden norway finland iceland hungary romania bulgaria croatia serbia czechia japan china taiwan korea india
        pakistan bangladesh nepal thailand vietnam indonesia malaysia singapore philippines australia egypt morocco tunisia algeria
        nigeria kenya ghana ethiopia israel jordan lebanon iran iraq europe africa asia london paris berlin rome madrid",
    ),
];

/// Words that are no names by themselves: "Room" of "Room 12", "Street" at the end of a line.
const PARTS_OF_NAMES: &str = "room floor street road avenue park beach island lake river museum cafe city gardens garden restaurant
    library hotel school office house building apartment flat kitchen bathroom bedroom project team group company bank hospital
    university college department conference festival workshop meeting mum mom dad mama papa grandma grandpa god internet ok";

/// Whose somebody's relatives are.
const POSSESSIVES: &str = "my our his her their mi mis nuestro nuestra nuestros nuestras mein meine meinen meinem meiner unser unsere
    unseren mon ma mes notre nos mio mia miei mie nostro nostra meu minha meus minhas nosso nossa mijn onze ons мой моя мои наш наша
    наши moj moja moje nasz nasza benim";

/// Those that begin a sentence with a capital before a noun that has one too: "Meine Tochter Frieda" is called Frieda.
const GERMAN_POSSESSIVES: &str = "mein meine meinen meinem meiner unser unsere unseren";

/// Relatives, behind whom one or several names may stand.
const RELATIVES: &str = "kids children sons daughters boys girls twins brothers sisters siblings parents friends grandkids grandchildren
    nephews nieces cousins kinder sohne tochter zwillinge hijos hijas ninos enfants fils filles figli figlie bambini filhos filhas
    kinderen zonen dochters dzieci synowie corki дети сыновья дочери son daughter kid child baby boy girl toddler sohn tochter kind hijo
    hija fille figlio figlia filho filha zoon dochter syn corka сын дочь oglum";

/// Months, which are written as names are; some are what people are called too.
const MONTHS: &str = "january february march april may june july august september october november december";

/// Animals that people give names to: no persons, whatever they are called.
const ANIMALS: &str = "dog puppy cat kitten parrot horse pony rabbit bunny hamster pet budgie canary tortoise turtle goat hen hund katze
    kater pferd perro perra gato gata caballo chien chienne chat chatte cheval cane gatto gatta cavallo cachorro cachorra cão cao hond
    kat paard pies kot koń kon kedi köpek kopek собака пёс пес кошка кот лошадь";

/// Tools that are named without any cue.
const TOOLS: &str = "python javascript typescript rust java kotlin swift golang ruby php flask django fastapi react vue
    angular node.js express next.js svelte postgres postgresql mysql sqlite mongodb redis docker kubernetes terraform
    github gitlab git jenkins aws azure gcp heroku vercel netlify figma notion slack trello jira zoom excel word
    powerpoint photoshop illustrator lightroom obsidian vim neovim emacs helix vscode pycharm intellij xcode pandas numpy
    pytorch tensorflow jupyter tableau grammarly scrivener zotero mendeley linkedin chatgpt claude gemini copilot
    spotify netflix youtube instagram tiktok whatsapp telegram discord gunicorn nginx celery kafka rabbitmq graphql
    bootstrap tailwind webpack vite jest pytest selenium cypress postman swagger sentry datadog grafana prometheus";

#[derive(Default)]
struct Spotted {
    name: String,
    votes: BTreeMap<EntityType, usize>,
    mentions: usize,
    /// Said in the middle of a sentence, where a capital means something.
    confirmed: bool,
    sources: Vec<TurnId>,
}

/// The entities that the sentences name; the ends of the relations are always among them.
pub(super) fn spot(heard: &[UserTurn], relations: &[RelationDraft], known: &[String]) -> Vec<EntityDraft> {
    let mut spotted: BTreeMap<String, Spotted> = BTreeMap::new();
    for heard in heard {
        for sentence in &heard.sentences {
            for name in names_in(sentence) {
                note(&name, &heard.turn.id, &mut spotted);
            }
        }
    }
    for relation in relations {
        for (end, entity_type) in ends_of(relation) {
            let name = EntityName { text: end.to_owned(), votes: vec![(entity_type, 3)], confirmed: true };
            for source in &relation.sources {
                note(&name, source, &mut spotted);
            }
        }
    }
    let known: Vec<String> = known.iter().map(|name| name.to_lowercase()).collect();
    let mut entities: Vec<(usize, EntityDraft)> = spotted
        .into_iter()
        .filter(|(key, one)| one.confirmed || known.contains(key) || key.contains(' '))
        .filter_map(|(_, one)| one.into_entity())
        .collect();
    entities.sort_by_key(|(mentions, _)| std::cmp::Reverse(*mentions));
    entities.truncate(ENTITIES_MAXIMUM);
    entities.into_iter().map(|(_, entity)| entity).collect()
}

/// Whether a name is a tool's.
pub(super) fn is_tool(name: &str) -> bool {
    has_word(TOOLS, &name.to_lowercase())
}

/// The edge of a candidate, if both its ends are names or the user.
pub(super) fn relation(candidate: &Candidate) -> Option<RelationDraft> {
    let (subject, predicate, object) = (&candidate.subject, &candidate.predicate, &candidate.object);
    let (subject, predicate, object) = (subject.clone()?, predicate.clone()?, object.clone()?);
    let is_name = |text: &str| {
        text.split(' ').count() <= NAME_WORDS_MAXIMUM
            && (text.starts_with(char::is_uppercase)
                || text.starts_with(super::lexer::is_unspaced)
                || text.starts_with(char::is_numeric))
    };
    (is_name(&subject) && is_name(&object)).then(|| RelationDraft {
        subject,
        predicate,
        object,
        confidence: candidate.confidence,
        valid_from: candidate.valid_from,
        valid_until: candidate.valid_until,
        sources: candidate.sources.clone(),
    })
}

struct EntityName {
    text: String,
    votes: Vec<(EntityType, usize)>,
    confirmed: bool,
}

impl EntityName {
    /// Whether the words around it speak of somebody.
    fn is_persons(&self) -> bool {
        self.votes.iter().any(|(entity_type, _)| *entity_type == EntityType::Person)
    }
}

impl Spotted {
    fn into_entity(self) -> Option<(usize, EntityDraft)> {
        let best = self
            .votes
            .iter()
            .max_by_key(|(_, votes)| **votes)
            .map(|(entity_type, votes)| (*entity_type, *votes));
        // One weak cue types a short name; "in Advanced Digital Production" is no place.
        let enough = if self.name.split(' ').count() > 2 { 2 } else { 1 };
        let entity_type = match best {
            Some((entity_type, votes)) if votes >= enough => entity_type,
            _ if self.mentions >= 2 => EntityType::Concept,
            _ => return None,
        };
        Some((
            self.mentions,
            EntityDraft { name: self.name, entity_type, aliases: Vec::new(), sources: self.sources },
        ))
    }
}

fn note(name: &EntityName, source: &TurnId, spotted: &mut BTreeMap<String, Spotted>) {
    let one = spotted.entry(name.text.to_lowercase()).or_default();
    if one.name.is_empty() || name.confirmed && !one.confirmed {
        one.name.clone_from(&name.text);
    }
    one.mentions += 1;
    one.confirmed |= name.confirmed;
    for (entity_type, weight) in &name.votes {
        *one.votes.entry(*entity_type).or_default() += weight;
    }
    if !one.sources.contains(source) {
        one.sources.push(source.clone());
    }
}

fn names_in(sentence: &Sentence) -> Vec<EntityName> {
    let english = &TONGUES[0];
    let mut names = Vec::new();
    let mut at = 0;
    while at < sentence.tokens.len() {
        let end = run_from(sentence, english, at);
        if end > at {
            let alone = end == at + 1 && has_word(PARTS_OF_NAMES, &sentence.tokens[at].lower);
            let name = (!alone).then(|| name_of(sentence, at, end));
            let is_month = end == at + 1 && has_word(MONTHS, &sentence.tokens[at].lower);
            names.extend(name.filter(|name| !is_month || name.is_persons()));
            at = end;
        } else {
            at += 1;
        }
    }
    names
}

/// Where the run of capitalised words from `at` on ends; `of` and `the` may stand inside.
fn run_from(sentence: &Sentence, tongue: &Tongue, at: usize) -> usize {
    let capital = |place: usize| {
        sentence.tokens.get(place).is_some_and(|token| {
            token.is_capitalised(sentence.text)
                && token.source(sentence.text).starts_with(|c: char| c.is_uppercase() || c.is_lowercase())
                && !tongue.is_function_word(&token.lower)
                && !is_common(tongue, &token.lower)
                && !has_word(RELATIVES, &token.lower)
                && !has_word(GERMAN_POSSESSIVES, &token.lower)
                && is_whole_name(token.source(sentence.text))
        })
    };
    let mut end = at;
    while end < at + NAME_WORDS_MAXIMUM && capital(end) {
        end += 1;
        if sentence.tokens[end - 1].lower.ends_with("'s") {
            break;
        }
        let joins = sentence.tokens.get(end).is_some_and(|token| token.is("of"));
        if joins && capital(end + 1) {
            end += 1;
        }
    }
    end
}

/// `UK-related` and a single letter are no names.
fn is_whole_name(word: &str) -> bool {
    word.chars().count() > 1 && !word.split('-').skip(1).any(|part| part.starts_with(char::is_lowercase))
}

/// Words that are capitalised for reasons of their own: greetings, verbs that begin an order.
fn is_common(tongue: &Tongue, word: &str) -> bool {
    const WORDS: [&str; 50] = [
        "thanks", "thank", "hi", "hey", "hello", "dear", "yes", "no", "ok", "i'm", "mr", "mrs", "ms", "dr",
        "am", "pm", "but", "and", "the", "for", "in", "on", "at", "as", "by", "with", "from", "sure",
        "great", "since", "after", "before", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept",
        "oct", "nov", "dec", "wow", "yeah", "awesome", "glad", "congrats", "gmt",
    ];
    WORDS.contains(&word) || tongue.imperatives.contains(word) || tongue.past.contains(word)
}

fn name_of(sentence: &Sentence, start: usize, end: usize) -> EntityName {
    let text = sentence.text[sentence.span(start..end)].replace('’', "'");
    let text = text.strip_suffix("'s").unwrap_or(&text).to_owned();
    let mut votes = Vec::new();
    if let Some(before) = previous_word(sentence, start) {
        votes.extend(cue(&BEFORE, &before));
    }
    let kept = start.checked_sub(1).is_some_and(|before| has_word(ANIMALS, &sentence.tokens[before].lower));
    let related = if kept { EntityType::Concept } else { EntityType::Person };
    votes.extend((kept || is_relative(sentence, start)).then_some((related, 3)));
    votes.extend(has_age(sentence, end).then_some((EntityType::Person, 2)));
    if let Some(behind) = sentence.tokens.get(end) {
        let and_i = behind.is("and") && sentence.tokens.get(end + 1).is_some_and(|token| token.is("i"));
        votes.extend(cue(&BEHIND, if and_i { "and_i" } else { &behind.lower }));
    }
    let words = &sentence.tokens[start..end];
    votes.extend(words.iter().filter_map(|token| cue(&INSIDE, &token.lower)));
    let folded = text.to_lowercase();
    let known = |list: &str| list.split_whitespace().any(|one| one == folded);
    votes.extend(KNOWN.iter().find(|(_, list)| known(list)).map(|(entity_type, _)| (*entity_type, 5)));
    if words.len() == 1 && has_word(TOOLS, &words[0].lower) {
        votes.push((EntityType::Tool, 5));
    }
    EntityName {
        text,
        votes,
        confirmed: start > sentence.first_word() && !sentence.tokens[start - 1].is("\""),
    }
}

/// Whether the words before a name say whose relative it is: "my sister Ana", "our kids Leo, Mia and Tom".
fn is_relative(sentence: &Sentence, start: usize) -> bool {
    let tokens = &sentence.tokens;
    let owned =
        |at: usize| at.checked_sub(1).is_some_and(|before| has_word(POSSESSIVES, &tokens[before].lower));
    // Names of the same list stand between.
    let mut at = start;
    while at > 1
        && (tokens[at - 1].is(",")
            || tokens[at - 1].lower.chars().count() <= 3 && !tokens[at - 1].has_digit())
        && tokens[at - 2].is_capitalised(sentence.text)
    {
        at -= 2;
    }
    let related = |end: usize| {
        (1..=3).any(|length| {
            let Some(from) = end.checked_sub(length) else { return false };
            let known = TONGUES.iter().any(|tongue| tongue.relations.length_at(tokens, from) == Some(length));
            owned(from) && (known || length == 1 && has_word(RELATIVES, &tokens[from].lower))
        })
    };
    related(start) || at < start && at > 0 && has_word(RELATIVES, &tokens[at - 1].lower) && related(at)
}

/// "Mia is 7", "Leo (4)", "Leo turned six".
fn has_age(sentence: &Sentence, end: usize) -> bool {
    let token = |at: usize| sentence.tokens.get(at);
    let number = |at: usize| token(at).is_some_and(|token| token.has_digit() && token.lower.len() <= 2);
    let turns = token(end).is_some_and(|token| has_word("turns turned", &token.lower));
    let counted =
        token(end).is_some_and(|token| has_word("is ( ist est es è is ma", &token.lower)) && number(end + 1);
    turns || counted
}

fn has_word(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

fn cue(table: &[(EntityType, usize, &str)], word: &str) -> Option<(EntityType, usize)> {
    let says = |cues: &str| cues.split(' ').any(|cue| cue == word);
    table.iter().find(|(_, _, cues)| says(cues)).map(|(entity_type, weight, _)| (*entity_type, *weight))
}

fn previous_word(sentence: &Sentence, at: usize) -> Option<String> {
    let before = sentence.tokens[..at].iter().rev().find(|token| !token.is("."))?;
    before.is_word.then(|| before.lower.clone())
}

/// What a relation's predicate says of its ends.
fn ends_of(relation: &RelationDraft) -> Vec<(&str, EntityType)> {
    let predicate = relation.predicate.as_str();
    let object = match predicate {
        "LIVES_IN" | "FROM" | "MOVING_TO" | "GREW_UP_IN" => EntityType::Place,
        "WORKS_AT" => EntityType::Company,
        "USES" => EntityType::Tool,
        _ if predicate.ends_with("_ON") => EntityType::Project,
        _ => EntityType::Person,
    };
    let animal = predicate.strip_suffix("_OF").is_some_and(|kin| has_word(ANIMALS, &kin.to_lowercase()));
    let subject = if animal { EntityType::Concept } else { EntityType::Person };
    let mut ends = Vec::new();
    if relation.subject != "User" {
        ends.push((relation.subject.as_str(), subject));
    }
    if relation.object != "User" {
        ends.push((relation.object.as_str(), object));
    }
    ends
}
