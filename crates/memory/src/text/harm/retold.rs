//! How others tell it again: an assistant that answers, a model that writes a digest or a memory. What happened to another person is a memory as any other.

/// How it is told of the user or to the user, in wordings (see [`crate::text::wording`]).
pub(super) const RETOLD: &[&str] = &[
    // English
    "kill* themselves | kill* themself | kill* himself | kill* herself | kill* yourself | take their own life | take his own life | take her own life | take your own life | took their own life | end their life | end his life | end her life | end your life | ending their life | ending his life | ending her life | ending your life | end their own life & ! laughing",
    "want* to | wanting to | plan* to | going to | thought* of | thoughts about | thought about | thinking of | thinking about | urge* to | intend* to > hurt* | harm* | cut* | hang* | drown* | shoot* | take | end + themselves | themself | himself | herself | yourself | their life | his life | her life | your life | it all",
    "cut* themselves | cut* themself | cut* himself | cut* herself | harm* themselves | harm* himself | harm* herself | harm* yourself > on purpose | again | deliberately",
    "user* | you | they | he | she | risk of | plans | intent* | history of > suicid* | self harm* | self injur* | overdos* & ! works with | working with | counsel* | suicidal teen* | suicidal patient* | suicidal people | suicide rate* | helpline | hotline | prevention | volunteer* | novel | film | research* | thesis | training | awareness | book",
    "suicidal thoughts | suicidal ideation | suicidal intent | suicide plan* | suicide attempt | plans suicide | planning suicide & ! patient* | client* | works with | helpline | hotline | prevention | novel | film | research* | thesis | training",
    "user | they | he | she | you > wants to die | want to die | wanting to die | wishes to die | wanted to die | wants to be dead | not want to live | not want to be alive | no longer wants to live | dont want to live",
    "jump off a bridge | jumping off a bridge | jump from a bridge | jump off the roof | all their pills | all your pills | all of their pills | better off without them | better off without you | goodbye letters | suicide note & user | your & ! bungee* | swim* | colleague*",
    // German
    "sich | dich > umbringen | umzubringen | umbringt | das leben nehmen | das leben zu nehmen | das leben genommen | erhangen | aufhangen | selbst verletzen | selbst verletzt",
    "user | nutzer | nutzerin | userin > ritzt sich | verletzt sich selbst | bringt sich um",
    "user* | nutzer* | du | er | sie > suizid* | selbstmord* | selbstverletz* & ! arbeitet mit | betreut | patient* | jugendliche* | pravention | telefon* | roman | film | buch",
    "user | nutzer | nutzerin | er | sie | du > sterben will | sterben mochte | will sterben | mochte sterben | nicht mehr leben will | nicht mehr leben mochte | will nicht mehr leben | leben beenden | alle seine tabletten | alle ihre tabletten | abschiedsbriefe",
    // Spanish
    "suicidarse | suicidarte | se suicid* | quitarse la vida | quitarte la vida | acabar con su vida | acabar con tu vida | ideas suicidas | ideacion suicida | pensamientos suicidas | todas sus pastillas | tirarse de un puente | tirarse del puente & ! paciente* | adolescente* | trabaja con | prevencion | novela | pelicula",
    "quiere | quieres | piensa en | planea | intento > matarse | matarte | hacerse dano | hacerte dano | morir | morirse & ! de risa",
    "no quiere > vivir | seguir viviendo & ! vivir en | vivir con | vivir sol*",
    // French
    "se suicider | te suicider | vous suicider | s est suicid* | mettre fin a ses jours | mettre fin a tes jours | mettre fin a sa vie | mettre fin a vos jours | idees suicidaires | pensees suicidaires | est suicidaire | pense au suicide | songe au suicide | tous ses cachets d un coup & ! patient* | adolescent* | travaille avec | prevention | roman | film",
    "veut | veux | voulez | pense a | songe a > se tuer | te tuer | vous tuer | se faire du mal | te faire du mal | mourir",
    "ne veut plus vivre | se scarifie | s automutile & ! vivre a | vivre avec | vivre en",
    // Portuguese
    "suicidar se | se suicid* | tirar a propria vida | tirar a sua vida | acabar com a propria vida | ideacao suicida | pensamentos suicidas | todos os seus comprimidos de uma vez & ! paciente* | adolescente* | trabalha com | prevencao | romance | filme",
    "quer | queres | pensa em | planeja | planeia > se matar | matar se | te matar | matar te | morrer | magoar se | se machucar",
    "nao quer > viver | mais viver & ! viver em | viver com | viver sozinh*",
    // Italian
    "suicidarsi | suicidarti | si e suicidat* | togliersi la vita | toglierti la vita | pensieri suicidi | intenti suicidi | pensa al suicidio & ! pazient* | adolescent* | lavora con | prevenzione | romanzo | film",
    "vuole | vuoi | pensa di > uccidersi | ucciderti | ammazzarsi | ammazzarti | morire | farsi del male | farti del male | farla finita & ! farla finita con le | farla finita con il",
    "non vuole piu vivere & ! vivere a | vivere in | vivere con",
    // Dutch
    "zichzelf | jezelf > doden | van kant maken | van het leven | snijden | pijn doen | ophangen | iets aandoen & wil | plan* | denkt | gaat",
    "gebruiker* | user* | je | jij > zelfmoord* | suicidaal | suicidale | suicidegedacht* & ! werkt met | jongeren | patient* | client* | preventie | hulplijn | roman | film | boek",
    "gebruiker | user | hij | zij | je > wil dood | wil sterven | wil niet meer leven | einde aan zijn leven | einde aan haar leven | einde aan je leven | eind aan zijn leven | eind aan haar leven",
    "zelfmoord > gepleegd | plegen | wil plegen & ! preventie | roman",
    // Polish
    "popelnic samobojstwo | popelnil* samobojstwo | odebrac sobie zycie | odebral* sobie zycie | skonczyc ze soba | mysli samobojcze | okalecza sie | planuje samobojstwo | wszystkie swoje tabletki naraz & ! pacjent* | pracuje z | mlodziez* | prewencj* | powiesc* | film*",
    "chce | chcesz | planuje | zamierza > sie zabic | zabic sie | umrzec",
    "uzytkowni* | ona | on > nie chce zyc | nie chce juz zyc & ! zyc w | zyc z | zyc bez",
    // Russian
    "покончить с собой | покончил* с собой | убить себя | наложить на себя руки | совершить самоубийство | совершил* самоубийство | совершить суицид | свести счеты с жизнью | мысли о самоубийстве | мысли о суициде | суицидальные мысли | режет себя & ! пациент* | подростк* | работает с | профилактик* | роман* | фильм*",
    "хочет умереть | хочешь умереть | не хочет жить | не хочет больше жить | причинить себе вред | причиняет себе боль & ! жить в | жить с | жить один | жить одна",
    // Turkish
    "kendini oldur* | kendisini oldur* | canina kiy* | hayatina son ver* | yasamina son ver* | kendine zarar ver* | intihari dusun*",
    "intihar > etmek | etti | etmeyi | dusunce* | plan* | girisim* & ! onleme | roman | film",
    "olmek istiyor | olmek istiyorsun | olmek istedigini | yasamak istemiyor | yasamak istemiyorsun & ! *da yasamak | *de yasamak",
    // Arabic
    "*المستخدم* | يريد | تريد | ينوي | حاول | يفكر في | تفكر في > *الانتحار | ان ينتحر | ان تنتحر | *يقتل نفسه | تقتل نفسك | تقتل نفسها | *انتحر & ! منع | خط | الوقاية | رواية",
    "انتحر | انتحرت & *المستخدم*",
    "انهاء حياته | انهاء حياتك | انهاء حياتها | ينهي حياته | تنهي حياتك | يريد ان يموت | يريد الموت | تريد الموت | ايذاء نفسه | ايذاء نفسك | لا يريد ان يعيش | افكار انتحارية & ! منع | الوقاية",
    // Hindi
    "आत्महत्या | खुदकुशी | ख़ुदकुशी > करना चाह* | कर ली | की | के बारे में सोच* | के विचार | की योजना | करने & ! रोकथाम | हेल्पलाइन | उपन्यास",
    "user | यूज़र | उपयोगकर्ता | आप | तुम > मरना चाहता | मरना चाहती | मरना चाहते | जीना नहीं चाह* | अपनी जान लेना | खुद को मारना | ख़ुद को मारना | खुद को नुकसान | ख़ुद को नुकसान",
    // Chinese
    "用户 | 用戶 | 你 | 您 | 他 | 她 > 自杀 | 自殺 | 自残 | 自殘 | 轻生 | 輕生 | 不想活了 | 不想活下去 | 伤害自己 | 傷害自己 & ! 患者 | 学生 | 青少年 | 预防 | 預防 | 热线 | 熱線 | 小说 | 电影 | 论文 | 年轻生 | 年輕生 | 自残疾 | 自殘疾 | 独自杀 | 獨自殺 | 各自杀",
    "用户 | 用戶 | 你 | 您 > 想死 | 结束自己的生命 | 結束自己的生命 | 结束生命 | 結束生命 & ! 想死你 | 想死记",
    // Japanese
    "ユーザー | あなた | 本人 > 自殺 | 自傷 | 死にたい | 命を絶 | 消えてしまいたい | 生きていたくない | 自分を傷つけ & ! 患者 | 生徒 | 若者 | 予防 | 防止 | 相談窓口 | 小説 | 論文",
    "自殺 + 願望 | 念慮 | の計画 | の意図 | を考え | を図 & ! 患者 | 生徒 | 若者 | 予防 | 研究",
    "希死念慮 & ! 患者 | 研究 | 論文",
    // Korean
    "사용자* | 당신* | 유저* > 자살* | 자해* | 죽고 싶 | 목숨을 끊 | 살고 싶지 않 | 생을 마감 | 스스로를 해치 & ! 환자* | 학생* | 청소년* | 예방 | 소설 | 논문 | *에 살고",
    "자살 충동 | 자살 생각 | 자살을 생각 | 자살 계획 & ! 예방 | 소설 | 논문",
];

