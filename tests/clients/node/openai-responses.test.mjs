// OpenAI's own library for JavaScript speaking its Responses interface, with only the address changed.

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

const say = (input, more = {}, options = {}) => client.responses.create({ model: "scripted-1", input, ...more }, options);

const tools = [
  {
    type: "function",
    name: "get_weather",
    description: "The weather in a city.",
    strict: false,
    parameters: { type: "object", properties: { city: { type: "string" } } },
  },
];

test("responses", async () => {
  const answer = await say("Hello from Node.", { instructions: "Be brief." });
  assert.match(answer.output_text, /Hello from Node\./);
});

test("streaming gives the pieces as they are", async () => {
  const pieces = [];
  let last;
  for await (const event of await say("in pieces please", { stream: true })) {
    if (event.type === "response.output_text.delta") pieces.push(event.delta);
    last = event.type;
  }
  assert.deepEqual([pieces, last], [["One", " two", " three."], "response.completed"]);
});

test("tools, streamed too", async () => {
  const question = { role: "user", content: "weather tool please" };
  const { data: answer, response } = await say([question], { tools }).withResponse();
  const call = answer.output.find((item) => item.type === "function_call");
  assert.deepEqual([call.name, JSON.parse(call.arguments)], ["get_weather", { city: "Paris" }]);
  const result = { type: "function_call_output", call_id: call.call_id, output: "sunny" };
  const items = [question, ...answer.output, result, { role: "user", content: "And so?" }];
  const after = await say(items, { tools }).withResponse();
  const session = (answered) => answered.headers.get("x-recollect-session");
  assert.equal(session(after.response), session(response), "what the library sends back is known again");
  let written = "";
  for await (const event of await say([question], { tools, stream: true })) {
    if (event.type === "response.function_call_arguments.delta") written += event.delta;
  }
  assert.deepEqual(JSON.parse(written), { city: "Paris" });
});

test("a response is gone on from", async () => {
  const { data: first, response } = await say("My cat is called Miso.").withResponse();
  const after = await say("And my dog Udon.", { previous_response_id: first.id }).withResponse();
  const session = response.headers.get("x-recollect-session");
  assert.ok(session);
  assert.equal(after.response.headers.get("x-recollect-session"), session);
});

test("errors of the upstream and our own come through", async () => {
  await assert.rejects(say("be slow down there"), OpenAI.RateLimitError);
  await assert.rejects(say("bad request please"), OpenAI.BadRequestError);
  const asked = say("Hello.", {}, { headers: { "X-Recollect-Memory": "sometimes" } });
  await assert.rejects(asked, (error) => error instanceof OpenAI.BadRequestError && /on, off, read/.test(error.message));
});

test("what was said is known in the next session", async () => {
  const user = "user-of-node-responses";
  for await (const event of await say("I moved to Lisbon last spring, please remember that for good.", { user, stream: true })) {
    assert.ok(event.type);
  }
  assert.equal((await server.call("POST", "/api/memory/sync", {})).status, 200);
  await say("Which city did I say I moved to?", { user });
  const line = await upstream.seen("Which city did I say I moved to?");
  assert.match(line.split("user=")[0], /Lisbon/);
});
