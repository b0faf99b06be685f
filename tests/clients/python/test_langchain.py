"""LangChain's ChatOpenAI: invoke, stream, tools, and a conversation that goes on."""

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI, OpenAIEmbeddings


@tool
def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


def model(server, user):
    headers = {"X-Recollect-User-Id": user}
    return ChatOpenAI(
        base_url=server.v1, api_key="key-of-the-client", model="scripted-1", default_headers=headers, max_retries=0
    )


def test_invoke_and_stream(server, user):
    chat = model(server, user)
    assert "Hello from LangChain." in chat.invoke("Hello from LangChain.").content
    assert "".join(chunk.content for chunk in chat.stream("in pieces please")) == "One two three."


def test_tools(server, user):
    chat = model(server, user).bind_tools([get_weather])
    question = HumanMessage("weather tool please")
    asked = chat.invoke([question])
    [call] = asked.tool_calls
    assert call["args"] == {"city": "Paris"}
    result = ToolMessage(get_weather.invoke(call["args"]), tool_call_id=call["id"])
    answer = chat.invoke([question, asked, result, HumanMessage("Thanks, and now?")])
    assert answer.content or answer.tool_calls


def test_a_conversation_is_one_session(server, user):
    chat = model(server, user)
    history = []
    for text in ["I keep bees in the garden.", "There are two hives of them.", "They swarmed in May this year."]:
        history.append(HumanMessage(text))
        history.append(AIMessage(chat.invoke(history).content))
    listed = server.command("sessions", "list", "--user", user, "--json")
    import json

    sessions = json.loads(listed)
    found = sessions.get("sessions") or sessions.get("data") or sessions.get("items")
    assert len(found) == 1, sessions


def test_embeddings(server):
    embeddings = OpenAIEmbeddings(
        base_url=server.v1, api_key="x", model="recollect/embed", check_embedding_ctx_length=False
    )
    vectors = embeddings.embed_documents(["one", "two"])
    assert len(vectors) == 2 and len(vectors[0]) == len(vectors[1]) > 0
