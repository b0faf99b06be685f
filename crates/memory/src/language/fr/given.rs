//! French: how people hand over a text to work on, and begin a game of roles.

use crate::language::GivenWords;

pub(super) const GIVEN: GivenWords = GivenWords {
    work: "traduis traduisez traduire traduit traduction résume résumez résumer paraphrase reformule \
        reformulez reformuler réécris réécrire raccourcis relis relisez",
    amend: "corrige corrigez corriger améliore améliorez vérifie vérifiez",
    say: "dis dit dire dirais dit-on mets mettre mettez écris exprimer",
    languages: "anglais espagnol français allemand italien portugais néerlandais hollandais polonais russe \
        turc arabe hindi chinois mandarin japonais coréen catalan breton suédois norvégien danois \
        grec latin",
    this: "ça cela ceci ce cette le_dire le_traduire le_mettre l'écrire le_dites suivant texte phrase",
    right: "c'est_correct est-ce_correct c'est_juste est-ce_juste c'est_bien_écrit sonne_bien des_fautes_dans y_a-t-il_des_fautes les_fautes \
        grammaire",
    goes_on: "continue continuez poursuis termine",
    writes: "écris écrivez rédige rédigez invente compose",
    texts: "histoire conte poème roman chapitre scène chanson récit monologue texte paragraphe phrase \
        lettre",
    on_behalf: "pour à",
    play: "jeu_de_rôle jeux_de_rôle tu_joues_le tu_joues_la tu_fais_le roleplay role_play",
    invites: "faisons on_fait jouons on_joue je_veux_m'entraîner allons on_va on_peut",
    you_are: "tu_es vous_êtes tu_joues tu_fais tu_seras",
    i_am: "moi_je moi_le moi_la je_suis_le je_suis_la je_suis_un je_suis_une et_moi je_joue",
    ends: "fin_du_jeu arrête_le_jeu arrêtons_le_jeu on_arrête_le_jeu sors_du_rôle",
    supposes: "imagine_que_je_suis fais_comme_si_j'étais suppose_que_je_suis fais_semblant_que_je",
};
