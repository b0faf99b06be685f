//! Spanish: words that say nothing about what a text is about.

pub(super) const STOP_WORDS: &str = "
    a al algo algunas algunos ante antes aquel aquella aquellos como con contra cual cuales cuando cuanto cuanta
    cuantos cuantas de del desde donde dónde durante e el él ella ellas ellos en entre era eran eres es esa esas ese
    eso esos esta está están estaba estar estas este esto estos estoy fue fueron ha había habían han has hasta hay he
    la las le les lo los más me mi mis mucho mucha muchos muy nada ni no nos nosotros nuestra nuestro o os otra otras
    otro otros para pero poco por porque qué que quien quién quienes se sea ser si sí sido sin sobre son su sus
    también tanto te tenía tiene tienen todo todos tu tú tus un una uno unos unas y ya yo";
