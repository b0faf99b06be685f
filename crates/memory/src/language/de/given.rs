//! German: how people hand over a text to work on, and begin a game of roles.

use crate::language::GivenWords;

pub(super) const GIVEN: GivenWords = GivenWords {
    work: "übersetze übersetz übersetzt übersetzen übersetzung fasse_zusammen fass_zusammen fasse_das \
        fass_das fasse zusammenfassen paraphrasiere formuliere umformulieren umschreiben kürze_das kürze_diesen kürze_den kürze_bitte kürze_mir \
        kürzen_sie zu_kürzen lektoriere",
    amend: "korrigiere korrigier korrigieren verbessere verbesser verbessern überarbeite prüfe",
    say: "sag sage sagt sagen sagst schreib heißt ausdrücken",
    languages: "englisch englische spanisch spanische französisch französische deutsch italienisch \
        italienische portugiesisch niederländisch polnisch russisch türkisch arabisch hindi \
        chinesisch japanisch koreanisch koreanische schwedisch dänisch norwegisch griechisch \
        tschechisch latein",
    this: "das dies dieses diesen diese es folgendes folgenden folgende text satz mir",
    right: "ist_das_richtig ist_das_korrekt stimmt_das_so ist_der_satz_richtig klingt_das grammatik \
        sind_fehler fehler_drin fehler_im_text irgendwelche_fehler auf_fehler rechtschreibfehler",
    goes_on: "weiter fortsetzen fortführen setze_fort weiterschreiben",
    writes: "schreib schreibe verfasse dichte erfinde",
    texts: "geschichte gedicht roman kapitel szene lied erzählung märchen monolog text absatz satz brief",
    on_behalf: "für an",
    play: "du_spielst_den du_spielst_die rollenspiel roleplay role-play",
    invites: "lass_uns machen_wir wir_machen spielen_wir können_wir ich_möchte_üben ich_will_üben \
        wir_spielen",
    you_are: "du_bist_der du_bist_die du_bist_ein du_spielst sie_sind_der du_wärst",
    i_am: "ich_bin_der ich_bin_die ich_der ich_die und_ich ich_spiele ich_wäre",
    ends: "ende_des_rollenspiels rollenspiel_beenden rollenspiel_zu_ende beende_das_rollenspiel \
        aus_der_rolle",
    supposes: "tu_so_als_wäre_ich stell_dir_vor_ich_bin stell_dir_vor_ich_wäre angenommen_ich_bin",
};
