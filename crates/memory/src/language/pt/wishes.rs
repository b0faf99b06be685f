//! Portuguese: how people ask that something be forgotten or that nothing be kept, and what only sounds so.

use crate::language::WishWords;

pub(super) const WISHES: WishWords = WishWords {
    orders: &[
        "^ esquece", "^ esqueça", "^ esqueçam", "^ esquece te", "^ esqueça se", "^ esquece lá", "^ esquecei",
        "por favor esqueç*", "por favor esquec*",
    ],
    deletions: &[
        "^ apaga", "^ apague", "^ elimina", "^ elimine", "^ remove", "^ remova", "^ deleta", "^ delete",
        "^ exclua", "por favor apag*",
    ],
    removals: &[
        "^ tira", "^ tire", "^ retira", "^ retire", "tir*", "retir*",
    ],
    requests: &[
        "possível", "agradecia se", "contente se", "grato se", "grata se", "bom se", "melhor se", "feliz se",
        "era bom que", "adorava que", "podes", "podias", "poderias", "pode", "podia", "poderia", "você pode",
        "você poderia", "consegues", "gostava que", "gostaria que", "queria que", "quero que", "preferia que",
        "prefiro que", "peço que", "peço te que", "preciso que", "devias", "deves", "tens de", "tens que",
        "agradecia que", "agradeceria se", "seria melhor", "melhor que", "dá para", "dá pra", "importas te de",
        "te importas de", "importa se de", "se importa de", "te importarias de", "por favor",
    ],
    forgetting: &[
        "esquec*", "esqueç*",
    ],
    deleting: &[
        "apag*", "elimin*", "remov*", "delet*", "exclu*",
    ],
    refusals: &[
        "^ não guardes", "^ não guarde", "^ não salves", "^ não salve", "^ não memorizes", "^ não memorize",
        "^ não registes", "^ não registres", "^ não registre", "^ não lembres", "^ não te lembres",
        "^ não se lembre", "^ não lembre", "^ não armazenes", "^ não armazene", "^ não retenhas",
        "^ não retenha", "não quero que te lembres", "não quero que se lembre", "não quero que lembre*",
        "não quero que você lembre", "não quero que você se lembre", "não quero que guard*",
        "não quero que você guarde", "não quero que memori*", "não quero que salv*", "não quero que regist*",
        "não precisas de lembrar", "não precisa lembrar",
    ],
    pretences: &[
        "faz de conta que … nunca", "faz de conta que … não", "faça de conta que … nunca",
        "faça de conta que … não", "finge que … nunca", "finge que … não", "finja que … nunca",
        "finja que … não", "como se nunca te", "não devia ter te", "não te devia ter", "não devia ter contado",
    ],
    memory: &[
        "tua memória", "sua memória", "da memória", "na memória", "tuas notas", "teus registos",
        "seus registros",
    ],
    told: &[
        "que falei", "que eu falei", "que contei", "que eu contei", "aquela conversa", "essa conversa d*",
        "a conversa d*", "aquele papo", "o papo d*", "aquela história", "aquele assunto",
        "esquece que", "esqueça que", "isso tudo d*", "tudo isso d*", "o que eu disse", "o que disse",
        "o que te disse", "o que lhe disse", "o que eu falei", "o que falei", "o que te falei", "o que contei",
        "o que eu contei", "o que te contei", "o que sabes", "o que você sabe", "que te contei",
        "que te disse", "tudo relacionado", "tudo o que", "tudo que", "tudo sobre", "a história d*",
        "o assunto d*", "isso d*", "aquilo d*", "a parte d*", "a questão d*",
    ],
    ordinary: &[
        "o … esquece", "a … esquece", "os … esquecem", "as … esquecem", "ele esquece", "ela esquece",
        "eu esqueço", "me esqueço", "esqueço", "esqueço me", "esqueci", "esqueci me", "esqueceu",
        "esqueceu se", "me esqueci", "se esquece", "esquece se", "se esqueceu", "a gente … esquece",
        "gente esquece", "quem … esquece", "ninguém esquece", "sempre … esquece", "esquece sempre",
        "nunca … esquece", "às vezes … esque*", "não esqueç*", "não esqueca*", "não te esqueças",
        "não se esqueça", "não esquece", "não esquecer", "não me esquecer", "de não esquecer",
        "se eu esquecer", "se esquecer", "como apago", "como apagar", "como elimin*", "como é que apago",
        "posso esquecer", "quero esquecer", "queria esquecer", "posso apagar",
    ],
    passed_on: &[
        "escreve", "escreva", "diz ao", "diz à", "diz lhe", "diga ao", "diga à", "uma mensagem", "um email",
        "um e mail", "uma carta", "um poema", "uma música", "um texto", "disse me", "me disse", "pediu me",
        "me pediu", "disse para", "lembra me", "me lembra", "lembre me", "traduz",
    ],
    silences: &[
        "^ não guardes nada", "^ não guarde nada", "^ não salves nada", "^ não salve nada",
        "^ não memorizes nada", "^ não memorize nada", "^ não registes nada", "^ não registres nada",
        "^ não registre nada", "^ não armazenes nada", "^ não armazene nada", "^ não retenhas nada",
        "^ não te lembres de nada", "^ não lembre nada", "^ não lembre de nada", "não quero que … nada",
        "^ nada desta conversa", "^ nada deste chat", "^ não guardes esta conversa",
        "^ não guarde esta conversa", "^ esquece tudo $", "^ esqueça tudo $", "^ esquece esta conversa",
    ],
    verb_far: false,
    openers: "por favor se faz favor ei olha oi olá ok bom e mas então agora já pronto desculpa obrigado obrigada \
        uma coisa já agora aliás tá",
    closers: "",
};
