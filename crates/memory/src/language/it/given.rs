//! Italian: how people hand over a text to work on, and begin a game of roles.

use crate::language::GivenWords;

pub(super) const GIVEN: GivenWords = GivenWords {
    work: "traduci traduca tradurre traducimi traducilo riassumi riassuma riassumere riassumimi \
        parafrasa riscrivi riscrivere riformula accorcia",
    amend: "correggi corregga correggere correggimi migliora rivedi controlla",
    say: "dici dimmi dimmelo dire dice direbbe metti mettilo scrivi",
    languages: "inglese spagnolo francese tedesco italiano portoghese olandese polacco russo turco arabo \
        hindi cinese giapponese coreano catalano svedese greco latino",
    this: "questo questa quello ciò me_lo lo_traduci tradurlo dirlo lo_dici lo_dice seguente testo frase \
        dimmelo mettilo traducilo",
    right: "è_corretto è_giusto va_bene_così è_scritto_bene suona_bene ci_sono_errori ci_sono_degli_errori gli_errori_in errori_nel_testo grammatica",
    goes_on: "continua continui prosegui finisci",
    writes: "scrivi scrivimi componi inventa crea",
    texts: "storia racconto poesia romanzo capitolo scena canzone favola monologo testo paragrafo frase \
        lettera",
    on_behalf: "per a",
    play: "gioco_di_ruolo giochi_di_ruolo tu_fai_il tu_fai_la roleplay",
    invites: "facciamo giochiamo vogliamo possiamo voglio_esercitarmi proviamo",
    you_are: "tu_sei tu_fai lei_è sei_il sei_la",
    i_am: "io_sono io_il io_la e_io io_faccio",
    ends: "fine_del_gioco smettiamo_il_gioco basta_gioco finiamo_il_gioco",
    supposes: "fai_finta_che_io immagina_che_io fingi_che_io supponi_che_io",
};
