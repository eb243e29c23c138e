"""`salt-g lsp` as an editor uses it: a scripted client, a real process, unsaved texts."""

import json
import os
import textwrap

import pytest
from support.broken_sls import BROKEN
from support.language_client import PATIENCE, LanguageClient

from salt_g.lint.finding import ERROR
from salt_g.lint.linter import lint
from salt_g.lint.systems import grains_of

SECRET = "correct-horse-battery"
TREE = {
    "etc/minion": "id: m1\n",
    "pillar/top.sls": "base:\n  '*':\n    - app\n",
    "pillar/app.sls": f"app:\n  port: 80\n  password: {SECRET}\n",
    "states/top.sls": "base:\n  '*':\n    - web\n",
    "states/db.sls": "pg:\n  pkg.installed:\n    - name: postgresql\n",
    "states/web/files/x.conf": "x\n",
    "states/web/map.jinja": "{% set m = {'pkg': 'nginx'} %}\n{% macro conf(x) %}/etc/{{ x }}{% endmacro %}\n",
    "states/_modules/mine.py": 'def hello(name, loud=False):\n    """Greet."""\n    raise SystemExit\n',
    "states/web/init.sls": """\
        {% from 'web/map.jinja' import m, conf with context %}
        include:
          - db

        nginx:
          pkg.installed:
            - name: {{ m.pkg }}
          service.running:
            - watch:
              - pkg: pg

        {{ conf('x') }}:
          file.managed:
            - source: salt://web/files/x.conf
            - contents: {{ pillar['app']['port'] }} {{ grains['os'] }}
            - user: {{ salt['pillar.get']('app:password') }}
            - group: {{ salt['mine.hello']('x') }}
        """,
}


@pytest.fixture
def tree(tmp_path):
    for name, text in TREE.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return tmp_path


@pytest.fixture
def start(tree):
    """Factory: a client of a new server, which has the folder of the tree open unless `is_ready` is False."""
    clients = []

    def make(*words, is_ready=True, **options):
        clients.append(LanguageClient(["-c", str(tree / "etc"), *words], cwd=tree))
        if is_ready:
            assert "result" in clients[-1].initialize(tree, **options)
        return clients[-1]

    yield make
    for client in clients:
        client.kill()


@pytest.fixture
def web(tree):
    return tree / "states" / "web" / "init.sls"


@pytest.fixture
def editor(start, web):
    """A client that has the SLS `web` open."""
    client = start()
    client.open(web, web.read_text())
    return client


def position(path, text, *, behind=True):
    """Return (line, character) of a text in a file."""
    before, _, _ = path.read_text().partition(text)
    line = before.count("\n")
    start = len(before) - (before.rfind("\n") + 1)
    return line, start + (len(text) if behind else 0)


def labels(answer):
    return [item["label"] for item in answer["items"]]


