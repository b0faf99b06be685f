//! German: words that say nothing about what a text is about.

pub(super) const STOP_WORDS: &str = "
    aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf aus bei bin
    bis bist da damit dann das dass dasselbe dazu dein deine deinem deinen deiner deines dem den denn der des dich die
    dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch
    euer eure für gegen gewesen hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren
    ihrer im in ist ja jede jedem jeden jeder jedes jene kann kein keine keinem keinen keiner können man manche mein
    meine meinem meinen meiner mich mir mit muss nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem
    seinen seiner sich sie sind so soll sollte sondern sonst über um und uns unser unsere unter viel vom von vor war
    waren warum was weil welche welchem welchen welcher welches wenn wer werde werden wie wieder will wir wird wo
    woher wohin wollen wollte wurde wurden würde würden zu zum zur zwar zwischen";
