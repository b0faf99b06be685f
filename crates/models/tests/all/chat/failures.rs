//! What fails, what is tried again and when, and when a server is left alone.

use std::time::Instant;

use models::BreakerState;
use tokio::io::AsyncWriteExt;

use super::*;

/// Asks once and says how often the server was asked and how long was waited between.
async fn check(replies: Vec<ServerBehaviour>, expected: Result<&str, &str>, asked: usize, waits: &[u128]) {
    let bench = ChatBench::new(UpstreamWire::OpenAi, replies).await;
    match (bench.ask().await, expected) {
        (Ok(completion), Ok(text)) => assert_eq!(completion.text, text),
        (Err(error), Err(text)) => {
            assert_eq!(error.to_string(), text);
            check_discreet(&error);
        }
        (got, expected) => panic!("{got:?} instead of {expected:?}"),
    }
    assert_eq!((bench.count(), bench.timer.waits().as_slice()), (asked, waits));
}

#[tokio::test]
async fn passing_trouble_is_waited_out() {
    let trouble = vec![
        ServerBehaviour::status(500, ""),
        ServerBehaviour::Cut,
        ServerBehaviour::status(503, ""),
        openai_says("at last"),
    ];
    check(trouble, Ok("at last"), 4, &[1_000, 2_000, 4_000]).await;
    check(vec![ServerBehaviour::status(429, ""), openai_says("hello")], Ok("hello"), 2, &[1_000]).await;
    let expected = Err("the model is unavailable: the server answered 502");
    check(vec![ServerBehaviour::status(502, "bad gateway")], expected, 4, &[1_000, 2_000, 4_000]).await;
    let expected = Err("the model is unavailable: the connection broke");
    check(vec![ServerBehaviour::Cut], expected, 4, &[1_000, 2_000, 4_000]).await;
}

#[tokio::test]
async fn what_stays_wrong_is_not_tried_again() {
    let refusal = r#"{"error": {"code": "invalid_api_key", "message": "Incorrect key: sk-very-secret"}}"#;
    let expected = Err("the model refused the key: the server answered 401: invalid_api_key");
    check(vec![ServerBehaviour::status(401, refusal)], expected, 1, &[]).await;
    check(
        vec![ServerBehaviour::status(403, "")],
        Err("the model refused the key: the server answered 403"),
        1,
        &[],
    )
    .await;
    let expected = Err("the model is unavailable: the server answered 404");
    check(vec![ServerBehaviour::status(404, "no")], expected, 1, &[]).await;
    let expected = Err("the model's answer cannot be used: the server answered 413");
    check(vec![ServerBehaviour::status(413, "{}")], expected, 1, &[]).await;
    let elsewhere = ServerBehaviour::Answer {
        status: 307,
        headers: vec![("location", "http://127.0.0.1:1/steal".to_owned())],
        body: String::new(),
    };
    check(vec![elsewhere], Err("the model is unavailable: the server answered 307"), 1, &[]).await;
}

#[tokio::test]
async fn the_server_says_when_to_come_back() {
    let later = |header: &str| vec![ServerBehaviour::retry_after(429, header), openai_says("hello")];
    check(later("3"), Ok("hello"), 2, &[3_000]).await;
    check(later("0"), Ok("hello"), 2, &[1_000]).await;
    check(later("Sun, 06 Nov 1994 08:49:57 GMT"), Ok("hello"), 2, &[20_000]).await;
    check(later("whenever"), Ok("hello"), 2, &[1_000]).await;
    check(vec![ServerBehaviour::retry_after(503, "5"), openai_says("hello")], Ok("hello"), 2, &[5_000]).await;
    check(later("61"), Err("the model is rate limited"), 1, &[]).await;
    let bench = ChatBench::new(UpstreamWire::OpenAi, later("3600")).await;
    let error = bench.ask().await.expect_err("too long to wait for");
    assert!(matches!(error, ModelError::RateLimited { retry_after_seconds: Some(3600) }), "{error:?}");
}

#[tokio::test]
async fn slow_answers_are_cut_off_and_not_asked_for_again() {
    for reply in [ServerBehaviour::Silence, ServerBehaviour::Drip] {
        let mut bench = ChatBench::new(UpstreamWire::OpenAi, vec![reply]).await;
        bench.upstream.timeout = Duration::from_millis(300);
        let start = Instant::now();
        let error = bench.ask().await.expect_err("too slow");
        assert!(matches!(error, ModelError::TimedOut), "{error:?}");
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
        assert_eq!(bench.count(), 1);
    }
}

