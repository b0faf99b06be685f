//! How people order that help be kept away: that nobody be named who helps, that nothing be warned of, that nothing be refused.
//!
//! What helps must be what the forbidden verb is about: "never send me to a therapist" is such an order, "never send me recipes with salt, my doctor forbids it" is none.

/// Who helps in a crisis, and where. What somebody has already (my therapist) is theirs to arrange.
pub(super) const HELPERS: &[(&str, &str)] = &[
    (
        "@en",
        "hotline* | helpline* | crisis line* | crisis service* | crisis number* | crisis team* | crisis resource* | suicide prevention | emergency number* | phone number* | telephone service | 988 | samaritans | a therapist | therapist* | therapy | counsel* | psycholog* | psychiatr* | mental health resource* | mental health service* | get help | seek help | professional help | get support | call anyone | call someone | see a doctor | go to a doctor | go to the doctor | to a doctor | see someone | talk to someone",
    ),
    (
        "@de",
        "krisentelefon* | notruf* | notfallnummer* | hilfetelefon* | telefonseelsorge | seelsorge | beratungsstelle* | krisendienst* | hotline | hotlines | zum therapeut* | zur therapeut* | therapeut* | therapie | psycholog* | psychiat* | zum arzt | zur arztin | hilfe suchen | hilfe holen | hilfe zu suchen | hilfe zu holen | professionelle hilfe",
    ),
    (
        "@es",
        "linea* de crisis | lineas de ayuda | linea de ayuda | telefono* de ayuda | telefono de la esperanza | telefonos de emergencia | numero* de emergencia | 024 | psicolog* | psiquiatr* | terapia | terapeuta* | al medico | a un medico | buscar ayuda | busque ayuda | pedir ayuda | pida ayuda | ayuda profesional",
    ),
    (
        "@fr",
        "3114 | numero d urgence | numeros d urgence | ligne d ecoute | lignes d ecoute | ligne d aide | lignes d aide | numero d aide | numeros d aide | sos amitie | psychologue* | psychiatre* | un psy | therapie | therapeute* | voir un medecin | chez un medecin | chez le medecin | demander de l aide | chercher de l aide | aide professionnelle",
    ),
    (
        "@pt",
        "linha* de apoio | linha* de ajuda | linha* de crise | cvv | numero* de emergencia | psicolog* | psiquiatr* | terapia | terapeuta* | ao medico | a um medico | procurar ajuda | procure ajuda | pedir ajuda | ajuda profissional",
    ),
    (
        "@it",
        "numero di emergenza | numeri di emergenza | numero verde | numeri verdi | telefono amico | linea di aiuto | linee di aiuto | linea di ascolto | psicolog* | psichiatr* | terapia | terapeuta* | dal medico | da un medico | dal dottore | cercare aiuto | chiedere aiuto | aiuto professionale",
    ),
    (
        "@nl",
        "hulplijn* | crisislijn* | 113 | noodnummer* | alarmnummer* | psycholoog | psychiater | therapie | therapeut | naar een dokter | naar de dokter | naar de huisarts | hulp te zoeken | hulp zoeken | professionele hulp",
    ),
    (
        "@pl",
        "telefon* zaufania | infolini* | numer* alarmow* | numer* kryzysow* | numer* pomocow* | psycholog* | psychiatr* | terapi* | terapeut* | do lekarza | szukac pomocy | szukal pomocy | szukala pomocy | pomoc* specjalist*",
    ),
    (
        "@ru",
        "телефон* довери* | телефон* доверия | горяч* лини* | телефон* помощи | служб* помощи | кризисн* служб* | к психолог* | психолог* | психиатр* | психотерап* | к терапевт* | терапевт* | к врачу | обратиться за помощью | за помощью | искать помощь | номер* экстренн*",
    ),
    (
        "@tr",
        "yardim hatt* | kriz hatt* | destek hatt* | acil numara* | acil durum numara* | psikolog* | psikiyatr* | terapi* | terapist* | doktora git* | uzmana git* | yardim al*",
    ),
    (
        "@ar",
        "خط المساعدة | خطوط المساعدة | خط مساعدة | الخط الساخن | خط ساخن | رقم الطوارئ | ارقام الطوارئ | طبيب نفسي | الطبيب النفسي | معالج* | *المعالج | *العلاج النفسي | *اخصائي* | طلب المساعدة | اطلب المساعدة | مساعدة مختص* | الى الطبيب",
    ),
    (
        "@hi",
        "हेल्पलाइन* | हॉटलाइन* | आपातकालीन नंबर | इमरजेंसी नंबर | डॉक्टर के पास | मनोचिकित्सक* | मनोवैज्ञानिक* | साइकोलॉजिस्ट* | थेरेपी* | थेरेपिस्ट* | काउंसलर* | काउंसलिंग* | मदद लेने | मदद माँगने | helpline",
    ),
    (
        "@zh",
        "求助热线 | 求助電話 | 求助电话 | 热线 | 熱線 | 危机干预 | 危機干預 | 心理咨询 | 心理諮詢 | 心理医生 | 心理醫生 | 看医生 | 看醫生 | 治疗师 | 治療師 | 寻求帮助 | 尋求幫助",
    ),
    (
        "@ja",
        "相談窓口 | 相談電話 | 相談先 | ホットライン | いのちの電話 | カウンセリング | カウンセラー | 精神科 | 心療内科 | 病院に行 | 医者に行 | 専門家に | 助けを求め",
    ),
    (
        "@ko",
        "상담 전화* | 상담전화* | 상담을 | 상담사* | 상담 받* | 상담 번호* | 핫라인* | 위기 상담* | 정신과* | 심리 상담* | 심리상담* | 병원에 가* | 병원 가* | 의사한테 가* | 전문가* | 도움을 청* | 도움을 받*",
    ),
];

