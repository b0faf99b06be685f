//! Configuration: four layers, strict, and able to say where a value came from.

use super::support::{Home, ran};

fn with_file(text: &str) -> Home {
    let home = Home::new();
    let folder = home.path().join("config").join("recollect");
    std::fs::create_dir_all(&folder).expect("made");
    std::fs::write(folder.join("recollect.toml"), text).expect("written");
    home
}

#[test]
fn each_value_says_where_it_came_from() {
    let home = with_file(
        "[log]\nformat = \"json\"\n\n[store]\nlanguages = [\"en\", \"de\"]\n\n[upstreams.local]\nbaseUrl = \"http://127.0.0.1:1\"\napiKeyVariable = \"MINE\"\n",
    );
    let mut command = home.command();
    let shown =
        ran(command.env("RECOLLECT_LISTEN", "localhost:9000").args(["--data", "there", "config", "show"]));
    // The width of the second column depends on where the home lies.
    let squeezed: Vec<String> = shown.transcript(&home).lines().map(squeeze).collect();
    insta::assert_snapshot!(squeezed.join("\n"), @"
    exit 0
    --- stdout
    data [home]/there flag --data
    listen 127.0.0.1:9000 environment RECOLLECT_LISTEN
    log.format json [home]/config/recollect/recollect.toml:2
    log.level info default
    store.durability full default
    store.languages en,de [home]/config/recollect/recollect.toml:5
    store.openTenants 256 default
    store.deckBytes 67108864 default
    embedding.backend builtin default
    server.drainSeconds 10 default
    server.memoryWaitMs 150 default
    server.allowedHosts default
    server.corsOrigins default
    server.requestsPerMinute 600 default
    defaultUpstream default
    telemetry.otlpEndpoint default
    upstreams.local openai http://127.0.0.1:1, no key: MINE is not set, default [home]/config/recollect/recollect.toml:7
    --- stderr
    ");
    let json = home.json(&["config", "show"]);
    assert_eq!(json["config"][2]["value"], "json");
    assert!(json["config"][0]["source"] == "default");
    assert_eq!(json["upstreams"][0]["name"], "local");
    let keyed = ran(home.command().env("MINE", "sk-secret").args(["config", "show", "--json"]));
    assert!(
        keyed.stdout.contains("key (hidden) from MINE") && !keyed.stdout.contains("sk-secret"),
        "{keyed:?}"
    );
}

fn squeeze(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn unknown_keys_are_errors_with_line_and_guess() {
    let home = with_file("listen = \"127.0.0.1:1\"\n[store]\ndurabilty = \"full\"\n");
    for arguments in [["list"].as_slice(), &["config", "show"], &["serve"]] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(home.run(arguments).transcript(&home), @"
            exit 2
            --- stdout
            --- stderr
            error: [home]/config/recollect/recollect.toml:3: unknown key `store.durabilty`
            hint: did you mean `store.durability`?
            ");
        }
    }
}

#[test]
fn bad_values_name_key_place_and_what_is_allowed() {
    let home = with_file("[store]\ndurability = \"fast\"\n");
    insta::assert_snapshot!(home.run(["list"]).transcript(&home), @r#"
    exit 2
    --- stdout
    --- stderr
    error: `store.durability` cannot be "fast" ([home]/config/recollect/recollect.toml:2); expected full or normal
    "#);
    let home = Home::new();
    insta::assert_snapshot!(ran(home.command().env("RECOLLECT_LOG_LEVEL", "loud").args(["list"])).transcript(&home), @r#"
    exit 2
    --- stdout
    --- stderr
    error: `log.level` cannot be "loud" (environment RECOLLECT_LOG_LEVEL); expected one of off, error, warn, info, debug, trace
    "#);
    insta::assert_snapshot!(home.run(["serve", "--listen", "everywhere"]).transcript(&home), @r#"
    exit 2
    --- stdout
    --- stderr
    error: `listen` cannot be "everywhere" (flag --listen); expected an address and a port such as 127.0.0.1:8377, [::1]:8377 or localhost:8377
    "#);
    insta::assert_snapshot!(ran(home.command().env("RECOLLECT_DATE", "x").args(["list"])).transcript(&home), @"
    exit 2
    --- stdout
    --- stderr
    error: unknown variable RECOLLECT_DATE in the environment
    hint: did you mean RECOLLECT_DATA?
    ");
    insta::assert_snapshot!(ran(home.command().env("RECOLLECT_USER", "a\nb").args(["list"])).transcript(&home), @"
    exit 2
    --- stdout
    --- stderr
    error: environment RECOLLECT_USER: the user id contains a control character
    ");
}

#[test]
fn a_named_file_must_be_there() {
    let home = Home::new();
    for ran in [
        home.run(["--config", "nowhere.toml", "list"]),
        ran(home.command().env("RECOLLECT_CONFIG", "nowhere.toml").args(["list"])),
    ] {
        assert_eq!(ran.code, Some(2));
        assert!(ran.stderr.contains("nowhere.toml cannot be read"), "{ran:?}");
    }
    std::fs::write(home.path().join("mine.toml"), "data = \"mine\"").expect("written");
    assert_eq!(home.run(["--config", "mine.toml", "add", "x"]).code, Some(0));
    assert!(
        home.path().join("mine").join("control.sqlite3").exists(),
        "a relative folder starts at the file's"
    );
}

#[test]
fn files_can_be_checked_and_the_default_is_sound() {
    let home = Home::new();
    let default = home.run(["config", "default"]);
    std::fs::write(home.path().join("copy.toml"), &default.stdout).expect("written");
    assert_eq!(home.run(["config", "check", "copy.toml"]).code, Some(0));
    std::fs::write(home.path().join("bad.toml"), "listen = ").expect("written");
    let refused = home.run(["config", "check", "bad.toml"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("bad.toml:1: "), "{refused:?}");
    let path = home.run(["config", "path"]);
    assert_eq!(path.stdout.trim(), home.path().join("config/recollect/recollect.toml").display().to_string());
}
