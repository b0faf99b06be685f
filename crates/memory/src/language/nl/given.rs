//! Dutch: how people hand over a text to work on, and begin a game of roles.

use crate::language::GivenWords;

pub(super) const GIVEN: GivenWords = GivenWords {
    work: "vertaal vertalen vertaling vat_samen vat_dit vat_het samenvatten samenvatting parafraseer \
        herschrijf herschrijven herformuleer inkorten proeflees",
    amend: "corrigeer corrigeren verbeter verbeteren controleer nakijken",
    say: "zeg zegt zeggen zet schrijf",
    languages: "engels engelse spaans spaanse frans franse duits duitse italiaans portugees nederlands pools \
        russisch turks arabisch hindi chinees japans koreaans zweeds deens noors grieks latijn fries",
    this: "dit dat deze die vertaal_het verbeter_het zeg_je_het zeg_het zet_het volgende tekst zin",
    right: "is_dat_goed is_dit_goed is_dat_correct is_dit_correct klopt_dit_zo klinkt_dit klinkt_dat \
        grammatica zitten_er_fouten fouten_in op_fouten taalfouten",
    goes_on: "verder vervolg ga_door doorgaan afmaken",
    writes: "schrijf verzin dicht maak",
    texts: "verhaal gedicht roman hoofdstuk scène lied sprookje monoloog tekst alinea zin brief",
    on_behalf: "voor aan",
    play: "jij_speelt rollenspel roleplay rollenspelletje",
    invites: "laten_we laat_ons zullen_we kunnen_we ik_wil_oefenen we_doen doen_we",
    you_are: "jij_bent je_bent jij_speelt u_bent",
    i_am: "ik_ben ik_de ik_speel en_ik",
    ends: "einde_rollenspel stop_het_rollenspel einde_van_het_rollenspel uit_je_rol",
    supposes: "doe_alsof_ik stel_dat_ik_een doe_net_alsof_ik stel_je_voor_dat_ik",
};
