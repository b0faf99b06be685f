"""The Model Context Protocol's own Python library, of whichever version is installed, over both transports."""

import asyncio
import contextlib

import mcp
import pytest
from harness import BINARIES, environment
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

WITHIN_SECONDS = 60

# Every tool of every profile, with the names of its parameters that are required.
TOOLS = {
    "default": {
        "memory_search": ["query"],
        "memory_context": ["message"],
        "memory_add": ["content"],
        "memory_update": ["traceId"],
        "memory_delete": ["traceId"],
        "memory_merge": ["traceIds"],
        "search_memory": ["scope", "query"],
        "get_identity": [],
        "memory_clear": [],
        "memory_feedback": ["traceId", "judgement"],
        "memory_reflect": [],
    },
    "mem0": {
        "add_memory": ["text"],
        "search_memories": ["query"],
        "get_memories": [],
        "get_memory": ["memory_id"],
        "update_memory": ["memory_id", "text"],
        "delete_memory": ["memory_id"],
        "delete_all_memories": [],
    },
    "omniroute": {
        "omniroute_memory_search": [],
        "omniroute_memory_add": ["type", "key", "content"],
        "omniroute_memory_clear": [],
    },
}


def stdio(server, user, profile):
    options = ["mcp", "--data", str(server.data), "--user", user, "--profile", profile]
    return mcp.StdioServerParameters(command=str(BINARIES / "recollect"), args=options, env=environment())


@contextlib.asynccontextmanager
async def connected(transport, server, user, profile):
    """A session with an initialised server; the client checks every structured result against its tool's schema."""
    async with contextlib.AsyncExitStack() as stack:
        if transport == "stdio":
            streams = await stack.enter_async_context(stdio_client(stdio(server, user, profile)))
        else:
            client = create_mcp_http_client(headers={"X-Recollect-User-Id": user})
            await stack.enter_async_context(client)
            address = f"{server.address}/mcp?profile={profile}"
            streams = await stack.enter_async_context(streamable_http_client(address, http_client=client))
        session = await stack.enter_async_context(mcp.ClientSession(streams[0], streams[1]))
        hello = plain(await session.initialize())
        assert hello["serverInfo"]["name"] == "recollect"
        yield session


def plain(result):
    """A result as it came over the wire, whatever the version's names for it are."""
    return result.model_dump(by_alias=True, mode="json")


async def call(session, tool, **arguments):
    result = plain(await session.call_tool(tool, arguments))
    assert not result.get("isError"), result
    assert result["content"][0]["text"], "something to read"
    return result["structuredContent"]


def run(work):
    asyncio.run(asyncio.wait_for(work, WITHIN_SECONDS))


both = pytest.mark.parametrize("transport", ["stdio", "http"])


@both
@pytest.mark.parametrize("profile", TOOLS)
def test_tools_are_listed(server, user, transport, profile):
    async def work():
        async with connected(transport, server, user, profile) as session:
            tools = plain(await session.list_tools())["tools"]
            # What is required is a set: its order means nothing.
            listed = {tool["name"]: set(tool["inputSchema"]["required"]) for tool in tools}
            assert listed == {name: set(required) for name, required in TOOLS[profile].items()}
            assert all(tool["outputSchema"]["type"] == "object" for tool in tools)
            assert all(tool["description"] and tool["annotations"]["title"] for tool in tools)

    run(work())


