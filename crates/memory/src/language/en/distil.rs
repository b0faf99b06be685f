//! English: the words that its sentences hang on. Its rules are in [`rules`] and [`orders`].

mod facts;
mod orders;
mod rules;

use crate::language::rule::{Lexicon, SlotWords};

pub(super) const LEXICON: Lexicon = Lexicon {
    rules: &[facts::RULES, rules::RULES, orders::RULES],
    adverbs: "really also just still actually absolutely definitely particularly especially truly personally honestly
        simply totally kinda kind_of sort_of currently recently now finally already probably only even quite very so
        super pretty both ultimately eventually initially mostly mainly deeply strongly greatly happily proudly
        successfully originally mainly certainly recently_just just_recently genuinely thoroughly sincerely lately
        temporarily briefly officially fully severely mildly long",
    openers: "and but so because since though although while plus also then however well yes yeah yep no nope ok okay oh
        hi hey hello honestly actually btw anyway considering given as especially lately recently now currently
        personally besides therefore thus hence unfortunately luckily basically additionally furthermore
        moreover otherwise instead meanwhile wow lol haha fyi whereas except cuz cause sorry please correction
        fortunately sadly afterwards previously",
    boundaries: "because cuz cause so but although though however unless whereas which when if who whom while even_though
        even_if so_that due_to thanks_to despite considering given just_to as_it as_they as_i as_well since_i since_it
        since_the since_my since_we since_they hence whether like_you as_you you_know especially where how what why
        can_you could_you would_you any_tips any_advice any_ideas per_your as_suggested as_mentioned
        like_i the_other_day lol until_i before_i after_i without_any whenever i_think i_guess i_mean for_you
        and_not_just am_i should_i do_you including",
    joints: "and or & nor plus",
    clause_words: "i we you he she they it my our this that these those can could would should will am is was are were
        have has had do does did want need then now also how what why when where who if there let please just even maybe
        plan been trying wondering looking thinking hoping planning earning considering curious feel feeling think
        know make get getting got see so not honestly really it's still currently am to after before during while",
    suppositions: "if imagine suppose supposing assume assuming unless what_if let_us_say let_us_pretend hypothetically
        pretend wish in_case even_if would_have could_have",
    questions: "what how why who whom whose which_one which_of which_would which_do which_should which_are when_is
        when_do when_did when_should when_will where_do where_can where_is where_should where_did can_you could_you
        would_you will_you do_you did_you are_you have_you is_it is_there are_there is_this is_that do_i should_i can_i
        could_i would_i am_i may_i have_i did_i will_i will_it does_it does_this does_that does_the do_they did_it
        was_it would_it should_we can_we do_we shall_we shall_i can_someone can_anyone could_someone is_the are_the
        does_anyone any_tips any_advice any_ideas any_suggestions any_thoughts help_me please_help please_explain
        tell_me show_me give_me explain",
    empty_objects: "it this that them those these him her me you us they he she one ones something anything everything
        nothing stuff things thing way so too much lot a an the all some any both idea ideas of what your suggestion
        suggestions advice answer help response explanation approach to such there here same again more most really
        sounds point reply example examples feedback thanks i and or in on for with is are how be do my we our its
        lots bit time times sound look part",
    hollow: "project projects app application problem problems task tasks code system good bad someone somebody people story
        stories new event",
    dangling: "pretty fairly quite based says this per than over under into after before during since because through up down out off too though now and or to with for in on at of a an the as by from also well anyway lol haha really please that which my is are was about but so then how what where who not be while here etc very just still already again lately atm rn tbh tho tonight",
    refused_openings: "it that this these those them you your him her me us what how when where who why if whether to_know
        to_see to_understand to_ask to_hear to_learn_more the_idea the_fact the_way the_sound the_look the_suggestion
        the_suggested to_be_able to_thank to_make_sure he she they there it's the_detailed the_vibe everything
        anything nothing something someone somebody everyone some_help help a_function a_script a_way like for_you
        the_concept the_structure the_approach the_first the_second the_third the_option the_thought the_updated
        the_new the_point the_message the_plan the_same the_feeling so_much the_results the_suggestions the_tips
        of to_hear_more the_reassurance the_advice the_support the_feedback back great ok okay fine well good better hard a_great_time a_blast a_good_time a_ton a_lot
        a_difference a_wild last happening my_best a_break lots a_fun_time an_amazing_time a_great_day awesome alright a_hard_time
        the_tone the_previous the_last the_current the_old the_original the_other the_style the_version the_design
        the_format the_color the_colour the_layout the_wording the_title the_ending the_intro the_output the_result the_answer
        the_code the_blue the_red the_green to_think sure certainty no not never tough hard_time out_recently out as_usual a_funny a_few_more another
        a_bunch both all_of all_the the_following from_scratch the_best from",
    passing: "for_now just_today only_today for_today just_this_once only_this_session this_session_only for_the_moment
        at_the_moment for_this_answer just_for_now this_time temporarily right_now today_only just_this_time
        for_this_one",
    durable: "from_now_on going_forward remember_that please_remember keep_in_mind do_not_forget in_the_future in_future
        moving_forward always_remember remember_: note_:",
    relations: RELATIONS,
    professions: PROFESSIONS,
    possessions: POSSESSIONS,
    conditions: CONDITIONS,
    past: PAST,
    ongoing: "working_on working_as building developing writing reading learning studying preparing_for preparing_to taking
        teaching training organizing organising renovating saving_up saving moving dating volunteering launching
        designing hosting attending analyzing analysing collaborating expecting restoring coaching mentoring leading
        managing living playing practicing practising painting recording editing growing running raising researching
        coordinating producing directing joining starting opening competing recovering seeing_a visiting staying
        switching_to migrating transitioning doing making cooking exploring using filming participating having_a having_an shooting applying_for",
    imperatives: IMPERATIVES,
    feelings: "worried anxious nervous stressed excited proud scared afraid sad happy frustrated overwhelmed concerned
        thrilled grateful upset angry disappointed confident torn hesitant ashamed terrified passionate optimistic",
    idle_actions: "know see understand ask make_sure ensure find_out figure_out be_able be_sure hear tell talk discuss say
        thank confirm clarify point mention note do_that do_this do_it do_so try_it get_it use_it think help get_help
        get_some get_advice learn_more know_more see_if be_careful be_honest share_that try_that try_this get_a_sense
        check_if know_if add_that add_those add_these think_about look_into consider keep_in_mind go_with_that
        be_prepared get_started avoid_that avoid_this hear_your question problem issue concern worry understanding
        point thought guess bad fault code error function query table current next main only first attempt pleasure
        like_you add_a_bit agree wonder focus forget forgot get_confused understood thought knew wanted expected struggle mess
        felt told heard came password passcode pin ssn token secret key get_lost
        make_it keep_it put_it give_it take_it do_some have_a_look believe mean hope wait have say_that be_like keep stay_determined stay_positive stay_focused stay_active stay_motivated
        take_a_look start_with_that make_the_most",
    task_actions: "implement fix debug solve optimize optimise refactor configure integrate calculate set_up deploy verify classify
        prove decide understand handle troubleshoot test determine identify compare analyze analyse review fetch design_a
        display enhance achieve_100% create_a write_unit write_a craft_a update_my apply keep_my manage_my_time add_a get_the
        detect reduce_the improve_the stay keep",
    not_names: "french german english spanish italian russian chinese japanese american british canadian dutch irish
        indian mexican brazilian portuguese korean swedish norwegian danish finnish polish turkish greek arab christian
        muslim jewish catholic buddhist hindu ok okay done sorry fine good great sure happy here back monday tuesday
        wednesday thursday friday saturday sunday january february march april may june july august september october
        november december today yesterday tomorrow i",
    slots: SlotWords {
        no_facts: "shoebox box bubble dump zoo madhouse cave cupboard hole fear hope peace exile poverty luxury squalor denial harmony hours days weeks months years nights weekends dread silence anger tandem sin limbo christmas easter cash pennies fun",
        no_beginnings: "free",
        ..SlotWords::EMPTY
    },
    ..Lexicon::EMPTY
};

