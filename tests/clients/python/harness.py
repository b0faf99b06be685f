"""Starts the scripted model and Recollect in front of it, as a user would, and reads what the model was sent."""

import json
import os
import pathlib
import re
import subprocess
import threading
import time
import urllib.error
import urllib.request

FOLDER = pathlib.Path(__file__).resolve().parent.parent
BINARIES = pathlib.Path(os.environ["CLIENT_TEST_BINARIES"])
WITHIN_SECONDS = 60


def environment(**more):
    """The caller's environment without what would configure Recollect behind the tests' back."""
    foreign = ("RECOLLECT_", "OPENAI_", "ANTHROPIC_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    return kept | more


class Process:
    """A program, the lines it printed, and the address that it said it listens on."""

    def __init__(self, arguments, address, **variables):
        self.printed, self.said = [], []
        self.process = subprocess.Popen(
            [str(argument) for argument in arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(**variables),
        )
        for stream, lines in ((self.process.stdout, self.printed), (self.process.stderr, self.said)):
            threading.Thread(target=self._read, args=(stream, lines), daemon=True).start()
        self.address = self._wait_for(address)

    @staticmethod
    def _read(stream, lines):
        for line in stream:
            lines.append(line.rstrip("\n"))

    def _wait_for(self, pattern):
        until = time.monotonic() + WITHIN_SECONDS
        while time.monotonic() < until:
            for line in list(self.said):
                if found := re.search(pattern, line):
                    return found.group(1)
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise RuntimeError("it did not start: " + "\n".join(self.said))

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=WITHIN_SECONDS)


class Upstream(Process):
    """The scripted model. `seen()` are the requests it got, one line each, system texts in full."""

    def __init__(self):
        script = FOLDER / "script.toml"
        arguments = [BINARIES / "fake-llm", "--port", 0, "--chunk-delay-ms", 1, "--script", script]
        super().__init__(arguments, r"listens on (http://\S+/v1)")

    def seen(self):
        return list(self.printed)

    def seen_with(self, text):
        """The requests that have this text in them, waited for a little: the line is printed while we are answered."""
        until = time.monotonic() + 5
        while True:
            found = [line for line in self.printed if text in line]
            if found or time.monotonic() > until:
                return found
            time.sleep(0.02)


class Recollect(Process):
    """A server on a data folder of its own, in front of the scripted model."""

    def __init__(self, data, upstream, *options):
        self.data = data
        arguments = [BINARIES / "recollect", "serve", "--data", data, "--listen", "127.0.0.1:0", *options]
        super().__init__(
            arguments,
            r"listening on (http://\S+)",
            OPENAI_BASE_URL=upstream.address,
            OPENAI_API_KEY="key-of-the-upstream",
            ANTHROPIC_BASE_URL=upstream.address.removesuffix("/v1"),
            ANTHROPIC_API_KEY="key-of-the-upstream",
        )

    @property
    def v1(self):
        return self.address + "/v1"

    def command(self, *arguments):
        """Runs a command of Recollect's on the same data folder."""
        done = subprocess.run(
            [str(BINARIES / "recollect"), "--data", str(self.data), *arguments],
            capture_output=True,
            text=True,
            env=environment(),
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def call(self, method, path, body=None):
        """One plain HTTP request; the answer's status and JSON."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=WITHIN_SECONDS) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"null")
