"""The session, without a stream."""

import json

import pytest

from salt_g.errors import SaltGError
from salt_g.language_server.session import EditorSession


@pytest.fixture
def sent():
    return []


@pytest.fixture
def session(make_project, sent):
    project = make_project({"states/a.sls": "x:\n  test.nop: []\n"})
    return EditorSession(lambda options, folder: project, lambda body: sent.append(json.loads(body)))


@pytest.fixture
def ask(session, sent):
    """Return a function that returns the response to a request, or nothing without `id`."""

    def call(method, id=1, **params):
        del sent[:]
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        session.receive(json.dumps(message if id is None else {**message, "id": id}).encode())
        return sent[0] if sent else None

    return call


def work(session):
    while session.wait() is not None:
        session.work()


def test_a_life(ask, session):
    assert ask("initialize")["result"]["capabilities"]["hoverProvider"] is True
    assert ask("initialized", id=None) is None
    assert ask("shutdown")["result"] is None
    assert session.wait() is None
    assert ask("exit", id=None) is None
    assert session.exit_code == 0


def test_an_editor_that_can_watch_files_is_asked_to(ask):
    able = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    ask("initialize", capabilities=able)

    registration = ask("initialized", id=None)

    assert registration["method"] == "client/registerCapability"
    assert registration["params"]["registrations"][0]["method"] == "workspace/didChangeWatchedFiles"


def test_findings_are_published_once_all_is_compiled(ask, session, sent, tmp_path):
    ask("initialize")
    uri = (tmp_path / "states" / "a.sls").as_uri()
    ask(
        "textDocument/didOpen", id=None, textDocument={"uri": uri, "version": 7, "text": "x:\n  no.fun: []\n"}
    )

    work(session)

    (published,) = sent
    assert published["method"] == "textDocument/publishDiagnostics"
    assert (published["params"]["uri"], published["params"]["version"]) == (uri, 7)
    assert [found["code"] for found in published["params"]["diagnostics"]] == ["unknown-function"]


def test_an_edit_waits_for_the_next_one(ask, session, tmp_path):
    ask("initialize")
    document = {"uri": (tmp_path / "states" / "a.sls").as_uri(), "version": 1, "text": ""}
    ask("textDocument/didOpen", id=None, textDocument=document)
    assert session.wait() == 0

    ask("textDocument/didChange", id=None, textDocument=document, contentChanges=[{"text": "x"}])

    assert session.wait() > 0


def test_a_project_that_cannot_be_made_is_an_error_and_may_be_tried_again(sent):
    def make(options, folder):
        raise SaltGError("no such tree")

    session = EditorSession(make, lambda body: sent.append(json.loads(body)))
    for _ in range(2):
        session.receive(b'{"jsonrpc": "2.0", "id": 1, "method": "initialize"}')

    assert [answer["error"] for answer in sent] == [{"code": -32803, "message": "no such tree"}] * 2


def test_the_editors_folder_is_its_first_workspace_folder_or_its_root(sent):
    folders = []

    def make(options, folder):
        folders.append(folder)
        raise SaltGError("enough")

    session = EditorSession(make, sent.append)
    for params in (
        {"workspaceFolders": [{"uri": "file:///a"}], "rootUri": "file:///b"},
        {"workspaceFolders": None, "rootUri": "file:///b"},
        {"rootUri": None, "rootPath": "/c"},
        {},
    ):
        message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
        session.receive(json.dumps(message).encode())

    assert folders == ["/a", "/b", "/c", ""]


def test_an_error_without_a_file_is_shown_once(make_project, sent):
    # The name is not in the text of the file, so nothing says at which line it is.
    pillar = {"pillar/top.sls": "base:\n  '*': ['no{{ 'such' }}']\n"}
    project = make_project({"states/a.sls": "x:\n  test.nop: []\n", **pillar})
    session = EditorSession(lambda options, folder: project, lambda body: sent.append(json.loads(body)))
    session.receive(b'{"jsonrpc": "2.0", "id": 1, "method": "initialize"}')
    work(session)
    session.receive(
        b'{"jsonrpc": "2.0", "method": "workspace/didChangeWatchedFiles", "params": {"changes": []}}'
    )
    work(session)

    shown = [one["params"]["message"] for one in sent if one.get("method") == "window/showMessage"]
    assert len(shown) == 1
    assert "nosuch" in shown[0]


def test_a_position_behind_the_text_has_nothing(ask, session, tmp_path):
    uri = (tmp_path / "states" / "a.sls").as_uri()
    ask("initialize")
    ask(
        "textDocument/didOpen",
        id=None,
        textDocument={"uri": uri, "version": 1, "text": "x:\n  test.nop: []\n"},
    )
    far = {"line": 10**12, "character": 10**12}

    for method in ("hover", "definition", "completion"):
        answer = ask(f"textDocument/{method}", textDocument={"uri": uri}, position=far)
        assert "error" not in answer, answer
