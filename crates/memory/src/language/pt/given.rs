//! Portuguese: how people hand over a text to work on, and begin a game of roles.

use crate::language::GivenWords;

pub(super) const GIVEN: GivenWords = GivenWords {
    work: "traduz traduza traduzir traduzes traduz-me traduzas resume resuma resumir parafraseia \
        reescreve reescreva reescrever encurta",
    amend: "corrige corrija corrigir melhora melhore revê revisa revise arruma",
    say: "diz diga dizer diz-se dizes diz-me põe ponha coloca passa passas escreve fala",
    languages: "inglês espanhol castelhano francês alemão italiano português holandês polaco polonês russo \
        turco árabe hindi chinês mandarim japonês coreano catalão sueco norueguês grego latim",
    this: "isto isso este esta esse essa seguinte texto frase",
    right: "está_certo está_correto está_correcto está_bem_escrito soa_bem soa_natural tem_erros \
        gramática",
    goes_on: "continua continue continuar termina",
    writes: "escreve escreva redige redija inventa compõe cria faz",
    texts: "história conto poema romance capítulo cena canção monólogo texto parágrafo frase carta",
    on_behalf: "para pra",
    play: "tu_fazes_de você_faz_o jogo_de_papéis jogo_de_papeis jogo_de_rpg role_play roleplay encenação",
    invites: "vamos podemos bora quero_praticar quero_treinar façamos",
    you_are: "tu_és você_é tu_fazes_de você_faz és_o és_a",
    i_am: "eu_sou eu_o eu_a e_eu eu_faço",
    ends: "fim_do_jogo parar_o_jogo para_o_jogo acabou_o_jogo fora_da_personagem",
    supposes: "finge_que_sou imagina_que_sou imagine_que_sou supõe_que_sou faz_de_conta",
};
