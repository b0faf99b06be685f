//! Portuguese: how people ask that something be forgotten or that nothing be kept, and what only sounds so.

use crate::language::WishWords;

pub(super) const WISHES: WishWords = WishWords {
    orders: &[
        "^ esquece", "^ esqueça", "^ esqueçam", "^ esquece te", "^ esqueça se", "^ esquece lá", "^ esquecei",
        "por favor esqueç*", "por favor esquec*", "esquece|esqueça $",
    ],
    deletions: &[
        "^ apaga", "^ apague", "^ elimina", "^ elimine", "^ remove", "^ remova", "^ deleta", "^ delete",
        "^ exclua", "por favor apag*", "apaga|deleta|apague $",
    ],
    removals: &[
        "^ tira", "^ tire", "^ retira", "^ retire", "tir*", "retir*",
    ],
    requests: &[
        "agradecia se", "contente se", "grato se", "grata se", "bom se", "melhor se", "feliz se", "era bom que",
        "adorava que", "podes", "podias", "poderias", "você pode", "você poderia", "consegues", "gostava que",
        "gostaria que", "queria que", "quero que", "preferia que", "prefiro que", "peço que", "peço te que",
        "preciso que", "devias", "deves", "tens de", "tens que", "agradecia que", "agradeceria se",
        "seria melhor", "melhor que", "dá para", "dá pra", "importas te de", "te importas de", "importa se de",
        "se importa de", "te importarias de", "por favor", "seria possível", "era possível", "^ pode",
        "^ podia", "^ poderia", "pode por favor",
    ],
    forgetting: &[
        "esquec*", "esqueç*",
    ],
    deleting: &[
        "apag*", "elimin*", "remov*", "delet*", "exclu*",
    ],
    refusals: &[
        "^ não lembres|lembre|lembra de|do|disso|disto|isso|nada", "^ não te lembres", "^ não se lembre",
        "^ não lembres|lembre", "^ não memorizes|memorize|memoriza|retenhas|retenha",
        "não quero que te_lembres|se_lembre|lembre*|memori*", "não quero que você lembre|se_lembre|memorize",
        "não precisas de lembrar", "não precisa lembrar",
        "isso|isto não guardes|guarde|guarda|salves|salva|salve|anota|anotes|registra $",
        "mas|e não guarda|guarde|guardes|salva|salve|salves|anota|anote|registra|registre|grava|grave isso|isto|essa|esse",
        "isso|isto não é para|pra guardar|salvar|anotar|lembrar|memorizar",
    ],
    keepings: &[
        "^ não guardes|guarde|guarda|salves|salve|salva|registes|registres|registre|registra|armazenes|armazene|armazena|anotes|anote|anota|graves|grave|grava|conserves|conserve",
        "mas|e|só não guarda|guarde|guardes|salva|salve|salves|anota|anote|registra|registre|grava|grave",
        "não quero que guard*|salv*|regist*|armazen*|anot*",
        "não quero que você guarde|salve|registre|armazene|anote",
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
        "a conversa d*", "aquele papo", "o papo d*", "aquela história", "aquele assunto", "esquece que",
        "esqueça que", "isso tudo d*", "tudo isso d*", "o que eu disse", "o que disse", "o que te disse",
        "o que lhe disse", "o que eu falei", "o que falei", "o que te falei", "o que contei", "o que eu contei",
        "o que te contei", "o que sabes", "o que você sabe", "que te contei", "que te disse",
        "tudo relacionado", "tudo o que", "tudo que", "tudo sobre", "a história d*", "o assunto d*", "isso d*",
        "aquilo d*", "a parte d*", "a questão d*", "tudo que eu|te", "que eu te", "falei d*", "falei sobre",
        "contei sobre", "disse sobre",
    ],
    own: &[
        "meu|minha|meus|minhas|nosso|nossa … endereço|morada|telefone|telemóvel|celular|número|aniversário|email|salário|ordenado|idade|nome|peso|senha|cpf|diagnóstico|aluguel|renda|data_de_nascimento",
    ],
    ordinary: &[
        "o … esquece", "a … esquece", "os … esquecem", "as … esquecem", "ele esquece", "ela esquece",
        "eu esqueço", "me esqueço", "esqueço", "esqueço me", "esqueci", "esqueci me", "esqueceu", "esqueceu se",
        "me esqueci", "se esquece", "esquece se", "se esqueceu", "a gente … esquece", "gente esquece",
        "quem … esquece", "ninguém esquece", "sempre … esquece", "esquece sempre", "nunca … esquece",
        "às vezes … esque*", "não esqueç*", "não esqueca*", "não te esqueças", "não se esqueça", "não esquece",
        "não esquecer", "não me esquecer", "de não esquecer", "se eu esquecer", "se esquecer", "como apago",
        "como apagar", "como elimin*", "como é que apago", "posso esquecer", "quero esquecer",
        "queria esquecer", "posso apagar", "que eu esque*", "eu não guardo|salvo|anoto", "^ esquece $",
        "^ esqueça $",
    ],
    passed_on: &[
        "escreve", "escreva", "diz ao", "diz à", "diz lhe", "diga ao", "diga à", "uma mensagem", "um email",
        "um e mail", "uma carta", "um poema", "uma música", "um texto", "disse me", "me disse", "pediu me",
        "me pediu", "disse para", "lembra me", "me lembra", "lembre me", "traduz",
    ],
    silences: &[
        "^ não guardes|guarde|guarda|salves|salve|salva|memorizes|memorize|memoriza|registes|registres|registre|registra|armazenes|armazene|armazena|retenhas|retenha|anotes|anote|anota|graves|grave|grava nada",
        "^ não te_lembres|lembres|lembre|lembra|se_lembre nada|de_nada",
        "não quero que guard*|salv*|memori*|regist*|armazen*|retenh*|lembre*|anot*|grav* nada|de_nada",
        "não quero que te_lembres|se_lembre nada|de_nada",
        "não quero que você guarde|salve|lembre|memorize|registre|armazene|anote|grave nada|de_nada",
        "não quero que você se lembre de nada",
        "^ não guardes|guarde|guarda|salves|salve|salva|graves|grave|grava|registre|registra|armazene esta|essa|este|esse|a|o conversa|chat|papo",
        "nada desta|dessa|deste|desse conversa|chat|papo … guard*|salv*|grav*|regist*|lembr*",
        "^ esquece|esqueça tudo $", "^ esquece|esqueça esta|essa|toda_esta|toda_essa conversa",
        "^ esquece|esqueça este|esse chat|papo", "^ esquece|esqueça tudo o_que|que … disse|falei|contei",
    ],
    here: &[
        "desta|dessa|deste|desse|nesta|nessa|esta|essa|este|esse|da|do|a|nossa conversa|chat|papo",
        "o que eu|digo|disser|falar|falo|escrevo|te|falarmos|falamos",
        "do que eu|digo|disser|falar|falo|escrevo|te|falarmos|falamos", "disso|disto", "aqui", "hoje",
    ],
    about: &[
        "sobre|acerca_de|acerca_da|acerca_do",
        "falei|contei|disse|mencionei|escrevi|referi|falado do|da|dos|das|de", "aquilo do|da|de",
        "isso|disso do|da|de",
    ],
    about_behind: &[],
    pointing: "isto isso disto disso aquilo este esta esse essa deste desta desse dessa nesta nessa o a os as que \
        do da de te me mim eu tu você nós nos lhe nada tudo digo disser disse falar falo falei falamos \
        falarmos contei conto escrevo escrevi aqui hoje agora conversa chat papo nosso nossa por em há \
        acabei",
    verb_far: false,
    openers: "por favor se faz favor ei olha oi olá ok bom e mas então agora já pronto desculpa obrigado obrigada \
        uma coisa já agora aliás tá",
    closers: "",
};
