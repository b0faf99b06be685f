// Starts the scripted model and Recollect in front of it, as a user would, and reads what the model was sent.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const folder = dirname(dirname(fileURLToPath(import.meta.url)));
const binaries = process.env.CLIENT_TEST_BINARIES;
const withinMilliseconds = 60_000;

function environment(more) {
  const foreign = /^(RECOLLECT_|OPENAI_|ANTHROPIC_)/;
  return { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))), ...more };
}

async function start(program, options, pattern, variables = {}) {
  const child = spawn(join(binaries, program), options, { env: environment(variables), stdio: ["ignore", "pipe", "pipe"] });
  const printed = [];
  createInterface({ input: child.stdout }).on("line", (line) => printed.push(line));
  const address = await new Promise((resolve, reject) => {
    const said = [];
    const timer = setTimeout(() => reject(new Error("it did not start: " + said.join("\n"))), withinMilliseconds);
    createInterface({ input: child.stderr }).on("line", (line) => {
      said.push(line);
      const found = line.match(pattern);
      if (found) {
        clearTimeout(timer);
        resolve(found[1]);
      }
    });
    child.once("exit", () => reject(new Error("it ended: " + said.join("\n"))));
  });
  const stop = () =>
    new Promise((resolve) => {
      child.once("exit", resolve);
      child.kill("SIGTERM");
    });
  return { address, printed, stop };
}

export async function startUpstream() {
  const options = ["--port", "0", "--chunk-delay-ms", "1", "--script", join(folder, "script.toml")];
  const running = await start("fake-llm", options, /listens on (http:\S+\/v1)/);
  running.seen = async (text) => {
    for (let tries = 0; tries < 250; tries++) {
      const line = running.printed.find((line) => line.includes(text));
      if (line) return line;
      await sleep(20);
    }
    throw new Error(`the model never saw ${text}`);
  };
  return running;
}

export async function startRecollect(upstream) {
  const data = mkdtempSync(join(tmpdir(), "recollect-"));
  const options = ["serve", "--data", data, "--listen", "127.0.0.1:0"];
  const variables = { OPENAI_BASE_URL: upstream.address, OPENAI_API_KEY: "key-of-the-upstream" };
  const running = await start("recollect", options, /listening on (http:\S+)/, variables);
  running.call = (method, path, body) =>
    fetch(running.address + path, {
      method,
      headers: { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const stop = running.stop;
  running.stop = async () => {
    await stop();
    rmSync(data, { recursive: true, force: true });
  };
  return running;
}
