"""Language client that speaks to a real `salt-g lsp` on its standard input and output.

Its messages are those of an editor; `lsprotocol` checks each answer against the types of the protocol.
"""

from __future__ import annotations

import contextlib
import json
import pathlib
import queue
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping
from typing import Any

#: Seconds until an answer that does not come fails a test.
PATIENCE = 60
#: Password in the pillar of the tests' tree, which no answer shows.
SECRET = "correct-horse-battery"
SALT_G = pathlib.Path(sys.executable).with_name("salt-g")


def _checked(method: str, message: dict[str, Any]) -> dict[str, Any]:
    """Return a message with the types of the protocol; raise an error for another."""
    from lsprotocol import converters, types

    if "error" not in message and method in types.METHOD_TO_TYPES:
        request, response, *_ = types.METHOD_TO_TYPES[method]
        converters.get_converter().structure(message, response or request)
    return message


class LanguageClient:
    """An editor with one server; `diagnostics` are the latest by URI."""

    def __init__(
        self, words: Iterable[str], *, cwd: pathlib.Path, env: Mapping[str, str] | None = None
    ) -> None:
        self.process = subprocess.Popen(
            [SALT_G, "lsp", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=env,
        )
        # With pipes there are streams, which their types do not say.
        self._stdin: Any = self.process.stdin
        self._stdout: Any = self.process.stdout
        self.stderr: Any = self.process.stderr
        self.diagnostics: dict[str, list[dict[str, Any]]] = {}
        self.shown: list[str] = []
        self._ids = iter(range(1, 1_000_000))
        self._received: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._versions: dict[pathlib.Path, int] = {}
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    # Bytes

    def write(self, data: bytes) -> None:
        self._stdin.write(data)
        self._stdin.flush()

    def send(self, message: Mapping[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def receive(self) -> dict[str, Any] | None:
        """Return the next message; None after the end."""
        return self._received.get(timeout=PATIENCE)

    def _read(self) -> None:
        stream = self._stdout
        while header := stream.readline():
            length = int(header.partition(b":")[2])
            while stream.readline().strip():
                pass
            self._received.put(json.loads(stream.read(length)))
        self._received.put(None)

    # Messages

    def notify(self, method: str, **params: Any) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Return the response to a request."""
        id = next(self._ids)
        self.send({"id": id, "method": method, "params": params})
        while True:
            message = self.receive()
            assert message is not None, self.stderr.read()
            if message.get("id") == id:
                return _checked(method, message)
            self._take(message)

    def until_published(self, uri: str) -> list[dict[str, Any]]:
        """Return the next diagnostics of a file."""
        while True:
            message = self.receive()
            assert message is not None, self.stderr.read()
            self._take(message)
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                found: list[dict[str, Any]] = message["params"]["diagnostics"]
                return found

    def until_ready(self, path: pathlib.Path) -> None:
        """Wait until the tree is compiled: a finding in a file has appeared and disappeared again."""
        text = path.read_text()
        self.edit(path, {"text": f"{text}\nuntil_ready:\n  nosuch.fun: []\n"})
        self.until_published(path.as_uri())
        self.edit(path, {"text": text})
        self.until_published(path.as_uri())

    def _take(self, message: dict[str, Any]) -> None:
        if message.get("method") == "textDocument/publishDiagnostics":
            _checked(message["method"], message)
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif message.get("method") == "window/showMessage":
            self.shown.append(message["params"]["message"])

    # The life of an editor

    def initialize(self, folder: str | pathlib.Path, **options: Any) -> dict[str, Any]:
        answer = self.ask(
            "initialize",
            processId=None,
            rootUri=pathlib.Path(folder).as_uri(),
            capabilities={},
            initializationOptions=options,
        )
        if "result" in answer:
            self.notify("initialized")
        return answer

    def open(self, path: pathlib.Path, text: str) -> None:
        self._versions[path] = 1
        item = {"uri": path.as_uri(), "languageId": "sls", "version": 1, "text": text}
        self.notify("textDocument/didOpen", textDocument=item)

    def edit(self, path: pathlib.Path, *changes: Mapping[str, Any]) -> None:
        self._versions[path] += 1
        document = {"uri": path.as_uri(), "version": self._versions[path]}
        self.notify("textDocument/didChange", textDocument=document, contentChanges=list(changes))

    def close(self, path: pathlib.Path) -> None:
        self.notify("textDocument/didClose", textDocument={"uri": path.as_uri()})

    def save(self, path: pathlib.Path) -> None:
        self.notify("textDocument/didSave", textDocument={"uri": path.as_uri()})

    def at(self, method: str, path: pathlib.Path, line: object, character: object) -> Any:
        """Return the result of a request about a position (both from 0)."""
        answer = self.ask(
            f"textDocument/{method}",
            textDocument={"uri": path.as_uri()},
            position={"line": line, "character": character},
        )
        return answer.get("result", answer)

    def end(self) -> int:
        """Shut the server down; return its exit code."""
        self.ask("shutdown")
        self.notify("exit")
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reading.join(PATIENCE)
        for stream in (self._stdin, self._stdout, self.stderr):
            with contextlib.suppress(BrokenPipeError):
                stream.close()
