//! Italian: words that say nothing about what a text is about.

pub(super) const STOP_WORDS: &str = "
    a ad agli ai al alla alle allo anche avere aveva c che chi ci come con contro cosa cui d da dagli dai dal dall
    dalla dalle de degli dei del dell della delle dello di dove e è ed era erano essere fra fu già gli ha hai hanno ho
    i il in io l la le lei li lo loro lui ma mi mia mie miei mio ne negli nei nel nell nella nelle nello no noi non
    nostra nostro o ogni per perché più poi qual quale quali quando quanto quella quelle quelli quello questa queste
    questi questo qui se sei si sia siamo sono sta stata stato su sua sue sugli sui sul sull sulla sulle suo suoi tra
    tu tua tuo tutti tutto un una uno vi voi";
