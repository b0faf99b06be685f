// OpenAI's own library for JavaScript, with only the address changed.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import OpenAI from "openai";
import { startRecollect, startUpstream } from "./harness.mjs";

let upstream, server, client;

before(async () => {
  upstream = await startUpstream();
  server = await startRecollect(upstream);
  client = new OpenAI({ baseURL: server.address + "/v1", apiKey: "key-of-the-client", maxRetries: 0 });
});

after(async () => {
  await server?.stop();
  await upstream?.stop();
});

const say = (content, more = {}, options = {}) =>
  client.chat.completions.create({ model: "scripted-1", messages: [{ role: "user", content }], ...more }, options);

const tools = [
  {
    type: "function",
    function: {
      name: "get_weather",
      description: "The weather in a city.",
      parameters: { type: "object", properties: { city: { type: "string" } } },
    },
  },
];

test("chat", async () => {
  const answer = await say("Hello from Node.");
  assert.match(answer.choices[0].message.content, /Hello from Node\./);
});

test("streaming gives the pieces as they are", async () => {
  const pieces = [];
  for await (const chunk of await say("in pieces please", { stream: true })) {
    if (chunk.choices[0]?.delta?.content) pieces.push(chunk.choices[0].delta.content);
  }
  assert.deepEqual(pieces, ["One", " two", " three."]);
});

test("a stream that is given up", async () => {
  const stream = await say("in pieces please", { stream: true });
  for await (const chunk of stream) {
    assert.ok(chunk.id);
    break;
  }
  stream.controller.abort();
  assert.match((await say("Still there?")).choices[0].message.content, /Still there\?/);
});

test("tools, streamed too", async () => {
  const answer = await say("weather tool please", { tools });
  assert.equal(answer.choices[0].message.tool_calls[0].function.name, "get_weather");
  let written = "";
  for await (const chunk of await say("weather tool please", { tools, stream: true })) {
    for (const call of chunk.choices[0]?.delta?.tool_calls ?? []) written += call.function?.arguments ?? "";
  }
  assert.deepEqual(JSON.parse(written), { city: "Paris" });
});

test("errors of the upstream come through", async () => {
  await assert.rejects(say("be slow down there"), (error) => {
    assert.ok(error instanceof OpenAI.RateLimitError);
    assert.equal(error.headers.get("retry-after"), "7");
    return true;
  });
  await assert.rejects(say("bad request please"), OpenAI.BadRequestError);
});

test("our own errors are understood", async () => {
  const asked = say("Hello.", {}, { headers: { "X-Recollect-Memory": "sometimes" } });
  await assert.rejects(asked, (error) => error instanceof OpenAI.BadRequestError && /on, off, read/.test(error.message));
});

test("models", async () => {
  const ids = [];
  for await (const model of client.models.list()) ids.push(model.id);
  assert.ok(ids.includes("recollect/recall") && ids.length > 1, ids.join());
});

test("embeddings, which this library asks for in base64", async () => {
  const answer = await client.embeddings.create({ model: "recollect/embed", input: ["a cat", "a kitten"] });
  assert.equal(answer.data.length, 2);
  const length = Math.hypot(...answer.data[0].embedding);
  assert.ok(Math.abs(length - 1) < 1e-3, `${length}`);
});

test("what was said is known in the next session", async () => {
  const user = "user-of-node";
  await say("I moved to Lisbon last spring, please remember that for good.", { user });
  assert.equal((await server.call("POST", "/api/memory/sync", {})).status, 200);
  await say("Which city did I say I moved to?", { user });
  const line = await upstream.seen("Which city did I say I moved to?");
  assert.match(line.split("user=")[0], /Lisbon/);
});
