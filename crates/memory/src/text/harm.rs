//! In which words people speak of their own death or harm, in every language.
//!
//! Some words leave no doubt by themselves ([`WORDS`]). Most people say it in two parts that are harmless apart: a bridge and a jump, an arm and a
//! blade, letters and a farewell. A line of [`PARTS`] is met by a sentence that has one of each of its groups, in any order, and none of a group
//! that begins with `!`, which holds what the same words are said of when nothing is meant by them: ropes, lakes, kitchens. Who speaks is part of
//! it, by a pronoun or the verb's form: what a relative did is a memory as any other. [`RETOLD`] has how others tell it again: an assistant that
//! answers, a model that writes a digest.
//!
//! Words are compared folded. A star stands for any letters; scripts without spaces need none.

use std::sync::LazyLock;

use super::fold;

/// What leaves no doubt by itself.
const WORDS: &[&str] = &[
    // English
    "kill myself",
    "killing myself",
    "end my life",
    "ending my life",
    "take my own life",
    "taking my own life",
    "end it all",
    "hurt myself",
    "hurting myself",
    "harm myself",
    "harming myself",
    "want to die",
    "wanna die",
    "want to be dead",
    "i am suicidal",
    "i'm suicidal",
    "commit suicide",
    "take all my pills",
    "take all the pills",
    "swallow all my pills",
    "better off without me",
    // German
    "mich umbringen",
    "mich umzubringen",
    "bringe mich um",
    "bring mich um",
    "mir das leben nehmen",
    "mir das leben zu nehmen",
    "will sterben",
    "nicht mehr leben",
    "alle meine tabletten",
    "alle tabletten nehmen",
    "mich ritzen",
    "ritze mich",
    "selbstmord begehen",
    "mich töten",
    // Spanish
    "suicidarme",
    "matarme",
    "quitarme la vida",
    "quiero morir",
    "quiero morirme",
    "acabar con mi vida",
    "hacerme daño",
    "todas las pastillas",
    "todas mis pastillas",
    // Portuguese
    "me matar",
    "me suicidar",
    "suicidar-me",
    "tirar minha vida",
    "tirar a minha vida",
    "quero morrer",
    "acabar com a minha vida",
    "acabar com minha vida",
    "todos os comprimidos",
    "todos os meus comprimidos",
    // French
    "me suicider",
    "me tuer",
    "mettre fin à mes jours",
    "finir avec la vie",
    "veux mourir",
    "me faire du mal",
    "m'ôter la vie",
    "tous mes cachets",
    "tous mes médicaments",
    // Italian
    "suicidarmi",
    "uccidermi",
    "ammazzarmi",
    "togliermi la vita",
    "voglio morire",
    "farla finita",
    "farmi del male",
    "tutte le pillole",
    "tutte le mie pillole",
    // Dutch
    "zelfmoord plegen",
    "mezelf doden",
    "mezelf van kant maken",
    "een einde aan mijn leven",
    "ik wil dood",
    "mezelf snijden",
    "al mijn pillen",
    // Polish
    "zabiję się",
    "popełnić samobójstwo",
    "odebrać sobie życie",
    "chcę umrzeć",
    "skończyć ze sobą",
    "wszystkie tabletki",
    // Russian
    "покончить с собой",
    "покончу с собой",
    "убить себя",
    "убью себя",
    "хочу умереть",
    "наложить на себя руки",
    "причинить себе боль",
    "все свои таблетки",
    "все таблетки",
    "совершить самоубийство",
    "жить больше не хочу",
    "не хочу больше жить",
    // Turkish
    "kendimi öldürmek",
    "kendimi öldüreceğim",
    "intihar etmek",
    "intihar edeceğim",
    "canıma kıymak",
    "ölmek istiyorum",
    "kendime zarar",
    "bütün ilaçlarımı",
    // Arabic
    "أن أنتحر",
    "أريد الانتحار",
    "سأنتحر",
    "أقتل نفسي",
    "إنهاء حياتي",
    "أنهي حياتي",
    "أريد أن أموت",
    "أؤذي نفسي",
    // Hindi
    "आत्महत्या कर*",
    "खुदकुशी कर*",
    "अपनी जान ले*",
    "मरना चाहता",
    "मरना चाहती",
    "अपनी जान दे*",
    // Chinese
    "想自杀",
    "想自殺",
    "要自杀",
    "要自殺",
    "我自杀",
    "我自殺",
    "想死",
    "不想活",
    "结束自己的生命",
    "結束自己的生命",
    "结束我的生命",
    "伤害自己",
    "傷害自己",
    "药全吃",
    "藥全吃",
    "把药都吃",
    "把藥都吃",
    // Japanese
    "死にたい",
    "自殺したい",
    "自殺する",
    "自殺しよう",
    "消えてしまいたい",
    "命を絶ちたい",
    "命を絶とう",
    "自分を傷つけ",
    // Korean
    "자살하고",
    "자살할",
    "자살하려",
    "죽고 싶",
    "목숨을 끊고",
    "자해를",
    "자해하",
];

