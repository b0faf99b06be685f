"""mem0's Python clients: what an application does with them runs as it is."""

import asyncio
import json

import pytest
from mem0 import MemoryClient
from mem0.client.types import AddMemoryOptions, SearchMemoryOptions, UpdateMemoryOptions
from mem0.exceptions import AuthenticationError, MemoryNotFoundError, ValidationError
from mem0.exceptions import MemoryError as Mem0Error

MESSAGES = [
    {"role": "user", "content": "Hi, I'm Mara. I'm vegetarian and I'm allergic to nuts."},
    {"role": "assistant", "content": "Hello Mara! I will keep it in mind."},
]


def texts(answer):
    return [memory["memory"] for memory in answer["results"]]


def test_a_script_as_it_comes(client, user):
    added = client.add(MESSAGES, user_id=user, metadata={"source": "chat"})
    assert added["results"], added
    assert {event["event"] for event in added["results"]} == {"ADD"}
    assert any("allergic" in text for text in texts(added)), added

    found = client.search("What is she allergic to?", filters={"user_id": user}, top_k=3)
    assert "allergic" in found["results"][0]["memory"]
    best = found["results"][0]
    assert best["user_id"] == user and best["metadata"]["source"] == "chat" and best["score"] > 0

    listed = client.get_all(filters={"AND": [{"user_id": user}]}, page=1, page_size=50)
    assert listed["count"] == len(listed["results"]) == len(added["results"])
    assert listed["next"] is None and listed["previous"] is None

    memory_id = best["id"]
    assert client.get(memory_id)["memory"] == best["memory"]

    client.update(memory_id, text="Is allergic to peanuts only", metadata={"source": "corrected"})
    read = client.get(memory_id)
    assert read["memory"] == "Is allergic to peanuts only"
    assert read["metadata"] == {"source": "corrected"}

    history = client.history(memory_id)
    assert [event["event"] for event in history][0] == "ADD"
    assert history[-1]["event"] == "UPDATE"
    assert history[-1]["old_memory"] == best["memory"]
    assert history[-1]["new_memory"] == "Is allergic to peanuts only"

    assert client.delete(memory_id) == {"message": "Memory deleted successfully!"}
    with pytest.raises(MemoryNotFoundError):
        client.get(memory_id)
    assert client.history(memory_id)[-1]["event"] == "DELETE"

    client.delete_all(user_id=user)
    assert client.get_all(filters={"user_id": user})["results"] == []


def test_stored_as_it_is(client, user):
    added = client.add("Perhaps the third shelf.", user_id=user, run_id="r-" + user, infer=False)
    assert texts(added) == ["Perhaps the third shelf."]
    again = client.add("Perhaps the third shelf.", user_id=user, run_id="r-" + user, infer=False)
    assert again["results"][0]["event"] == "NONE"
    assert client.get(added["results"][0]["id"])["run_id"] == "r-" + user


def test_options_instead_of_keywords(client, user):
    options = AddMemoryOptions(filters={"user_id": user}, infer=False, metadata={"topic": "trains"})
    added = client.add("Collects tickets of night trains", options)
    memory_id = added["results"][0]["id"]
    found = client.search("tickets", SearchMemoryOptions(filters={"user_id": user}, top_k=1, fields=["memory"]))
    assert [set(memory) for memory in found["results"]] == [{"id", "memory"}]
    client.update(memory_id, UpdateMemoryOptions(expiration_date="2999-12-31"))
    assert client.get(memory_id)["expiration_date"].startswith("2999-12-31")
    client.update(memory_id, expiration_date=None)
    assert client.get(memory_id)["expiration_date"] is None


def test_filters(client, user):
    other = user + "-other"
    client.add("Tea at five", user_id=user, infer=False, metadata={"topic": "drink", "level": 1})
    client.add("Tea with the neighbours", user_id=user, agent_id="planner", infer=False, metadata={"topic": "visit"})
    client.add("Tea ceremony", user_id=other, run_id="r1", infer=False, metadata={"topic": "drink", "level": 9})
    both = {"user_id": {"in": [user, other]}}
    for narrowing, expected in [
        ({"user_id": user}, {"Tea at five", "Tea with the neighbours"}),
        ({"AND": [both, {"metadata": {"topic": "drink"}}]}, {"Tea at five", "Tea ceremony"}),
        ({"AND": [both, {"level": {"gte": 2}}]}, {"Tea ceremony"}),
        ({"AND": [both, {"agent_id": "*"}]}, {"Tea with the neighbours"}),
        ({"OR": [{"user_id": other}, {"AND": [{"user_id": user}, {"agent_id": "planner"}]}]}, {"Tea ceremony", "Tea with the neighbours"}),
        ({"AND": [both, {"NOT": {"topic": "drink"}}]}, {"Tea with the neighbours"}),
        ({"AND": [both, {"keywords": {"icontains": "CEREMONY"}}]}, {"Tea ceremony"}),
        ({"AND": [both, {"created_at": {"lt": "2020-01-01"}}]}, set()),
    ]:
        assert set(texts(client.get_all(filters=narrowing))) == expected, narrowing
        assert set(texts(client.search("tea", filters=narrowing))) == expected, narrowing


