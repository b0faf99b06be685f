"""LiteLLM, which reaches every provider through one function, pointed at Recollect."""

import os

# Otherwise it looks for a price list on the internet as soon as it is imported.
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

import litellm  # noqa: E402


def test_chat_and_streaming(server, user):
    asked = dict(
        model="openai/scripted-1",
        api_base=server.v1,
        api_key="key-of-the-client",
        extra_headers={"X-Recollect-User-Id": user},
        num_retries=0,
    )
    answer = litellm.completion(messages=[{"role": "user", "content": "Hello from LiteLLM."}], **asked)
    assert "Hello from LiteLLM." in answer.choices[0].message.content
    stream = litellm.completion(messages=[{"role": "user", "content": "in pieces please"}], stream=True, **asked)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)
    assert text == "One two three."


def test_errors_keep_their_class(server):
    try:
        litellm.completion(
            model="openai/scripted-1",
            api_base=server.v1,
            api_key="x",
            num_retries=0,
            messages=[{"role": "user", "content": "be slow down there"}],
        )
    except litellm.RateLimitError as error:
        assert "Slow down." in str(error)
    else:
        raise AssertionError("the upstream's 429 was lost")


def test_embeddings(server):
    answer = litellm.embedding(
        model="openai/recollect/embed", api_base=server.v1, api_key="x", input=["one", "two"], encoding_format="float"
    )
    assert len(answer.data) == 2
