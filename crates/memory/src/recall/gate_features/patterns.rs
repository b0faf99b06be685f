//! The patterns of each feature, as tables: runs of words anywhere or at the beginning, and runs of characters where a script has no
//! spaces.

use std::collections::HashMap;
use std::sync::OnceLock;

/// The longest pattern in words.
pub(super) const MAX_PATTERN_WORDS: usize = 4;

pub(super) struct Patterns {
    pub anywhere: HashMap<&'static str, Vec<&'static str>>,
    pub first: HashMap<&'static str, Vec<&'static str>>,
    pub unspaced: Vec<(&'static str, &'static str)>,
}

pub(super) fn patterns() -> &'static Patterns {
    static PATTERNS: OnceLock<Patterns> = OnceLock::new();
    PATTERNS.get_or_init(|| {
        let mut made = Patterns { anywhere: HashMap::new(), first: HashMap::new(), unspaced: Vec::new() };
        for (class, list) in ANYWHERE {
            for pattern in list.split('|').map(str::trim).filter(|pattern| !pattern.is_empty()) {
                made.anywhere.entry(pattern).or_default().push(class);
            }
        }
        for (class, list) in FIRST {
            for pattern in list.split('|').map(str::trim).filter(|pattern| !pattern.is_empty()) {
                made.first.entry(pattern).or_default().push(class);
            }
        }
        for (class, list) in UNSPACED {
            made.unspaced.extend(list.split('|').map(|pattern| (*class, pattern.trim())));
        }
        made
    })
}

