"""Roles of cursor positions in an SLS."""

import pytest

from salt_g.language_server.cursor import yaml_place
from salt_g.language_server.sls_place import SlsPlace, sls_place


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a|", SlsPlace("id")),
        ("a:\n  p|", SlsPlace("function")),
        ("a:\n  pkg.installed:\n    - n|", SlsPlace("argument", "pkg.installed")),
        ("a:\n  pkg:\n    - installed\n    - n|", SlsPlace("argument", "pkg.installed")),
        ("a:\n  pkg:\n    - n: 1\n    - |\n  file:\n    - managed", SlsPlace("argument", "pkg.")),
        ("a:\n  pkg.installed:\n    - name: x|", SlsPlace("value", "pkg.installed", "name")),
        ("a:\n  x.y:\n    - require:\n      - p|", SlsPlace("requisite", "x.y")),
        ("a:\n  x.y:\n    - watch_in:\n      - pkg: p|", SlsPlace("reference", "x.y", "pkg")),
        ("a:\n  x.y:\n    - require:\n      - sls: p|", SlsPlace("sls", "x.y", "sls")),
        ("include:\n  - a|", SlsPlace("sls")),
        ("exclude:\n  - sls: a|", SlsPlace("sls")),
        ("exclude:\n  - id: a|", SlsPlace("")),
        ("extend:\n  a|", SlsPlace("reference")),
        ("extend:\n  a:\n    p|", SlsPlace("function")),
        ("extend:\n  a:\n    pkg.installed:\n      - n|", SlsPlace("argument", "pkg.installed")),
        ("a:\n  - p|", SlsPlace("")),
        ("a: p|", SlsPlace("")),
    ],
)
def test_roles(text, place):
    before, _, after = text.partition("|")
    lines = (before + after).split("\n")
    yaml = yaml_place(lines, before.count("\n"), len(before.rpartition("\n")[2]))

    assert sls_place(yaml, lines) == place
