//! French, folded: without accents and apostrophes ("j'ai" is "jai").

use crate::language::Language;
use crate::recall::gate::pattern::{PhraseGroup, PhraseTable};

pub(in crate::recall::gate) const TABLE: PhraseTable = PhraseTable {
    language: Language::French,
    marks: &[
        "je", "tu", "est", "les", "quel", "quelle", "quels", "quelles", "avec", "pour", "dans", "une", "jai",
        "cest", "quest", "nous", "suis", "etait", "ou", "combien", "quand", "ai", "dit",
    ],
    phrases: &[
        (
            PhraseGroup::Identity,
            &[
                "comment je mappelle",
                "comment mappelle je",
                "comment est ce que je mappelle",
                "quel est mon nom|prenom|age|metier|travail|anniversaire",
                "qui suis je",
                "que sais tu de|sur moi",
                "quest ce que tu sais de|sur moi",
                "tu sais quoi de|sur moi",
                "ce que tu sais de|sur moi",
                "ou est ce que je travaille|habite|vis|etudie",
                "ou je travaille|habite|vis",
                "ou travaille|habite|vis je",
                "quel age ai je",
                "quel age jai",
                "jai quel age",
                "tu connais|sais mon nom|prenom",
                "connais tu mon nom|prenom",
                "tu sais qui je suis",
                "sais tu qui je suis",
            ],
        ),
        (
            PhraseGroup::Transcript,
            &[
                "quest ce que je? jai|tai exactement? dit|ecrit|demande",
                "quai je exactement? dit|ecrit|demande",
                "que tai je dit|ecrit|demande",
                "mes mots exacts",
                "mes paroles exactes",
                "repete|cite ce que jai|je",
                "ce que jai dit|ecrit exactement|mot",
                "ce que jai exactement dit|ecrit",
            ],
        ),
        (
            PhraseGroup::Time,
            &[
                "hier|recemment|precedemment|auparavant",
                "semaine|nuit|annee|lannee|fois derniere|passee|precedente",
                "lannee derniere|passee",
                "mois|week|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|ete|hiver dernier|passe",
                "derniere fois|session|semaine|conversation",
                "il y a _ jour|jours|semaine|semaines|mois|an|ans|annee|annees|heure|heures",
                "en janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre",
                "quand est ce que jai|on|nous|je",
                "quand ai je",
                "quand avons nous",
            ],
        ),
        (
            PhraseGroup::Prior,
            &[
                "on a|avait deja? parle|discute|decide|convenu|evoque",
                "nous avons|avions deja? parle|discute|decide|convenu|evoque",
                "avons nous deja? parle|discute|decide|convenu",
                "tu mas|as|mavais|avais deja? dit|mentionne|recommande|suggere|conseille|parle|raconte",
                "tu te souviens|rappelles",
                "te souviens|rappelles tu",
                "souviens|rappelles toi quand|que",
                "comme je lai|tai|te|lavais dit|disais",
                "je tai|tavais deja? dit|parle|raconte|ecrit",
                "notre|nos derniere|dernieres|precedente|precedentes conversation|conversations|discussion|discussions|session|sessions",
            ],
        ),
        (
            PhraseGroup::Recall,
            &[
                "souviens|rappelle|rappelles|rappeler|souvenir",
                "noublie|oublie|oublies|oublier",
                "tai je deja? dit|parle|mentionne|raconte",
                "est ce que je tai",
            ],
        ),
        (PhraseGroup::Mine, &["mon|ma|mes|notre|nos _"]),
    ],
};