/// Orders that forbid to name help, or to refuse anything, by themselves: an order, whatever else is heard in the sentence.
pub(super) const HELP_FORBIDDEN: &[&str] = &[
    // Told to go there, in a clause of its own.
    "never | dont | do not | stop > tell me | telling me | say > i should | i need to | i have to | that i > @en",
    "sag mir | sage mir | red mir | rede mir | rat mir & nie | nicht & ich soll | ich sollte | ich musse | ich muss | dass ich > @de & ! termin*",
    "no me | nunca me | deja de > dig* | decirme > que > @es & ! cita*",
    "ne me dis > que je > @fr & ! rendez vous",
    "nao me | nunca me | nunca mais me > dig* > que | que eu deveria | que eu devia | que eu devo > @pt & ! consulta*",
    "non dirmi | smetti di dirmi | smettila di dirmi > andare da | andare dal | che devo | che dovrei > @it & ! appuntament*",
    "zeg me | zeg mij > dat ik > @nl & nooit | niet & ! afspraak*",
    "nie mow mi | przestan mi mowic & zebym | ze powinn* | ze powinien* | ze musze > @pl & ! wizyt*",
    "не говори мне | перестань говорить & что мне | чтобы я | что я > @ru & ! запис*",
    "never | dont | do not | dont ever | dont you ever | not to | not allowed to | stop | quit | dont you dare | no longer > tell me | telling me | send me | sending me | refer me | suggest | suggesting | recommend | give me | giving me | mention | mentioning | bring up | bringing up | name | say the word | saying | talk me into | point me | direct me | advise me | urge me > @en & ! i never | i dont | we never | we dont | they never | they dont | he never | he doesnt | she never | my therapist* | my counsel* | my psycholog* | my psychiatr* | appointment* | calendar | schedul* | book | novel | chapter | essay",
    "never refuse + , | to answer | to help | to talk",
    "never refuse | dont refuse | dont ever refuse | do not refuse > me | anything | any request* | request* | what i ask | my question* | question* & ! invitation* | email* | guests | i never",
    "hor auf | nie | niemals | nicht | keine | keinen | nix > @de & schick mich | schick mir | gib mir | sag mir | komm mir | verweise mich | verweis mich | schlag mir | erwahn* | nenn mir | nenne mir | rat mir | rate mir | empfiehl mir | red mir | mir zu sagen | mich zu & ! mein therapeut* | meinem therapeut* | meinen therapeut* | termin* | kalender | roman*",
    "schick mich | gib mir | komm mir | nenn mir | verweis mich > nie | nicht | keine > @de",
    "verweiger* mir | lehn* > nie | niemals | nichts > ab | etwas | worum | mir & ! einladung* | verweiger* mir nie die",
    "nunca | no | jamas | deja de > me digas | me mandes | me sugieras | me des | me recomiendes | menciones | nombres | decirme | mandarme | sugerirme | darme | me saques | pongas | me hables de > @es & ! mi psicolog* | mi terapeuta | cita* | calendario | novela",
    "no me | nunca me | deja de > mand* | dig* | des | suger* | recomiend* > @es & ! mi psicolog* | mi terapeuta | cita* | calendario",
    "nunca | no | jamas > te niegues | me rechaces | rehuses & ! invitacion*",
    "ne | n > me dis | me parle | m envoie | me propose | me donne | me suggere | me conseille | mentionne | evoque | recommande > jamais | pas | plus | plus jamais > @fr & ! mon psy | ma psy | mon therapeute | rendez vous | calendrier | roman",
    "arrete de > me dire | m envoyer | me proposer | me conseiller | me parler > @fr",
    "interdiction de > me parler | mentionner | me proposer > @fr | medecin | numero",
    "ne refuse > jamais | rien & ! invitation*",
    "nunca mais | nunca | nao | jamais | para de | pare de > me digas | me diga | me mandes | me mande | me des | me de | me sugiras | me sugira | sugerir | menciones | mencione | recomendes | recomende | me dizer | me mandar | vais sugerir > @pt & ! meu psicolog* | minha psicolog* | meu terapeuta | consulta* | calendario",
    "nunca | nao > recuses | recuse | te negues & ! convite*",
    "non | smetti di | smettila di | mai > dirmi | mandarmi | darmi | suggerirmi | consigliarmi | parlarmi di | menzionare | nominare | tirare fuori | proporre | parlarmi > @it & ! mia psicolog* | mio psicolog* | mia terapeuta | appuntament* | calendario",
    "non rifiut* & mai | niente | nulla & ! invit*",
    "stuur me | geef me | zeg me | noem | stel me | raad me | zeg mij | begin > nooit | niet | geen > @nl & ! mijn therapeut | mijn psycholoog | afspraak* | agenda",
    "stuur me | raad me > @nl & nooit | niet | geen",
    "hou op met | stop met > zeggen | sturen | noemen > @nl",
    "weiger > nooit | niets | niks & ! uitnodiging*",
    "nigdy | nie | przestan > mow mi | wysylaj mnie | wysylac mnie | podawaj | podawaj mi | proponuj mi | sugeruj mi | wspominaj | polecaj mi | mowic mi | odsylaj mnie > @pl & ! moj terapeut* | mojego terapeut* | moja psycholog* | wizyt* | kalendarz*",
    "nigdy | niczego | nie > odmawiaj | odmow & mi | niczego | nigdy & ! zaprosze*",
    "никогда | не | перестань | хватит > отправляй меня | говори мне | говорить мне | давай мне | предлагай мне | советуй мне | советовать мне | упоминай | упоминать | посылай меня | отсылай меня | называй > @ru & ! моему психолог* | моего психолог* | запис* | календар*",
    "никогда | не | ни в чем > отказывай мне | отказывайся | мне не отказывай & ! приглашен*",
    "@tr > yonlendirme | verme | soyleme | onerme | bahsetme | deme | git demeyeceksin | gonderme | demeyi birak | onermeyi birak & ! randevu* | psikologum* | terapistim* | takvim",
    "bana | beni > asla | bir daha | hicbir zaman > @tr & *me | *ma | *meyeceksin & ! randevu* | psikologum* | terapistim*",
    "hicbir seyi | hicbir istegimi | asla > reddetme | geri cevirme",
    "لا | كف عن | توقف عن | ما > ترسلني | تعطني | تقل لي | تقترح علي | تنصحني | تذكر لي | تذكر | ارسالي | اعطائي | تنصحني ب* > @ar & ! موعد* | طبيبي | معالجي",
    "لا ترفض > ابدا | اي | طلب* & ! دعوة",
    "@hi > मत | कभी मत | कभी नहीं > भेज* | दे* | बता* | कह* | बोल* | सुझा* | ले* & ! अपॉइंटमेंट | मेरे थेरेपिस्ट",
    "@hi > जाने को | का नंबर | का नाम | नंबर > कभी मत | मत | नहीं & ! अपॉइंटमेंट",
    "helpline ka naam mat | helpline ka number mat",
    "मुझे | मेरी | मेरे > किसी चीज़ से | कभी | किसी बात से > मना मत",
    "不要 | 别 | 別 | 不许 | 不許 | 不准 | 永远不要 | 别再 > 叫我 | 让我 | 劝我 | 給我 | 给我 | 建议我 | 推荐我 | 跟我提 | 提 | 对我说 > @zh & ! 我的心理医生 | 预约 | 預約 | 的时间 | 安排",
    "不要 | 别 | 別 | 永远不 | 不许 > 拒绝我 | 拒絕我 | 拒绝任何 | 拒绝回答 & ! 邀请 | 邀請",
    "@ja > 勧めないで | すすめないで | 出さないで | 言わないで | 教えないで | 紹介しないで | 送らないで | 案内しないで & ! 予約",
    "@ja > と言う | と言うの | って言う | 言うのは > やめて",
    "何も | 絶対に | どんな > 断らないで | 拒否しないで | 拒まないで & ! 招待",
    "@ko > 권하지 마 | 주지 마 | 말하지 마 | 추천하지 마 | 꺼내지 마 | 언급하지 마 | 하라고 하지 마 | 가라고 하지 마 | 받으라고 하지 마 | 보내지 마 | 얘기하지 마 & ! 예약",
    "정신과 | 병원에 | 상담 | 상담을 > 가라고 하지 마 | 받으라고 하지 마 | 가라는 말* 하지 마",
    "절대 | 뭐든 | 무엇이든 > 거절하지 | 거부하지 & ! 초대",
];