/// What says it in parts. Groups are joined by `&`, words of a group by `|`.
const PARTS: &[&str] = &[
    // English
    "jump* | leap | leaping | throw myself | throwing myself | fling myself | hurl myself & off | from & bridge | viaduct | overpass | roof | rooftop | building | balcony | multistorey | car park & i | im | ill | id | ive | myself & ! bungee* | parachut* | skydiv* | base | rope | harness | abseil* | canal | river | lake | pool | sea | water | film | movie | novel | story | game | kids | kid | parkour | train",
    "jump* | leap | step | stepping | walk | walking | throw myself | throwing myself | fling myself | hurl myself | lie down | lying down & in front of | under | into & train | trains | lorry | truck | traffic | tube | the metro & i | im | ill | id | ive | myself & ! film | movie | novel | story | game | dog | office | carriage | seat | photo* | picture*",
    "jump* out of | jumping out of & window & i | im | ill | id | ive & ! fire | ground floor | game | film | cat | novel",
    "stood | stand | standing | lie | lay | lying | sit | sat & on the tracks | on the railway tracks | on the train tracks | on the rails & i | im | ive | ill",
    "drown | drowning | hang | hanging | shoot | shooting | poison | poisoning | suffocate | strangle | gas | starve & myself & ! in the foot | in the leg | out | around | about | up | with camera",
    "i overdosed | tried to overdose | want to overdose | going to overdose | thinking of overdosing | take an overdose | took an overdose | taken an overdose & i | im | ive | id | ill & ! he | she",
    "slit* my | slash* my | sliced my | slicing my | slice my | sliced open | scratch* my | opened my | opening my | open my | cut my | cutting my | cut open my & wrist | wrists | arms | thigh | thighs | skin | veins & ! shav* | accident* | kitchen | chopping | slipped | glass | thorn* | bramble* | cat | hair | fence | mistake | roses | sleeves | climbing | brace | splint | bandage | sliced bread",
    "ive been cutting | been cutting myself | cutting myself | cutting again | cut myself on purpose | cut myself again | cut myself when | cut myself to | cut myself because | started cutting again & ! shav* | kitchen | carbs | sugar | calories | costs | chopping | hair | grass",
    "i self harm | i selfharm | self harmed | self harming again | self harm again | started self harming | hurt myself on purpose | burn myself on purpose & i | ive | im | myself",
    "suicide note | suicide notes | suicide letter | goodbye letter | goodbye letters | farewell letter | farewell letters | goodbye note | goodbye notes | farewell note & wrote | written | write | writing | left | finished & i | ive | im | my & ! novel | story | film | movie | colleague* | team | class | book | boss | company | students | detective",
    "not wake up | never wake up | dont want to wake up | not to wake up | never waking up | not waking up | didnt wake up & pills | tablets | tomorrow | again | wish | hope | hoping | want | any more | anymore & ! at | early | alarm | baby | him | them | until | late | hungover | before | cold | tired",
    "better off | happier | be better & without me | if i was dead | if i were dead | if i was gone | if i were gone | if i wasnt here | if i werent here | if i wasnt around | if i werent around | if i didnt exist | if i disappeared | once im gone | when im dead & everyone | everybody | they | theyd | family | kids | children | world | people | husband | wife | mum | mom | parents | friends | nobody | all",
    "dont want to live | dont wanna live | do not want to live | no longer want to live | cant live any more | cant live anymore | dont want to go on living | stop living & ! live in | live with | live near | live here | live there | live alone | live at | live by | live off | live next | live far | live like | live together | live without | live from | live under | live on | living in | living with | living on",
    "dont want to be alive | dont wanna be alive | dont want to exist | not want to be alive | no reason to live | no reason to go on living | nothing to live for | nothing left to live for | no point in living | no point living | no point in me living | no point in being alive | no point in me being alive | point in living any* | no will to live | my life has no meaning | my life is pointless | see no point in living | dont see the point in living | dont see the point of living | tired of living | sick of living | tired of being alive | wish i was dead | wish i were dead | wish i was never born | want to disappear forever | want to vanish forever | id rather be dead | rather be dead | life isnt worth living | my life is not worth living & ! with | in a | in this flat | over the | out of a suitcase | joke | joking",
    "dont want to be here any more | dont want to be here anymore & ! city | town | flat | office | job | country | company | this place | london | school",
    "last night on earth | last day on earth | last day alive | wont be alive | wont be here tomorrow | not be alive & i | im | ill | my | tonights & ! tour | party | festival | film | movie | holiday | game",
    "drive | driving | crash | crashing | steer | steering & into a wall | into the wall | into a tree | off a cliff | off the cliff | off a bridge | off the bridge | into oncoming traffic & i | im | ill | id | my & ! game | simulator | rally | rc | mario",
    "pills | tablets | paracetamol | ibuprofen | opioids | meds | medication | insulin | fentanyl & stockpil* | saved up | saving up | hoard* | collected | collecting | enough | swallow | take & to die | not wake | never wake | end it | end things | kill | be gone | go to sleep forever | sleep forever & ! dog | weeds | pain",
    "swallow | take | taking | swallowing & whole bottle | entire bottle | whole box | whole pack | all of them at once | all at once & pills | tablets | medication | meds | painkillers | antidepressants & i | im | ill | id | ive",
    "blow my brains out | blow my head off | bullet in my head | gun to my head | gun in my mouth | noose & i | im | ill | my & ! game | film | novel | movie",
    "take my life | taking my life | ending it all | end it tonight | end everything tonight | ending my own life | end my own life | kill myself | off myself | unalive myself & ! back | in my hands | in hand | seriously | over | into my own | lessons | laugh*",
    "suicide | suicidal & i am | im | i feel | i was thinking | i have been | ive been | i think about | i thought about | thinking about | thoughts & i | im | ive | my | me & ! helpline | hotline | prevention | brother | sister | friend | uncle | aunt | father | mother | patient* | volunteer* | research | thesis | novel | film | squad | attempt* | client* | student* | training | teach*",
    "suicidal thoughts & i | ive | my & ! patient* | client* | helpline | brother | sister | friend | research",
    "tried | attempted & to kill myself | suicide | to end my life | to take my life & i | ive & ! brother | sister | friend | he | she",
    // German
    "spring | springe | springen | sprange | sprang | runterspringen | herunterspringen | hinunterspringen | sturze | sturzen | werfe | werfen | schmeisse | schmeissen & von der | vom | von einer | von einem | vor den | vor die | vor einen | vor eine | unter den | aus dem & brucke | autobahnbrucke | hochhaus | dach | balkon | fenster | turm | zug | u bahn | s bahn | ubahn | sbahn | bahn | lkw | auto | parkhaus & ich | mich & ! bungee* | fallschirm* | seil | freibad | see | fluss | pool | wasser | roman | film | spiel | meter* | dreier | sprungbrett | schwimmbad",
    "erhange* | erhangen | aufhangen | aufzuhangen | erschiesse* | erschiessen | vergifte* | vergiften | ertranke* | ertranken | ersticke & mich",
    "mich zu erhangen | mich zu erschiessen | mich zu ertranken | mich zu vergiften | mich umbringen | bringe ich mich um | bring ich mich um",
    "bring | bringe | brachte & mich & um & ! fast | vor lachen | fur | lachen | meine frau | mein mann | meine mutter | chef | um die ecke | um zehn | um acht",
    "ritze | ritzen | ritz | geritzt | schneide | schneiden | aufgeschnitten | aufschneiden | geschnitten & mich | mir & arme | arm | arm auf | pulsadern | handgelenk | handgelenke | oberschenkel | beine | haut | wieder | jahren | absichtlich & ! haare | kuche | gemuse | zwiebel* | versehen | rasier* | brot | nagel | pony | glas",
    "ich ritze mich | ich habe mich geritzt | hab mich geritzt | habe mich wieder geritzt | mich selbst verletz* | mich selbst zu verletzen | pulsadern | verletze mich selbst & ich | mir | mich",
    "abschiedsbrief | abschiedsbriefe & ich | mein | meine | meinen & ! kollegen | chef | firma | roman | film | team | klasse | verein | detektiv",
    "nicht mehr aufwachen | nie wieder aufwachen | nicht mehr aufzuwachen | nie mehr aufwachen & ich | mochte | will | um | wunschte & ! wecker | um sieben | fruh",
    "ohne mich & besser dran | besser gehen | glucklicher | besser ginge | besser & alle | allen | alles | familie | kinder | welt | jeder | jedem | sie & ! party | fahrt | reise",
    "nicht mehr leben | nicht mehr weiterleben | nicht mehr am leben | nicht mehr da sein | nicht mehr hier sein | lieber tot | grund mehr zu leben | keinen grund zu leben | keinen sinn zu leben | leben keinen sinn | leben hat keinen sinn | leben ist sinnlos | ware ich tot | war ich tot | tot sein | keine lust mehr zu leben | lebensmude | keinen sinn mehr im leben | mein leben beenden | meinem leben ein ende | leben ein ende setzen | leben zu beenden | schluss machen mit dem leben & ich | mir | mein | meinem | mich & ! in | bei | ohne | mit ihm | mit ihr | oma | opa | akku | handy",
    "schlaftabletten | tabletten | pillen | medikamente & gesammelt | gehortet | alle auf einmal | ganze packung | ganze schachtel | uberdosis & ich | mir",
    "uberdosis & ich | mir & nehmen | genommen | nehme",
    "selbstmordgedanken | suizidgedanken | suizidal | selbstmord | suizid & ich bin | ich habe | ich hab | ich denke | ich plane | ich werde | ich will | meinen & ! bruder | schwester | freund | onkel | tante | vater | mutter | patient* | pravention | arbeit | roman | film | thema",
    "sterben will | sterben mochte | will sterben | mochte sterben | will tot sein | will nicht mehr | mochte tot sein & ich & ! er | sie | zuhause sterben | nicht mehr nach | nicht mehr in | nicht mehr zu | nicht mehr mit | nicht mehr arbeiten | nicht mehr rauchen | nicht mehr essen & sterben | tot",
    // Spanish
    "tirar | tirarme | tiro | lanzar | lanzarme | lanzo | arrojar | arrojarme | arrojo | saltar | salto | saltare | tirare & me | tirarme | lanzarme | arrojarme | voy a saltar | salto | saltare & puente | azotea | balcon | ventana | tren | vias | metro | edificio | tejado | viaducto & ! puenting | bungee* | paracaidas | paracaidismo | rio | lago | piscina | mar | cuerda | pelicula | novela",
    "ahorcarme | me ahorco | me voy a ahorcar | pegarme un tiro | me pego un tiro | ahogarme | envenenarme | me voy a matar | me mato | me quiero matar | me suicido | me suicidare | me voy a suicidar | me quiero suicidar | cortarme las venas | me corto las venas & ! de risa | trabajando | a trabajar | estudiando | de hambre | por terminar | si no | un vaso | en un vaso | reir",
    "corto | cortes | cortarme | cortado | corte & me & brazos | brazo | munecas | muneca | muslos | muslo | piernas | venas | piel & ! afeit* | cocina* | accidente | sin querer | zarza* | cristal | depil*",
    "me corto | me autolesiono | autolesionarme | me he autolesionado | me hago dano | cortarme & cuando estoy mal | cuando no puedo mas | otra vez | a proposito | autolesion* | dano & ! pelo | flequillo | unas",
    "carta de despedida | cartas de despedida | nota de suicidio | carta de suicidio | nota suicida | carta suicida & escribi | he escrito | escribiendo | deje | mi | mis | dejado & ! companeros | jefe | empresa | novela | pelicula | equipo | alumnos",
    "no despertar | no despertarme | no volver a despertar | no despertara | no despertarme mas | nunca despertar & pastillas | quiero | ojala | manana | mas | quisiera & ! temprano | nino | bebe | a las | ruido | perro | al",
    "estarian mejor | estaria mejor | serian mas felices | mas felices | mejor & sin mi & todos | todo | familia | mundo | hijos | gente | ellos",
    "no quiero vivir | no quiero seguir viviendo | no quiero vivir mas | ya no quiero vivir | no quiero estar viva | no quiero estar vivo | ya no quiero estar viva | ya no quiero estar vivo | no quiero existir | quiero desaparecer para siempre | quiero estar muerto | quiero estar muerta | ganas de vivir | motivos para vivir | motivo para vivir | razones para vivir | razon para vivir | sentido a vivir | sentido vivir | mi vida no tiene sentido | vivir ya no tiene sentido | sentido a la vida | cansada de vivir | cansado de vivir | harta de vivir | harto de vivir | quitarme de en medio | quitarme la vida | terminar con mi vida | poner fin a mi vida | acabar con todo | estar muerta | estar muerto | no vale la pena vivir & no | quiero | voy | pienso | quitarme | mi vida | estoy & ! vivir en | vivir con | vivir aqui | vivir cerca | vivir sola | vivir solo | vivir sin | viviendo en | viviendo con | vivir de | muchas ganas de vivir | si tengo ganas",
    "pastillas | somniferos | comprimidos | medicamentos | paracetamol & guardado | guarde | guardando | juntado | acumulado | todas | sobredosis | el bote entero | toda la caja & me | he | voy & morir | despertar | dormir para siempre | matar | todas | sobredosis | entero | entera & ! perro | recogi | farmacia",
    "pensamientos suicidas | ideas suicidas | pienso en suicidarme | pensando en suicidarme | intente suicidarme | quiero morirme | morirme ya & ! paciente* | hermano | hermana | amigo | amiga | risa | verguenza",
    // French
    "saute | sauter | sauterai | jeter | jette | jetterai | balancer | balance & du pont | d un pont | dun pont | du toit | d un toit | dun toit | par la fenetre | sous un train | sous le train | sous le metro | sous un camion | du balcon | d un immeuble | dun immeuble | du viaduc | d un viaduc & je | me | j & ! elastique | parachute | corde | riviere | lac | piscine | mer | film | roman | ordures | poubelle | eau",
    "envie de me pendre | me pendre | me flinguer | me tirer une balle | me noyer | m ouvrir les veines | ouvert les veines | tailler les veines | taille les veines | m empoisonner | mempoisonner | me foutre en l air | me foutre en lair | me supprimer | me buter | me pends | me suicide | me suicider | me suiciderai | m immoler & ! de boulot | travail | temps de",
    "scarifie | scarifier | scarification* | coupe | couper | taillade | entaille & me | mes & bras | poignet | poignets | cuisses | cuisse | jambes | veines | peau | quand ca va mal & ! cheveux | ras* | cuisine | accident | ongles | epil* | froid",
    "me scarifie | me scarifier | me fais du mal | m automutile | mautomutile | me mutile",
    "lettre d adieu | lettre dadieu | lettres d adieu | lettres dadieu | lettre de suicide | mot d adieu | mot dadieu & ecrit | ecris | laisse | ma | mes | ecrire & ! collegues | patron | equipe | roman | film | eleves",
    "ne plus me reveiller | ne plus jamais me reveiller | ne pas me reveiller | ne plus se reveiller | ne jamais me reveiller & ! tot | a six | a sept | tard | heures | bebe",
    "serait mieux sans moi | seraient mieux sans moi | irait mieux sans moi | iraient mieux sans moi | plus heureux sans moi | mieux sans moi & monde | famille | enfants | ils | elles | tous | gens",
    "ne veux plus vivre | veux plus vivre | plus de raison de vivre | aucune raison de vivre | raison de vivre | ma vie n a plus de sens | ma vie n a aucun sens | vivre n a plus de sens | fatigue de vivre | fatiguee de vivre | marre de vivre | plus envie de vivre | n ai plus envie de vivre | ne veux plus etre la | ne veux plus etre en vie | plus envie d exister | envie de mourir | envie d en finir | en finir avec la vie | veux en finir avec la vie | en finir avec ma vie | en finir avec tout | en finir une fois pour toutes | je veux en finir ce soir | vais en finir ce soir | veux disparaitre pour toujours | etre morte | etre mort | mettre fin a ma vie | m oter la vie | mettre fin a mes jours & je | j | jai | nai | mes | ma & ! vivre dans | vivre avec | vivre a | vivre chez | vivre ici | vivre seule | vivre seul | vivre en | vivre sans | de rire | ce dossier | mort de | morte de | mort d | morte d",
    "somniferes | cachets | medicaments | comprimes | pilules | doliprane & toute la boite | tous mes | toute la plaquette | garde | stocke | accumule | boite entiere | surdose | overdose & je | j | jai & avaler | avale | prendre | mourir | reveiller | en finir | dormir pour toujours | surdose | overdose & ! chien | pharmacie | ranger",
    "pensees suicidaires | idees suicidaires | suicidaire | penser au suicide | pense au suicide | tente de me suicider | ma tentative de suicide & je | j | jai | mes | ma & ! patient* | frere | soeur | ami | amie | ecoute | benevole* | prevention",
    // Portuguese
    "jogar | atirar | atiro | jogo | pular | pulo | saltar | salto | lancar | lanco & me | atirar me | jogar me | lancar me | vou pular | vou saltar & ponte | viaduto | predio | telhado | varanda | janela | comboio | trem | metro | caminhao | terraco & ! bungee* | paraquedas | rio | lago | piscina | mar | corda | filme | romance | lixo | poupa",
    "enforcar me | me enforcar | enforcar | dar um tiro na cabeca | me afogar | afogar me | cortar os pulsos | me mato | mato me | vou me matar | quero me matar | suicidio meu | suicidar me | me suicidar & me | vou | penso | quero | os pulsos & ! rir | de rir | trabalhar | estudar",
    "corto | cortar | cortado | cortando | cortei & me | meus | meu | minhas | nas | os & bracos | braco | pulsos | pulso | coxas | pernas | veias | pele & ! cabelo | barbe* | cozinha | acidente | unhas | depil*",
    "me automutilo | automutilar | me corto | corto me | me machuco de proposito | automutilacao & me | eu | minha & ! cabelo | pelo | flequillo | unhas | unas | pacientes",
    "carta de despedida | cartas de despedida | carta de suicidio | bilhete de suicidio | bilhete suicida | carta suicida & escrevi | escrito | deixei | minha | minhas | escrever & ! colegas | chefe | empresa | romance | filme | equipa | equipe | alunos",
    "nao acordar mais | nao acordar | nunca mais acordar | nao queria acordar | nao acordasse & comprimidos | remedios | quero | queria | quem me dera | mais | para & ! cedo | bebe | as seis | as sete | tarde | menino",
    "melhor sem mim | melhores sem mim | mais felizes sem mim | melhor se eu nao existisse | melhor se eu morresse & todos | toda | mundo | familia | filhos | eles | gente",
    "nao quero viver | nao quero mais viver | ja nao quero viver | nao quero continuar a viver | nao quero existir | nao quero mais existir | ja nao quero existir | nao quero estar viv* | acabar com tudo | vontade de viver | motivo para viver | motivos para viver | razao para viver | razoes para viver | minha vida nao tem sentido | minha vida nao faz sentido | viver nao faz sentido | cansada de viver | cansado de viver | farta de viver | farto de viver | vontade de morrer | tirar a propria vida | por fim a minha vida | acabar com a vida | queria estar morta | queria estar morto | queria morrer | desaparecer para sempre & ! viver em | viver no | viver na | viver com | viver aqui | viver sozinha | viver sozinho | viver sem | viver de | viver numa | viver num | muita vontade de viver",
    "comprimidos | remedios | medicamentos | soniferos & guardei | juntei | guardando | todos de uma vez | a caixa inteira | a caixa toda | overdose | acumulei & acordar | morrer | tomar | todos | overdose | dormir para sempre | matar & ! cao | cachorro | farmacia",
    "pensamentos suicidas | ideacao suicida | penso em suicidio | pensar em suicidio | pensado em suicidio | tentei me matar | tentei suicidar me & ! paciente* | irmao | irma | amigo | amiga",
    // Italian
    "butto | buttarmi | buttero | getto | gettarmi | gettero | lancio | lanciarmi | lancero | salto | saltare | saltero | saltar & mi | buttarmi | gettarmi | lanciarmi | saltare | salto & ponte | viadotto | tetto | balcone | finestra | treno | treni | metro | palazzo | cavalcavia & ! bungee* | paracadute | fiume | lago | piscina | mare | corda | film | romanzo | elastico",
    "impiccarmi | mi impicco | mi impicchero | spararmi | mi sparo | annegarmi | avvelenarmi | tagliarmi le vene | mi taglio le vene | mi ammazzo | mi uccido | mi suicido | suicidarmi | mi ammazzero | mi uccidero | farmi fuori & ! di lavoro | di risate | dalle risate | una serie | un film | di fatica | di palestra",
    "taglio | tagliarmi | tagliata | tagliato | tagli & mi | tagliarmi | sulle mie | alle mie & braccia | braccio | polsi | polso | cosce | coscia | gambe | vene | pelle & ! capelli | rado | rasando | cucina | sbaglio | incidente | unghie | barba | ceretta",
    "mi faccio del male | farmi male da sola | farmi male apposta | autolesionismo | mi procuro dei tagli & mi | farmi | mio & ! palestra | pazienti | studio",
    "lettera d addio | lettera daddio | lettere d addio | lettere daddio | biglietto d addio | biglietto daddio | lettera di addio | lettere di addio | biglietto di suicidio & scritto | lasciato | mia | mie | mio | scrivo | ho & ! colleghi | capo | azienda | romanzo | film | squadra | alunni",
    "non svegliarmi piu | non svegliarmi mai piu | non svegliarmi domani | non mi svegliassi & ! presto | alle | tardi | bambino",
    "starebbero meglio senza di me | starebbe meglio senza di me | piu felici senza di me | meglio senza di me | stanno meglio senza di me & tutti | famiglia | mondo | figli | loro | gente",
    "non voglio piu vivere | non voglio vivere | non ho piu voglia di vivere | non ho voglia di vivere | motivo di vivere | motivo per vivere | ragione di vivere | ragioni per vivere | mia vita non ha senso | mia vita non ha piu senso | vivere non ha piu senso | stanca di vivere | stanco di vivere | voglia di morire | voglio essere morta | voglio essere morto | vorrei essere morta | vorrei essere morto | sparire per sempre | non voglio piu esistere | porre fine alla mia vita | mettere fine alla mia vita | voglio farla finita | farla finita | smettere di vivere | vorrei morire & ! vivere in | vivere con | vivere qui | vivere a | vivere da | vivere senza | vivere di | dal ridere | questa storia | i debiti | la dieta",
    "pastiglie | pillole | sonniferi | farmaci | medicine | compresse & da parte | accumulato | tutta la scatola | intera scatola | tutto il flacone | tutte insieme | tutti insieme | overdose | raccolto | conservato & svegliar* | morire | prend* | ingoi* | mand* giu | overdose | dormire per sempre & ! cane | farmacia",
    "pensieri suicidi | pensieri di suicidio | penso al suicidio | pensato al suicidio | ho tentato il suicidio | provato a uccidermi & ! pazient* | fratello | sorella | amico | amica",
    // Dutch
    "spring | springen | sprong | gooi | gooien | stap | werp & van de brug | van een brug | van het dak | van een dak | van het balkon | van een flat | van de flat | voor de trein | voor een trein | voor de metro | onder de trein | onder een trein | van het viaduct | van een viaduct | uit het raam & ik | me | mezelf | mij & ! bungee* | parachute | touw | water | rivier | meer | zwembad | film | roman | zee",
    "ophangen | op te hangen | verhangen | ophang | hang | schiet | vergiftig | verdrink | van kant maken | door het hoofd schieten & me op | mezelf op | me verhangen | mezelf verhangen | me ophangen | mezelf ophangen | me op te hangen | mezelf op te hangen | mezelf dood | me door het hoofd | mezelf van kant | me van kant & ! jas | schilderij",
    "snij | snijd | snijden | gesneden | kras | krassen & mezelf | mijn armen | mijn arm | mijn polsen | mijn pols | mijn benen | mijn dijen | mijn huid & ! scheren | geschoren | keuken | ongeluk | per ongeluk | groente | haar | glas | ui",
    "snijd mezelf | snij mezelf | mezelf snijden | beschadig mezelf | mezelf beschadig* | mezelf pijn doen | doe mezelf pijn | zelfbeschadiging & ik | mezelf & ! client* | patient*",
    "afscheidsbrief | afscheidsbrieven | zelfmoordbrief & ik | mijn & ! collega* | baas | bedrijf | team | roman | film | klas",
    "niet meer wakker worden | nooit meer wakker worden | niet meer wakker te worden | nooit meer wakker te worden & ! vroeg | wekker | om zes | om zeven",
    "beter af zonder mij | beter af zijn zonder mij | gelukkiger zonder mij | beter zonder mij | beter af zonder me & iedereen | ze | zij | familie | gezin | kinderen | wereld | jullie",
    "niet meer leven | wil niet meer leven | wil er niet meer zijn | er niet meer zijn | wil niet meer bestaan | geen zin meer in het leven | geen zin meer om te leven | geen reden meer om te leven | geen reden om te leven | leven heeft geen zin | leven heeft voor mij geen zin | moe van het leven | levensmoe | wil dood zijn | liever dood | was ik maar dood | wil sterven | wil dood | een eind aan mijn leven | einde aan mijn leven | maak er een eind aan | er een eind aan maken | maak er vanavond een eind aan | er een einde aan maken & ik | mijn | mezelf & ! oma | opa | dieet | ruzie | relatie | gezeur | zonder",
    "pillen | slaappillen | slaaptabletten | tabletten | medicijnen & gespaard | opgespaard | verzameld | hele doos | hele strip | allemaal tegelijk | overdosis & ik & wakker | dood | innemen | slikken | neem | overdosis | sterven | slik & ! hond | apotheek",
    "zelfmoordgedachten | zelfmoordneigingen | suicidale gedachten | suicidaal | zelfmoord | suicide | zelfmoordpoging & ik denk | denk ik | ik overweeg | ik dacht | gedachten | ik wil | ik heb | ik ben | mijn & ! client* | patient* | broer | zus | vriend | vriendin | oom | tante | vader | moeder | preventie | hulplijn | documentaire",
    // Polish
    "skocze | skoczyc | rzuce sie | rzucic sie | wyskocze | wyskoczyc | skacze & z mostu | z wiaduktu | z dachu | z balkonu | z okna | przez okno | z wiezowca | z bloku | pod pociag | pod metro | pod ciezarowke | pod tramwaj & ! bungee | spadochron* | lin* | rzek* | jezior* | basen* | mor* | film* | powiesc*",
    "powiesze sie | powiesic sie | sie powiesic | zastrzele sie | zastrzelic sie | sie zastrzelic | utopie sie | utopic sie | otruc sie | otruje sie | podciac sobie zyly | podetne sobie zyly | zabije sie | sie zabije | zabic sie | sie zabic | ze soba skonczyc | skoncze ze soba & ! ze smiechu | za pierogi | za kawe | dalbym | dalabym | on | ona",
    "tne | ciac | pocielam | pocialem | cielam | cialem | zacinam & sie | po & rekach | rece | udach | uda | nogach | nadgarstk* | zylach | skorze | znowu | kiedy jest zle & ! wlosy | goleni* | kuchni | przypadk* | warzyw* | koszty",
    "okaleczam sie | okaleczac sie | sie okaleczam | sie okaleczac | samookalecz* & ja | sie | moje & ! pacjent* | uczni*",
    "list pozegnalny | listy pozegnalne | list samobojczy & napisalam | napisalem | zostawilam | zostawilem | pisze | moj | moje | juz & ! kolegow | szef* | firm* | powiesc* | film* | zespol*",
    "sie nie obudzic | nie obudzic sie | sie juz nie obudzic | nigdy sie nie obudzic | wiecej sie nie obudzic & ! wczesnie | na czas | budzik* | dziecka | spozni*",
    "lepiej beze mnie | szczesliwsi beze mnie | lepiej gdyby mnie nie bylo | lepiej bez mnie & wszystkim | wszyscy | im | rodzin* | dzieci* | swiat*",
    "nie chce juz zyc | nie chce zyc | nie chce dluzej zyc | nie chce mi sie zyc | mam dosc zycia | po co zyc | powodu zyc | powodu zeby zyc | zyc nie ma sensu | moje zycie nie ma sensu | sensu zycia | zmeczona zyciem | zmeczony zyciem | wole umrzec | chce umrzec | chcialabym umrzec | chcialbym umrzec | chce zniknac na zawsze | chce nie zyc | odebrac sobie zycie | targnac sie na swoje zycie | zakonczyc swoje zycie | zakonczyc zycie & ! zyc w | zyc z | zyc tu | zyc tutaj | zyc sam* | zyc bez | zyc na | zycia w | zycia na | zycia tutaj | ze smiechu",
    "tabletki | tabletek | pigulki | lekow | leki | proszki & zbieram | nazbieralam | nazbieralem | zebralam | zebralem | wszystkie | cale opakowanie | przedawk* & obudzic | umrzec | polkne | wezme | polknac | zasnac na zawsze | przedawk* & ! psa | pies | apte*",
    "mysli samobojcze | mysle o samobojstwie | myslalam o samobojstwie | myslalem o samobojstwie | probowalam sie zabic | probowalem sie zabic | proba samobojcza & mam | mysle | ja | myslalam | myslalem | probowal* | moja & ! pacjent* | brat | siostra | przyjaciel*",
    // Russian
    "*прыгну | *прыгнуть | прыгаю | *брошусь | *броситься | *бросаюсь | кинусь | кинуться | сигану & с моста | с крыши | с балкона | из окна | в окно | с эстакады | с многоэтажки | под поезд | под электричку | под метро | под машину | под грузовик & ! тарзан* | банджи | парашют* | верев* | рек* | озер* | бассейн* | море | фильм* | роман* | сугроб*",
    "повешусь | повеситься | застрелюсь | застрелиться | утоплюсь | утопиться | отравлюсь | отравиться | вскрыть вены | вскрою вены | вскрыть себе вены | порезать вены | удавлюсь | удавиться | убьюсь | покончу | свести счеты с жизнью | сведу счеты & ! за плов | от смеха | он | она | должен был | салатом",
    "режу | резать | порезала | порезал | резала | резал & себе | себя & руки | руку | бедра | ноги | вены | запястья | кожу | лезвием | специально | снова | когда плохо & ! волосы | челку | кухн* | случайно | овощ* | брит* | нечаянно | палец",
    "режу себя | причиняю себе боль | наношу себе порезы | селфхарм* | самоповрежд* & себя | себе | я | мой & ! пациент* | ученик*",
    "прощальное письмо | прощальные письма | прощальную записку | предсмертную записку | предсмертная записка | предсмертное письмо | предсмертные записки & я | написал | написала | оставил | оставила | мои | моя | уже | пишу & ! коллег* | начальник* | фирм* | роман* | фильм* | детектив* | класс*",
    "не проснуться | больше не просыпаться | не просыпаться | никогда не проснуться & хочу | хотел | чтобы | бы | коплю & ! вовремя | рано | будильник* | опозд* | на работу | в шесть | в семь",
    "лучше без меня | легче без меня | счастливее без меня | лучше если меня не будет | лучше если бы меня не было & всем | все | им | семь* | дети | детям | мир*",
    "не хочу жить | не хочу больше жить | больше не хочу жить | жить не хочу | жить больше не хочу | жить не хочется | не хочется жить | незачем жить | незачем больше жить | незачем дальше жить | жить незачем | нет смысла жить | нет смысла больше жить | жить нет смысла | жизнь не имеет смысла | моя жизнь бессмысленна | нет причин жить | не вижу смысла жить | не вижу смысла в жизни | устала жить | устал жить | хочу умереть | хочется умереть | лучше бы я умер* | лучше бы я сдох* | исчезнуть навсегда | хочу сдохнуть | хочу не быть | уйти из жизни | свести счеты | покончить с жизнью & ! жить в | жить с | жить здесь | жить тут | жить одн* | жить без | жить на | жить у | от смеха | со смеху",
    "таблетк* | таблеток | снотворн* | лекарств* | колес & коплю | накопил* | собрал* | все сразу | всю пачку | всю упаковку | передоз* | наглотаюсь | наглотаться | наелась & проснуться | умереть | выпью | выпить | наглота* | уснуть навсегда | передоз* | сразу | пачку | упаковку & ! собак* | аптек* | кот*",
    "мысли о самоубийстве | мысли о суициде | суицидальные мысли | думаю о самоубийстве | думаю о суициде | думала о самоубийстве | думал о самоубийстве | пытался покончить | пыталась покончить & ! пациент* | брат* | сестр* | друг* | подруг*",
    // Turkish
    "atacagim | atacam | atmak | atmayi | atlayacagim | atlamak | atlamayi | atlarim | atiyorum | atlasam & kopruden | catidan | balkondan | camdan | pencereden | trenin onune | metronun onune | tirin onune | viyadukten | binadan | trenin altina | raylara & ! bungee* | parasut* | ip | ipe | nehre | gole | havuza | denize | film* | roman* | suya",
    "kendimi asmayi | kendimi asacagim | kendimi asmak | kendimi asarim | kendimi vuracagim | kendimi vurmak | kendimi vurmayi | kendimi oldurmeyi | kendimi oldurecegim | kendimi oldurmek | kendimi zehirle* | kendimi bogmak | bileklerimi kes* | canima kiyacagim | canima kiymak | canima kiymayi | hayatima son | yasamima son | intihar edecegim | intihar etmeyi | intihar etmek istiyorum | intihari dusunuyorum | intihar dusuncelerim",
    "kesiyorum | kesmeye | kestim | keserim | kesmek | jiletliyorum | jiletledim & kollarimi | kolumu | bacaklarimi | bacagimi | bileklerimi | bilegimi | kendimi | derimi & ! sac* | tiras | mutfak* | yanlislikla | kaza* | sebze* | tirnak*",
    "kendime zarar | kendime zarar veriyorum | kendime zarar vermek & ! antrenman*",
    "veda mektubu* | veda mektuplari* | intihar mektubu* | intihar notu* & yazdim | yaziyorum | biraktim | yazmistim | hazir & ! is arkadas* | patron* | sirket* | roman* | film* | ekip*",
    "bir daha uyanmamak | uyanmamak istiyorum | hic uyanmamak | uyanmak istemiyorum | uyanmasam & ! erken | alarm* | saat | ise | okula | sabahin",
    "bensiz & daha iyi | daha mutlu & herkes | ailem | cocuklar* | dunya | onlar | hepsi",
    "yasamak istemiyorum | artik yasamak istemiyorum | yasamak icin bir nedenim | yasamak icin nedenim | yasamanin bir anlami | yasamanin anlami | hayatimin bir anlami | hayatimin anlami | yasamak icin hicbir neden* | yasamaktan biktim | yasamaktan yoruldum | olmek istiyorum | olsem | keske olsem | yok olmak istiyorum | var olmak istemiyorum & ! *da yasamak | *de yasamak | *ta yasamak | *te yasamak | birlikte | burada | orada | yalniz | onunla | gulmekten | evde | sehirde",
    "uyku hapi | uyku haplari | haplarimi | haplari | ilaclarimi | ilaclari | hap & biriktirdim | biriktiriyorum | sakladim | hepsini | butun | tum | asiri doz & uyanmamak | olmek | icecegim | icmek | yutacagim | asiri doz | yutmak & ! kopeg* | eczane*",
    // Arabic
    "*قفز | *اقفز | *ارمي نفسي | *القي بنفسي | *القي نفسي | *اطرح نفسي & من الجسر | من جسر | من السطح | من سطح | من الشرفه | من الشرفة | من النافذة | من البنايه | من البناية | امام القطار | تحت القطار | امام قطار | تحت قطار | من فوق & ! بانجي | البانجي | مظل* | *بالحبل | حبل | نهر | النهر | البحر | المسبح | بحيرة | فيلم | رواية",
    "شنق نفسي | *اشنق نفسي | *اقتل نفسي | قتل نفسي | *اطلق النار على نفسي | *اغرق نفسي | *اسمم نفسي | قطع شراييني | *اقطع شراييني | *انتحر | الانتحار & نفسي | شراييني | *سانتحر | اريد | افكر في | ان انتحر | ساقوم & ! عمي | اخي | صديقي | صديقتي | خالي | منع",
    "*اجرح | *جرحت | *اقطع | *اشرط & نفسي | ذراعي | ذراعيي | يدي | معصمي | فخذي | ساقي | جلدي | رسغي & ! *شعري | المطبخ | بالخطا | حلاقه | الحلاقة | اصبعي | السكين انزلق*",
    "*اوذي نفسي | ايذاء نفسي | *ااذي نفسي | *اؤذي نفسي",
    "رسالة انتحار | رسائل انتحار | رسالة وداع | رسائل وداع | رسالة الوداع | رسائل الوداع | رساله الوداع | رسائل الوداع & كتبت | تركت | اكتب & ! زملائي | زملاء | مديري | الشركة | رواية | فيلم | الفريق",
    "لا استيقظ | لن استيقظ | الا استيقظ | لا اصحو | ما اصحى & حبوب | كي | اتمنى | اريد | ابدا | غدا | مرة اخرى & ! مبكرا | المنبه | الساعة | متاخرا",
    "بدوني | من دوني | لو لم اكن موجود* | لو مت & افضل | احسن | اسعد & الجميع | عائلتي | الكل | اولادي | الناس | العالم",
    "لا اريد ان اعيش | لا اريد العيش | لم اعد اريد الحياة | لم اعد اريد ان اعيش | لم اعد اريد العيش | ما ابغى اعيش | مش عايز اعيش | اريد ان اموت | اتمنى الموت | اتمنى ان اموت | اريد الموت | سئمت الحياة | مللت الحياة | لا معنى لحياتي | لحياتي معنى | لحياتي اي معنى | سبب للعيش | سببا للعيش | سبب لاعيش | تعبت من الحياة | انهاء حياتي | انهي حياتي | اختفي للابد | لا فائدة من حياتي & ! اعيش في | العيش في | الحياة في | اعيش مع* | العيش مع* | هنا | وحدي | الضحك",
    "*حبوب | *اقراص | ادوية | الادوية | دوائي | حبوبي & جمعت | خبات | كل | كلها | جرعة زائدة | دفعة واحدة & استيقظ | *اموت | سابتلع | ابتلاع | ساخذ | جرعة زائدة | نفسي | *ابتلع & ! كلب* | الصيدلية",
    "افكار انتحارية | افكر بالانتحار | افكر في الانتحار | حاولت الانتحار | حاولت ان انتحر & ! مريض* | اخي | اختي | صديق*",
    // Hindi
    "कूद | कूदकर | कूदने | छलाँग | छलांग & पुल | छत | बालकनी | खिड़की | ट्रेन के आगे | ट्रेन के सामने | रेल के आगे | पटरी | इमारत | ट्रक के आगे | मेट्रो के आगे & जाऊँगा | जाऊंगा | जाऊँगी | जाऊंगी | जाना चाहता | जाना चाहती | लगाऊँगा | लगाऊंगा | लगाऊँगी | लगाऊंगी | दूँगा | दूँगी | दूंगा | दूंगी | की सोच | का मन & ! बंजी | पैराशूट | रस्सी | नदी में नहा* | तालाब | झील | स्विमिंग | फ़िल्म | फिल्म | उपन्यास",
    "फाँसी | फांसी | ज़हर | जहर | नस | नसें | गोली मार | खुद को मार | ख़ुद को मार | अपने आप को मार & लगा लूँगा | लगा लूंगा | लगा लूँगी | लगा लूंगी | लगाने | लगा लूँ | खा लूँगा | खा लूंगा | खा लूँगी | खा लूंगी | खाने की सोच | काट लूँगा | काट लूंगा | काट लूँगी | काट लूंगी | काटने | मार लूँगा | मार लूंगा | मार लूँगी | मार लूंगी | मार डालूँगा | मार डालूँगी | मारना चाहता | मारना चाहती & ! चूहे | चूहों | फ़िल्म | फिल्म | उसने | उन्होंने",
    "काटता | काटती | काट रहा | काट रही | काट लेता | काट लेती | काटने & अपनी | अपने | खुद को | ख़ुद को | अपना & बाँह* | बांह* | हाथ | हाथों | कलाई* | जाँघ* | जांघ* | नस | नसें | पैर | खुद को | ख़ुद को & ! बाल | सब्ज़ी | सब्जी | रसोई | ग़लती | गलती | नाखून",
    "खुद को नुकसान | ख़ुद को नुकसान | खुद को चोट | ख़ुद को चोट | अपने आप को नुकसान | अपने आप को चोट & पहुँचा* | पहुंचा* | देता | देती | रहा | रही & ! जिम | खेल",
    "सुसाइड नोट | सुसाइड लेटर | विदाई की चिट्ठी | विदाई की चिट्ठियाँ | विदाई पत्र | आख़िरी चिट्ठी | आखिरी चिट्ठी | अलविदा का ख़त | अलविदा का खत | आख़िरी ख़त & लिख | छोड़ & ! ऑफिस | दफ़्तर | टीम | उपन्यास | फ़िल्म | फिल्म | कंपनी",
    "फिर न उठूँ | फिर न उठूं | फिर कभी न उठूँ | कभी न उठूँ | न जागूँ | फिर न जागूँ | सोकर न उठूँ | न उठूँ | उठना नहीं चाहता | उठना नहीं चाहती & ! जल्दी | सुबह छह | अलार्म",
    "मेरे बिना | मैं न रहूँ | मैं न होता | मैं न होती | मेरे मरने & खुश | ख़ुश | बेहतर | अच्छा | चैन & सब | सभी | घरवाले | परिवार | बच्चे | दुनिया | लोग",
    "जीना नहीं चाहता | जीना नहीं चाहती | जीने का मन नहीं | जीने की इच्छा नहीं | जीने की वजह नहीं | ज़िंदा नहीं रहना | जिंदा नहीं रहना | मर जाना चाहता | मर जाना चाहती | मरना चाहता | मरना चाहती | मर जाऊँ | ज़िंदगी ख़त्म कर | जिंदगी खत्म कर | अपनी जान दे | अपनी जान ले | जान देना चाहता | जान देना चाहती | हमेशा के लिए गायब | आत्महत्या के ख़याल | आत्महत्या के खयाल | आत्महत्या के विचार | आत्महत्या के बारे में सोच* | जीने का कोई मतलब | जीने का मतलब | जीने का क्या | जीने का कोई कारण | जीने की कोई वजह | ज़िंदगी का कोई मतलब | जिंदगी का कोई मतलब | ज़िंदगी से थक | जिंदगी से थक | आत्महत्या करने की | ख़ुदकुशी के | खुदकुशी के & ! हँसते | हंसते | यहाँ | शहर में | उसके साथ | भाई ने | दोस्त ने",
    "गोलियाँ | गोलियां | दवाइयाँ | दवाइयां | दवाई | दवा & जमा | इकट्ठी | सारी | सब | एक साथ | ओवरडोज़ | ओवरडोज & न उठूँ | मर | खा लूँगा | खा लूंगा | खा लूँगी | खा लूंगी | निगल | ओवरडोज़ | ओवरडोज & ! कुत्ते | मरीज़",
    // Chinese
    "跳下去 | 跳下来 | 跳楼 | 跳樓 | 跳桥 | 跳橋 | 跳轨 | 跳軌 | 跳到火车 | 跳到火車 | 跳到地铁 | 跳到地鐵 | 往下跳 | 跳河自 | 跳海自 | 卧轨 | 臥軌 & 我 | 要 | 想 | 打算 & ! 蹦极 | 蹦極 | 跳伞 | 跳傘 | 跳水 | 游泳 | 绳 | 繩 | 电影 | 電影 | 小说 | 小說 | 他 | 她 | 价 | 大甩卖",
    "上吊 | 割腕 | 服毒 | 开枪打自己 | 吞药 | 吞藥 | 烧炭 | 燒炭 | 投河 | 自缢 & 我 | 想 | 要 | 打算 & ! 电影 | 電影 | 小说 | 小說 | 他 | 她 | 叔叔 | 朋友 | 烧炭烤 | 烤肉",
    "割自己 | 割大腿 | 割手腕 | 割手臂 | 割手 | 划自己 | 割伤自己 | 划手臂 | 割胳膊 | 划手腕 | 自残 | 自殘 | 割腿 & ! 他 | 她 | 学生 | 患者 | 朋友 | 割手术 | 不小心",
    "遗书 | 遺書 | 绝笔信 | 絕筆信 | 告别信 | 告別信 & 写 | 寫 | 留 & ! 同事 | 老板 | 公司 | 小说 | 小說 | 电影 | 電影 | 他 | 她 | 爷爷 | 奶奶 | 律师",
    "不想再醒 | 不想醒来 | 不想醒過來 | 不想醒过来 | 再也不醒 | 不要醒来 | 不再醒来 | 永远睡 | 永遠睡 | 再也不要醒 & ! 太早 | 早上六点 | 闹钟 | 上班",
    "没有我 | 沒有我 | 没了我 | 我不在了 | 我死了 | 我消失 & 更好 | 更幸福 | 更开心 | 更開心 | 过得更好 | 轻松 | 解脱 & 大家 | 家人 | 他们 | 他們 | 所有人 | 世界 | 孩子 | 别人 | 别人",
    "不想活 | 活不下去 | 不想再活 | 活着没有意义 | 活着没意义 | 活著沒意義 | 活着没什么 | 活着有什么意 | 活着好累 | 生无可恋 | 活著沒有意義 | 活着没意思 | 活著沒意思 | 活够了 | 活夠了 | 活腻了 | 想去死 | 想死 | 去死算了 | 死了算了 | 轻生 | 輕生 | 了结自己 | 了結自己 | 结束生命 | 結束生命 | 结束自己 | 結束自己 | 从世界上消失 | 從世界上消失 | 了断 & ! 他 | 她 | 想死你 | 想死我 | 笑 | 馋 | 朋友 | 学生 | 患者 | 预防 | 預防 | 想死了你",
    "安眠药 | 安眠藥 | 药片 | 藥片 | 药 | 藥 & 攒 | 攢 | 存 | 全吃 | 全部吞 | 一次吃 | 整瓶 | 一整瓶 | 过量 | 過量 & 不想再醒 | 死 | 吞 | 全吃 | 吃光 | 吃掉 | 不醒 | 醒过来 & ! 狗 | 猫 | 医生说 | 药店",
    "自杀 | 自殺 & 我想 | 我要 | 我打算 | 我在想 | 我准备 | 我準備 | 我计划 | 我考虑 | 我考慮 | 念头 | 念頭 | 的想法 | 我试过 | 我試過 & ! 他 | 她 | 朋友 | 叔叔 | 学生 | 患者 | 预防 | 預防 | 热线 | 熱線",
    // Japanese
    "飛び降り | 飛びおり | とびおり | 飛び込 | 飛びこ | 身を投げ | 身投げ & 橋 | 屋上 | ビル | 電車 | 線路 | ベランダ | マンション | ホーム | 窓 | 崖 | 特急 & ! バンジー | プール | 海に | 川に | 湖 | パラシュート | 映画 | 小説 | 彼 | 叔父 | 友達 | 友人 | 祖父 | 漫画 | 飛び込み乗車 | 飛び込み台",
    "首を吊 | 首吊り | 首をつ | 服毒 | 練炭 | 手首を切 | リストカット | リスカ | 腕を切 | 太ももを切 | 足を切りつけ | 自傷 | オーバードーズ | 薬を全部飲 & ! 友達 | 友人 | 彼 | 患者 | 生徒 | 叔父 | 包丁 | 料理 | 映画 | 小説 | 相談員 | 支援",
    "遺書 | 別れの手紙 & 書 | 残し | 用意 & ! 小説 | 映画 | 祖父 | 祖母 | 弁護士 | 彼 | 父 | 母 | 叔父 | 同僚",
    "目が覚めないよう | 目覚めないよう | 目が覚めなければ | 目覚めたくない | 目を覚ましたくない | 二度と起きた | もう起きたくない | 起きなくていいよう | 永遠に眠 & ! 早く | 六時 | アラーム | 赤ちゃん | 子ども",
    "私がいない | 僕がいない | 俺がいない | 自分がいない | 私なんかいない | 僕なんかいない | 私が死 | 僕が死 | 俺が死 | 私なんていない & 幸せ | 楽 | いいん | うまくい | ほうがいい | 方がいい | 喜ぶ & ! 会議 | 休み | 旅行",
    "生きていたくない | 生きたくない | 生きるのをやめ | 生きるのが嫌 | 生きるのに疲 | 生きていても意味 | 生きてる意味 | 生きる意味 | 生きる理由 | 生きる気力 | 生きる価値 | 生きている意味 | 生きるのがつら | 死のう | 死にたい | 死んでしまいたい | 死んだほうがまし | 死んだ方がまし | 消えたい | 消えてしまいたい | 消えてなくなりたい | 命を絶 | 人生を終わらせ | 人生を終わりに | 自殺を考え | 自殺したい | 自殺しよう | 自殺する | 自殺しそう | 希死念慮 & ! 友達が | 友人が | 彼が | 彼女が | 患者 | 生徒 | 相談 | 予防 | 防止",
    "睡眠薬 | 薬 | 錠剤 & ため | 溜め | 貯め | 集め | 全部 | 一気に | 大量 | まとめて & 目が覚め | 死 | 飲むつもり | 飲もう | 飲んでしま | 飲み干 | 過剰 & ! 犬 | 猫 | 薬局",
    // Korean
    "뛰어내릴 | 뛰어내리고 | 뛰어내리려 | 뛰어내리면 | 뛰어들 | 몸을 던질 | 몸을 던지 | 투신 & 다리 | 옥상 | 건물 | 베란다 | 기차 | 지하철 | 열차 | 전철 | 아파트 | 창문 | 선로 | 트럭 & ! 번지 | 낙하산 | 수영장 | 강에서 | 바다 | 호수 | 영화 | 소설 | 삼촌 | 친구가",
    "목을 매 | 목매 | 손목을 그 | 손목을 긋 | 팔을 그 | 팔을 긋 | 허벅지를 그 | 허벅지를 긋 | 손목 그 | 독을 마시 | 번개탄 | 자해 | 칼로 그 | 칼로 긋 & ! 친구가 | 삼촌 | 환자 | 학생 | 영화 | 소설 | 넥타이",
    "유서 | 작별 편지 | 유언장을 남기고 떠 & 썼 | 써 놨 | 써놨 | 남겼 | 쓰고 | 써 뒀 | 써뒀 | 적었 & ! 소설 | 영화 | 할아버지 | 할머니 | 변호사 | 삼촌 | 동료",
    "깨지 않 | 깨어나지 않 | 눈 뜨고 싶지 않 | 눈을 뜨고 싶지 않 | 안 깨어나 | 일어나고 싶지 않 & 다시 | 영원히 | 수면제 | 약 | 영영 | 내일 & ! 알람 | 아침 일찍 | 아기 | 여섯 시 | 출근",
    "내가 없 | 제가 없 | 나 없 | 저 없 | 내가 죽 | 제가 죽 & 행복 | 더 나 | 편할 | 나을 | 좋을 | 편해 & 다들 | 모두 | 가족 | 다 | 사람들 | 애들 | 세상",
    "살고 싶지 않 | 살기 싫 | 살기가 싫 | 더 살고 싶지 | 살 이유가 없 | 살아갈 이유 | 살아갈 의미 | 살 의미가 없 | 사는 의미 | 사는 게 지 | 살 가치 | 사는 게 의미 | 사라지고 싶 | 없어지고 싶 | 죽고 싶 | 죽어 버리 | 죽어버리 | 죽을 거야 | 죽으려 | 목숨을 끊 | 생을 마감 | 스스로 목숨 | 자살하고 | 자살할 | 자살하려 | 자살 생각 | 자살을 생각 | 자살 충동 & ! 먹고 싶어 죽 | 에서 살고 | 에 살고 | 에 살기 | 에서 살기 | 친구가 | 환자 | 학생 | 예방 | 상담원 | 삼촌 | 웃겨 | 같이 살",
    "수면제 | 약을 | 알약 | 약 & 모았 | 모으고 | 모아 놨 | 모아놨 | 다 먹 | 한꺼번에 | 전부 먹 | 과다 & 깨지 | 죽 | 먹을 거 | 삼킬 | 과다복용 | 먹으려 | 먹어 버리 & ! 강아지 | 고양이 | 약국",
    // All languages: a blade and the own body; the own life and its end.
    "blade* | razor* | box cutter | klinge | rasierklinge* | rasiermesser | cuchilla* | lamina* | navaja | lame | lames | cutter | rasoir | gilete | lametta | lamette | taglierino | mesje | scheermes* | zyletk* | лезви* | бритв* | jilet* | *شفرة | *شفره | *موس | ब्लेड | उस्तरे | 刀片 | 美工刀 | カミソリ | 剃刀 | カッター | 면도칼 | 칼로 & my arm* | my wrist* | my thigh* | my leg* | my skin | arme | unterarme | handgelenk* | oberschenkel | brazos | munecas | muslos | piernas | bras | poignets | cuisses | jambes | bracos | pulsos | coxas | pernas | braccia | polsi | cosce | gambe | mijn armen | mijn polsen | mijn benen | rece | rekach | nadgarstk* | uda | udach | руки | запястья | бедра | ноги | kollarimi | bileklerimi | bacaklarimi | ذراعي* | معصمي* | فخذي* | हाथ | बाँह* | कलाई* | जाँघ* | 手臂 | 手腕 | 大腿 | 胳膊 | 腕 | 手首 | 太もも | 팔을 | 손목 | 허벅지 & ! shav* | wax* | rasiere | afeit* | depil* | rase | rasant | barba | scheer | scheren | gole | goleni* | брею | брить | tiras | حلاق* | *احلق | दाढ़ी | 剃毛 | 刮毛 | 剃り | ムダ毛 | 제모 | 면도하 | kitchen | kitchen*",
    "end | ending | finish & my life | my own life & ! story | boyfriend | girlfriend | chapter | partner | for the rest",
    "walk | walking | swim | swimming | drive | driving & not coming back | not come back | never come back | never coming back & sea | ocean | lake | river | woods | water & i | im | ill | ive",
    "ritz* | aufritz* | schlitz* & mir & arm | arme | unterarm | unterarme | bein | beine | oberschenkel | haut",
    "leben & keinen sinn mehr | keinen sinn | sinnlos & fur mich | mein | meinem | mir & ! ohne musik | ohne kaffee",
    "wunschte | wollte | ware & ich ware tot | ich war tot | lieber tot | nie geboren",
    "sentido & a seguir viviendo | seguir viviendo | a la vida | a mi vida | a vivir & no",
    "quisiera | ojala | preferiria | desearia & estar muerto | estar muerta | haber nacido | morirme",
    "lacere | lacerer | entaille | entailler | taillade | taillader & me | mes & bras | poignets | cuisses | jambes",
    "plus l interet de vivre | plus envie de continuer a vivre | aucun sens a vivre | plus aucun sens a la vie | ma vie ne vaut",
    "cortes & nos bracos | nas pernas | nos pulsos | nas coxas | em mim & faco | fiz | fazer | me & ! cabelo",
    "sentido & em viver | em continuar | na vida | a minha vida & nao | mais",
    "incido | incidermi | mi incido & braccia | polsi | gambe | cosce",
    "senso & di vivere | della vita | della mia vita | continuare a vivere & non | piu",
    "einde | eind & aan mijn leven | mijn leven & ik & ! verhaal",
    "nut van leven | nut van het leven | zin van het leven | zin van leven & niet | geen",
    "wou dat ik dood | wilde dat ik dood | was ik maar dood | liever dood | was ik maar nooit geboren | had ik maar nooit bestaan",
    "skonczyc | zakonczyc & swoim zyciem | swoje zycie | moim zyciem | moje zycie | z zyciem & ! zawodow*",
    "nacinam | nacinac | nacielam | kalecze & sobie | sie & rece | udach | uda | nogi | skore | nadgarstk*",
    "sensu & dalej zyc | zyc dalej | w zyciu | zycia & nie",
    "wolalabym nie zyc | wolalbym nie zyc | wolalabym umrzec | wolalbym umrzec | zeby mnie nie bylo | lepiej gdyby mnie nie bylo | chcialabym nie zyc | chcialbym nie zyc | wolalabym sie nie urodzic | wolalbym sie nie urodzic",
    "закончить | оборвать | прервать & свою жизнь | жизнь свою | свою жизнь",
    "царапаю | полосую | кромсаю & руки | себя | бедра | ноги | запястья",
    "лучше бы меня не было | лучше бы я умерла | лучше бы я умер | лучше бы я не рождался | лучше бы я не родилась | лучше бы мне умереть | не вижу смысла дальше жить",
    "ciziyorum | cizdim | cizerim | jiletl* & kollarimi | kolumu | bacaklarimi | bileklerimi",
    "yasamaya devam & anlami | anlamini | istemiyorum | nedenim",
    "keske & olmus olsam | olseydim | olsem | hic dogmasaydim",
    "*ارمي نفسي | *القي نفسي | *القي بنفسي & المترو | القطار | الشاحنة | الجسر | السطح | النافذة | الشرفة",
    "معنى & الحياة | العيش | حياتي & لا | لم | ليس | ما & ! معنى الحب",
    "ليتني | يا ليتني | اتمنى لو & ميت* | مت | لم اولد | كنت ميت*",
    "ज़िंदगी | जिंदगी | ज़िन्दगी | जीवन & ख़त्म कर* | खत्म कर* | समाप्त कर* & अपनी | अपना & ! कहानी",
    "काश & मर गया | मर गई | मर जाता | मर जाती | मर जाऊँ | पैदा न & मैं",
    "意义 | 意義 & 活下去 | 活着 | 活著 | 生命 & 没 | 沒 | 看不到 | 失去",
    "宁愿死 | 寧願死 | 宁可死 | 寧可死 | 死掉算了 | 不如死 | 不如去死 | 要是死了就好 | 没出生就好 & ! 他 | 她",
    "地下鉄 | 電車 | 特急 | 線路 & 飛び込も | 飛び込む | 飛び込んで | 飛び込みた & ! 飛び込み乗車",
    "自分の命 | 自分の人生 | この命 & 終わらせ | 終わりに | 絶",
    "腕 | 手首 | 太もも | 足 | 体 & 傷つけ & 自分 | 毎晩 | カミソリ | また | カッター | わざと | 刃",
    "死んでしまえばよかった | 死ねばよかった | 死ねたらいい | 死ねればいい | 死んだらいい | 生まれてこなければ | 死んでしまおう",
    "삶을 | 인생을 | 목숨을 | 생을 & 끝내고 싶 | 끝내려 | 끝낼 | 마감하 & 내 | 제 | 나의 | 스스로",
    "차라리 | 그냥 | 이대로 & 죽었으면 | 죽는 게 | 죽을까 | 태어나지 말",
];

