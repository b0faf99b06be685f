//! Secrets that must go, words that must stay. Every secret here is made up, and put together when the test runs, so that
//! no scanner takes this file for a leak.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

/// The text with `{}` in place of the secret must come out with the mask there.
fn check(template: &str, secret: &str, kind: SecretKind) {
    let masked = Masker::default().mask(&template.replace("{}", secret));
    assert_eq!(masked.text, template.replace("{}", kind.mask()), "{template} with {secret}");
    assert_eq!(masked.counts.get(&kind), Some(&1), "{template}");
}

fn check_untouched(text: &str) {
    assert_eq!(Masker::default().mask(text), Masked { text: text.to_owned(), counts: MaskCounts::new() });
}

/// A tail such as services give their keys.
fn tail(length: usize) -> String {
    "Fake0Key".chars().cycle().take(length).collect()
}

#[test]
fn keys_are_known_by_their_beginning() {
    let beginnings = [
        ("sk-", 40),
        ("sk-ant-", 40),
        ("sk-proj-", 40),
        ("rk_", 24),
        ("sk_live_", 24),
        ("pk_live_", 24),
        ("rk_live_", 24),
        ("ghp_", 36),
        ("gho_", 36),
        ("github_pat_", 60),
        ("glpat-", 20),
        ("xoxa-", 30),
        ("xoxb-", 30),
        ("xoxp-", 30),
        ("AIza", 35),
        ("hf_", 34),
        ("npm_", 36),
        ("pypi-", 60),
        ("hooks.slack.com/services/", 40),
    ];
    for (beginning, length) in beginnings {
        let key = format!("{beginning}{}", tail(length));
        for template in ["{}", "use {} please", "(\"{}\")", "the key: {}.", "x,{},y", "k\n{}\n"] {
            check(template, &key, SecretKind::ApiKey);
        }
    }
    for beginning in ["AKIA", "ASIA"] {
        check("id {} ok", &format!("{beginning}{}", "FAKE0KEY".repeat(2)), SecretKind::ApiKey);
    }
    check("send {}.", &format!("SG.{}.{}", tail(22), tail(43)), SecretKind::ApiKey);
    check("lower {} case", &format!("sk-{}", "a".repeat(40)), SecretKind::ApiKey);
}

#[test]
fn tokens_are_known_by_their_form() {
    let token = format!("eyJ{}.eyJ{}.{}", tail(20), tail(30), tail(40));
    check("jwt {} end", &token, SecretKind::Token);
    check("Authorization: Bearer {}", &token, SecretKind::Token);
    check("curl -H 'authorization: bearer {}'", &tail(30), SecretKind::Token);
    check("Bearer {}", &tail(20), SecretKind::Token);
    check("Authorization: Basic {}", "ZmFrZTpmYWtl", SecretKind::Token);
}

#[test]
fn private_keys_go_whole() {
    let body = format!("{0}\n{0}\n{1}", tail(64), tail(20));
    let block = |title: &str| format!("-----{} {title}-----\n{body}\n-----{} {title}-----", "BEGIN", "END");
    for title in ["PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "EC PRIVATE KEY"] {
        check("key:\n{}\nthanks", &block(title), SecretKind::PrivateKey);
    }
    check("cut {}\nand then?", &format!("-----{} PRIVATE KEY-----\n{body}", "BEGIN"), SecretKind::PrivateKey);
    check_untouched(&block("CERTIFICATE"));
}

#[test]
fn passwords_in_addresses_go() {
    check("https://ada:{}@example.org/x", "hunter2", SecretKind::Password);
    check("postgres://app:{}@db:5432/app?x=1", "p@ss:w0rd", SecretKind::Password);
    check_untouched("https://example.org:8080/a@b and ssh://git@example.org/x");
    check_untouched("postgres://app:${DB_PASSWORD}@db/app");
}

#[test]
fn cards_pass_luhn_and_look_like_cards() {
    for card in [
        "4111111111111111",
        "4111 1111 1111 1111",
        "5555-5555-5555-4444",
        "378282246310005",
        "3782 822463 10005",
    ] {
        for template in ["{}", "card {}, thanks", "({})", "{} 12/30 123"] {
            check(template, card, SecretKind::Card);
        }
    }
    for number in [
        "4111 1111 1111 1112",
        "1234567890123",
        "1767225600000000",
        "+49 170 1234567",
        "41111111111111111111",
        "0.4111111111111111",
        "order A4111111111111111",
        "2026-05-01 12:00:00",
        "192.168.100.100",
        "4111-11111111-1111",
    ] {
        check_untouched(number);
    }
}