def test_batches_and_entities(client, user):
    ids = [client.add(text, user_id=user, infer=False)["results"][0]["id"] for text in ("one", "two")]
    client.batch_update([{"memory_id": ids[0], "text": "first"}, {"memory_id": ids[1], "text": "second"}])
    assert set(texts(client.get_all(filters={"user_id": user}))) == {"first", "second"}
    known = {(entity["type"], entity["name"]): entity for entity in client.users()["results"]}
    assert known[("user", user)]["total_memories"] == 2
    client.batch_delete([{"memory_id": ids[0]}])
    assert texts(client.get_all(filters={"user_id": user})) == ["second"]
    assert client.delete_users(user_id=user)["message"] == "Entity deleted successfully."
    assert client.get_all(filters={"user_id": user})["count"] == 0


def test_deleting_wants_a_scope(client, user):
    client.add("stays", user_id=user, infer=False)
    for scope in ({}, {"user_id": "*"}, {"user_id": user, "categories": "x"}):
        with pytest.raises(ValidationError, match="expected at least one of user_id"):
            client.delete_all(**scope)
    assert client.get_all(filters={"user_id": user})["count"] == 1


def test_a_memory_is_judged(client, user):
    added = client.add("likes figs", user_id=user, infer=False)
    memory = added["results"][0]["id"]
    said = client.feedback(memory, feedback="POSITIVE", feedback_reason="it was right")
    assert said == {"id": memory, "feedback": "POSITIVE", "feedback_reason": "it was right"}
    client.feedback(memory, feedback="VERY_NEGATIVE")
    assert client.search("figs", filters={"user_id": user})["results"] == []
    with pytest.raises(Mem0Error):
        client.feedback("mt_x", feedback="POSITIVE")


def test_what_is_not_there_says_so(client):
    for call in (
        lambda: client.create_memory_export(schema="{}"),
        lambda: client.get_memory_export(user_id="x"),
        lambda: client.get_summary(),
        lambda: client.get_profile("x"),
        lambda: client.generate_profile("x"),
        lambda: client.get_profile_settings(),
        lambda: client.sample_profiles(),
        lambda: client.project.get(),
        lambda: client.get_webhooks("p"),
        lambda: client.create_webhook("http://localhost", "n", "p", ["memory_add"]),
    ):
        with pytest.raises(Mem0Error, match="Recollect has no"):
            call()


def test_asynchronously(async_client, user):
    async def story():
        async with async_client as client:
            added = await client.add("I live in Porto.", user_id=user)
            memory_id = added["results"][0]["id"]
            found = await client.search("Where: Porto?", filters={"user_id": user})
            assert found["results"][0]["id"] == memory_id
            await client.update(memory_id, text="Lives in Braga")
            assert (await client.get(memory_id))["memory"] == "Lives in Braga"
            assert [event["event"] for event in await client.history(memory_id)][-1] == "UPDATE"
            assert (await client.get_all(filters={"user_id": user}))["count"] == 1
            assert any(entity["name"] == user for entity in (await client.users())["results"])
            await client.delete(memory_id)
            await client.add("a note", user_id=user, infer=False)
            await client.delete_all(user_id=user)
            assert (await client.get_all(filters={"user_id": user}))["results"] == []

    asyncio.run(story())


def test_keys(own_server):
    """Once there is a key, it is what the client is given as its own; another opens nothing."""
    secret = json.loads(own_server.command("keys", "create", "--user", "*", "--json"))["key"]
    one = json.loads(own_server.command("keys", "create", "--user", "v", "--json"))["key"]
    with pytest.raises(ValueError, match="keys exist, and none is shown"):
        MemoryClient(api_key="m0-anything", host=own_server.address)
    client = MemoryClient(api_key=secret, host=own_server.address)
    client.add("behind a key", user_id="u", infer=False)
    assert client.get_all(filters={"user_id": "u"})["count"] == 1
    with pytest.raises(AuthenticationError, match="may not speak for user u"):
        MemoryClient(api_key=one, host=own_server.address).get_all(filters={"user_id": "u"})
    client.client.headers["Authorization"] = "Token rk_nonsense"
    with pytest.raises(AuthenticationError):
        client.get_all(filters={"user_id": "u"})


def test_reset_forgets_everything(own_server):
    client = MemoryClient(api_key="m0-anything", host=own_server.address)
    client.add("one", user_id="u", infer=False)
    client.add("two", agent_id="a", run_id="r", infer=False)
    client.reset()
    assert client.get_all(filters={})["count"] == 0
    assert client.users()["results"] == []
