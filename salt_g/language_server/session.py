"""Session of one editor: the methods of the protocol, from `initialize` to `exit`.

Shapes: requests are bodies of messages; replies are passed to `send` as bodies. Every request is answered, a
failed one with an error code and text, and the session continues. Source: Language Server Protocol 3.17,
"Lifecycle Messages", "Document Synchronization", "Language Features".
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import salt_g.language_server.json_rpc as json_rpc
from salt_g import __version__
from salt_g.errors import SaltGError
from salt_g.language_server.completion import Completion
from salt_g.language_server.definition import Definition
from salt_g.language_server.diagnostics import Diagnostics
from salt_g.language_server.documents import Document, path_of, uri_of
from salt_g.language_server.hover import Hover
from salt_g.language_server.json_rpc import AnswerableError, RpcCall, RpcError
from salt_g.language_server.project import Project
from salt_g.lint.finding import LintFinding

log = logging.getLogger(__name__)

#: Pause after an edit before the tree is linted (s), so that it is not linted while the user types.
DEBOUNCE = 0.1
#: Maximum number of open documents.
MAX_DOCUMENTS = 1000
#: Type of error messages in `window/showMessage`.
_ERROR = 1
#: Type of changed files in `workspace/didChangeWatchedFiles`.
_CHANGED = 2
_CAPABILITIES = {
    "positionEncoding": "utf-16",
    "textDocumentSync": {"openClose": True, "change": 2, "save": {"includeText": False}},
    "completionProvider": {"triggerCharacters": [".", ":", "'", '"', "/", "[", "-", " "]},
    "hoverProvider": True,
    "definitionProvider": True,
}

#: Function that creates a project from the editor's initialization options and open folder ('' if none).
MakeProject = Callable[[Mapping[str, Any], str], Project]


class EditorSession:
    """Session with one editor; `exit_code` is set when the session has ended."""

    def __init__(self, make_project: MakeProject, send: Callable[[bytes], None]) -> None:
        self.exit_code: int | None = None
        self._make_project = make_project
        self._send = send
        self._project: Project | None = None
        self._documents: dict[str, Document] = {}
        self._diagnostics = Diagnostics()
        self._is_shut_down = False
        self._may_watch = False
        #: Time at which to lint the tree (monotonic), None if the findings are up to date.
        self._due: float | None = None
        self._steps: Iterator[bool] | None = None
        self._complained = ""

    # Messages

    def receive(self, body: bytes) -> None:
        """Handle one message and send the response."""
        try:
            call = json_rpc.parsed(body)
        except AnswerableError as exc:
            if exc.id is not None:
                self._send(json_rpc.error(exc.id, exc.code, str(exc)))
            return
        except RpcError as exc:
            self._send(json_rpc.error(None, exc.code, str(exc)))
            return
        if call is None:
            return  # A response to our only request, to watch files; an editor that refuses logs the reason.
        try:
            value = self._dispatch(call)
        except RpcError as exc:
            self._fail(call, exc.code, str(exc))
        except ValueError as exc:
            self._fail(call, json_rpc.INVALID_PARAMS, str(exc))
        except SaltGError as exc:
            self._fail(call, json_rpc.REQUEST_FAILED, str(exc))
        except Exception as exc:  # One message of the editor must not end the server.
            log.exception("%s failed", call.method)
            self._fail(call, json_rpc.INTERNAL_ERROR, f"{call.method} failed: {type(exc).__name__}: {exc}")
        else:
            if call.id is not None:
                self._send(json_rpc.result(call.id, value))

    def refuse(self, reason: str) -> None:
        """Send an error response to input that is not a message."""
        self._send(json_rpc.error(None, json_rpc.PARSE_ERROR, reason))

    def _fail(self, call: RpcCall, code: int, message: str) -> None:
        if call.id is not None:
            self._send(json_rpc.error(call.id, code, message))
        else:
            log.error("%s: %s", call.method, message)

    def _dispatch(self, call: RpcCall) -> Any:
        if call.method == "exit":
            self.exit_code = 0 if self._is_shut_down else 1
            return None
        if self._is_shut_down:
            raise RpcError(json_rpc.INVALID_REQUEST, "the server was shut down; only exit may follow")
        if call.method == "initialize":
            return self._initialize(call.params)
        if self._project is None:
            raise RpcError(json_rpc.NOT_INITIALIZED, "initialize must come first")
        if call.method == "shutdown":
            self._is_shut_down = True
            return None
        if (asked := _ASKED.get(call.method)) is not None:
            return asked(self, self._project, call.params)
        if (notified := _NOTIFIED.get(call.method)) is not None:
            return notified(self, self._project, call.params)
        if call.id is not None:
            raise RpcError(json_rpc.METHOD_NOT_FOUND, f"there is no method {call.method:.100}")
        return None

    def _initialize(self, params: Mapping[str, Any]) -> dict[str, Any]:
        if self._project is not None:
            raise RpcError(json_rpc.INVALID_REQUEST, "initialize may come only once")
        options = params.get("initializationOptions") or {}
        if not isinstance(options, dict):
            raise RpcError(json_rpc.INVALID_PARAMS, "initializationOptions must be an object")
        self._project = self._make_project(options, _folder(params))
        self._may_watch = _may_watch(params)
        self._lint_soon(0)
        return {
            "capabilities": _CAPABILITIES,
            "serverInfo": {"name": "salt-g lsp", "version": __version__},
        }

    def _initialized(self, project: Project, params: Mapping[str, Any]) -> None:
        """Ask the editor to report changes of all files, including files that are not open."""
        if self._may_watch:
            watching = {"watchers": [{"globPattern": "**/*"}]}
            wanted = {"id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": watching}
            self._send(json_rpc.request("files", "client/registerCapability", {"registrations": [wanted]}))

    # Documents

    def _opened(self, project: Project, params: Mapping[str, Any]) -> None:
        item = _object(params, "textDocument")
        uri, text = item.get("uri"), item.get("text")
        if not isinstance(uri, str) or not isinstance(text, str):
            raise ValueError("textDocument needs a uri and a text")
        if len(self._documents) >= MAX_DOCUMENTS and uri not in self._documents:
            raise ValueError(f"more than {MAX_DOCUMENTS} documents are open")
        document = self._documents[uri] = Document(uri, item.get("version"), text)
        if document.path:
            project.write(document.path, text)
        self._lint_soon(0)

    def _edited(self, project: Project, params: Mapping[str, Any]) -> None:
        document = self._document(params)
        changes = params.get("contentChanges")
        if not isinstance(changes, list) or not all(isinstance(change, dict) for change in changes):
            raise ValueError("contentChanges must be a list of objects")
        document.change(_object(params, "textDocument").get("version"), changes)
        if document.path:
            project.write(document.path, document.text)
        self._lint_soon(DEBOUNCE)

    def _saved(self, project: Project, params: Mapping[str, Any]) -> None:
        document = self._document(params)
        if document.path:
            project.saved(document.path)
        self._lint_soon(0)

    def _closed(self, project: Project, params: Mapping[str, Any]) -> None:
        document = self._document(params)
        del self._documents[document.uri]
        if document.path:
            project.discard(document.path)
        self._lint_soon(0)

    def _changed_on_disk(self, project: Project, params: Mapping[str, Any]) -> None:
        changes = params.get("changes")
        for change in changes if isinstance(changes, list) else []:
            uri = change.get("uri") if isinstance(change, dict) else None
            if isinstance(uri, str) and (path := path_of(uri)):
                project.saved(path, is_listed=change.get("type") != _CHANGED)
        self._lint_soon(DEBOUNCE)

    def _document(self, params: Mapping[str, Any]) -> Document:
        uri = _object(params, "textDocument").get("uri")
        document = self._documents.get(uri) if isinstance(uri, str) else None
        if document is None:
            raise ValueError(f"the document is not open: {uri!s:.200}")
        return document

    # Requests of the editor

    def _completion(self, project: Project, params: Mapping[str, Any]) -> Any:
        document = self._document(params)
        project.refresh()
        place = project.overlay.place(document.path) if document.path else None
        return Completion(project).at(document, place, document.position(params.get("position")))

    def _hover(self, project: Project, params: Mapping[str, Any]) -> Any:
        document = self._document(params)
        project.refresh()
        place = project.overlay.place(document.path) if document.path else None
        return Hover(project).at(document, place, document.position(params.get("position")))

    def _definition(self, project: Project, params: Mapping[str, Any]) -> Any:
        document = self._document(params)
        project.refresh()
        place = project.overlay.place(document.path) if document.path else None
        return Definition(project).at(document, place, document.position(params.get("position")))

    # Lint

    def wait(self) -> float | None:
        """Return the seconds until `work` is due, or None if it is not due before another message."""
        if self._due is None or self._is_shut_down:
            return None
        return max(self._due - time.monotonic(), 0)

    def work(self) -> None:
        """Run one step of lint; publish findings in open files early, and all findings at the end."""
        if self._project is None or self.wait() != 0:
            return
        try:
            if self._steps is None:
                self._project.refresh()
                self._steps = self._project.steps(self._open_paths())
            step = next(self._steps, None)
            if step is None:
                self._steps = self._due = None
                found = self._project.findings()
                self._publish(found)
                self._complain("; ".join(finding.text() for finding in found.get("", ())[:3]))
            elif step:
                found = self._project.early_findings()
                self._publish(found, found.keys())
        except Exception as exc:  # No content of a tree may end the server.
            log.exception("lint failed")
            self._steps = self._due = None
            self._complain(f"lint failed: {type(exc).__name__}: {exc}")

    def _lint_soon(self, delay: float) -> None:
        self._due = time.monotonic() + delay
        self._steps = None

    def _open_paths(self) -> list[str]:
        return [document.path for document in self._documents.values() if document.path]

    def _publish(
        self, found: Mapping[str, Sequence[LintFinding]], paths: Collection[str] | None = None
    ) -> None:
        """Publish findings by path, of all files or only of `paths`."""
        uris = {document.path: document for document in self._documents.values() if document.path}
        texts = {path: uris[path].text if path in uris else _text_of(path) for path in found if path}
        for path, diagnostics in self._diagnostics.changed(found, texts, paths):
            params: dict[str, Any] = {"uri": uri_of(path), "diagnostics": diagnostics}
            if path in uris:
                params["uri"] = uris[path].uri
                if type(version := uris[path].version) is int:
                    params["version"] = version
            self._send(json_rpc.notification("textDocument/publishDiagnostics", params))

    def _complain(self, text: str) -> None:
        """Show an error that belongs to no file, unless it was the last one shown."""
        if text and text != self._complained:
            params = {"type": _ERROR, "message": f"salt-g: {text}"}
            self._send(json_rpc.notification("window/showMessage", params))
        self._complained = text


Method = Callable[[EditorSession, Project, Mapping[str, Any]], Any]
_ASKED: dict[str, Method] = {
    "textDocument/completion": EditorSession._completion,
    "textDocument/hover": EditorSession._hover,
    "textDocument/definition": EditorSession._definition,
}
_NOTIFIED: dict[str, Method] = {
    "initialized": EditorSession._initialized,
    "textDocument/didOpen": EditorSession._opened,
    "textDocument/didChange": EditorSession._edited,
    "textDocument/didSave": EditorSession._saved,
    "textDocument/didClose": EditorSession._closed,
    "workspace/didChangeWatchedFiles": EditorSession._changed_on_disk,
}


def _folder(params: Mapping[str, Any]) -> str:
    """Return the folder that is open in the editor, or '' if there is none."""
    folders = params.get("workspaceFolders")
    first = folders[0] if isinstance(folders, list) and folders else None
    uri = first.get("uri") if isinstance(first, dict) else params.get("rootUri")
    if isinstance(uri, str):
        return path_of(uri)
    path = params.get("rootPath")
    return path if isinstance(path, str) else ""


def _may_watch(params: Mapping[str, Any]) -> bool:
    """Return whether the editor can watch files at our request."""
    value: Any = params
    for key in ("capabilities", "workspace", "didChangeWatchedFiles", "dynamicRegistration"):
        value = value.get(key) if isinstance(value, dict) else None
    return value is True


def _object(params: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = params.get(key)
    if not isinstance(value, dict):
        raise ValueError(f"{key} must be an object")
    return value


def _text_of(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