/// Patterns that may stand anywhere: the feature, then its forms. English first, then German, Spanish, French,
/// Portuguese and Russian.
pub(super) const ANYWHERE: &[(&str, &str)] = &[
    (
        "own_thing",
        "my | mine | mein | meine | meiner | meinem | meinen | meines | mi | mis | mío | mía | míos | mías | mon | ma | mes \
         | meu | minha | meus | minhas | мой | моя | моё | мое | мои | моей | моего | моему | моих | моим | мою | моём | моем",
    ),
    (
        "our_thing",
        "our | ours | unser | unsere | unserem | unseren | unserer | nuestro | nuestra | nuestros | nuestras | notre | nosso \
         | nossa | nossos | nossas | наш | наша | наше | наши | нашей | нашего | нашем",
    ),
    (
        "asks_own_past",
        "did i | have i | had i | was i | were we | did we | have we | had we | i did | i have ever | habe ich | hab ich | hatte ich \
         | war ich | bin ich | haben wir | hatten wir | waren wir | dije | he dicho | mencioné | hice | compré | fui | hicimos \
         | ai je | j' ai | ai mentionné | avons nous | avais je | étais je | eu disse | mencionei | eu fiz | comprei | eu falei | eu fui \
         | я говорил | я говорила | я сказал | я сказала | я упоминал | я упоминала | я купил | я купила | я делал | я был | я была | я ходил | я ездил",
    ),
    (
        "asks_own_present",
        "do i | am i | can i still | should i still | do we | are we | what 's my | what is my | who is my | where is my | when is my \
         | what are my | who are my | how is my | how old am i | ich | wo ist mein | wie heißt mein | wann ist mein | trabajo yo | vivo \
         | est ce que je | suis je | где мой | где моя | как зовут мою | как зовут моего | у меня | qual é meu | qual é o meu | qual é minha | cuál es mi | quel est mon | quelle est ma",
    ),
    (
        "tells_own_past",
        "i have been | i used to | i 'd been | i told | i said | i mentioned | i bought | i went | i got | i worked | i met | i brought up | i asked",
    ),
    ("speaks_of_self", "i | me | myself | mich | mir | je | moi | yo | eu | я | мне | меня"),
    (
        "our_conversation",
        "our conversation | our conversations | our chat | our chats | our discussion | our discussions | our last | our previous \
         | our earlier | our session | our sessions | our past | we discussed | we talked | we were talking | we spoke | we have discussed \
         | we chatted | we agreed | we decided | we planned | we went over | we covered | previous chat | previous conversation | previous discussion \
         | last conversation | last chat | last session | past conversations | earlier conversation | across our | throughout our | across all sessions \
         | wir besprochen | wir gesprochen | wir geredet | unser gespräch | unserem gespräch | letzten gespräch | hablamos | discutimos | conversación anterior \
         | nuestra conversación | nous avons parlé | nous avons discuté | on a parlé | notre conversation | notre discussion | conversamos | falamos \
         | nossa conversa | мы обсуждали | мы говорили | мы разговаривали | мы решили | нашего разговора | нашем разговоре",
    ),
    (
        "you_said",
        "you said | you told | you mentioned | you suggested | you recommended | you gave | you provided | you explained | you shared \
         | did you say | did you tell | did you suggest | did you recommend | you had | hast du gesagt | du gesagt | du erwähnt | du empfohlen \
         | me dijiste | dijiste | mencionaste | recomendaste | tu as dit | tu m' as dit | m' as dit | tu as mentionné | você disse | você falou | você mencionou \
         | ты говорил | ты говорила | ты сказал | ты советовал | вы говорили | вы сказали",
    ),
    (
        "remember",
        "remind | remind me | remember | recall | recap | refresh my memory | going back to | following up | follow up on | looking back | do you know my \
         | know about me | forgot | forgotten | erinnere | erinnern | erinnerst | erinner | weißt du noch | vergessen | recuerda | recuerdas | recuérdame | acuerdas | acuérdate \
         | rappelle | rappeler | rappelez | souviens | souvenir | souvenez | lembra | lembre | lembras | lembrar | помнишь | помните | напомни | напомните | вспомни | запомни",
    ),
    (
        "past_time",
        "yesterday | last week | last month | last year | last time | last night | last session | last weekend | last summer | last winter | last spring | last fall \
         | earlier | previously | ago | in the past | the other day | when did | since i | so far | over time | back then | last monday | last tuesday | last wednesday | last thursday | last friday \
         | last saturday | last sunday | past few | past week | past month | past two | past three | gestern | vorgestern | letzte woche | letzten monat | letztes jahr | letztes mal | letzten | neulich | vorhin | zuletzt | früher | damals \
         | ayer | anteayer | la semana pasada | el mes pasado | el año pasado | la última vez | última vez | hace unos | antes \
         | hier | avant hier | la semaine dernière | le mois dernier | l' année dernière | la dernière fois | dernière fois | récemment \
         | ontem | anteontem | semana passada | mês passado | ano passado | da última vez \
         | вчера | позавчера | прошлой неделе | прошлом месяце | прошлом году | прошлый раз | в прошлый раз | недавно | раньше | тогда",
    ),
    (
        "calendar",
        "monday | tuesday | wednesday | thursday | friday | saturday | sunday | january | february | march | april | june | july | august | september \
         | october | november | december | montag | dienstag | mittwoch | donnerstag | freitag | samstag | sonntag | lunes | martes | miércoles | jueves | viernes | sábado | domingo \
         | lundi | mardi | mercredi | jeudi | vendredi | samedi | dimanche | segunda feira | sexta feira | понедельник | вторник | среду | четверг | пятницу | субботу | воскресенье",
    ),
    (
        "recency",
        "recently | lately | currently | most recent | latest | these days | nowadays | still | now that | initially | originally | first time | ever | already | kürzlich | aktuell | últimamente | recientemente | actuellement | ultimamente",
    ),
    (
        "identity",
        "who am i | my name | do you know about | know about me | where do i work | where do i live | how old am i | my birthday | my favorite | my favourite | my job | about myself \
         | wer bin ich | wie heiße ich | wo wohne ich | wo arbeite ich | mein name | quién soy | cómo me llamo | dónde vivo | dónde trabajo | mi nombre | mi favorito | mi cumpleaños | qui suis je | comment je m' | où est ce que \
         | mon nom | mon anniversaire | quem sou eu | meu nome | onde eu moro | onde eu trabalho | meu aniversário | кто я | как меня зовут | где я живу | где я работаю | моё имя | мое имя | мой день рождения",
    ),
    (
        "history_of",
        "order in which | brought up | how my | how i have | evolved | progress | progressed | developed over | changed over | in total across | how many times | how long have | how long did | how long had \
         | how many days | how many weeks | how many months | happened first | came first | passed between | passed since | between the day | timeline of",
    ),
    (
        "wants_suggestion",
        "any suggestions | any advice | any tips | any ideas | any recommendations | suggest | recommend | recommendations | do you think | could you suggest | can you suggest | can you recommend \
         | ideas for | tips for | tips on | advice | empfehlen | empfiehl | vorschlag | recomiendas | recomendar | sugieres | recommandes | conseilles | recomenda | sugere | посоветуй | порекомендуй",
    ),
    (
        "own_situation",
        "i am planning | i am thinking | i am trying | i am getting | i am looking | i am struggling | i am feeling | i am going | i am a bit | i am considering | i am working | i have been | i was thinking | i want to try | i noticed | i feel | i am having | i am excited | i am worried",
    ),
    (
        "advice_to_self",
        "should i | should we | can i | could i | what can i | may i | would i | ought i | soll ich | sollte ich | kann ich | puedo | debo | debería | puis je | dois je | posso | devo | можно | стоит ли",
    ),
    (
        "wants_start",
        "i want to | i want a | i need a | i need to | i need help | i like to | i would like to | i am making | i am learning | i am writing | i just bought | ich möchte | quiero | je veux | eu quero | я хочу",
    ),
    (
        "how_to",
        "how to | how do i | how can i | how do you | how does | how can | how would | best way to | wie kann ich | wie mache ich | cómo puedo | comment faire | como fazer | как сделать",
    ),
    (
        "wants_task",
        "help me write | help me | write a | write me | write an | create a | make a | give me a | give me an | i want you to | i need you to | i would like you | your task | please write | can you write | could you write | generate | rewrite | translate | summarize | summarise \
         | schreib | schreibe | escribe | écris | escreva | напиши | переведи",
    ),
    ("about_you", "yourself | are you | can you | could you | would you | do you"),
    ("your_thing", "your"),
    (
        "general_question",
        "what are some | what are the | what are good | what are common | what are your | what is a | what is an | what is the | what is | what does | what do | what kind | what type | what would | what can | what could | what makes | what causes | what year | who is the | some good | good way | good ways \
         | difference between | meaning of | examples of | in the world | best way | the best | best time | most effective | most popular | most common | how much should | how often should | how long should | is it | is there | are there | was ist | was sind | wer hat | wie lange | was bedeutet \
         | cuál es | cuáles son | qué es | qué son | quién es | qué significa | quel est | quelle est | quels sont | qu' est ce que | qui a | combien de | qual é | quais são | o que é | que é | quem | что такое | какая | какие | какой | кто",
    ),
    (
        "why_question",
        "why do | why does | why is | why are | why did | why would | why the | warum | por qué | por que | pourquoi | почему | weshalb",
    ),
    (
        "explanation",
        "explain | the basics | describe | tell me a | tell me about | define | how does | how do you | how would you | would happen | funktioniert | erkläre | funciona | explica | explique | fonctionne | работает | объясни",
    ),
    (
        "particulars",
        "specific | exact | exactly | details | detailed summary | summary of | comprehensive summary | discussed | scheduled | attended | attend | feedback | background | qualifications | agenda | joined | mentioned | planned | currently | decided | chose | recommended | suggested | name of the | the name of",
    ),
    (
        "about_anyone",
        "people | someone | anyone | everyone | a person | one can | you can | children | humans",
    ),
    ("third_person", "he | she | his | her | him | they | their | them"),
    (
        "given_material",
        "following | the given | given a | given the | below | above | this sentence | the sentence | the text | the passage | the paragraph | the article | this article | the list | input | output | this code | the code | based on the | according to the | the function | this function | the equation | context",
    ),
    (
        "style_order",
        "your response | your answer | in the style | words or | at least | no more than | less than | without using | do not use | in all | capital letters | bullet points | markdown | bullet | entire response | paragraphs | json | format | in english | lowercase | uppercase | keywords | step by step",
    ),
    ("role_play", "you are a | you are an | act as | pretend | imagine | suppose | as a | as an | roleplay"),
    ("hypothetical", "if | what if | each | per | would it | how much does | how many does"),
    (
        "definite_event",
        "the meeting | the call | the appointment | the trip | the workshop | the conference | the event | the interview | the party | the wedding | the class | the session | the deadline | the project | the campaign | the plan | the recipe",
    ),
    (
        "greeting",
        "hello | hi | hey | thanks | thank you | ok | okay | good morning | hallo | hola | bonjour | olá | привет | danke | gracias | merci | obrigado | спасибо",
    ),
];

