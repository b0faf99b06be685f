//! Words that say nothing about what a text is about, by language.
//!
//! Written by hand and short: articles, pronouns, prepositions, conjunctions, auxiliaries and, because memories are
//! asked about in questions, question words. They are folded like any text when the analyser is built, so accents
//! and apostrophes are written as a reader expects them.

/// Without `will`, `may` and `us`, which are also a man, a woman and a country: they are frequent enough to weigh little.
pub(super) const ENGLISH: &str = "
    a about above after again against all also am an and any are aren't as at be because been before being
    below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't done
    down during each either else ever few for from further get gets getting got had hadn't has hasn't have
    haven't having he her here hers herself him himself his how i if im in into is isn't it its itself ive
    just let me might more most much must my myself neither no nor not of off on once only or other our ours
    ourselves out over own same shall she should shouldn't so some such than that thats the their theirs
    them themselves then there these they theyre this those though through to too under until up upon very
    was wasn't we were weren't what whats when where whether which while who whom whose why with within
    without won't would wouldn't yes yet you your youre yours yourself yourselves";

pub(super) const GERMAN: &str = "
    aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf aus bei bin
    bis bist da damit dann das dass dasselbe dazu dein deine deinem deinen deiner deines dem den denn der des dich die
    dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch
    euer eure für gegen gewesen hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren
    ihrer im in ist ja jede jedem jeden jeder jedes jene kann kein keine keinem keinen keiner können man manche mein
    meine meinem meinen meiner mich mir mit muss nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem
    seinen seiner sich sie sind so soll sollte sondern sonst über um und uns unser unsere unter viel vom von vor war
    waren warum was weil welche welchem welchen welcher welches wenn wer werde werden wie wieder will wir wird wo
    woher wohin wollen wollte wurde wurden würde würden zu zum zur zwar zwischen";

pub(super) const SPANISH: &str = "
    a al algo algunas algunos ante antes aquel aquella aquellos como con contra cual cuales cuando cuanto cuanta
    cuantos cuantas de del desde donde dónde durante e el él ella ellas ellos en entre era eran eres es esa esas ese
    eso esos esta está están estaba estar estas este esto estos estoy fue fueron ha había habían han has hasta hay he
    la las le les lo los más me mi mis mucho mucha muchos muy nada ni no nos nosotros nuestra nuestro o os otra otras
    otro otros para pero poco por porque qué que quien quién quienes se sea ser si sí sido sin sobre son su sus
    también tanto te tenía tiene tienen todo todos tu tú tus un una uno unos unas y ya yo";

pub(super) const FRENCH: &str = "
    à ai ait alors as au aucun aucune aussi autre autres aux avait avec avez avoir avons c ce ceci cela celle celles
    celui ces cet cette ceux chaque chez comme comment d dans de depuis des donc dont du elle elles en encore entre es
    est et étaient était étant être eu eux fait il ils j je l la le les leur leurs lors lorsqu lui m ma mais me même
    mes moi mon n ne ni nos notre nous on ont ou où par parce pas peu plus pour pourquoi près qu quand que quel quelle
    quelles quels qui s sa sans se selon ses si son sont sous sur t ta te tes toi ton tous tout toute toutes très tu
    un une vos votre vous y";

pub(super) const PORTUGUESE: &str = "
    a à ao aos aquela aquele aqueles aquilo as às até com como da das de dela dele deles depois do dos e é ela elas
    ele eles em entre era eram essa essas esse esses esta está estão estas este estes estou eu foi foram há isso isto
    já lhe lhes mais mas me mesmo meu meus minha minhas muito na nas não nem no nos nós nossa nosso num numa o onde os
    ou para pela pelas pelo pelos por porque qual quais quando quanto quantos que quem são se seja sem ser seu seus só
    sua suas também te tem têm ter teu tinha tu tua um uma umas uns você vocês";

pub(super) const ITALIAN: &str = "
    a ad agli ai al alla alle allo anche avere aveva c che chi ci come con contro cosa cui d da dagli dai dal dall
    dalla dalle de degli dei del dell della delle dello di dove e è ed era erano essere fra fu già gli ha hai hanno ho
    i il in io l la le lei li lo loro lui ma mi mia mie miei mio ne negli nei nel nell nella nelle nello no noi non
    nostra nostro o ogni per perché più poi qual quale quali quando quanto quella quelle quelli quello questa queste
    questi questo qui se sei si sia siamo sono sta stata stato su sua sue sugli sui sul sull sulla sulle suo suoi tra
    tu tua tuo tutti tutto un una uno vi voi";

pub(super) const DUTCH: &str = "
    aan al alle alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een en er ge geen
    haar had heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je jou jouw kan kon kunnen maar me meer
    men met mij mijn moet na naar niet niets nog nu of om omdat onder ons ook op over reeds te tegen toch toen tot u
    uit uw van veel voor waar waarom wanneer want waren was wat we wel welke werd wie wij wil worden wordt zal ze zei
    zelf zich zij zijn zo zonder zou";

pub(super) const RUSSIAN: &str = "
    а без более бы был была были было быть в вам вами вас весь во вот все всего всех вы где да даже для до его ее ей
    ему если есть еще же за здесь и из или им ими их к как какая какие какой какого каком когда которая которого
    которое которой которые который которых кто куда ли либо между меня мне много может мой моя мы на над надо нам нас
    не него нее ней нет ни них но ну о об однако он она они оно от очень по под при про с сам свою себе себя со так
    также такой там те тебя тем то того тоже той только том тот ты у уже хотя чего чей чем что чтобы эта эти это этого
    этой этом этот этих я";

pub(super) const SWEDISH: &str = "
    alla allt att av blev bli blir da de dem den denna deras dess det detta dig din dina ditt du dar då där efter ej
    eller en er era ett från för ha hade han hans har henne hennes hon honom hur här i icke in ingen inom inte jag ju
    kan kunde man med mellan men mig min mina mitt mot mycket ni nu när någon något några och om oss på samma sedan
    sig sin sina sitt själv skulle som så sådan till under upp ut utan vad var vara varför varit vars vart vem vi vid
    vilka vilken vilket vår våra än är åt över";

pub(super) const DANISH: &str = "
    af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din disse dog du efter eller en
    end er et for fra ham han hans har havde have hende hendes her hos hun hvad hvem hvis hvor hvordan hvorfor i ikke
    ind jeg jer jo kunne man mange med meget men mig min mine mit mod ned noget nogle nu når og også om op os over på
    sig sin sine sit skal skulle som sådan til ud under var vi vil ville vor være været";

pub(super) const NORWEGIAN: &str = "
    alle at av bare begge ble blei bli blir da de deg dei deim den denne der dere deres det dette di din disse ditt du
    eg ein eit eller en er et etter for fordi fra før ha hadde han hans har henne hennes her hos hun hva hvem hver hvor
    hvordan hvorfor i ikke inn ja jeg kan kunne man mange med meg meget men mer mest min mitt mot mye nå når noe noen
    og også om opp oss over på samme seg selv sin sitt skal skulle som så til ut var vi vil ville vår være vært";

/// English words and names with a meaning of their own that are stop words in another language above. They stay in the
/// index when English is configured too: a stop word that is indexed costs a little, a `son` that is not is lost.
pub(super) const ENGLISH_CONTENT: &str = "
    al ben bin come dan den die door dove end era hat hem jo man men mia mine ned pour reeds sea sin son sue ton tot una
    van want war";