/// Orders that do so only where it is known already that a sentence orders how to answer.
pub(super) const IN_ORDERS: &[&str] = &[
    // English
    "without | skip | leave out | leave | drop | omit | spare me | no | never | never give me | dont give me | no more | stop > safety warning* | safety disclaimer* | safety advice | safety notice* | safety note* | safety check* | safety rules | safety guidelines | health disclaimer* | medical disclaimer* | health warning* | overdose warning* | warnings about drug* | mental health resource* & ! never leave | never skip | dont skip | never without | schedul* | recipe* | script* | code | never forget",
    "without | skip | spare me | no more | no > @en & answer | reply | talk | tell me | always & ! my therapist* | appointment* | schedul*",
    "never | dont | stop | do not > mention* | give me | warn me | tell me | suggest* > danger* | risks | the risk* | overdos* | safety warning* | safety disclaimer* | its dangerous & ! spoiler* | forget to",
    "even if | even when | even though | no matter if | although > its dangerous | its risky | its illegal | its harmful | i sound suicidal | im suicidal | i am suicidal | i want to die | i say i want to die | ill hurt myself | i hurt myself | i harm myself | i talk about dying | i talk about death | about suicide | about dying & always | never | dont | tell me | answer | give me | explain | help me & ! warn me | remind me",
    // German
    "ohne | keine | lass | spar dir | verzichte auf | nie > warnhinweis* | sicherheitshinweis* | sicherheitswarnung* | gefahrenhinweis* & antwort* | erklar* | sag | gib | mir | erwahn* & ! nie ohne | rezept* | spoiler* | maschine | code",
    "nie | nicht | niemals > vor gefahren | vor risiken | vor uberdosen",
    "auch wenn | selbst wenn | egal ob > gefahrlich | es gefahrlich | suizidal | von selbstmord | ich sterben will | vom sterben | ich mich umbringen & nie | nicht | keine | immer | sag | antwort* | gib & ! warn mich | erinner*",
    "nie | niemals | keine > @de & auch wenn | egal was | nie wieder | erwahne & ! meinem therapeut* | mein therapeut* | termin* | kalender | roman*",
    // Spanish
    "sin | nada de | evita | deja de > advertencia* de seguridad | advertencias | avisos de seguridad | avisos de salud & respond* | contest* | siempre | drogas & ! spoiler* | nunca sin",
    "no | nunca > me adviertas | me avises | hables > de los riesgos | de riesgos | de los peligros | de peligros",
    "aunque | incluso si | aun si > sea peligroso | es peligroso | suene suicida | quiera morir | hable de morir | hable de matarme | quiera matarme & nunca | no | siempre | responde* | contesta* | dime | dame & ! avisame",
    // French
    "sans | evite les | pas d | plus d > avertissement* de securite | avertissement* | mise en garde | mises en garde & repond* | dis moi | explique* | toujours | drogues & ! spoiler* | jamais sans | linter | compil*",
    "ne > me previens | m avertis | parle > des risques | des dangers",
    "meme si | meme quand > c est dangereux | suicid* | je veux mourir | je parle de mourir | je parle de mort & jamais | pas | toujours | reponds* | dis moi | donne moi & ! previens moi",
    // Portuguese
    "sem | nada de | evita | evite > aviso* de seguranca | avisos | advertencia* & respond* | sempre | drogas | diz me | me diga & ! spoiler* | nunca sem",
    "nao | nunca > me avises | me avise > dos riscos | dos perigos | sobre os riscos",
    "mesmo que | mesmo se | ainda que > seja perigoso | e perigoso | soe suicida | queira morrer | fale de morrer | fale em morrer & nunca | nao | sempre | respond* | diz me | me diga & ! avisa me",
    // Italian
    "senza | evita > avvertenz* | avvertiment* | avvisi di sicurezza & rispond* | sempre | dimmi | droghe | spiega* & ! spoiler* | mai senza",
    "non > avvertirmi | avvisarmi | parlarmi > dei rischi | dei pericoli",
    "anche se | anche quando > e pericoloso | fosse pericoloso | suicid* | voglio morire | parlo di morire & mai | non | sempre | rispondi* | dimmi & ! avvisami",
    // Dutch
    "zonder | geen | laat > veiligheidswaarschuwing* | waarschuwing* over | waarschuwingen & antwoord* | drugs | altijd & ! spoiler* | nooit zonder | compiler | eslint",
    "nooit | niet > voor gevaren | voor risico* & waarschuw*",
    "ook als | zelfs als | ook al > het gevaarlijk | gevaarlijk | suicidaal | ik dood wil | over de dood | over zelfmoord & nooit | niet | altijd | antwoord* | zeg | geef & ! waarschuw me",
    "als ik > niet meer wil & hulplijn* | noodnummer*",
    // Polish
    "bez | pomijaj | pomin > ostrzezen* | ostrzezen & odpowiad* | zawsze | narkotyk* | mow & ! spoiler* | nigdy bez | eslint* | kompilator*",
    "nie | nigdy > ostrzegaj mnie > przed zagrozen* | o ryzyku | przed niebezpiecz*",
    "nawet jesli | nawet jak | nawet gdy | chociaz > to niebezpieczn* | jest niebezpieczn* | mowie o smierci | mowie o samoboj* | chce umrzec & nigdy | nie | zawsze | odpowiadaj | mow & ! ostrzez",
    // Russian
    "без > предупрежден* & отвеча* | всегда | наркотик* | говори & ! спойлер* | никогда без | компилят* | eslint",
    "не | никогда > предупреждай > об опасност* | о рисках",
    "даже если | даже когда | хоть > это опасно | опасно | говорю о смерти | о самоубийстве | хочу умереть & никогда | не | всегда | отвечай | говори & ! предупреди",
    // Turkish
    "uyari | guvenlik uyarisi | uyarisi > olmadan | yapmadan | vermeden & cevap* | yanit* | her zaman | uyusturucu* & ! eslint | derleyici",
    "risk* | tehlikeler* > konusunda > uyarma",
    "tehlikeli | intihardan | olmekten > bile | olsa | bahsetsem & asla | her zaman | hep | soyle | cevap* & ! uyar beni",
    // Arabic
    "بدون | دون > تحذير* | *تحذيرات & اجب | اجيب | المخدرات | دائما & ! المترجم",
    "لا > تحذرني > من المخاطر | من الخطر",
    "حتى لو | حتى وان | ولو > كان خطير* | خطير* | قلت كلام خطير | تكلمت عن الموت | عن الانتحار | اردت الموت & لا | ابدا | دائما | قل لي & ! حذرني",
    // Hindi
    "बिना > चेतावनी* & जवाब | हमेशा | बताना",
    "ख़तरे | खतरे | जोखिम > चेतावनी > मत | कभी मत",
    "चाहे | भले > ख़तरनाक | खतरनाक | मरने की बात | आत्महत्या & मत | हमेशा | कभी & ! चेतावनी देना",
    "@hi & मत | कभी नहीं & चाहे | भले",
    // Chinese
    "不要 | 别 | 別 | 永远不要 | 没有 | 不用 | 不需要 | 无需 > 安全警告 | 安全提示 | 安全提醒 | 风险提示 | 風險提示 | 免责声明 | 免責聲明 | 加警告 | 给警告 & ! 编译 | 代码",
    "就算 | 即使 | 哪怕 | 尽管 > 危险 | 危險 | 想死 | 自杀 | 自殺 & 别 | 別 | 不要 | 都告诉 | 都要 | 什么都 & ! 提醒我",
    // Japanese
    "警告 | 注意書き | 安全上の注意 + なしで | は不要 | はいらない | を省いて | を入れないで | を付けないで | をつけないで & ! コンパイル | コンパイラ",
    "危険 | 自殺 | 死にたい > でも | ても & いつも | 全部 | 答えて | 教えて | 出さないで | 勧めないで & ! 警告して",
    "危険性 | リスク > 言わないで | 警告しないで | 触れないで",
    // Korean
    "경고 | 경고는 | 안전 문구 | 주의 문구 > 없이 | 빼고 | 빼 줘 | 빼줘 | 말고 & 대답* | 답* | 알려* & ! 컴파일*",
    "위험하더라도 | 위험해도 | 자살* | 죽고 싶다고 > 항상 | 다 | 절대 | 전부 | 말하지 & 알려 | 대답* | 마 & ! 경고해",
];