#[test]
fn account_and_social_security_numbers() {
    for iban in ["DE89370400440532013000", "DE89 3704 0044 0532 0130 00", "GB82 WEST 1234 5698 7654 32"] {
        check("pay to {} today", iban, SecretKind::Iban);
    }
    check_untouched("DE89370400440532013001 and AB12 CDEF");
    check("my SSN is {}.", "078-05-1120", SecretKind::Ssn);
    check("Social Security Number: {}", "078 05 1120", SecretKind::Ssn);
    check_untouched("call 078-05-1120");
}

#[test]
fn what_is_called_a_password_is_one() {
    let table = [
        "password={}",
        "PASSWORD: {}",
        "DB_PASSWORD={} next",
        "\"password\": \"{}\",",
        "{'passwd': '{}'}",
        "pwd={};x=1",
        "dbPassword := \"{}\"",
        "**Password:** {}",
        "password: `{}`",
        "<password>{}</password>",
        "{\\\"password\\\":\\\"{}\\\"}",
        "mysql --password {} -u root",
        "?user=a&password={}&x=1",
        "Passwort: {}",
        "contraseña: {}",
        "mot de passe : {}",
        "my password is {}",
        "My password is {}.",
        "the password for the router is {}, ok?",
        "my password's {}",
        "my password is now \"{}\"",
        "I changed my password to {} today",
        "mein Passwort ist {}.",
        "Das Kennwort lautet {}",
        "mein WLAN-Passwort ist jetzt {}",
        "mi contraseña es {}",
        "la contraseña de mi cuenta es {}",
        "mon mot de passe est {}",
        "le mot de passe du wifi est « {} »",
        "minha senha é {}",
        "мой пароль: {}",
        "我的密码是{}，谢谢",
        "「パスワード：{}」",
    ];
    for template in table {
        check(template, "hunter2", SecretKind::Password);
    }
    check("my password is {}!", "swordfish", SecretKind::Password);
    check("my passphrase is {}.", "correct horse battery staple", SecretKind::Password);
    check("the PIN is {}", "4711", SecretKind::Password);
}

#[test]
fn what_is_called_a_key_must_look_like_one() {
    check("api_key={}", &tail(20), SecretKind::ApiKey);
    check("apiKey: '{}'", &tail(20), SecretKind::ApiKey);
    check("AWS_SECRET_ACCESS_KEY={}", &tail(40), SecretKind::ApiKey);
    check("client_secret = \"{}\"", &tail(12), SecretKind::ApiKey);
    check("ACCESS_TOKEN={}", &tail(20), SecretKind::Token);
    check("the token is {}", &tail(20), SecretKind::Token);
    check("cvv: {}", "123", SecretKind::Card);
}

#[test]
fn ordinary_text_stays() {
    for text in [
        "",
        "I forgot my password.",
        "my password is wrong",
        "The password is too short",
        "a password manager is handy",
        "password reset is broken",
        "password: string",
        "password: required",
        "let password = get_password();",
        "password = os.environ[\"DB_PASSWORD\"]",
        "password=${DB_PASSWORD}",
        "password=<your password>",
        "password: ****",
        "PWD=/home/ada/projects",
        "the secret: be kind",
        "la clave es la comunicación",
        "max_tokens=4096",
        "token: abc",
        "token_type: bearer",
        "bearer of good news",
        "sk-learn-contrib-style-guide",
        "risk-averse",
        "task_rk_something_long_name",
        "pin GPIO17 is low",
        "the pin is bent",
        "next pass: 12 km",
        "mein Passwort ist falsch",
        "mi contraseña es muy larga",
        "mon mot de passe est trop court",
        "eyJust a word",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "550e8400-e29b-41d4-a716-446655440000",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "日本語のテキスト",
        "passport: 12345",
        "the secretary: Ms. 4711 Jones",
        "password > 8 characters",
    ] {
        check_untouched(text);
    }
}