/// How somebody else tells it again, of the user or to the user.
const RETOLD: &[&str] = &[
    // English
    "kill | killing | kills | hurt | hurting | harm | harming | harms | drown | hang | shoot | cut | cutting | cuts & themselves | themself | himself | herself | yourself | oneself & ! shav* | accident*",
    "end | ending | ends | take | taking | takes & their life | his life | her life | your life | their own life | his own life | her own life | your own life | ones life | it all & ! back | hands",
    "suicide | suicidal* | self harm* | self injur* | overdos* & user* | you | your | they | their | plan* | intent* | ideation | thought* | talk* | risk | attempt* | mention* | express* | express* & ! helpline | hotline | prevention | volunteer* | novel | film | research*",
    "wants to die | want to die | wanting to die | wishes to die | wanted to die | not want to live | not want to be alive | no longer wants to live | jump off a | jumping off a | jump from a | all their pills | all your pills | all of their pills | better off without them | better off without you | goodbye letters | farewell letters | suicide note",
    // German
    "umbringen | umzubringen | das leben nehmen | das leben zu nehmen | ritzt | ritzen | verletzen | erhangen | aufhangen & sich | dich | user | nutzer* & ! versehen",
    "suizid* | selbstmord* | selbstverletz* & user* | nutzer* | du | dir | dich | gedanken | plan* | absicht* | will | mochte | denkt & ! pravention | telefon* | roman | film",
    "sterben will | sterben mochte | will sterben | mochte sterben | nicht mehr leben will | nicht mehr leben mochte | will nicht mehr leben | leben beenden | alle seine tabletten | alle ihre tabletten | alle tabletten | abschiedsbriefe",
    // Spanish
    "suicidarse | suicidarte | matarse | matarte | quitarse la vida | quitarte la vida | hacerse dano | hacerte dano | acabar con su vida | acabar con tu vida | quiere morir | quieres morir | autolesion* | no quiere vivir | no quiere seguir viviendo | ideas suicidas | ideacion suicida | pensamientos suicidas | todas sus pastillas | tirarse de un puente | tirarse del puente | cartas de despedida",
    // French
    "se suicider | te suicider | vous suicider | se tuer | te tuer | mettre fin a ses jours | mettre fin a tes jours | mettre fin a sa vie | mettre fin a vos jours | se faire du mal | te faire du mal | veut mourir | veux mourir | voulez mourir | ne veut plus vivre | idees suicidaires | pensees suicidaires | suicidaire* | se scarifi* | automutil* | tous ses medicaments | tous ses cachets | lettres d adieu",
    // Portuguese
    "suicidar se | se suicidar | matar se | se matar | te matar | matar te | tirar a propria vida | tirar a sua vida | acabar com a propria vida | acabar com a vida | quer morrer | queres morrer | nao quer viver | nao quer mais viver | ideacao suicida | pensamentos suicidas | automutil* | se machucar | magoar se | todos os seus comprimidos",
    // Italian
    "suicidarsi | suicidarti | uccidersi | ucciderti | togliersi la vita | toglierti la vita | ammazzarsi | vuole morire | vuoi morire | non vuole piu vivere | farsi del male | farti del male | farla finita | pensieri suicidi | intenti suicidi | autolesion* | tutte le sue pillole | lettere d addio",
    // Dutch
    "zichzelf | jezelf & doden | snijden | snijdt | pijn doen | ophangen | van kant maken | beschadigen | van het leven",
    "zelfmoord* | suicid* & gebruiker | user* | je | jij | plan* | gedachten | wil | denkt & ! preventie | hulplijn | roman | film",
    "wil dood | wil sterven | niet meer leven | einde aan zijn leven | einde aan haar leven | einde aan je leven | eind aan zijn leven | eind aan haar leven | eind aan je leven | al zijn pillen | al haar pillen | afscheidsbrieven",
    // Polish
    "zabic sie | sie zabic | popelnic samobojstwo | odebrac sobie zycie | skonczyc ze soba | chce umrzec | chcesz umrzec | nie chce zyc | nie chce juz zyc | mysli samobojcze | samobojcz* | samookalecz* | okalecza sie | plan* samobojstw* | wszystkie swoje tabletki",
    // Russian
    "покончить с собой | убить себя | наложить на себя руки | совершить самоубийство | совершить суицид | свести счеты с жизнью | хочет умереть | хочешь умереть | не хочет жить | не хочет больше жить | мысли о самоубийстве | мысли о суициде | суицидальн* | режет себя | причинить себе вред | причиняет себе | все свои таблетки",
    // Turkish
    "kendini oldurmek | kendini oldurmeyi | kendisini oldurmek | intihar et* | intihar dusunce* | intihar plan* | intihari dusun* | canina kiymak | hayatina son | yasamina son | olmek istiyor | olmek istiyorsun | yasamak istemiyor | yasamak istemiyorsun | kendine zarar | butun ilaclarini",
    // Arabic
    "*الانتحار | *ينتحر | تنتحر | *يقتل نفسه | تقتل نفسك | تقتل نفسها | انهاء حياته | انهاء حياتك | انهاء حياتها | ينهي حياته | تنهي حياتك | يريد ان يموت | يريد الموت | تريد الموت | ايذاء نفسه | ايذاء نفسك | لا يريد ان يعيش | افكار انتحارية & ! منع | خط | الوقاية",
    // Hindi
    "आत्महत्या | खुदकुशी | ख़ुदकुशी | सुसाइड & user* | यूज़र | उपयोगकर्ता | आप | तुम | चाहता | चाहती | चाहते | सोच* | विचार | योजना & ! रोकथाम | हेल्पलाइन",
    "अपनी जान लेना | अपनी जान देना | खुद को मारना | ख़ुद को मारना | मरना चाहता | मरना चाहती | मरना चाहते | जीना नहीं चाहता | जीना नहीं चाहती | जीना नहीं चाहते | खुद को नुकसान | ख़ुद को नुकसान",
    // Chinese
    "自杀 | 自殺 | 自残 | 自殘 | 轻生 | 輕生 & 用户 | 用戶 | 你 | 您 | 想 | 计划 | 計劃 | 打算 | 念头 | 念頭 | 倾向 | 傾向 & ! 预防 | 預防 | 热线 | 熱線 | 小说",
    "结束自己的生命 | 結束自己的生命 | 结束生命 | 結束生命 | 伤害自己 | 傷害自己 | 不想活 | 想死 & ! 想死你",
    // Japanese
    "自殺 | 自傷 | 自死 & ユーザー | あなた | 考え | 計画 | したい | 願望 | 念慮 | 意図 & ! 予防 | 防止 | 相談窓口",
    "死にたい | 命を絶 | 自分を傷つけ | 生きていたくない | 消えたい | 希死念慮",
    // Korean
    "자살 | 자해 & 사용자 | 당신 | 생각 | 계획 | 하고 싶 | 충동 | 의도 & ! 예방 | 소설",
    "죽고 싶 | 목숨을 끊 | 스스로를 해치 | 살고 싶지 않 | 생을 마감",
];

