"""Hover texts; tests/integration/language_server/test_language_server.py has one for each kind."""

import pytest

from salt_g.language_server.documents import Position
from salt_g.language_server.hover import Hover

PILLAR = {"pillar/top.sls": "base:\n  '*': [p]\n", "pillar/p.sls": "db:\n  password: geheim\n"}


@pytest.fixture
def described(make_project, document):
    """Return a function that returns the hover text at `|`, None if there is none."""

    def ask(text, files=(), **options):
        path = "states/a.sls"
        project = make_project({path: text.replace("|", ""), **dict(files)}, **options)
        opened, position = document(path, text)
        found = Hover(project).at(opened, project.overlay.place(opened.path), Position(*position))
        return found and found["contents"]["value"]

    return ask


def test_values_of_pillar_are_never_shown(described):
    for text in (
        "{{ pillar['|db'] }}",
        "{{ pillar.db.pass|word }}",
        "{{ salt['pillar.get']('db:pass|word') }}",
    ):
        found = described(text, PILLAR)
        assert "pillar/p.sls:" in found
        assert "geheim" not in found


def test_a_key_that_pillar_lacks(described):
    assert described("{{ pillar.nos|uch }}", PILLAR) == "pillar has no key `nosuch`"


def test_grains_of_a_real_minion_are_shown_without_their_values(described):
    assert described("{{ grains.o|s }}") == "grain `os`: `Debian` on Debian"
    assert described("{{ grains.o|s }}", is_recorded=True) == "grain `os`: a text"
    assert described("{{ grains.nos|uch }}") == "no grain `nosuch` is recorded"


def test_arguments(described):
    state = "a:\n  host.present:\n"
    assert described(state + "    - na|me: x").startswith("`name`: required by `host.present`")
    assert described(state + "    - retr|y: x") == "`retry`: argument of every state"
    assert described(state + "    - onch|anges: x") == "`onchanges`: requisite of every state"
    assert described(state + "    - nosu|ch: x") is None


def test_a_list_of_many_states_of_one_name_is_cut(described):
    files = {f"states/s{number}.sls": "x:\n  test.nop: []\n" for number in range(25)}

    assert described("y:\n  test.nop:\n    - require:\n      - test: x|\n", files).endswith("- and 5 more")
