//! Portuguese: words that say nothing about what a text is about.

pub(super) const STOP_WORDS: &str = "
    a à ao aos aquela aquele aqueles aquilo as às até com como da das de dela dele deles depois do dos e é ela elas
    ele eles em entre era eram essa essas esse esses esta está estão estas este estes estou eu foi foram há isso isto
    já lhe lhes mais mas me mesmo meu meus minha minhas muito na nas não nem no nos nós nossa nosso num numa o onde os
    ou para pela pelas pelo pelos por porque qual quais quando quanto quantos que quem são se seja sem ser seu seus só
    sua suas também te tem têm ter teu tinha tu tua um uma umas uns você vocês";