/// What a conversation is called that was of it.
const TOPICS: &[&str] = &[
    "suicid* | *suizid* | *selbstmord* | *zelfmoord* | samoboj* | *самоубийств* | *суицид* | intihar* | *انتحار* | *आत्महत्या* | *खुदकुशी* | *सुसाइड* | 自杀 | 自殺 | 自残 | 自殘 | 自傷 | 자살 | 자해",
    "self harm* | selbstverletz* | autolesion* | automutil* | scarification* | samookalecz* | селфхарм* | overdos* | uberdosis | sobredosis | surdose",
    "death | dying | sterben | tod | muerte | morir | mort | mourir | morte | morrer | morire | dood | sterven | smierc | umrzec | смерть | умереть | olum | olmek | الموت | मौत | मरना | 死 | 死亡 | 죽음",
    "crisis | krise | crise | crisi | kryzys | кризис | kriz | أزمة | ازمة | संकट | 危机 | 危機 | 위기 | mental health crisis",
];

/// Who else it may be told of: what happened to them is a memory as any other.
static OTHERS: LazyLock<PhraseRule> =
    LazyLock::new(|| PhraseRule { groups: vec![PhraseGroup::read(OTHER_PEOPLE)] });

const OTHER_PEOPLE: &str = "uncle* | aunt* | brother* | sister* | father* | mother* | dad | mum | mom | son | daughter* | cousin* | friend* | grand* | neighbour*
    | neighbor* | colleague* | wife | husband | nephew | niece | patient* | client* | student* | character* | onkel* | tante* | bruder* | schwester* | vater* | mutter* | sohn
    | tochter* | cousin* | freund* | gross* | opa | oma | nachbar* | kolleg* | patient* | tio | tia | hermano | hermana | padre | madre | hijo | hija | primo | prima | amigo | amiga | abuelo
    | abuela | vecino | vecina | oncle | tante | frere | soeur | pere | mere | fils | fille | ami | amie | voisin* | irmao | irma | pai | mae | filho | filha | avo | zio | zia | fratello
    | sorella | figlio | figlia | amico | amica | nonno | nonna | oom | broer | zus | vader | moeder | zoon | dochter | vriend* | wujek | wujka | ciocia | brat | bratu | siostra | ojciec | matka | syn
    | corka | przyjaciel* | kolega | дядя | дяди | тетя | брат* | сестр* | отец | отца | мать | матери | сын* | дочь | друг* | подруг* | дедушк* | бабушк* | amca* | dayi* | teyze* | kardes* | abi* | abla*
    | baba* | anne* | arkadas* | عمه | عمها | عمك | عمي | اخ* | اب* | ام | صديق* | خال* | चाचा | मामा | भाई | बहन | पिता | माँ | दोस्त | बेटा | बेटी | दादा | नाना | 叔叔 | 舅舅 | 哥哥 | 弟弟 | 姐姐 | 妹妹 | 父亲 | 母亲
    | 爸爸 | 妈妈 | 朋友 | 爷爷 | 奶奶 | 同事 | 同学 | 叔父 | 伯父 | 兄 | 弟 | 姉 | 妹 | 父 | 母 | 友人 | 友達 | 祖父 | 祖母 | 同僚 | 삼촌 | 이모 | 형 | 누나 | 오빠 | 언니 | 동생 | 아버지 | 어머니 | 친구 | 할아버지 | 할머니 | 동료";

