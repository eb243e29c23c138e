"""States of minions by classes in files, as assigned by stock 3008.3."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.files.client import LocalFileClient
from salt_g.local_call import rendering
from salt_g.tops.saltclass import top

TREE = {
    "nodes/deep/er/m2.yml": """
        environment: prod
        classes:
        {% for name in ['x', 'x.two', 'nosuch'] %}
          - {{ name }}
        {% endfor %}
          - by.{{ __grains__['os'] }}.{{ minion_id }}
        states: [own, base_state]
    """,
    "nodes/m3.yml": "classes: ['glob.*']",
    "nodes/m4.yml": "classes: [glob, 'glob.a*']",
    "nodes/m5.yml": "environment: base\nstates:\nclasses:\n",
    "nodes/m6.yml": "classes: [deep.two.init, deep]",
    "nodes/m7.yml": "classes: ['deep.*']",
    "nodes/m8.yml": "classes: [deep.one, x.env]",
    "nodes/m9.yml": """
        classes: [..x, /etc/x]
        states: ['{{ __opts__.id }}', '{{ __salt__["test.echo"]("z") }}']
    """,
    "nodes/bad1.yml": "- a",
    "nodes/bad2.yml": "states: text",
    "nodes/bad3.yml": "states: [",
    "nodes/x.y.yml": "states: [dotted, dotted]",
    "classes/x/init.yml": "classes: [x.parent, x.two]\nstates: [xs, shared]",
    "classes/x/parent.yml": "classes: [x.grand]\nstates: [ps, shared]",
    "classes/x/grand.yml": "states: [gs]",
    "classes/x/two.yml": "classes: [x]\nstates: [two, gs]",
    "classes/x/env.yml": "environment: other\nstates: [e]",
    "classes/by/Debian/m2.yml": "states: [bydeb]",
    "classes/glob/a.yml": "states: [g_a]",
    "classes/glob/a/init.yml": "states: [hidden]",
    "classes/glob/b.yml": "states: [g_b]",
    "classes/glob/init.yml": "states: [g_init]",
    "classes/deep/one.yml": "states: [one]",
    "classes/deep/two/init.yml": "states: [two_init]",
    "classes/deep/two/three.yml": "states: [three]",
    "classes/deep/noinit/five.yml": "states: [five]",
}


@pytest.fixture
def states_of(tmp_path, call_context):
    """Return the states that the tree assigns to a minion."""
    for name, text in TREE.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = text.strip("\n").splitlines()
        margin = len(lines[0]) - len(lines[0].lstrip())
        path.write_text("\n".join(line[margin:] for line in lines) + "\n")
    opts = {
        "master_tops": {"saltclass": {"path": str(tmp_path / "tree")}},
        "cachedir": str(tmp_path),
        "file_roots": {},
        "renderer": "jinja|yaml",
    }
    context = call_context(opts=opts, functions={"test.echo": lambda text: text})
    context.services.render = rendering(opts, LocalFileClient(opts))

    def ask(id, **grains):
        return top({"id": id}, {"os": "Debian", **grains})

    return ask


@pytest.mark.parametrize(
    ("id", "found"),
    [
        ("m2", {"prod": ["gs", "ps", "shared", "two", "xs", "bydeb", "own", "base_state"]}),
        ("m3", {"base": ["g_a", "g_b", "g_init"]}),
        ("m4", {"base": ["g_init", "g_a"]}),
        ("m5", {}),
        ("m6", {"base": ["two_init"]}),
        ("m7", {"base": ["one", "two_init"]}),
        ("m8", {"other": ["one", "e"]}),
        ("m9", {"base": ["m9", "z"]}),
        ("x.y", {"base": ["dotted"]}),
        ("nosuch", {}),
        ("*", {}),
    ],
)
def test_classes_precede_the_classes_that_name_them_and_each_state_occurs_once(states_of, id, found):
    assert states_of(id) == found


def test_a_class_without_a_file_is_named(states_of, caplog):
    states_of("m2")

    assert "m2.yml names the class 'nosuch', which has no file" in caplog.text


@pytest.mark.parametrize(
    ("id", "expected"),
    [
        ("bad1", "bad1.yml must be a mapping"),
        ("bad2", "classes and states must be lists"),
        ("bad3", "bad3.yml: while parsing"),
    ],
)
def test_a_malformed_file_is_an_error(states_of, id, expected):
    with pytest.raises(CommandExecutionError, match=expected):
        states_of(id)


def test_the_path_is_needed(call_context):
    call_context(opts={"master_tops": {"saltclass": "/srv/classes"}})

    with pytest.raises(CommandExecutionError, match="saltclass: path must name the directory"):
        top({"id": "m1"})