#[test]
fn added_patterns_are_masked() {
    let table = [
        ("acme-*", "x acme-abc/1 y", "x [masked:custom] y"),
        ("EMP-\\d{6}", "EMP-123456, EMP-12345", "[masked:custom], EMP-12345"),
        ("acme-[0-9a-f]{8}", "acme-0123abcd acme-0123abcg", "[masked:custom] acme-0123abcg"),
        ("a??-\\w{2,3}!", "aéé-xy! a1-xy!", "[masked:custom] a1-xy!"),
        ("key_*_end", "key_1_end key_2 key__end_end", "[masked:custom] key_2 [masked:custom]"),
        ("[^a-z]{3,}", "abc DEF1 x", "abc [masked:custom] x"),
        ("geheim: ?????", "geheim: abcde", "[masked:custom]"),
        (
            "one-\\d; two-\\d\nthree-\\d",
            "one-1 two-2 three-3",
            "[masked:custom] [masked:custom] [masked:custom]",
        ),
    ];
    for (patterns, text, expected) in table {
        let masker = Masker::new(patterns).expect("a pattern");
        assert_eq!(masker.mask(text).text, expected, "{patterns}");
    }
}

#[test]
fn bad_patterns_are_named() {
    for bad in [
        "*",
        "ab*",
        "a???",
        "acme-[0-9",
        "acme-[]",
        "acme-[9-0]",
        "acme-\\q",
        "acme-+",
        "acme-x{a}",
        "acme-x{3,2}",
        "acme-x{999}",
        "(acme)",
        "acme-é{2}",
    ] {
        let error = validate(&format!("good-*\n{bad}")).expect_err(bad);
        assert!(error.message.contains(&format!("`{bad}`")), "{}", error.message);
        assert!(error.hint.is_some());
    }
    let many = "acme-*;".repeat(limits::SECRET_PATTERNS + 1);
    assert_eq!(validate(&many).expect_err("too many").message, "17 secret patterns; expected at most 16");
    assert!(validate(&"a".repeat(limits::SECRET_PATTERN_POSITIONS + 1)).is_err());
    assert!(validate("").is_ok() && validate(" ;\n;").is_ok());
}

/// Linear time takes milliseconds for the small ones even unoptimised; anything else takes minutes.
#[test]
fn a_megabyte_made_to_be_slow_is_not() {
    let pieces = [
        "a",
        "sk-",
        "sk-a-",
        "1",
        "4 ",
        "4111 ",
        "eyJ",
        "eyJ-",
        "eyJa.",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN ",
        "bearer ",
        "://",
        "://a:b",
        "password",
        "password=",
        "password=\"",
        "password is ",
        "token=é",
        "pwd=/",
        "pin: ",
        "password to ",
        "--pass ",
        "acme",
        "acme-x",
        "DE89 ",
        "[masked:card]",
        "passphrase: a ",
        "é",
    ];
    let masker = Masker::new("acme*b;aaa*[b]{3,20}c").expect("patterns");
    for piece in pieces {
        check_time(&masker, piece, 64 * 1024, Duration::from_secs(3));
    }
    for piece in ["a", "sk-", "1"] {
        check_time(&masker, piece, 1024 * 1024, Duration::from_secs(30));
    }
}

fn check_time(masker: &Masker, piece: &str, bytes: usize, allowed: Duration) {
    let text = piece.repeat(bytes / piece.len());
    let started = Instant::now();
    masker.mask(&text);
    let taken = started.elapsed();
    assert!(taken < allowed, "{bytes} bytes of `{piece}` took {taken:?}");
}

/// Text in which pieces of secrets are likely.
fn suspicious() -> impl Strategy<Value = String> {
    let fixed: &[&str] = &[
        "password",
        "=",
        ": ",
        " is ",
        "\"",
        "sk-",
        "my ",
        "[masked:card]",
        "4111 1111 1111 1111",
        "-",
        "://",
        "a:b@",
        "eyJ",
        ".",
        " ",
        "bearer ",
        "token",
        "--",
        "hunter2",
        "DE89",
        "-----BEGIN PRIVATE KEY-----",
        "pin",
        "acme-",
        "密码",
        "是",
    ];
    let piece = prop_oneof![
        4 => prop::sample::select(fixed.to_vec()).prop_map(str::to_owned),
        1 => "[a-zA-Z0-9]{1,40}",
        1 => any::<String>(),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn masking_twice_is_masking_once(text in suspicious()) {
        let masker = Masker::new("acme-*x").expect("a pattern");
        let once = masker.mask(&text);
        let twice = masker.mask(&once.text);
        prop_assert_eq!(&twice.text, &once.text);
        prop_assert!(twice.counts.is_empty());
        prop_assert_eq!(once.counts.is_empty(), once.text == text);
    }
}