static COMPILED_WORDS: LazyLock<Vec<PhraseRule>> =
    LazyLock::new(|| WORDS.iter().chain(PARTS).filter_map(|line| PhraseRule::read(line)).collect());

static COMPILED_RETOLD: LazyLock<Vec<PhraseRule>> =
    LazyLock::new(|| RETOLD.iter().filter_map(|line| PhraseRule::read(line)).collect());

static COMPILED_TOPICS: LazyLock<Vec<PhraseRule>> =
    LazyLock::new(|| TOPICS.iter().filter_map(|line| PhraseRule::read(line)).collect());

/// Whether a sentence speaks of its speaker's own death or harm.
pub fn speaks_of_harm(text: &str) -> bool {
    is_met(&COMPILED_WORDS, text)
}

/// Whether a sentence tells it again of the user.
pub fn retells_harm(text: &str) -> bool {
    let spaced = spaced(text);
    COMPILED_RETOLD.iter().any(|rule| rule.is_met_by(&spaced)) && !OTHERS.is_met_by(&spaced)
}

/// Whether a text must not be told again: it speaks of its speaker's own death or harm, or tells it of the user.
pub fn must_not_be_told(text: &str) -> bool {
    speaks_of_harm(text) || retells_harm(text)
}

/// Whether a few words name it.
pub fn names_harm(text: &str) -> bool {
    is_met(&COMPILED_TOPICS, text)
}

