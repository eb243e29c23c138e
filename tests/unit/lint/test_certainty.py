"""Findings that lint suppresses because other data, or an unreadable file, could make the code right."""

import textwrap

import pytest

from salt_g.lint.linter import lint
from salt_g.lint.systems import grains_of


@pytest.fixture
def found(tmp_path, monkeypatch):
    """Return a function that returns {(rule, "file:line")} for a tree {path: text}."""
    monkeypatch.chdir(tmp_path)

    def make(files):
        for name, text in files.items():
            path = tmp_path / "states" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text).lstrip("\n"))
        settings = {
            "cachedir": str(tmp_path / "cache"),
            "file_roots": {"base": [str(tmp_path / "states")]},
            "pillar_roots": {"base": []},
        }
        findings = lint(settings, {"debian": grains_of("debian", "web1")}, [])
        return {(one.rule, f"{one.path.partition('/')[2]}:{one.line}") for one in findings}

    return make


SOUND = {
    "a method of what a machine tells": """
        {% if salt['pkg.list_pkgs']().get('php5', False) %}
        a:
          test.nop: []
        {% endif %}
        """,
    "one of several values": """
        a:
          file.managed:
            {% if salt['cmd.run']('ps 1').startswith('systemd') %}
            - name: /a
            {% elif salt['test.provider']('service') == 'upstart' %}
            - name: /b
            {% endif %}
        """,
    "the first of unknown ones": (
        "{% set ip = salt['network.ip_addrs']() | first %}\na:\n  cmd.run:\n    - name: echo {{ ip }}\n"
    ),
    "parts of an unknown text": (
        "{% set a, b = salt['cmd.run']('x').split(':') %}\na:\n  cmd.run:\n    - name: echo {{ a }}\n"
    ),
    "an unknown text as YAML": (
        "{% set a = salt['cmd.run']('x') | load_yaml %}\na:\n  cmd.run:\n    - name: echo {{ a.b[0] }}\n"
    ),
    "a key that pillar may have, in a computation": """
        {% set m = salt['pillar.get']('m', {'a': '/x/y'}) %}
        {{ salt['file.dirname'](m['b']) }}:
          file.directory: []
        """,
    "a body that pillar makes": """
        extend:
          {% for name in pillar.get('names', []) %}
          {{ name }}:
            test.nop: []
          {% endfor %}
        a:
          {% if pillar.get('on') %}
          test.nop: []
          {% endif %}
        """,
    "a line that a condition over pillar leaves or not": """
        {% if salt['pillar.get']('db') == 'mysql' %}
        mysql:
        {% elif salt['pillar.get']('db') == 'postgres' %}
        postgres:
        {% endif %}
          pkg.installed: []
        b:
          test.nop: []
        """,
    "a default that is not defined": """
        {% set p = {'rpm': nosuch} %}
        a:
          test.nop:
            - name: {{ salt['pillar.get']('rpm', p.rpm) }}
        """,
    "a variable of a map that is set for some pillar": """
        {% if pillar.get('hosts') %}
        {% set host = 'x' %}
        {% endif %}
        {% set m = {'host': host} %}
        a:
          test.nop:
            - name: {{ m.host }}
        """,
    "requisites to what a loop over pillar declares": """
        {% for name in pillar.get('users', []) %}
        user_{{ name }}:
          user.present: []
        {% endfor %}
        a:
          test.nop:
            - require:
              - user: user_bob
              - user: user_*
        """,
    "a requisite to what a condition over pillar declares": """
        {% if pillar.get('on') %}
        b:
          pkg.installed:
            - name: c
        {% endif %}
        a:
          test.nop:
            - require:
              - pkg: b
              - pkg: c
        """,
    "a variable that a condition over pillar sets": """
        {% if pillar.get('token') %}
        {% set token = pillar['token'] %}
        {% endif %}
        a:
          cmd.run:
            - name: register {{ token }}
        """,
    "a variable that a condition sets in the same loop": """
        {% for name in ['x', 'y'] %}
        {% if pillar.get(name) %}
        {% set value = pillar[name] %}
        {% endif %}
        {{ name }}:
          cmd.run:
            - name: echo {{ value }}
        {% endfor %}
        """,
    "an ID of pillar": """
        {{ salt['pillar.get']('web:path') }}:
          file.directory:
            - makedirs: True
        """,
    "a quoted value of pillar before other text": """
        {% set path = pillar.get('path', '"${HOME}/logs"') %}
        a:
          file.managed:
            - name: {{ path }}/x.xml
            - source: {{ pillar.get('source',
                           '/x')
                      }}
        """,
    "variables of an event in a file of a reactor": """
        {% set name = data['id'] %}
        remove:
          local.cmd.run:
            - tgt: master
            - arg: ["echo {{ name }} {{ tag }}"]
        """,
    "names of a function without further arguments": (
        "a:\n  host.present:\n    - ip: 1.2.3.4\n    - names: [b, c]\n"
    ),
}


