// The MCP inspector's command line lists and calls the tools over both transports.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import { startRecollect, startUpstream } from "./harness.mjs";

const inspector = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector-cli/package.json")),
  "build/index.js",
);
const binary = join(process.env.CLIENT_TEST_BINARIES, "recollect");
let upstream, server, data;

before(async () => {
  upstream = await startUpstream();
  server = await startRecollect(upstream);
  data = mkdtempSync(join(tmpdir(), "recollect-"));
});

after(async () => {
  await server.stop();
  await upstream.stop();
  rmSync(data, { recursive: true, force: true });
});

/** What the inspector prints for one method. */
async function inspect(transport, ...options) {
  const target = transport === "stdio" ? [binary, "mcp", "--data", data] : [server.address + "/mcp", "--transport", "http"];
  // From its own folder: it looks for its package's description beside where it is started.
  const where = { cwd: dirname(inspector), timeout: 60_000 };
  const { stdout } = await promisify(execFile)(process.execPath, [inspector, ...target, ...options], where);
  return JSON.parse(stdout);
}

async function call(transport, tool, given) {
  const options = Object.entries(given).flatMap(([name, value]) => ["--tool-arg", `${name}=${JSON.stringify(value)}`]);
  const result = await inspect(transport, "--method", "tools/call", "--tool-name", tool, ...options);
  assert.ok(!result.isError, JSON.stringify(result));
  return result.structuredContent;
}

for (const transport of ["stdio", "http"]) {
  test(`the inspector lists over ${transport}`, async () => {
    const { tools } = await inspect(transport, "--method", "tools/list");
    assert.equal(tools.length, 11);
    const { resources } = await inspect(transport, "--method", "resources/list");
    assert.equal(resources[0].uri, "memory://identity");
    const { prompts } = await inspect(transport, "--method", "prompts/list");
    assert.equal(prompts[0].name, "recall");
  });

  test(`the inspector calls every tool over ${transport}`, async () => {
    const { traceId } = await call(transport, "memory_add", { content: "Mara plays the cello.", type: "semantic" });
    const other = await call(transport, "memory_add", { content: "Mara plays the viola.", type: "semantic" });
    const found = await call(transport, "memory_search", { query: "cello" });
    assert.equal(found.results[0].id, traceId);
    assert.ok((await call(transport, "search_memory", { scope: "pinned", query: "viola" })).results.length);
    assert.ok((await call(transport, "memory_update", { traceId, content: "Mara plays the cello well." })).updated);
    const merged = await call(transport, "memory_merge", { traceIds: [traceId, other.traceId] });
    assert.equal(merged.sourcesDeleted, 2);
    const judged = await call(transport, "memory_feedback", { traceId: merged.mergedTraceId, judgement: "used" });
    assert.equal(judged.used, 1);
    assert.ok((await call(transport, "memory_context", { message: "What do I play?" })).reason);
    assert.equal((await call(transport, "get_identity", {})).user_id, "default");
    assert.ok((await call(transport, "memory_clear", { type: "semantic" })).dryRun);
    assert.equal((await call(transport, "rehydrate_memory", { traceId })).verbatimContent, null);
    assert.ok((await call(transport, "memory_reflect", {})).durationMs >= 0);
    assert.ok((await call(transport, "memory_delete", { traceId: merged.mergedTraceId })).deleted);
  });
}
