//! Portuguese, folded: without accents and tildes.

use crate::language::Language;
use crate::recall::gate::pattern::{PhraseGroup, PhraseTable};

pub(in crate::recall::gate) const TABLE: PhraseTable = PhraseTable {
    language: Language::Portuguese,
    marks: &[
        "eu", "voce", "nao", "uma", "um", "os", "qual", "quem", "onde", "quando", "quanto", "quantos", "com",
        "para", "foi", "fui", "fiz", "e", "na", "da", "do", "ao", "como",
    ],
    phrases: &[
        (
            PhraseGroup::Identity,
            &[
                "qual e o? meu nome|trabalho|emprego|aniversario",
                "qual e a? minha idade|profissao",
                "qual o meu nome|trabalho|emprego",
                "qual a minha idade|profissao",
                "como eu? me chamo",
                "quem sou eu",
                "quem eu sou",
                "o que voce|tu sabe|sabes|lembra sobre|de mim",
                "onde e? que? eu? trabalho|moro|vivo|estudo",
                "quantos anos eu? tenho",
                "que idade eu? tenho",
                "voce|tu sabe|sabes|lembra o? do? meu nome",
                "quando e o? meu aniversario",
            ],
        ),
        (
            PhraseGroup::Transcript,
            &[
                "o que foi? que? eu exatamente? te? disse|escrevi|falei|perguntei",
                "o que exatamente eu? te? disse|escrevi|falei|perguntei",
                "minhas palavras exatas",
                "minhas exatas palavras",
                "as palavras exatas",
                "repita|repete|cite|cita o que eu? disse|escrevi|falei",
            ],
        ),
        (
            PhraseGroup::Time,
            &[
                "ontem|anteontem|recentemente|anteriormente",
                "semana|noite passada",
                "mes|ano|sabado|domingo|verao|inverno passado",
                "ultima vez|sessao|semana|conversa",
                "dia|dias|semana|semanas|mes|meses|ano|anos|hora|horas atras",
                "ha _ dia|dias|semana|semanas|mes|meses|ano|anos",
                "na segunda|terca|quarta|quinta|sexta",
                "no sabado|domingo",
                "em janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro",
                "quando eu|foi",
            ],
        ),
        (
            PhraseGroup::Prior,
            &[
                "que nos? conversamos|discutimos|falamos|combinamos|decidimos",
                "nos conversamos|discutimos|falamos|combinamos|decidimos",
                "conversamos|falamos|discutimos sobre|ontem|antes",
                "voce|tu me? disse|disseste|falou|mencionou|sugeriu|recomendou|contou",
                "voce se? lembra",
                "se lembra quando|que|do|da|de",
                "lembra quando|que|do|da|de",
                "te lembras",
                "como eu? te? ja? disse|falei|mencionei",
                "eu ja? te disse|falei|contei",
                "te disse|falei|contei que",
                "nossa|nosso ultima|ultimo|anterior conversa|papo|sessao|chat",
                "nossa|nosso conversa|papo|sessao|chat anterior|passada|passado",
            ],
        ),
        (
            PhraseGroup::Recall,
            &[
                "lembra|lembre|lembrar|lembras|recorda|recordar",
                "esqueca|esquecas|esquece|esqueci|esquecer",
                "eu ja? disse|falei|mencionei|contei",
            ],
        ),
        (PhraseGroup::Mine, &["meu|minha|meus|minhas|nosso|nossa|nossos|nossas _"]),
    ],
};
