"""Lifecycle of a language server: start and shutdown, malformed messages, large trees."""

import json
import os
import signal

import pytest

from tests.support.language_client import PATIENCE


class TestLifecycle:
    def test_shutdown_and_exit(self, start):
        assert start().end() == 0

    def test_exit_without_shutdown_is_a_failure(self, start):
        client = start()
        client.notify("exit")

        assert client.process.wait(PATIENCE) == 1

    def test_the_end_of_the_editor_ends_the_server(self, start):
        client = start()
        client.process.stdin.close()

        assert client.process.wait(PATIENCE) == 1

    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
    def test_unsaved_texts_are_private_and_gone_at_the_end(self, start, web, tmp_path, monkeypatch, number):
        (tmp_path / "tmp").mkdir()
        monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
        client = start()
        client.open(web, "a:\n  nosuch.fun: []\n")
        client.until_published(web.as_uri())
        (directory,) = (tmp_path / "tmp").iterdir()
        assert directory.stat().st_mode & 0o077 == 0

        client.process.send_signal(number)

        assert client.process.wait(PATIENCE) == 1
        assert list((tmp_path / "tmp").iterdir()) == []

    def test_nothing_works_before_initialize_and_after_shutdown(self, start, web):
        client = start(is_ready=False)
        assert client.ask("shutdown")["error"]["code"] == -32002
        client.initialize(web.parents[2])
        assert client.initialize(web.parents[2])["error"]["code"] == -32600
        client.ask("shutdown")
        assert client.ask("textDocument/hover")["error"]["code"] == -32600
        client.notify("exit")
        assert client.process.wait(PATIENCE) == 0

    def test_options_of_the_editor(self, start, tree, web):
        client = start("--os=debian", file_root="states", pillar_root="pillar", os="alpine")
        client.open(web, "{% if grains['os'] == 'Alpine' %}\na:\n  nosuch.fun: []\n{% endif %}\n")

        assert [found["code"] for found in client.until_published(web.as_uri())] == ["unknown-function"]

    @pytest.mark.parametrize(
        ("options", "text"),
        [
            ({"file_roots": "x"}, "there is no option 'file_roots'"),
            ({"os": "beos"}, "not 'beos'"),
            ({"file_root": "nosuch"}, "there is no directory"),
            ({"os": 1}, "os must be a string"),
        ],
    )
    def test_wrong_options_are_an_error_with_its_reason(self, start, tree, options, text):
        error = start(is_ready=False).initialize(tree, **options)["error"]

        assert error["code"] == -32803
        assert text in error["message"]

    def test_wrong_options_of_the_command_line(self, start):
        client = start("--nosuch", is_ready=False)

        assert client.process.wait(PATIENCE) == 64
        assert b"no such option" in client.process.stderr.read()


#: (bytes that are no message, code of the error)
BROKEN_MESSAGES = [
    (b"Content-Length: 3\r\n\r\n{{{", -32700),
    (b"Content-Length: 2\r\n\r\n\xff\xfe", -32700),
    (b"Content-Length: 40000\r\n\r\n" + b"[" * 40000, -32700),
    (b"Content-Length: 200\r\n\r\n" + b"[" * 100 + b"]" * 100, -32600),
    (b"Content-Length: 2\r\n\r\n[]", -32600),
    (b'Content-Length: 13\r\n\r\n{"method": 1}', -32600),
    (b"Content-Length: many\r\n\r\n", -32700),
    (b"Content-Type: x\r\n\r\n", -32700),
    (b"x" * 5000 + b"\r\n", -32700),
    (b"Content-Length: 99999999\r\n\r\n" + b"x" * 99999999, -32700),
]


class TestBadInput:
    def test_it_is_answered_and_the_session_goes_on(self, start):
        client = start(is_ready=False)
        for data, code in BROKEN_MESSAGES:
            client.write(data)

            answer = client.receive()

            assert (answer["id"], answer["error"]["code"]) == (None, code), data[:100]
            assert client.ask("shutdown")["error"]["code"] == -32002

    def test_wrong_requests_have_their_errors(self, editor):
        for method, params, code in (
            ("nosuch/method", {}, -32601),
            ("textDocument/hover", {}, -32602),
            ("textDocument/hover", {"textDocument": {"uri": "file:///nosuch"}}, -32602),
            ("textDocument/completion", {"textDocument": {"uri": 1}, "position": []}, -32602),
        ):
            assert editor.ask(method, **params)["error"]["code"] == code

    def test_wrong_positions_and_changes_change_nothing(self, editor, web):
        for line, character in ((-1, 0), (0, "x"), (True, 0), (0.5, 0)):
            assert editor.at("hover", web, line, character)["error"]["code"] == -32602
        editor.edit(
            web, {"range": {"start": {"line": 9, "character": 0}, "end": {"line": 1, "character": 0}}}
        )
        editor.notify("textDocument/didChange", textDocument=1, contentChanges="x")
        editor.notify("textDocument/didOpen", textDocument={"uri": "file:///x"})
        editor.notify("workspace/didChangeWatchedFiles", changes=[1, {"uri": 1}])
        editor.at("hover", web, 10**9, 10**9)

        assert editor.at("hover", web, 5, 4)["contents"]["value"].startswith("```python\npkg.installed(")

    def test_files_elsewhere_and_of_other_kinds_are_served_without_findings(self, editor, tmp_path):
        for path in (tmp_path / "elsewhere.sls", tmp_path / "states" / "web" / "files" / "x.conf"):
            editor.open(path, "{{ nosuch }}: {% \n - x")
            assert editor.at("completion", path, 0, 3)["items"] == []
            assert editor.at("hover", path, 0, 4) is None
        document = {"uri": "untitled:1", "languageId": "sls", "version": 1, "text": "a:\n  pkg.x: []\n"}
        editor.notify("textDocument/didOpen", textDocument=document)
        params = {"textDocument": {"uri": "untitled:1"}, "position": {"line": 1, "character": 4}}
        assert editor.ask("textDocument/hover", **params)["result"] is None


def test_a_tree_of_300_sls(start, tree, capsys):
    """The CPU time of an edit is printed, not asserted: it depends on the machine. Target: 0.2 s."""
    for number in range(300):
        folder = tree / "states" / f"r{number}"
        folder.mkdir()
        states = "".join(
            f"/etc/r{number}/{file}:\n  file.managed:\n    - contents: {{{{ m.pkg }}}}\n" for file in range(8)
        )
        text = "{% from 'web/map.jinja' import m with context %}\ninclude:\n  - web\n" + states
        (folder / "init.sls").write_text(text)
    client = start()
    path = tree / "states" / "r7" / "init.sls"
    client.open(path, path.read_text())
    client.edit(path, {"text": path.read_text() + "x:\n  nosuch.fun: []\n"})
    client.until_published(path.as_uri())
    before = _cpu_seconds(client.process.pid)

    for number in range(5):
        client.edit(path, {"text": path.read_text() + f"x:\n  nosuch.fun{number}: []\n"})
        assert [found["code"] for found in client.until_published(path.as_uri())] == ["unknown-function"]

    used = (_cpu_seconds(client.process.pid) - before) / 5
    with capsys.disabled():
        print(json.dumps({"sls": 300, "cpu_seconds_per_edit": round(used, 3)}))


def _cpu_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
