//! A language made ready for use: its lists as sets, its patterns compiled, its rules by their first word.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::pattern::WordPattern;
use super::phrases::Phrases;
use super::slot_limits::SlotLimits;
use crate::language::{DistilRule, Language, Lexicon, SpeechTables};

pub(super) struct CompiledRule {
    pub rule: &'static DistilRule,
    pub pattern: WordPattern,
}

pub(super) struct Tongue {
    pub language: Language,
    pub unspaced: bool,
    pub rules: Vec<CompiledRule>,
    /// Places in `rules`, in their order, by the word that a pattern begins with.
    by_first: HashMap<String, Vec<usize>>,
    /// Those that begin with a slot; they are in every list of `by_first` too.
    open: Vec<usize>,
    pub adverbs: Phrases,
    pub boundaries: Phrases,
    pub joints: Phrases,
    pub clause_words: Phrases,
    pub suppositions: Phrases,
    pub questions: Phrases,
    pub empty_objects: Phrases,
    pub hollow: Phrases,
    pub dangling: Phrases,
    pub refused_openings: Phrases,
    pub passing: Phrases,
    pub durable: Phrases,
    pub relations: Phrases,
    pub professions: Phrases,
    pub possessions: Phrases,
    pub conditions: Phrases,
    pub past: Phrases,
    pub ongoing: Phrases,
    pub imperatives: Phrases,
    pub feelings: Phrases,
    pub idle_actions: Phrases,
    pub task_actions: Phrases,
    pub not_names: Phrases,
    pub slots: SlotLimits,
}

/// Every language, compiled once.
pub(super) static TONGUES: LazyLock<Vec<Tongue>> =
    LazyLock::new(|| Language::spoken().map(|(language, speech)| Tongue::new(language, speech)).collect());

/// Every language with its rules for feelings in place of the others.
pub(super) static FEELING_TONGUES: LazyLock<Vec<Tongue>> = LazyLock::new(|| {
    let tongue = |(language, speech): (Language, &'static SpeechTables)| {
        Tongue::reading(language, &speech.lexicon, &[speech.feelings.rules], speech.feelings.words)
    };
    Language::spoken().map(tongue).collect()
});

/// The words behind which a clause begins, of all languages together: which language it is, the pattern decides.
pub(super) static OPENERS: LazyLock<Phrases> = LazyLock::new(|| {
    let lists: Vec<&str> = Language::spoken().map(|(_, speech)| speech.lexicon.openers).collect();
    Phrases::new(&lists.join(" "))
});

impl Tongue {
    fn new(language: Language, speech: &'static SpeechTables) -> Self {
        Self::reading(language, &speech.lexicon, speech.lexicon.rules, speech.lexicon.feelings)
    }

    /// The language's words with these rules, and these feelings for their slots.
    fn reading(
        language: Language,
        lexicon: &Lexicon,
        tables: &[&'static [DistilRule]],
        feelings: &str,
    ) -> Self {
        let mut rules: Vec<CompiledRule> = Vec::new();
        let mut by_first: HashMap<String, Vec<usize>> = HashMap::new();
        let mut open = Vec::new();
        for rule in tables.iter().copied().flatten() {
            let pattern = WordPattern::compile(rule.pattern);
            match pattern.first_words() {
                Some(words) => {
                    for word in words {
                        by_first.entry(word).or_default().push(rules.len());
                    }
                }
                None => open.push(rules.len()),
            }
            rules.push(CompiledRule { rule, pattern });
        }
        for places in by_first.values_mut() {
            places.extend(&open);
            places.sort_unstable();
            places.dedup();
        }
        Self {
            language,
            unspaced: lexicon.unspaced,
            rules,
            by_first,
            open,
            adverbs: Phrases::new(lexicon.adverbs),
            boundaries: Phrases::new(lexicon.boundaries),
            joints: Phrases::new(lexicon.joints),
            clause_words: Phrases::new(lexicon.clause_words),
            suppositions: Phrases::new(lexicon.suppositions),
            questions: Phrases::new(lexicon.questions),
            empty_objects: Phrases::new(lexicon.empty_objects),
            hollow: Phrases::new(lexicon.hollow),
            dangling: Phrases::new(lexicon.dangling),
            refused_openings: Phrases::new(lexicon.refused_openings),
            passing: Phrases::new(lexicon.passing),
            durable: Phrases::new(lexicon.durable),
            relations: Phrases::new(lexicon.relations),
            professions: Phrases::new(lexicon.professions),
            possessions: Phrases::new(lexicon.possessions),
            conditions: Phrases::new(lexicon.conditions),
            past: Phrases::new(lexicon.past),
            ongoing: Phrases::new(lexicon.ongoing),
            imperatives: Phrases::new(lexicon.imperatives),
            feelings: Phrases::new(feelings),
            idle_actions: Phrases::new(lexicon.idle_actions),
            task_actions: Phrases::new(lexicon.task_actions),
            not_names: Phrases::new(lexicon.not_names),
            slots: SlotLimits::new(&lexicon.slots),
        }
    }

    /// The rules that could begin with this word, in the table's order.
    pub fn beginning_with(&self, word: &str) -> impl Iterator<Item = &CompiledRule> {
        let places = self.by_first.get(word).unwrap_or(&self.open);
        places.iter().map(|place| &self.rules[*place])
    }

    /// Whether a word is one that names are never made of.
    pub fn is_function_word(&self, word: &str) -> bool {
        [
            &self.empty_objects,
            &self.questions,
            &self.adverbs,
            &self.boundaries,
            &self.clause_words,
            &self.not_names,
        ]
        .iter()
        .any(|list| list.contains(word))
    }
}

#[cfg(test)]
mod tests {
    use super::super::pattern::PatternSlot;
    use super::*;

    /// A pattern or a sentence with a misspelt slot would silently never match.
    #[test]
    fn every_slot_of_every_table_exists() {
        for tongue in TONGUES.iter().chain(FEELING_TONGUES.iter()) {
            for CompiledRule { rule, pattern } in &tongue.rules {
                let (slots, code) = (pattern.slots(), tongue.language.code());
                assert_eq!(rule.pattern.matches('{').count(), slots.len(), "{code} {}", rule.pattern);
                for template in
                    [rule.says, rule.predicate, rule.subject, rule.object, rule.slot.unwrap_or_default()]
                {
                    for name in template.split('{').skip(1).filter_map(|rest| rest.split(['}', ':']).next()) {
                        let known = ["verb", "base"].contains(&name)
                            || PatternSlot::named(name).is_some_and(|slot| slots.contains(&slot));
                        assert!(known, "{code} {}: {{{name}}} in {template}", rule.name);
                    }
                }
            }
        }
    }
}