/// Patterns that count only as the first words.
pub(super) const FIRST: &[(&str, &str)] = &[
    (
        "imperative_first",
        "write | create | explain | give | list | translate | generate | describe | summarize | summarise | make | provide | design | implement | rewrite | name | tell | compose | draft | compare | analyze | analyse | find | identify | convert | calculate | solve | suggest | develop | classify \
         | edit | fix | answer | come up | build | discuss | define | outline | evaluate | extract | choose | determine | construct | use | add | please | act | imagine | suppose | given | consider | render | plan | invent | expand | arrange | sort | detect | correct | improve | turn | change | brainstorm | code | show | prove | introduce | do | assume | let | read",
    ),
    (
        "question_word_first",
        "what | when | where | who | which | why | whose | was | wann | wo | wer | welche | welcher | welches | warum | wie | qué | cuándo | dónde | quién | cuál | quand | où | qui | quel | quelle | pourquoi | que | quando | onde | quem | qual | что | когда | где | кто | какой | какая | какое | почему | как",
    ),
    (
        "quantity_question_first",
        "how many | how much | how long | how often | how old | wie viele | wie oft | cuántos | cuántas | combien | quantos | quantas | сколько",
    ),
    (
        "auxiliary_first",
        "did | do | does | have | has | had | was | were | is | are | am | should | will | hast | habe | haben | war",
    ),
    (
        "polite_request_first",
        "can you | could you | would you | can i | could i | i wanted to | i want to | i would like | i was wondering | i am looking | i am trying",
    ),
];

