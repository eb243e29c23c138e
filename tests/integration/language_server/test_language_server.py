"""`salt-g lsp` used as by an editor: a scripted client, a real process, unsaved texts."""

import pytest

from salt_g.lint.finding import ERROR
from salt_g.lint.linter import lint
from salt_g.lint.systems import grains_of
from tests.support.broken_sls import BROKEN
from tests.support.language_client import SECRET


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
            if (rule, max(line, 1)) not in places or _diagnostics(shown) != _linted(tmp_path, text):
                wrong[name] = (places, _diagnostics(shown), _linted(tmp_path, text))

        assert wrong == {}
        assert len(BROKEN) >= 60


def _diagnostics(shown):
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
        """Return a function that returns the completions at the end of a text that replaces the file.

        `|` is the cursor.
        """

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
        """Return a function that returns the hover text of the name at the start of a text."""
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