const RELATIONS: &str = "mother mom mum father dad sister brother son daughter wife husband partner girlfriend boyfriend
    fiance fiancee child kid grandmother grandma grandfather grandpa aunt uncle cousin niece nephew friend best_friend
    close_friend old_friend good_friend childhood_friend roommate flatmate housemate neighbor neighbour colleague coworker
    co-worker boss manager supervisor mentor tutor teacher coach career_coach professor advisor adviser therapist doctor
    dentist lawyer accountant tech_lead team_lead team_leader teammate collaborator business_partner client assistant
    landlord trainer dog cat puppy kitten parrot horse rabbit hamster stepmother stepfather stepsister stepbrother
    stepson stepdaughter twin_brother twin_sister older_sister younger_sister older_brother younger_brother big_brother
    little_sister big_sister little_brother elder_sister elder_brother mother-in-law father-in-law sister-in-law
    brother-in-law ex-wife ex-husband ex spouse godmother godfather granddaughter grandson writing_mentor
    writing_partner study_partner project_manager product_manager line_manager production_assistant";

const PROFESSIONS: &str = "nurse doctor physician surgeon dentist pharmacist vet veterinarian therapist psychologist
    psychiatrist paramedic midwife caregiver engineer developer programmer architect designer scientist researcher analyst
    consultant manager director producer editor writer author journalist reporter photographer videographer filmmaker
    artist painter illustrator musician singer dancer actor actress composer teacher tutor professor lecturer instructor
    coach trainer librarian student undergraduate postdoc lawyer attorney paralegal judge accountant bookkeeper banker
    economist auditor broker trader cashier salesperson salesman realtor marketer recruiter assistant secretary
    receptionist chef cook baker bartender waiter waitress barista farmer gardener carpenter electrician plumber mechanic
    welder machinist builder driver pilot sailor soldier officer policeman firefighter guard detective technician
    administrator freelancer entrepreneur founder co-founder ceo cto cfo owner contractor translator interpreter
    linguist historian philosopher mathematician physicist chemist biologist geologist statistician astronomer translator
    clerk cleaner tailor barber hairdresser stylist model athlete runner retiree homemaker housewife parent mother father
    mom dad grandparent veteran intern apprentice priest pastor monk social_worker stay-at-home_mom stay-at-home_dad
    beginner vegetarian vegan pescatarian minimalist morning_person night_owl introvert extrovert devops admin
    sysadmin lead tester";