/// Patterns of scripts that are written without spaces: Chinese, then Japanese.
pub(super) const UNSPACED: &[(&str, &str)] = &[
    ("own_thing", "我的|私の|僕の|俺の|わたしの|自分の"),
    ("our_thing", "我们的|我們的|私たちの"),
    (
        "asks_own_past",
        "我说过|我說過|我提到|我上次|我之前|我买了|我買了|我去过|我做过|我做了|言いました|言った|話しました|買いました|行きました|私は何を",
    ),
    ("asks_own_present", "我在哪|我是|我有|我叫|私は"),
    ("speaks_of_self", "我|私|僕|俺"),
    ("our_conversation", "我们讨论|我們討論|我们聊|我们谈|上次聊|上次说|話したこと|私たちが話|会話"),
    ("you_said", "你说过|你說過|你提到|你告诉|你推荐|あなたが言|言ってた|教えてくれた"),
    ("remember", "记得|記得|提醒我|回忆|想起|忘了|覚えて|思い出|忘れ"),
    (
        "past_time",
        "昨天|上次|上周|上週|上个月|之前|以前|去年|前几天|昨日|先週|先月|前回|この前|以前に|さっき",
    ),
    ("identity", "我叫什么|我是谁|我的名字|我住在|我在哪里工作|私の名前|私は誰|私の誕生日|我的生日"),
    ("question_word_first", "什么|什麼|哪里|哪裡|谁|什么时候|为什么|何|どこ|誰|いつ|なぜ|どれ"),
    ("wants_task", "写一|帮我写|翻译|生成|書いて|翻訳"),
    ("wants_suggestion", "推荐|建议|おすすめ|提案"),
    ("our_thing", "我们|我們|私たち"),
    ("general_question", "是什么|是哪|有什么|有多少|多少|どれくらい|とは|ありますか|首都|何人"),
    ("why_question", "为什么|為什麼|怎么|怎样|なぜ|どうして"),
    ("explanation", "解释|说明|怎么进行|説明|仕組み"),
];