/// Whose it is when it is another person's: who stands where a sentence names its subject, or of whom a clause tells it.
pub(super) const OF_ANOTHER: &[&str] = &[
    "^ > @others & ! ^ user | ^ the user | ^ you | ^ he | ^ she | ^ they | ^ der user | ^ die userin | ^ der nutzer | ^ die nutzerin | ^ nutzer | ^ er | ^ sie | ^ el usuario | ^ la usuaria | ^ usuario | ^ la persona | ^ l utilisateur | ^ l utilisatrice | ^ utilisateur | ^ il | ^ elle | ^ o usuario | ^ a usuaria | ^ o utilizador | ^ a utilizadora | ^ l utente | ^ utente | ^ de gebruiker | ^ gebruiker | ^ uzytkownik | ^ uzytkowniczka | ^ пользователь | ^ пользовательница | ^ kullanici | ^ المستخدم | ^ المستخدمة | ^ उपयोगकर्ता | ^ यूज़र | that user | that the user | user wants | user plans | user is | user has | user thinks | user feels | dass der user | dass der nutzer | dass die nutzerin | que el usuario | que la usuaria | que l utilisateur | que l utilisatrice | que o usuario | que a usuaria | che l utente | dat de gebruiker | ze uzytkownik | что пользователь | ان المستخدم",
    "@others + who | , who | that | , that | qui | , qui | que | , que | che | , che | , ktory | , ktora | , который | , которая + kill* | took | hang* | attempt* | tried to | overdos* | died | s est | se | si | popelnil* | odebral* | покончил* | совершил*",
    "@others + , der | , die | die | , das > sich | suizid | zelfmoord",
    "@others + , he | , she > kill* | took | hang* | attempt* | tried to | overdos*",
    "@others > to suicide | by suicide | durch suizid | durch selbstmord | por suicidio | par suicide | per suicidio | door zelfmoord",
    "suicide of | suicidio de | suicidio do | suicidio da | suicidio del | suicidio di | suicide de | selbstmord | suizid | zelfmoord van | samobojstwo | самоубийство | самоубийства > @others & ! ^ user wants | ^ user plans",
    "^ उपयोगकर्ता के | ^ उपयोगकर्ता की | ^ उपयोगकर्ता का | ^ यूज़र के | ^ यूज़र की | ^ मेरे | ^ मेरी | ^ मेरा | ^ उसके | ^ उनके + @others",
    "^ | ^ 用户的 | ^ 用戶的 | ^ 用户 | ^ 用戶 | ^ 我 | ^ 我的 | ^ 他的 | ^ 她的 + 叔叔 | 舅舅 | 哥哥 | 弟弟 | 姐姐 | 妹妹 | 父亲 | 母亲 | 爸爸 | 妈妈 | 爸 | 妈 | 哥 | 姐 | 弟 | 朋友 | 爷爷 | 奶奶 | 外公 | 外婆 | 同事 | 同学 | 男友 | 女友 | 男朋友 | 女朋友 | 丈夫 | 妻子 | 老公 | 老婆 | 前夫 | 前妻 | 儿子 | 女儿 | 表哥 | 表姐 | 邻居 | 老板 | 老师 | 学生 | 病人",
    "^ | ^ ユーザーの | ^ 私の | ^ 彼の | ^ 彼女の + 叔父 | 伯父 | 叔母 | 伯母 | 兄 | 弟 | 姉 | 妹 | 父 | 母 | 友人 | 友達 | 親友 | 祖父 | 祖母 | 同僚 | 上司 | 恋人 | 彼氏 | 元彼 | 夫 | 妻 | 息子 | 娘 | いとこ | 患者 | 生徒 | 隣人 | 先生",
    "^ | ^ 사용자의 | ^ 제 | ^ 내 | ^ 우리 | ^ 그의 | ^ 그녀의 + 삼촌* | 이모* | 고모* | 형 | 형이 | 형은 | 누나* | 오빠* | 언니* | 동생* | 아버지* | 어머니* | 아빠* | 엄마* | 친구* | 할아버지* | 할머니* | 동료* | 상사* | 남자친구* | 여자친구* | 남편* | 아내* | 아들* | 딸* | 사촌* | 이웃* | 환자* | 학생* | 선생님*",
];

