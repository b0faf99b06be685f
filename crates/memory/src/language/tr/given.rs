//! Turkish: how people hand over a text to work on, and begin a game of roles.

use crate::language::GivenWords;

pub(super) const GIVEN: GivenWords = GivenWords {
    work: "çevir çevirir_misin çevirir_misiniz çevirin çevirebilir_misin çevirebilir_misiniz çevirebilirmisin çevirisi \
        tercüme_et tercümesi özetle özetler_misin özetleyin özetini \
        yeniden_yaz kısalt",
    amend: "düzelt düzeltir_misin düzeltin kontrol_et kontrol_eder iyileştir",
    say: "söyle söylenir söyler denir de yaz",
    languages: "ingilizce ingilizceye ingilizcede ispanyolca ispanyolcaya fransızca fransızcaya almanca \
        almancaya italyanca portekizce felemenkçe lehçe rusça rusçaya arapça arapçaya hintçe çince \
        çinceye japonca japoncaya korece koreceye yunanca türkçe türkçeye",
    this: "bunu şunu bu şu onu metni cümleyi aşağıdaki",
    right: "doğru_mu doğru_yazılmış hata_var dil_bilgisi",
    goes_on: "devam sürdür tamamla",
    writes: "yaz uydur oluştur",
    texts: "hikâye hikaye hikâyeme hikayeme hikâyemi hikayemi öykü öyküme öykümü şiir roman romanım bölüm \
        sahne şarkı masal monolog metin",
    on_behalf: "için",
    play: "rol_yapma rol_oyunu rol_yapalım canlandırma canlandıralım rol_oynayalım roleplay",
    invites: "hadi yapalım oynayalım canlandıralım haydi yapabilir_miyiz",
    you_are: "sen_doktorsun sen_doktor sen_bir sen_öğretmen sen_mülakatçı sen",
    i_am: "ben_hasta ben_hastayım ben_de ben",
    ends: "oyun_bitti oyunu_bitir rol_yapmayı_bırak",
    supposes: "farz_et varsay diyelim_ki farzet",
};