const POSSESSIONS: &str = "dog dogs cat cats puppy kitten kid kids child children son sons daughter daughters sibling siblings
    brother brothers sister sisters twins baby newborn grandchildren grandkids grandson granddaughter pet pets horse horses
    parrot hamster rabbit turtle turtles snake snakes lizard fish goldfish chickens bird birds car bike bicycle motorcycle
    motorbike truck van house apartment flat condo cabin farm garden greenhouse boat degree phd doctorate masters mba diploma
    certificate certification guitar piano violin drum_kit camera drone laptop macbook desktop business company shop store
    bakery studio restaurant cafe blog podcast channel youtube_channel startup agency firm tattoo tattoos visa scholarship
    mortgage girlfriend boyfriend wife husband fiance fiancee partner stepson stepdaughter roommate roommates nephew
    niece nephews nieces";

const CONDITIONS: &str = "asthma diabetes adhd autism arthritis migraine migraines epilepsy insomnia celiac coeliac hypertension
    high_blood_pressure allergy allergies ptsd ocd bipolar dyslexia cancer lupus eczema psoriasis ibs crohn's colitis anemia
    hypothyroidism tinnitus sciatica scoliosis endometriosis pcos fibromyalgia sleep_apnea color_blind colour_blind vegetarian
    vegan pescatarian gluten-free gluten_free lactose_intolerant lactose-intolerant gluten_intolerant diabetic pregnant deaf
    colorblind colourblind dyslexic autistic asthmatic left-handed keto halal kosher sober heart_disease heart_condition
    depression type_1 type_2";

/// Past forms and participles of what happens to people; not of what they try, check and notice all day.
const PAST: &str = "went attended met visited bought received started finished completed joined signed_up moved graduated passed
    failed won lost broke adopted married divorced celebrated hosted organized organised volunteered launched opened
    published submitted booked scheduled rescheduled enrolled registered applied interviewed accepted declined negotiated
    hired resigned retired traveled travelled flew drove hiked ran swam camped painted cooked baked built wrote written
    read watched saw seen played performed sang sung learned learnt taught took taken gave given sold donated raised
    earned spent paid invested planted achieved reached increased reduced improved boosted deployed upgraded migrated
    presented discovered hurt injured fell caught quit began begun bumped_into ran_into signed recorded released premiered
    exhibited competed trained practiced practised recovered proposed ordered rented purchased inherited
    founded established partnered collaborated hung_out reconnected caught_up dropped_out lived worked studied served
    set_up picked_up fixed restored repaired renovated redecorated joined_in cleaned_up tried_out checked_out
    allocated secured implemented integrated updated switched transitioned sent shared scored landed got_back
    got_into got_a got_an got_my made_a made_some made_my had_a had_an had_my went_on spoke talked discussed
    agreed confirmed got_another made found adopted_a had_surgery";

/// Verbs of orders; also the base verbs that a habit is made of.
const IMPERATIVES: &str = "use include provide answer respond reply write give explain call keep show ask confirm report highlight
    format add cite mention check make avoid start end put tell remind list suggest summarize summarise translate speak be say
    send remember ensure prioritize prioritise focus offer recommend consider verify specify describe state note clarify
    present break limit stick refer address structure begin finish point assume treat prefer talk double-check follow provide
    produce return print output display default round convert quote link skip omit stop go do have take read run eat drink wake
    walk cook work drive commit push test review watch play meditate exercise train practice practise sleep get drink listen
    study clean call visit meet plan pray stretch swim bike journal shower think feel try apply help shop buy order bring
    wear carry save pay spend teach learn sing dance paint draw code commute hike travel";