/// People who are not the user.
pub(super) const OTHER_PEOPLE: &str = "uncle* | aunt* | brother* | sister* | sibling* | father* | mother* | dad | dads | mum | mums | mom | moms | son | sons | daughter* | cousin* | friend* | boyfriend* | girlfriend* | partner* | ex | exs | fiance* | boss | bosses | teacher* | roommate* | flatmate* | grand* | neighbour* | neighbor* | colleague* | coworker* | wife | wifes | husband* | nephew* | niece* | patient* | client* | student* | character*
    | onkel* | tante* | bruder* | schwester* | vater* | mutter* | sohn* | tochter* | freund* | gross* | opa | oma | nachbar* | kolleg* | partner* | ehemann | ehefrau | mann | frau | chef | chefin | lehrer*
    | tio | tia | hermano | hermana | padre | madre | hijo | hija | primo | prima | amigo | amiga | abuelo | abuela | vecino | vecina | novio | novia | mujer | suegr* | cunad* | pareja | marido | esposa | jefe | jefa
    | oncle | tante | frere | soeur | pere | mere | fils | fille | ami | amie | voisin* | cousine | copain | copine | mari | femme | compagn* | patron | collegue
    | irmao | irma | pai | mae | filho | filha | avo | namorad* | marido | esposa | chefe | colega | vizinh*
    | zio | zia | fratello | sorella | figlio | figlia | amico | amica | nonno | nonna | cugin* | fidanzat* | ragazzo | ragazza | marito | moglie | capo | collega
    | oom | broer* | zus | zusje | vader | moeder | zoon | dochter* | vriend* | neef | nicht | buurman | buurvrouw | collega | man | vrouw | baas
    | wujek | wujka | ciocia | brat | brata | bratu | siostra | siostry | ojciec | ojca | matka | matki | syn | corka | przyjaciel* | kolega | chlopak | dziewczyna | maz | zona | szef | sasiad*
    | дядя | дяди | тетя | брат* | сестр* | отец | отца | мать | матери | сын* | дочь | друг* | подруг* | дедушк* | бабушк* | парень | девушка | муж | жена | начальник | коллег* | сосед*
    | amca* | dayi* | teyze* | hala* | kardes* | abi* | abla* | babasi | annesi | babam | annem | oglu | kizi | arkadas* | sevgili* | esi | kocasi | karisi | patron* | komsu* | kuzen*
    | عم | عمه | عمها | عمي | اخ | اخوه | اخي | اخت | اخته | اب | ابوه | ابي | ام | امه | امي | والد* | صديق* | خال | خاله | خالي | جد | جده | زوج* | خطيب* | مدير* | زميل* | جار*
    | चाचा | मामा | भाई | बहन | पिता | माँ | दोस्त | बेटा | बेटी | बेटे | दादा | दादी | नाना | नानी | पति | पत्नी | बॉस | सहकर्मी | पड़ोसी | चचेरा | प्रेमी | प्रेमिका";

/// What a conversation is called that was of it.
pub(super) const TOPICS: &[&str] = &[
    "suicid* | *suizid* | *selbstmord* | *zelfmoord* | samoboj* | *самоубийств* | *суицид* | intihar* | *انتحار* | *आत्महत्या* | *खुदकुशी* | *सुसाइड* | 自杀 | 自殺 | 自残 | 自殘 | 自傷 | 자살 | 자살* | 자해 | 자해*",
    "self harm* | selbstverletz* | autolesion* | automutil* | scarification* | samookalecz* | селфхарм* | overdos* | uberdosis | sobredosis | surdose",
    "death | dying | sterben | tod | muerte | morir | mort | mourir | morte | morrer | morire | dood | sterven | smierc | umrzec | смерть | умереть | olum | olmek | الموت | मौत | मरना | 死 | 死亡 | 죽음",
    "crisis | krise | crise | crisi | kryzys | кризис | kriz | أزمة | ازمة | संकट | 危机 | 危機 | 위기 | mental health crisis",
];