@pytest.mark.parametrize("name", SOUND)
def test_code_that_other_data_may_make_right_is_no_finding(found, name):
    assert found({"a.sls": SOUND[name]}) == set()


def test_a_declaration_that_a_missing_sls_may_hold_is_no_further_finding(found):
    files = {"a.sls": "include: [gone]\nb:\n  test.nop:\n    - require:\n      - pkg: c\n      - sls: gone\n"}

    assert found(files) == {("unknown-sls", "a.sls:1")}


def test_a_declaration_of_an_sls_that_lacks_its_pillar_is_no_finding(found):
    files = {
        "a.sls": "include: [b]\nx:\n  test.nop:\n    - require:\n      - pkg: c\n",
        "b.sls": "{% set m = pillar.get('m', {}) %}\nc:\n  pkg.installed:\n    - name: {{ m.name }}\n",
    }

    assert found(files) == set()


BESIDE = {
    "an ID that the including SLS declares in the same condition": {
        "web/init.sls": """
            {% if 'web' in grains.get('roles', []) %}
            include: [web.more]
            tools:
              pkg.installed: []
            {% endif %}
            """,
        "web/more.sls": "extend:\n  tools:\n    pkg.installed:\n      - version: 1\n",
    },
    "what another SLS declares by the same expression, if it has its pillar": {
        "map.jinja": "{% set web = pillar.get('web', {'conf': '/etc/web.conf'}) %}\n",
        "conf.sls": (
            "{% from 'map.jinja' import web with context %}\n"
            "{{ web.conf }}:\n  file.managed:\n    - mode: {{ web.mode }}\n"
        ),
        "service.sls": (
            "{% from 'map.jinja' import web with context %}\n"
            "web:\n  service.running:\n    - watch:\n      - file: {{ web.conf }}\n"
        ),
    },
    "examples of pillar": {"pillars/web/init.sls": "include: [web/nodes]\nweb:\n  user: www\n"},
}


@pytest.mark.parametrize("name", BESIDE)
def test_code_that_other_data_of_another_sls_may_make_right_is_no_finding(found, name):
    assert found(BESIDE[name]) == set()


def test_grains_and_pillar_of_tests_are_no_states(found):
    assert found({"test/salt/one/roles.sls": "---\nroles:\n  - foo\n  - bar\n"}) == set()


ERRORS = {
    "a misspelt requisite beside pillar": (
        "{% set n = pillar.get('n', 'x') %}\n"
        "nginx:\n  pkg.installed: []\na:\n  test.nop:\n    - require:\n      - pkg: ngnix\n",
        ("unknown-requisite", "a.sls:7"),
    ),
    "an ID without a body beside pillar": (
        "{% set n = pillar.get('n', 'x') %}\nnginx:\nb:\n  test.nop: []\n",
        ("malformed-state", "a.sls:2"),
    ),
    "a variable that is not set, beside an unknown value": (
        "{% set n = salt['cmd.run']('x') %}\na:\n  cmd.run:\n    - name: {{ m }}\n",
        ("undefined", "a.sls:4"),
    ),
    "a template that is not there, beside an unknown value": (
        "{% set n = salt['cmd.run']('x') %}\n{% from 'b.jinja' import c %}\na:\n  test.nop: []\n",
        ("missing-file", "a.sls:2"),
    ),
    "a requisite to the wrong kind of a state, beside pillar": (
        "{% set n = pillar.get('n', 'x') %}\n"
        "b:\n  test.nop: []\na:\n  test.nop:\n    - require:\n      - pkg: b\n",
        ("unknown-requisite", "a.sls:7"),
    ),
    "a variable that only a loop sets": (
        "{% for name in pillar.get('l', ['x']) %}\n"
        "{% if name %}\n{% set v = name %}\n{% endif %}\n{% endfor %}\n"
        "a:\n  cmd.run:\n    - name: {{ v }}\n",
        ("undefined", "a.sls:8"),
    ),
    "YAML that no value makes right": (
        "a:\n  test.nop:\n    - name: {{ pillar.get('n', 'x') }}\n   - text: y\n",
        ("syntax", "a.sls:4"),
    ),
    "a variable of events in states": (
        "{% set n = pillar.get('n', 'x') %}\na:\n  cmd.run:\n    - name: {{ data }}\n",
        ("undefined", "a.sls:4"),
    ),
    "a misspelt state of tests": ("a:\n  pkg.instaled: []\n", ("unknown-function", "a.sls:2")),
}


@pytest.mark.parametrize("name", ERRORS)
def test_code_that_no_data_makes_right_is_a_finding(found, name):
    text, wanted = ERRORS[name]

    assert wanted in found({"a.sls": text})