#[tokio::test]
async fn an_endless_answer_is_not_read_to_its_end() {
    let bytes = 64 * 1024 * 1024;
    let bench = ChatBench::new(UpstreamWire::OpenAi, vec![ServerBehaviour::Flood(bytes)]).await;
    let error = bench.ask().await.expect_err("too large");
    assert_eq!(error.to_string(), "the model's answer cannot be used: it is longer than 1048576 bytes");
    // What lies in the sockets' buffers has left the server without being read.
    assert!(*bench.server.sent.lock().expect("not poisoned") < bytes / 2);
    check(vec![ServerBehaviour::Flood(10 * 1024 * 1024)], Err(&error.to_string()), 1, &[]).await;
}

#[tokio::test]
async fn nobody_there_is_tried_again_and_then_reported() {
    let mut bench = ChatBench::new(UpstreamWire::OpenAi, vec![openai_says("unused")]).await;
    // The port was free a moment ago, and nobody listens on it now.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    bench.upstream.base_url = format!("http://{}", listener.local_addr().expect("bound"));
    drop(listener);
    let error = bench.ask().await.expect_err("refused");
    assert_eq!(error.to_string(), "the model is unavailable: it cannot be reached");
    assert_eq!(bench.timer.waits(), [1_000, 2_000, 4_000]);
}

#[tokio::test]
async fn a_server_that_speaks_no_tls_cannot_be_reached_by_https() {
    let mut bench = ChatBench::new(UpstreamWire::OpenAi, vec![openai_says("unused")]).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    bench.upstream.base_url = format!("https://{}/v1", listener.local_addr().expect("bound"));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    let error = bench.ask().await.expect_err("no handshake");
    assert_eq!(error.to_string(), "the model is unavailable: it cannot be reached");
}

#[tokio::test]
async fn five_failures_open_the_breaker_one_probe_closes_it() {
    // Five calls of four tries, one failed probe of four, then health.
    let mut replies = vec![ServerBehaviour::status(500, ""); 24];
    replies.push(openai_says("well again"));
    let bench = ChatBench::new(UpstreamWire::OpenAi, replies).await;
    for call in 1..=5 {
        assert_eq!(bench.client().breaker(), BreakerState::Closed, "before call {call}");
        assert!(matches!(bench.ask().await, Err(ModelError::Unavailable(_))));
    }
    assert_eq!(bench.clients.breakers()["test/some-model"], BreakerState::Open);
    let before = bench.count();
    for _ in 0..3 {
        assert!(matches!(bench.ask().await, Err(ModelError::BreakerOpen)));
    }
    assert_eq!(bench.count(), before, "left alone");
    bench.timer.advance(Duration::from_secs(60));
    assert_eq!(bench.client().breaker(), BreakerState::HalfOpen);
    assert!(matches!(bench.ask().await, Err(ModelError::Unavailable(_))), "the probe fails");
    assert!(matches!(bench.ask().await, Err(ModelError::BreakerOpen)));
    bench.timer.advance(Duration::from_secs(60));
    assert_eq!(bench.ask().await.expect("the probe succeeds").text, "well again");
    assert_eq!(bench.client().breaker().word(), "closed");
    assert!(bench.ask().await.is_ok());
}

#[tokio::test]
async fn while_the_probe_is_under_way_nobody_else_goes() {
    let mut replies = vec![ServerBehaviour::retry_after(503, "3600"); 5];
    replies.extend([ServerBehaviour::Silence, openai_says("well again")]);
    let mut bench = ChatBench::new(UpstreamWire::OpenAi, replies).await;
    for _ in 0..5 {
        assert!(bench.ask().await.is_err());
    }
    bench.timer.advance(Duration::from_secs(60));
    bench.upstream.timeout = Duration::from_secs(20);
    let (prober, waiter) = (bench.client(), bench.client());
    let probe = tokio::time::timeout(Duration::from_millis(300), prober.complete(prompt(None)));
    let other = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        waiter.complete(prompt(None)).await
    };
    let (probe, other) = tokio::join!(probe, other);
    assert!(matches!(other, Err(ModelError::BreakerOpen)), "{other:?}");
    assert!(probe.is_err(), "given up on by its caller");
    assert_eq!(bench.count(), 6);
    assert_eq!(bench.ask().await.expect("the next call is the probe").text, "well again");
}

#[tokio::test]
async fn a_refused_key_or_nonsense_is_no_illness_of_the_server() {
    for reply in [
        ServerBehaviour::status(401, ""),
        ServerBehaviour::status(400, ""),
        ServerBehaviour::status(200, "nonsense"),
    ] {
        let bench = ChatBench::new(UpstreamWire::OpenAi, vec![reply]).await;
        for _ in 0..8 {
            assert!(bench.ask().await.is_err());
        }
        assert_eq!((bench.count(), bench.client().breaker()), (8, BreakerState::Closed));
    }
}