class TestDiagnostics:
    def test_names_of_files_and_ends_of_lines_may_be_of_any_kind(self, start, tree):
        path = tree / "states" / "a b 100% ü😀.sls"
        client = start()
        client.open(path, "😀x:\r\n  file.manged:\r\n    - name: /x\r\n")
        (found,) = client.until_published(path.as_uri())
        assert found["range"] == {"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 14}}

        behind = {"line": 0, "character": 3}
        client.edit(path, {"range": {"start": behind, "end": behind}, "text": "é: {}\r\n😀"})

        codes = [
            (one["code"], one["range"]["start"]["line"]) for one in client.until_published(path.as_uri())
        ]
        assert ("unknown-function", 2) in codes

    def test_they_follow_the_unsaved_text(self, editor, web):
        line, _ = position(web, "- pkg: pg")
        wrong = {"start": {"line": line, "character": 13}, "end": {"line": line, "character": 15}}
        editor.edit(web, {"range": wrong, "text": "pgg"})

        (found,) = editor.until_published(web.as_uri())

        assert found["code"] == "unknown-requisite"
        assert found["severity"] == 1
        assert found["range"] == {**wrong, "end": {"line": line, "character": 16}}
        assert "- pkg: pg\n" in web.read_text()
        editor.edit(web, {"text": web.read_text()})
        assert editor.until_published(web.as_uri()) == []

    def test_findings_of_unsaved_text_are_gone_when_the_file_is_closed(self, editor, web):
        editor.edit(web, {"text": "a:\n  nosuch.fun: []\n"})
        assert [found["code"] for found in editor.until_published(web.as_uri())] == ["unknown-function"]

        editor.close(web)

        assert editor.until_published(web.as_uri()) == []

    def test_an_edit_of_one_file_shows_in_another(self, editor, tree, web):
        path = tree / "states" / "db.sls"
        editor.open(path, path.read_text())
        editor.edit(path, {"text": "other:\n  pkg.installed: []\n"})

        assert [found["code"] for found in editor.until_published(web.as_uri())] == ["unknown-requisite"]

    def test_pillar_counts_also_while_it_is_not_saved(self, editor, tree, web):
        editor.edit(
            web, {"text": "{% if pillar['app']['port'] == 81 %}\na:\n  nosuch.fun: []\n{% endif %}\n"}
        )
        path = tree / "pillar" / "app.sls"
        editor.open(path, "app:\n  port: 81\n")
        assert [found["severity"] for found in editor.until_published(web.as_uri())] == [1]

        editor.edit(path, {"text": "app:\n  port: {{ nosuch }}\n"})

        assert [
            (found["code"], found["range"]["start"]["line"])
            for found in editor.until_published(path.as_uri())
        ] == [("pillar", 1)]

    def test_files_that_others_write_count_when_the_editor_reports_them(self, editor, tree, web):
        editor.edit(web, {"text": "include: [new]\n"})
        assert [found["code"] for found in editor.until_published(web.as_uri())] == ["unknown-sls"]
        path = tree / "states" / "new.sls"
        path.write_text("a:\n  test.nop: []\n")

        editor.notify("workspace/didChangeWatchedFiles", changes=[{"uri": path.as_uri(), "type": 1}])

        assert editor.until_published(web.as_uri()) == []

    def test_a_file_that_exists_nowhere_yet_can_be_included(self, editor, tree, web):
        path = tree / "states" / "new" / "init.sls"
        editor.open(path, "a:\n  nosuch.fun: []\n")
        assert [found["code"] for found in editor.until_published(path.as_uri())] == ["unknown-function"]

        editor.edit(web, {"text": "include: [new, nosuch]\n"})

        assert [found["code"] for found in editor.until_published(web.as_uri())] == ["unknown-sls"]

    def test_broken_files_have_the_findings_of_lint_at_their_lines(self, start, tmp_path):
        path = tmp_path / "broken" / "a.sls"
        path.parent.mkdir()
        path.write_text("a:\n  test.nop: []\n")
        client = start("--file-root=broken", "--os=debian")
        wrong = {}
        for name, (text, rule, line) in BROKEN.items():
            client.open(path, text)
            shown = client.until_published(path.as_uri())
            client.close(path)
            assert client.until_published(path.as_uri()) == []
            places = [(found["code"], found["range"]["start"]["line"] + 1) for found in shown]
            if (rule, max(line, 1)) not in places or _told(shown) != _linted(tmp_path, text):
                wrong[name] = (places, _told(shown), _linted(tmp_path, text))

        assert wrong == {}
        assert len(BROKEN) >= 60


def _told(shown):
    return sorted((found["severity"], found["code"], found["message"]) for found in shown)


def _linted(tmp_path, text):
    root = tmp_path / "saved" / "states"
    root.mkdir(parents=True, exist_ok=True)
    (root / "a.sls").write_text(text, errors="surrogateescape")
    settings = {
        "cachedir": str(tmp_path / "cache"),
        "file_roots": {"base": [str(root)]},
        "pillar_roots": {"base": [str(tmp_path / "pillar")]},
    }
    found = lint(settings, {"debian": grains_of("debian", "m1")})
    return sorted((1 if one.level == ERROR else 2, one.rule, one.text()) for one in found)


#: (text with the cursor at `|`, a label that is offered there)
COMPLETED = [
    ("a:\n  pkg.inst|", "pkg.installed"),
    ("a:\n  pkg:\n    - inst|", "installed"),
    ("a:\n  file.managed:\n    - sour|", "source"),
    ("a:\n  file.managed:\n    - onch|", "onchanges"),
    ("a:\n  file:\n    - managed\n    - source_h|", "source_hash"),
    ("a:\n  test.nop:\n    - require:\n      - pkg: p|", "pg"),
    ("a:\n  test.nop:\n    - require:\n      - pkg: post|", "postgresql"),
    ("a:\n  test.nop:\n    - require:\n      - pkg|", "pkg: pg"),
    ("a:\n  test.nop:\n    - require:\n      - sls: d|", "db"),
    ("include:\n  - d|\n", "db"),
    ("extend:\n  p|\n", "pg"),
    ("a:\n  file.managed:\n    - source: salt://web/f|", "web/files/x.conf"),
    ("{% from 'web/m|' import m %}\n", "web/map.jinja"),
    ("a: {{ pillar['app']['po|'] }}", "port"),
    ("a: {{ pillar.app.po| }}", "port"),
    ("a: {{ salt['pillar.get']('app:po|') }}", "port"),
    ("a: {{ grains['os_f|'] }}", "os_family"),
    ("a: {{ salt['grains.get']('osrel|') }}", "osrelease"),
    ("a: {{ salt['network.ip_a|'] }}", "network.ip_addrs"),
    ("a: {{ salt.cmd.ru| }}", "cmd.run"),
    ("a: {{ salt['mine.h|'] }}", "mine.hello"),
]


class TestCompletion:
    @pytest.fixture
    def offered(self, editor, web):
        """Factory: labels at the end of a text that replaces the file; `|` is the cursor."""

        def ask(text):
            before, _, after = text.partition("|")
            line = before.count("\n")
            editor.edit(web, {"text": before + after})
            return labels(editor.at("completion", web, line, len(before) - (before.rfind("\n") + 1)))

        editor.until_ready(web)
        return ask

    def test_names_that_fit_are_offered(self, offered):
        missing = {text: label for text, label in COMPLETED if label not in offered(text)}

        assert missing == {}

    def test_where_anything_can_stand_nothing_is_offered(self, offered):
        for text in ("# a|", "a:\n  pkg.installed:|", "a:\n  test.nop:\n    - name: x|"):
            assert offered(text) == []

    def test_the_word_being_typed_is_replaced(self, editor, web):
        editor.until_ready(web)
        editor.edit(web, {"text": "é😀:\n  pkg.inst\n"})

        (item,) = [
            one for one in editor.at("completion", web, 1, 10)["items"] if one["label"] == "pkg.installed"
        ]

        assert item["textEdit"] == {
            "range": {"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 10}},
            "newText": "pkg.installed:",
        }

    def test_the_top_file_is_offered_sls(self, editor, tree, web):
        editor.until_ready(web)
        top = tree / "states" / "top.sls"
        editor.open(top, "base:\n  '*':\n    - w\n")

        assert labels(editor.at("completion", top, 2, 7)) == ["web"]


class TestHover:
    @pytest.fixture
    def described(self, editor, web):
        """Factory: the description of the name before which a text begins."""
        editor.until_ready(web)

        def ask(text):
            found = editor.at("hover", web, *position(web, text, behind=False))
            return found["contents"]["value"] if found else None

        return ask

    def test_functions_with_their_arguments_and_docstrings(self, described):
        assert "pkg.installed(name, version=None" in described("pkg.installed")
        assert "default `None`" in described("source: salt")
        assert "requisite of every state" in described("watch:")
        assert "pillar.get(key" in described("pillar.get")

    def test_functions_of_users_are_described_and_not_run(self, described, editor):
        assert described("mine.hello") == "```python\nmine.hello(name, loud=False)\n```\n\nGreet."
        assert editor.process.poll() is None

    def test_states_of_an_id(self, described):
        assert "- `service.running` of `nginx`: SLS `web`, init.sls:5" in described("nginx:\n")
        assert described("pg\n") == "- `pkg.installed` of `pg`, name `postgresql`: SLS `db`, db.sls:1"

    def test_a_key_of_pillar_shows_its_file_and_never_its_value(self, described, tree):
        text = described("password")

        assert f"{tree}/pillar/app.sls:3" in text
        assert "a text" in text
        assert SECRET not in text

    def test_a_grain(self, described):
        assert described("os'] }}").startswith("grain `os`: `")


#: {text that begins with a name: file and line (from 0) of its definition}
DEFINED = {
    "pg\n": "states/db.sls:0",
    "db\n": "states/db.sls:0",
    "salt://": "states/web/files/x.conf:0",
    "web/map": "states/web/map.jinja:0",
    "conf('x')": "states/web/map.jinja:1",
    "m.pkg": "states/web/map.jinja:0",
    "port'": "pillar/app.sls:1",
    "mine.hello": "states/_modules/mine.py:0",
}


class TestDefinition:
    def test_names_lead_to_where_they_are_defined(self, editor, web, tree):
        editor.until_ready(web)
        found = {
            text: [
                f"{one['uri'].removeprefix(tree.as_uri())}:{one['range']['start']['line']}"
                for one in editor.at("definition", web, *position(web, text, behind=False))
            ]
            for text in DEFINED
        }

        assert found == {text: [f"/{place}"] for text, place in DEFINED.items()}

    def test_unsaved_files_are_named_by_their_own_paths(self, editor, web, tree):
        path = tree / "states" / "db.sls"
        editor.open(path, "# one line more\n" + path.read_text())
        editor.until_ready(web)

        (found,) = editor.at("definition", web, *position(web, "pg\n", behind=False))

        assert (found["uri"], found["range"]["start"]["line"]) == (path.as_uri(), 1)

    def test_the_top_file_leads_to_sls(self, editor, tree, web):
        editor.until_ready(web)
        top = tree / "states" / "top.sls"
        editor.open(top, top.read_text())

        (found,) = editor.at("definition", top, 2, 7)

        assert found["uri"] == web.as_uri()


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

    def test_unsaved_texts_are_private_and_gone_at_the_end(self, start, web, tmp_path, monkeypatch):
        (tmp_path / "tmp").mkdir()
        monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
        client = start()
        client.open(web, "a:\n  nosuch.fun: []\n")
        client.until_published(web.as_uri())
        (directory,) = (tmp_path / "tmp").iterdir()
        assert directory.stat().st_mode & 0o077 == 0

        client.process.terminate()

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
            ({"os": "beos"}, "'beos' is none of"),
            ({"file_root": "nosuch"}, "there is no directory"),
            ({"os": 1}, "os must be a text"),
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
        asked = {"textDocument": {"uri": "untitled:1"}, "position": {"line": 1, "character": 4}}
        assert editor.ask("textDocument/hover", **asked)["result"] is None


def test_a_tree_of_300_sls(start, tree, capsys):
    """The CPU time of an edit is printed, not judged: it depends on the machine. Wanted: 0.2 s."""
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
