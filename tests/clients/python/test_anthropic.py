"""Anthropic's own Python library, with only the address changed."""

import anthropic
import pytest


@pytest.fixture
def client(server, user):
    headers = {"X-Recollect-User-Id": user}
    return anthropic.Anthropic(
        base_url=server.address, api_key="key-of-the-client", default_headers=headers, max_retries=0
    )


def say(client, text, **more):
    messages = [{"role": "user", "content": text}]
    return client.messages.create(model="scripted-1", max_tokens=1000, messages=messages, **more)


TOOLS = [
    {
        "name": "get_weather",
        "description": "The weather in a city.",
        "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}},
    }
]


def test_messages(client):
    answer = say(client, "Hello from Python.", system="Be brief.")
    assert "Hello from Python." in answer.content[0].text
    assert answer.usage.output_tokens > 0
    assert answer.stop_reason == "end_turn"


def test_streaming_gives_the_pieces_as_they_are(client):
    messages = [{"role": "user", "content": "in pieces please"}]
    with client.messages.stream(model="scripted-1", max_tokens=1000, messages=messages) as stream:
        assert list(stream.text_stream) == ["One", " two", " three."]
        assert stream.get_final_message().content[0].text == "One two three."


def test_plain_events(client):
    kinds = [event.type for event in say(client, "in pieces please", stream=True)]
    assert (kinds[0], kinds[-1]) == ("message_start", "message_stop")


@pytest.mark.parametrize("streamed", [False, True])
def test_tools_and_their_results(client, streamed):
    question = {"role": "user", "content": "weather tool please"}
    asked = {"model": "scripted-1", "max_tokens": 1000, "messages": [question], "tools": TOOLS}
    if streamed:
        with client.messages.stream(**asked) as stream:
            answer, session = stream.get_final_message(), stream.response.headers["x-recollect-session"]
    else:
        raw = client.messages.with_raw_response.create(**asked)
        answer, session = raw.parse(), raw.headers["x-recollect-session"]
    call = next(part for part in answer.content if part.type == "tool_use")
    assert (call.name, call.input) == ("get_weather", {"city": "Paris"})
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "sunny"}
    messages = [
        question,
        {"role": "assistant", "content": answer.content},
        {"role": "user", "content": [result, {"type": "text", "text": "And so?"}]},
    ]
    after = client.messages.with_raw_response.create(
        model="scripted-1", max_tokens=1000, messages=messages, tools=TOOLS
    )
    assert after.parse().stop_reason
    assert after.headers["x-recollect-session"] == session, "what the library sends back is known again"


def test_tokens_are_counted_upstream(client):
    messages = [{"role": "user", "content": "How long is this?"}]
    assert client.messages.count_tokens(model="scripted-1", messages=messages).input_tokens > 0


def test_errors_of_the_upstream_come_through(client):
    with pytest.raises(anthropic.RateLimitError) as limited:
        say(client, "be slow down there")
    assert limited.value.response.headers["retry-after"] == "7"
    with pytest.raises(anthropic.BadRequestError) as refused:
        say(client, "bad request please")
    assert "That was refused upstream." in str(refused.value)


def test_our_own_errors_are_understood(client):
    with pytest.raises(anthropic.BadRequestError) as refused:
        say(client, "Hello.", extra_headers={"X-Recollect-Memory": "sometimes"})
    assert "on, off, read" in refused.value.body["error"]["message"]


@pytest.mark.parametrize("streamed", [False, True])
def test_a_story(server, client, streamed):
    """What is said in one session is known in the next, and nothing is where memory is off."""
    where = f"in the {'streamed' if streamed else 'whole'} story"
    said = f"I moved to Lisbon last spring and I am allergic to penicillin, please remember that for good, {where}."
    messages = [{"role": "user", "content": said}]
    if streamed:
        with client.messages.stream(model="scripted-1", max_tokens=1000, messages=messages) as stream:
            stream.until_done()
    else:
        say(client, said)
    status, _ = server.call("POST", "/api/memory/sync", {})
    assert status == 200
    question = f"Which city did I say I moved to, {where}?"
    raw = client.messages.with_raw_response.create(
        model="scripted-1", max_tokens=1000, messages=[{"role": "user", "content": question}]
    )
    assert raw.headers["x-recollect-session"]
    assert int(raw.headers["x-recollect-tokens"]) > 0
    # Memory is a part of the user's message here, and the scripted model says what it was told.
    told = raw.parse().content[0].text
    assert "Lisbon" in told and question in told
    off = say(client, f"Where did I tell you I live now, {where}?", extra_headers={"X-Recollect-Memory": "off"})
    assert "Lisbon" not in off.content[0].text


def test_recall_without_a_model(client):
    say(client, "My favourite tea is lapsang souchong, always remember that.")
    asked = {"model": "recollect/recall", "max_tokens": 1000}
    asked["messages"] = [{"role": "user", "content": "What is my favourite tea?"}]
    assert "lapsang" in client.messages.create(**asked).content[0].text.lower()
    with client.messages.stream(**asked) as stream:
        assert "lapsang" in stream.get_final_text().lower()