fn is_met(rules: &[PhraseRule], text: &str) -> bool {
    let spaced = spaced(text);
    rules.iter().any(|rule| rule.is_met_by(&spaced))
}

/// What a sentence must have, and must not have.
struct PhraseRule {
    groups: Vec<PhraseGroup>,
}

struct PhraseGroup {
    excludes: bool,
    /// What is looked for in a spaced text: with a space where a word begins or ends.
    needles: Vec<String>,
}

impl PhraseRule {
    fn read(line: &str) -> Option<Self> {
        let groups: Vec<PhraseGroup> = line.split('&').map(PhraseGroup::read).collect();
        groups.iter().any(|group| !group.excludes).then_some(Self { groups })
    }

    fn is_met_by(&self, spaced: &str) -> bool {
        self.groups.iter().all(|group| {
            group.excludes != group.needles.iter().any(|needle| spaced.contains(needle.as_str()))
        })
    }
}

impl PhraseGroup {
    fn read(group: &str) -> Self {
        let group = group.trim();
        let excludes = group.starts_with('!');
        let terms = group.trim_start_matches('!').split('|').map(str::trim);
        Self { excludes, needles: terms.filter(|term| !term.is_empty()).map(needle).collect() }
    }
}

/// A term as it is looked for.
fn needle(term: &str) -> String {
    let inside = spaced(term);
    let inside = inside.trim();
    let unspaced = inside.chars().any(|letter| letter >= '\u{2E80}');
    let edge = |open: bool| if open || unspaced { "" } else { " " };
    format!("{}{inside}{}", edge(term.starts_with('*')), edge(term.ends_with('*')))
}

/// Folded, marks as spaces, and a space at both ends. Signs that are part of a letter stay. An apostrophe before an English ending joins ("don't"), and
/// sets words apart elsewhere ("d'adieu").
fn spaced(text: &str) -> String {
    let folded = fold(text);
    let mut spaced = String::with_capacity(folded.len() + 2);
    spaced.push(' ');
    for (at, letter) in folded.char_indices() {
        match letter {
            '*' => {}
            '\'' | '’' | '`' if is_joint(&folded[at + letter.len_utf8()..]) => {}
            _ if letter.is_alphanumeric() || ('\u{0900}'..='\u{0963}').contains(&letter) => {
                spaced.push(letter)
            }
            _ if spaced.ends_with(' ') => {}
            _ => spaced.push(' '),
        }
    }
    if !spaced.ends_with(' ') {
        spaced.push(' ');
    }
    spaced
}

/// Whether what stands behind an apostrophe is the end of an English word.
fn is_joint(behind: &str) -> bool {
    let ending = behind.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    ["s", "t", "m", "d", "re", "ve", "ll"].contains(&ending)
}
