//! Spanish: how people hand over a text to work on, and begin a game of roles.

use crate::language::GivenWords;

pub(super) const GIVEN: GivenWords = GivenWords {
    work: "traduce traduces tradúceme tradúcelo traducir traduzca traducirme traducirlo resume resúmeme \
        resúmelo resumir resuma parafrasea reescribe reescríbelo reescribir acorta",
    amend: "corrige corrígeme corrígelo corregir corrija mejora mejorar revisa revisar arregla",
    say: "di dime dímelo decir dice diría pon ponlo pasa pasas pásalo pásame escribe expresar",
    languages: "inglés español castellano francés alemán italiano portugués holandés neerlandés polaco ruso \
        turco árabe hindi chino mandarín japonés coreano catalán gallego euskera vasco sueco noruego \
        danés finés griego checo latín",
    this: "esto eso esta este lo siguiente texto frase dímelo ponlo tradúcelo corrígelo",
    right: "está_bien_escrito está_bien_dicho es_correcto está_correcto suena_bien suena_natural \
        hay_errores hay_faltas gramática",
    goes_on: "continúa continua sigue seguir continuar termina",
    writes: "escribe escríbeme redacta inventa compón haz",
    texts: "historia cuento poema novela capítulo escena canción relato monólogo texto párrafo frase \
        carta",
    on_behalf: "para a",
    play: "juego_de_rol juego_de_roles tú_haces_de haz_de jugar_a_rol roleplay",
    invites: "vamos hagamos juguemos hacemos podemos quiero_practicar quiero_hacer practiquemos",
    you_are: "tú_eres tu_eres eres_el eres_la tú_haces_de haz_de tú_serás vos_sos",
    i_am: "yo_soy yo_la yo_el y_yo yo_hago_de yo_seré",
    ends: "fin_del_juego dejemos_el_juego para_el_juego terminamos_el_juego fuera_del_personaje",
    supposes: "imagina_que_soy finge_que_soy supón_que_soy haz_como_si_fuera imagínate_que_soy",
};
