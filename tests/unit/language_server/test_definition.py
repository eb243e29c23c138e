"""Go to definition; tests/integration/language_server/test_language_server.py covers each kind of name."""

import pytest

from salt_g.language_server.definition import Definition
from salt_g.language_server.documents import Position


@pytest.fixture
def places(make_project, document, tmp_path):
    """Return a function that returns ["file:line"] of the definitions at `|` of states/web/sub.sls."""

    def look(text, files=()):
        path = "states/web/sub.sls"
        project = make_project({path: text.replace("|", ""), **dict(files)})
        opened, position = document(path, text)
        found = Definition(project).at(opened, project.overlay.place(opened.path), Position(*position))
        return [
            f"{one['uri'].removeprefix(tmp_path.as_uri() + '/')}:{one['range']['start']['line'] + 1}"
            for one in found
        ]

    return look


def test_relative_names_of_sls(places):
    files = {"states/web/a.sls": "x:\n  test.nop: []\n", "states/b.sls": "# b\n"}

    assert places("include:\n  - .|a\n", files) == ["states/web/a.sls:1"]
    assert places("include:\n  - ..|b\n", files) == ["states/b.sls:1"]
    assert places("include:\n  - web.*|\n", files) == ["states/web/a.sls:1", "states/web/sub.sls:1"]
    assert places("include:\n  - nosuch|\n", files) == []


def test_an_id_in_several_files_has_all_of_them(places):
    files = {f"states/{name}.sls": "# x\nx:\n  test.nop: []\n" for name in "ab"}

    assert places("y:\n  test.nop:\n    - require:\n      - test: |x\n", files) == [
        "states/a.sls:2",
        "states/b.sls:2",
    ]


def test_relative_imports(places):
    files = {"states/web/m.jinja": "{# m #}\n{% macro a() %}{% endmacro %}\n"}

    assert places("{% from './m.jinja' import |a %}\n", files) == ["states/web/m.jinja:2"]
    assert places("{% from './|m.jinja' import a %}\n", files) == ["states/web/m.jinja:1"]


def test_nothing_is_defined(places):
    assert places("y|y:\n  test.nop: []\n") == ["states/web/sub.sls:1"]
    assert places("# y|y\n") == []
    assert places("{{ no|such }}\n") == []
