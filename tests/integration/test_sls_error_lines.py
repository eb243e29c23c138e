"""Errors in trees on the command line: each names the file and line of its cause."""

import pytest

USES = "{% from 'm.jinja' import mk %}\n\n{{ mk('a') }}\n"
TOP = {"t.sls": "x:\n  test.nop: []\n"}
CASES = {
    "a macro of a macro": (
        {
            "t.sls": USES,
            "m.jinja": "{% from 'n.jinja' import one %}\n{% macro mk(n) %}\n{{ one(n) }}\n{% endmacro %}\n",
            "n.jinja": "\n{% macro one(n) %}\n{{ n }}:\n  test.nop:\n    - n: {{ nope.x }}\n{% endmacro %}\n",
        },
        "salt://n.jinja:5 (base), used at salt://t.sls:3",
    ),
    "the syntax of an import": (
        {"t.sls": "\n{% import 'm.jinja' as m %}\n", "m.jinja": "{% set a = 1 %}\n{% set b = %}\n"},
        "salt://m.jinja:2 (base), used at salt://t.sls:2",
    ),
    "a block that overrides": (
        {
            "t.sls": "{% extends 'b.jinja' %}\n{% block one %}\nx: {{ no.pe }}\n{% endblock %}\n",
            "b.jinja": "{% block one %}{% endblock %}\n",
        },
        "salt://t.sls:3 (base)",
    ),
    "a requisite": (
        {"t.sls": "a:\n  test.nop:\n    - name: aa\n    - require:\n      - test: aaa\n"},
        "salt://t.sls:5 (base)",
    ),
    "a requisite of a macro": (
        {
            "t.sls": USES,
            "m.jinja": "{% macro mk(n) %}\n{{ n }}:\n  test.nop:\n    - watch:\n      - x: z\n{% endmacro %}",
        },
        "salt://m.jinja:5 (base), used at salt://t.sls:3",
    ),
    "a requisite that is no list": (
        {"t.sls": "a:\n  test.nop:\n    - name: x\n    - require: b\n"},
        "salt://t.sls:4 (base)",
    ),
    "a requisite from the other side": (
        {"t.sls": "a:\n  test.nop:\n    - onchanges_in:\n      - test: none\n"},
        "salt://t.sls:4 (base)",
    ),
    "an extended ID": (
        {"t.sls": "b:\n  test.nop: []\nextend:\n  a:\n    test: []\n"},
        "salt://t.sls:4 (base)",
    ),
    "an include": (
        {"t.sls": "include:\n  - b\n  - c.d\n", "b.sls": "b:\n  test.nop: []\n"},
        "salt://t.sls:3 (base)",
    ),
    "an include in a directory": ({"t/init.sls": "include:\n  - .d\n"}, "salt://t/init.sls:2 (base)"),
    "a second document": ({"t.sls": "a:\n  test.nop: []\n---\nb: {}\n"}, "salt://t.sls:3 (base)"),
    "an alias": ({"t.sls": "a:\n  test.nop:\n    - name: *b\n"}, "salt://t.sls:3 (base)"),
    "data of another file": (
        {"t.sls": "{% import_yaml 'd.yaml' as d %}\n", "d.yaml": "a: 1\nb: c: d\n"},
        "the error is in salt://d.yaml:2",
    ),
    "JSON of another file": (
        {"t.sls": "{% import_json 'd.json' as d %}\n", "d.json": '{"a": 1,\n "b": }\n'},
        "the error is in salt://d.json:2",
    ),
    "data of a block": (
        {"t.sls": "\n{% load_yaml as d %}\na: 1\nb: c: d\n{% endload %}\n"},
        "salt://t.sls:4 (base)",
    ),
    "a bracket without an end": (
        {"t.sls": "x:\n  test.nop:\n    - name: [a\n\ny:\n  test.nop: []\n"},
        "salt://t.sls:3 (base)",
    ),
    "a control character": (
        {"t.sls": 'x:\n  test.nop:\n    - name: "a\x01b"\n'},
        "salt://t.sls:3 (base)",
    ),
    "JSON": ({"t.sls": '#!json\n{"x": {"test.nop": []},\n "y": }\n'}, "salt://t.sls:3 (base)"),
    "Python": ({"t.sls": "#!py\n\ndef run():\n    return {}['x']\n"}, "salt://t.sls:4 (base)"),
    "the syntax of Python": ({"t.sls": "#!py\n\ndef run():\n    return }\n"}, "salt://t.sls:4 (base)"),
    "a top file": ({**TOP, "top.sls": "base:\n  '*':\n    - {{ nope.x }}\n"}, "salt://top.sls:3 (base)"),
    "YAML of a top file": ({**TOP, "top.sls": "{# one #}\nbase:\n  '*': [t\n"}, "salt://top.sls:"),
    "an SLS in a top file": (
        {**TOP, "top.sls": "base:\n  '*':\n    - t\n    - none\n"},
        "salt://top.sls:4 (base)",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_an_error_is_named_with_its_line(salt_g, name):
    files, place = CASES[name]
    salt_g.write(files)

    failed = salt_g("state.apply", *([] if "top.sls" in files else ["t"]))

    assert failed.code == 1
    assert place in failed.err, failed


@pytest.mark.parametrize(
    ("files", "place"),
    [
        ({"c": "a\n{{ pillar['none'] }}\n"}, "salt://c:2: pillar has no key 'none'"),
        ({"c": "{% include 'd' %}\n", "d": "1\n{{ 1 / 0 }}\n"}, "salt://d:2: the template failed here"),
    ],
)
def test_a_managed_template_that_fails_is_named_with_its_line(salt_g, tmp_path, files, place):
    managed = (
        f"x:\n  file.managed:\n    - name: {tmp_path}/x\n    - source: salt://c\n    - template: jinja\n"
    )
    salt_g.write({**files, "t.sls": managed})

    failed = salt_g("state.apply", "t")

    assert failed.code == 1
    assert place in failed.err, failed


def test_the_top_file_of_pillar_is_named_with_its_line(salt_g):
    salt_g.write({"top.sls": "base:\n  '*':\n    - {{ nope.x }}\n"}, below=salt_g.pillar)

    assert f"{salt_g.pillar}/top.sls:3" in salt_g("pillar.items").err


def test_a_file_in_a_directory_that_is_missing_says_what_to_do(salt_g, tmp_path):
    salt_g.write({"t.sls": f"x:\n  file.managed:\n    - name: {tmp_path}/none/x\n    - contents: x\n"})

    failed = salt_g("state.apply", "t")

    assert (
        f"salt://t.sls:1 (base): the directory {tmp_path}/none does not exist: makedirs: True" in failed.err
    )
