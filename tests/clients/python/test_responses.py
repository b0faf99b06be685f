"""OpenAI's own Python library speaking its Responses interface, with only the address changed."""

import openai
import pytest


@pytest.fixture
def client(server, user):
    headers = {"X-Recollect-User-Id": user}
    return openai.OpenAI(base_url=server.v1, api_key="key-of-the-client", default_headers=headers, max_retries=0)


def say(client, text, **more):
    return client.responses.create(model="scripted-1", input=text, **more)


TOOLS = [
    {
        "type": "function",
        "name": "get_weather",
        "description": "The weather in a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    }
]


def test_responses(client):
    answer = say(client, "Hello from Python.", instructions="Be brief.")
    assert "Hello from Python." in answer.output_text
    assert answer.usage.total_tokens > 0


def test_streaming_gives_the_pieces_as_they_are(client):
    events = list(say(client, "in pieces please", stream=True))
    pieces = [event.delta for event in events if event.type == "response.output_text.delta"]
    assert pieces == ["One", " two", " three."]
    assert events[-1].type == "response.completed"


@pytest.mark.parametrize("streamed", [False, True])
def test_tools_and_their_results(client, streamed):
    question = {"role": "user", "content": "weather tool please, in responses"}
    asked = {"model": "scripted-1", "input": [question], "tools": TOOLS}
    if streamed:
        with client.responses.stream(**asked) as stream:
            answer, session = stream.get_final_response(), stream._response.headers["x-recollect-session"]
    else:
        raw = client.responses.with_raw_response.create(**asked)
        answer, session = raw.parse(), raw.headers["x-recollect-session"]
    call = next(item for item in answer.output if item.type == "function_call")
    assert (call.name, call.arguments.replace(" ", "")) == ("get_weather", '{"city":"Paris"}')
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "sunny"}
    items = [question, *answer.output, result, {"role": "user", "content": "And so?"}]
    after = client.responses.with_raw_response.create(model="scripted-1", input=items, tools=TOOLS)
    assert after.parse().status == "completed"
    assert after.headers["x-recollect-session"] == session, "what the library sends back is known again"


def test_a_response_is_gone_on_from(client):
    first = client.responses.with_raw_response.create(model="scripted-1", input="My cat is called Miso.")
    after = client.responses.with_raw_response.create(
        model="scripted-1", input="And my dog Udon.", previous_response_id=first.parse().id
    )
    assert first.headers["x-recollect-session"] == after.headers["x-recollect-session"]


def test_errors_of_the_upstream_come_through(client):
    with pytest.raises(openai.RateLimitError) as limited:
        say(client, "be slow down there")
    assert limited.value.response.headers["retry-after"] == "7"
    with pytest.raises(openai.BadRequestError) as refused:
        say(client, "bad request please")
    assert "That was refused upstream." in str(refused.value)


def test_our_own_errors_are_understood(client):
    with pytest.raises(openai.BadRequestError) as refused:
        say(client, "Hello.", extra_headers={"X-Recollect-Memory": "sometimes"})
    assert "on, off, read" in str(refused.value)


@pytest.mark.parametrize("streamed", [False, True])
def test_a_story(server, upstream, client, streamed):
    """What is said in one session is known in the next, and nothing is where memory is off."""
    where = f"in the {'streamed' if streamed else 'whole'} story of responses"
    said = f"I moved to Lisbon last spring and I am allergic to penicillin, please remember that for good, {where}."
    if streamed:
        list(say(client, said, stream=True))
    else:
        say(client, said)
    status, _ = server.call("POST", "/api/memory/sync", {})
    assert status == 200
    question = f"Which city did I say I moved to, {where}?"
    raw = client.responses.with_raw_response.create(model="scripted-1", input=question)
    assert raw.headers["x-recollect-session"]
    assert int(raw.headers["x-recollect-tokens"]) > 0
    [line] = upstream.seen_with(question)
    assert "Lisbon" in line.split("user=")[0]
    off = f"Where did I tell you I live now, {where}?"
    say(client, off, extra_headers={"X-Recollect-Memory": "off"})
    [line] = upstream.seen_with(off)
    assert "Lisbon" not in line


def test_recall_without_a_model(client):
    say(client, "My favourite tea is lapsang souchong, always remember that.")
    asked = {"model": "recollect/recall", "input": "What is my favourite tea?"}
    assert "lapsang" in client.responses.create(**asked).output_text.lower()
    with client.responses.stream(**asked) as stream:
        assert "lapsang" in stream.get_final_response().output_text.lower()
