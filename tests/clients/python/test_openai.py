"""OpenAI's own Python library, with only the address changed."""

import base64
import struct

import openai
import pytest


@pytest.fixture
def client(server, user):
    headers = {"X-Recollect-User-Id": user}
    return openai.OpenAI(base_url=server.v1, api_key="key-of-the-client", default_headers=headers, max_retries=0)


def say(client, text, **more):
    messages = [{"role": "user", "content": text}]
    return client.chat.completions.create(model="scripted-1", messages=messages, **more)


TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "The weather in a city.",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
        },
    }
]


def test_chat(client):
    answer = say(client, "Hello from Python.")
    assert "Hello from Python." in answer.choices[0].message.content
    assert answer.usage.total_tokens > 0


def test_streaming_gives_the_pieces_as_they_are(client):
    stream = say(client, "in pieces please", stream=True, stream_options={"include_usage": True})
    chunks = list(stream)
    pieces = [chunk.choices[0].delta.content for chunk in chunks if chunk.choices and chunk.choices[0].delta.content]
    assert pieces == ["One", " two", " three."]
    assert chunks[-1].usage.total_tokens > 0


def test_tools_and_their_results(client):
    question = {"role": "user", "content": "weather tool please"}
    answer = client.chat.completions.create(model="scripted-1", messages=[question], tools=TOOLS)
    call = answer.choices[0].message.tool_calls[0]
    assert (call.function.name, call.function.arguments.replace(" ", "")) == ("get_weather", '{"city":"Paris"}')
    result = {"role": "tool", "tool_call_id": call.id, "content": "sunny"}
    messages = [question, answer.choices[0].message, result, {"role": "user", "content": "And so?"}]
    after = client.chat.completions.create(model="scripted-1", messages=messages, tools=TOOLS)
    assert after.choices[0].finish_reason


def test_streamed_tools(client):
    stream = say(client, "weather tool please", tools=TOOLS, stream=True)
    written = "".join(
        call.function.arguments or ""
        for chunk in stream
        for call in (chunk.choices[0].delta.tool_calls or [] if chunk.choices else [])
    )
    assert "Paris" in written


def test_errors_of_the_upstream_come_through(client):
    with pytest.raises(openai.RateLimitError) as limited:
        say(client, "be slow down there")
    assert limited.value.response.headers["retry-after"] == "7"
    assert "Slow down." in str(limited.value)
    with pytest.raises(openai.BadRequestError) as refused:
        say(client, "bad request please")
    assert "That was refused upstream." in str(refused.value)


def test_our_own_errors_are_understood(server):
    client = openai.OpenAI(base_url=server.v1, api_key="x", max_retries=0)
    with pytest.raises(openai.BadRequestError) as refused:
        say(client, "Hello.", extra_headers={"X-Recollect-Memory": "sometimes"})
    assert "on, off, read" in str(refused.value)


def test_models(client):
    ids = [model.id for model in client.models.list()]
    assert "recollect/recall" in ids
    assert len(ids) > 1
    assert client.models.retrieve("recollect/recall").id == "recollect/recall"


def test_embeddings(client):
    answer = client.embeddings.create(model="recollect/embed", input=["a cat", "a kitten"], encoding_format="float")
    assert len(answer.data) == 2
    vector = answer.data[0].embedding
    assert abs(sum(number * number for number in vector) - 1) < 1e-3
    raw = client.embeddings.with_raw_response.create(
        model="recollect/embed", input="a cat", encoding_format="base64"
    ).http_response.json()
    packed = base64.b64decode(raw["data"][0]["embedding"])
    assert struct.unpack(f"<{len(packed) // 4}f", packed) == pytest.approx(vector, abs=1e-6)


def test_a_story(server, upstream, client, user):
    """What is said in one session is known in the next, and nothing is where memory is off."""
    say(client, "I moved to Lisbon last spring and I am allergic to penicillin, please remember that for good.")
    status, _ = server.call("POST", "/api/memory/sync", {})
    assert status == 200
    raw = client.chat.completions.with_raw_response.create(
        model="scripted-1", messages=[{"role": "user", "content": "Which city did I say I moved to?"}]
    )
    assert raw.headers["x-recollect-session"]
    assert int(raw.headers["x-recollect-tokens"]) > 0
    [line] = upstream.seen_with("Which city did I say I moved to?")
    assert "Lisbon" in line.split("user=")[0]
    say(client, "Where did I tell you I live now?", extra_headers={"X-Recollect-Memory": "off"})
    [line] = upstream.seen_with("Where did I tell you I live now?")
    assert "Lisbon" not in line


def test_recall_without_a_model(client):
    say(client, "My favourite tea is lapsang souchong, always remember that.")
    messages = [{"role": "user", "content": "What is my favourite tea?"}]
    answer = client.chat.completions.create(model="recollect/recall", messages=messages)
    assert "lapsang" in answer.choices[0].message.content.lower()
    streamed = client.chat.completions.create(model="recollect/recall", messages=messages, stream=True)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in streamed if chunk.choices)
    assert "lapsang" in text.lower()


async def _many(server, count):
    import asyncio

    client = openai.AsyncOpenAI(base_url=server.v1, api_key="x", max_retries=0)

    async def one(number):
        messages = [{"role": "user", "content": f"Concurrent question {number}."}]
        answer = await client.chat.completions.create(model="scripted-1", messages=messages)
        return f"Concurrent question {number}." in answer.choices[0].message.content

    return await asyncio.gather(*(one(number) for number in range(count)))


def test_many_at_once(server):
    import asyncio

    assert all(asyncio.run(_many(server, 50)))