@both
def test_our_tools_are_called(server, user, transport):
    async def work():
        async with connected(transport, server, user, "default") as session:
            first = await call(session, "memory_add", content="Mara keeps bees.", type="semantic", tags=["bees"])
            again = await call(session, "memory_add", content="Mara keeps bees.", type="semantic")
            assert again == {"traceId": first["traceId"], "created": False}
            second = await call(session, "memory_add", content="Mara has two hives.", type="semantic")
            found = await call(session, "memory_search", query="bees", limit=5)
            assert "Mara keeps bees." in [result["content"] for result in found["results"]]
            assert (await call(session, "search_memory", scope="pinned", query="hives"))["results"]
            assert await call(session, "memory_update", traceId=second["traceId"], content="Mara has three hives.")
            ids = [first["traceId"], second["traceId"]]
            merged = await call(session, "memory_merge", traceIds=ids, content="Mara keeps bees in three hives.")
            assert merged["sourcesDeleted"] == 2
            judged = await call(session, "memory_feedback", traceId=merged["mergedTraceId"], judgement="used")
            assert (judged["status"], judged["used"]) == ("active", 1)
            assert (await call(session, "memory_context", message="What do you remember about my bees?"))["reason"]
            assert (await call(session, "get_identity"))["user_id"] == user
            assert (await call(session, "rehydrate_memory", traceId=merged["mergedTraceId"]))["archivedAt"] is None
            assert (await call(session, "memory_reflect"))["durationMs"] >= 0
            assert (await call(session, "memory_clear", type="semantic"))["matched"] >= 1
            assert (await call(session, "memory_delete", traceId=merged["mergedTraceId"]))["deleted"]
            assert not (await call(session, "memory_delete", traceId=merged["mergedTraceId"]))["deleted"]
            refused = plain(await session.call_tool("memory_search", {"query": "x", "limit": 1000}))
            assert refused["isError"] and "from 1 to 100" in refused["content"][0]["text"]

    run(work())


@both
def test_mem0s_tools_are_called(server, user, transport):
    async def work():
        async with connected(transport, server, user, "mem0") as session:
            added = await call(session, "add_memory", text="Mara collects stamps.")
            memory = added["results"][0]["id"]
            assert (await call(session, "search_memories", query="stamps"))["results"]
            assert (await call(session, "get_memories", page=1, page_size=5))["count"] == 1
            assert (await call(session, "get_memory", memory_id=memory))["memory"] == "Mara collects stamps."
            await call(session, "update_memory", memory_id=memory, text="Mara collects coins.")
            await call(session, "delete_memory", memory_id=memory)
            assert (await call(session, "delete_all_memories"))["deleted"] >= 0

    run(work())


@both
def test_omniroutes_tools_are_called(server, user, transport):
    async def work():
        async with connected(transport, server, user, "omniroute") as session:
            entry = {"type": "factual", "key": "pet", "content": "Mara has a parrot."}
            added = await call(session, "omniroute_memory_add", **entry)
            assert added["data"]["memory"]["key"] == "pet"
            found = await call(session, "omniroute_memory_search", query="parrot")
            assert found["data"]["count"] == 1
            assert (await call(session, "omniroute_memory_clear", type="factual"))["data"]["deletedCount"] == 1

    run(work())


@both
def test_resources_and_the_prompt(server, user, transport):
    async def work():
        async with connected(transport, server, user, "default") as session:
            resources = plain(await session.list_resources())["resources"]
            assert [resource["uri"] for resource in resources] == ["memory://identity"]
            templates = plain(await session.list_resource_templates())["resourceTemplates"]
            assert templates[0]["uriTemplate"] == "memory://sessions/{id}"
            assert plain(await session.read_resource("memory://identity"))["contents"][0]["text"]
            prompts = plain(await session.list_prompts())["prompts"]
            assert [prompt["name"] for prompt in prompts] == ["recall"]
            prompt = plain(await session.get_prompt("recall", {"topic": "bees"}))
            assert "bees" in prompt["messages"][0]["content"]["text"]

    run(work())


@pytest.mark.skipif(not hasattr(mcp, "Client"), reason="this version has sessions alone")
@both
def test_the_client_that_negotiates_by_itself(server, user, transport):
    async def work():
        target = stdio(server, user, "default") if transport == "stdio" else server.address + "/mcp"
        async with mcp.Client(target) as client:
            assert len((await client.list_tools()).tools) == len(TOOLS["default"])
            added = await client.call_tool("memory_add", {"content": f"{user} likes chess."})
            assert plain(added)["structuredContent"]["traceId"].startswith("mt_")

    run(work())
