"""Faulty SLS, pillar and templates: each is rejected with one of our errors, which names its location.

Texts go through the real renderers, files and compilers; state functions are those of `test`.
"""

import logging

import msgpack
import pytest
from hypothesis import example, reject
from hypothesis import strategies as st
from ruamel.yaml.error import YAMLError

from salt_g.errors import CompileError, RenderError, SaltGError, YamlError
from salt_g.files.client import LocalFileClient, PillarClient
from salt_g.formats import yaml_load
from salt_g.match.service import Matches
from salt_g.pillar.compiler import PillarCompiler
from salt_g.render.service import RenderService
from salt_g.state.engine import StateEngine
from salt_g.state.run.state_run import Clock
from salt_g.states import test as states_test
from tests.support.fuzzing import damaged, fuzz, mutated_text, values

SLS = [
    (
        "include:\n"
        "  - other\n"
        "\n"
        "web:\n"
        "  test.succeed_with_changes:\n"
        "    - name: a\n"
        "    - require:\n"
        "      - test: db\n"
        "\n"
        "db:\n"
        "  test.nop\n"
    ),
    (
        "{% set x = {'a': [1, 2]} %}\n"
        "{% for n in x.a %}\n"
        "id{{ n }}:\n"
        "  test.nop:\n"
        "    - order: {{ n }}\n"
        "{% endfor %}\n"
    ),
    (
        "#!yaml\n"
        "a:\n"
        "  test: [nop, {name: b}, {watch: [{test: c}]}]\n"
        "c: test.nop\n"
        "extend:\n"
        "  a: {test: [{onfail: [{id: c}]}]}\n"
    ),
    (
        "{% from 'map.jinja' import m with context %}\n"
        "{% macro f(a, b=1) %}{{ a ~ b }}{% endmacro %}\n"
        "x: {test.nop: [{name: {{ f('q') }}}]}\n"
    ),
    (
        "exclude:\n"
        "  - sls: other\n"
        "  - id: x\n"
        "x:\n"
        "  test.configurable_test_state:\n"
        "    - changes: true\n"
        "    - result: false\n"
        "    - retry: {attempts: 2}\n"
    ),
    '#!jinja|json\n{"a": {"test.nop": [{"name": "{{ grains[\'id\'] }}"}]}}\n',
    "#!py\ndef run():\n    return {'a': {'test.nop': []}}\n",
    "#!jinja|yaml|stateconf\n.goal:\n  stateconf.set: []\n---\na: test.nop\n",
    "#!yamlex\na: !aggregate {test.nop: !reset [{name: x}]}\n",
    'a: &x\n  test.nop: [{name: "\\u00fc"}]\nb: *x\n? [1, 2]\n: {<<: {a: 1}}\n',
    '#!toml\n[a]\n"test.nop" = []\n',
]
PIECES = [
    *(
        "{{",
        "}}",
        "{%",
        "%}",
        "{#",
        "#}",
        "{% if %}",
        "{% endfor %}",
        "{{ salt['test.echo'](1) }}",
        "{{ 1/0 }}",
    ),
    *(
        "{{ x.y.z }}",
        "{% include 'f.sls' %}",
        "{% import_yaml 'f.sls' as q %}",
        "{{ [].pop() }}",
        "{{ 'a'|x }}",
    ),
    *(
        "{{ ''.__class__.__mro__ }}",
        "{{ range(10**9)|list }}",
        "{{ 'a' * 10**10 }}",
        "{{ raise('no') }}",
        "{{ pillar }}",
    ),
    *(
        "{% load_yaml as y %}a: [{% endload %}{{ y }}",
        "{% do salt.nope() %}",
        "{{ caller() }}",
        "{{ 9**9**9 }}",
    ),
    *(
        "\t",
        ":",
        "- ",
        "\n",
        "\n  ",
        "&a",
        "*a",
        "!!python/object:os.system",
        "!!binary x",
        "!!set",
        "|",
        ">",
        "%",
        "@",
        "`",
    ),
    *(
        "[",
        "]",
        "{",
        "}",
        "'",
        '"',
        "---\n",
        "...\n",
        "? ",
        "<<: ",
        "\x00",
        "\x85",
        "\ufeff",
        "\ud800",
        "#!",
        "#!x|y\n",
    ),
    *(
        "require: ",
        "- watch_in: [a]",
        "test.nop",
        "- id: x",
        "extend:\n",
        "include: [f]",
        "exclude: 5\n",
        "1e999",
        "0b2",
    ),
    *(
        "onlyif: false",
        "- retry: x",
        "- order: last",
        "- parallel: true",
        "- names: [{a: 5}, b]",
        "- use: [{test: a}]",
    ),
    *(
        "!!int x",
        "!!float y",
        "!!timestamp 2",
        "!!null",
        "!!omap",
        "2001-02-30",
        "08",
        "0o7",
        "~",
        ".inf",
        "1:60",
    ),
]
HIGH = [
    {
        "include": ["other", {"base": "other"}],
        "web": {
            "test": [
                "nop",
                {"name": "a"},
                {"require": [{"test": "db"}]},
                {"names": ["x", {"y": [{"z": 1}]}]},
            ]
        },
        "db": {
            "test.succeed_with_changes": [
                {"watch_in": [{"test": "web"}]},
                {"order": 1},
                {"retry": {"attempts": 1}},
            ]
        },
        "extend": {"web": {"test": [{"onchanges": [{"id": "db"}]}]}},
        "exclude": [{"id": "nobody"}, {"sls": "x"}],
        "l": {
            "test.nop": [
                {"listen": ["db"]},
                {"unless": ["false"]},
                {"check_cmd": ["true"]},
                {"onfail_any": [{"test": "db"}]},
            ]
        },
        "p": {
            "test.nop": [
                {"prereq": ["l"]},
                {"aggregate": True},
                {"fire_event": "x"},
                {"failhard": True},
                {"use": [{"test": "db"}]},
            ]
        },
    },
]
WORDS = (
    *(
        "test",
        "test.nop",
        "nop",
        "name",
        "names",
        "require",
        "watch",
        "require_in",
        "use",
        "listen",
        "prereq",
        "onfail",
    ),
    *(
        "include",
        "extend",
        "exclude",
        "id",
        "sls",
        "order",
        "retry",
        "attempts",
        "until",
        "unless",
        "onlyif",
        "db",
        "web",
    ),
    *(
        "parallel",
        "aggregate",
        "__id__",
        "__sls__",
        "state",
        "fun",
        "check_cmd",
        "creates",
        "loop",
        "timeout",
        "first",
    ),
    *(
        "result",
        "comment",
        "runas",
        "umask",
        "reload_modules",
        "onchanges_any",
        "require_any",
        "last",
        "interval",
        "splay",
    ),
)
TOPS = [
    {
        "base": {"*": ["f", {"match": "glob"}], "G@os:x": [{"base": "f"}, {"order": 2}]},
        "include": ["o*"],
    }
]
TOP_WORDS = (
    "base",
    "*",
    "f",
    "match",
    "compound",
    "order",
    "ignore_missing",
    "subfilter",
    "include",
    "grain",
    "dev",
)


class Tree:
    """A state tree and a pillar tree into which the examples are written one after the other."""

    def __init__(self, root, call_context):
        self.root = root
        (root / "other.sls").write_text("other: test.nop\n")
        (root / "map.jinja").write_text("{% set m = 1 %}")
        roots = {"base": [str(root)]}
        opts = {
            "file_roots": roots,
            "pillar_roots": roots,
            "cachedir": str(root / "cache"),
            "file_client": "local",
            "fileserver_backend": ["roots"],
            "state_auto_order": True,
            "id": "unit",
            "jinja_env": {},
            "hash_type": "sha256",
        }
        self.opts = opts
        files = LocalFileClient(opts)
        self.service = RenderService(opts, files)
        states = (
            {f"test.{name}": getattr(states_test, name) for name in states_test.__all__}
            if hasattr(states_test, "__all__")
            else {
                f"test.{name}": item
                for name, item in vars(states_test).items()
                if callable(item) and name[0] != "_"
            }
        )
        context = call_context(
            functions={"test.echo": lambda text: text, "cmd.retcode": lambda *args, **kwargs: 0},
            states=states,
            tables={"pillar": {}, "matchers": {}},
            opts=opts,
            files=files,
            render=self.service,
            match=Matches(),
        )
        self.engine = StateEngine(context.services, clock=Clock(sleep=lambda seconds: None))
        self.compiler = PillarCompiler(
            opts, {}, lambda changed: (PillarClient(changed), RenderService(changed, files))
        )

    def write(self, text, name="f"):
        (self.root / f"{name}.sls").write_text(text, encoding="utf-8", errors="surrogateescape", newline="")

    def write_data(self, data, name="f"):
        from salt_g.formats.yaml_dump import dump

        try:
            self.write(dump(data), name)
        except UnicodeEncodeError:  # half a character, which YAML has no word for
            reject()


@pytest.fixture
def tree(tmp_path, call_context):
    """Yield a tree of its own for each test."""
    logging.disable(logging.CRITICAL)
    yield Tree(tmp_path, call_context)
    logging.disable(logging.NOTSET)


TEXTS = mutated_text(SLS, PIECES).filter(lambda text: "\ud800" not in text)


def check_sls_is_named(exc, *names):
    """Assert that an error is readable: it begins with what could not be done with which SLS."""
    first = str(exc).splitlines()[0]
    assert any(name in first for name in names), exc


@fuzz(mutated_text([text.partition("\n")[2] for text in SLS], PIECES))
def test_yaml(text):
    for read in (yaml_load.load, yaml_load.load_located):
        try:
            read(text)
        except YamlError as exc:
            assert str(exc)


@fuzz(TEXTS)
def test_texts_of_states(tree, text):
    tree.write(text)
    try:
        tree.engine.low_of_sls(["f"])
    except CompileError as exc:
        check_sls_is_named(exc, "'f'", "f.sls", "base:f", "SLS f", "in SLS", "base")


@fuzz(TEXTS)
def test_texts_that_are_rendered(tree, text):
    tree.write(text)
    try:
        tree.service.render_sls(str(tree.root / "f.sls"), sls="f", saltenv="base")
    except (
        RenderError,
        YAMLError,
        ValueError,
        msgpack.UnpackException,
    ) as exc:  # the reader's own, as in stock
        assert str(exc).strip()
    except Exception:
        # A Python file that cannot be loaded, as in stock.
        assert text.startswith("#!py")


@fuzz(damaged(HIGH, WORDS))
@example({"a": {"test.succeed_with_changes": [{0: None}]}})
@example({"a": {"test.nop": [{"names": [["x"], {}, {"y": 5}, {"z": [5]}, {"q": [{"name": []}]}]}]}})
@example({"a": {"test.nop": [{"__id__": []}, {"__sls__": {}}]}})
@example({"a": "test.nop", "exclude": [{"sls": True}, {"sls": []}]})
def test_states_of_any_shape(tree, data):
    """Run whatever compiles: each chunk has a return."""
    tree.write_data(data)
    try:
        returns = tree.engine.apply_sls(["f"])
    except CompileError as exc:
        assert exc.messages
        assert "Traceback" not in str(exc), exc
    else:
        for tag, ret in returns.items():
            assert "Traceback" not in str(ret.get("comment")), (tag, ret)


@fuzz(damaged(HIGH, WORDS) | values(WORDS))
def test_high_data_of_any_shape(tree, data):
    try:
        tree.engine.apply_high(data)
    except SaltGError as exc:
        assert str(exc)


@fuzz(damaged(TOPS, TOP_WORDS) | values(TOP_WORDS), st.sampled_from(["merge", "same", "merge_all"]))
@example({"include": [[]]}, "merge")
@example({"base": {"*": [{"subfilter": "base"}, {"subfilter": {"*": 5}}]}}, "merge")
def test_tops_of_any_shape(tree, data, strategy):
    tree.write_data(data, "top")
    tree.opts["top_file_merging_strategy"] = strategy
    try:
        tree.engine.top_matches()
        tree.engine.low_of_top()
    except SaltGError as exc:
        assert str(exc)
    pillar = tree.compiler.compile()
    assert isinstance(pillar, dict)


@fuzz(
    damaged(
        [{"include": ["other", {"other": {"defaults": {"a": 1}, "key": "x:y"}}], "a": {"b": [1]}}],
        ("include", "key", "other", "defaults"),
    )
)
@example({"include": [{}]})
@example({"include": [{"other": [1]}, {"other": {"defaults": 1}}]})
def test_pillar_of_any_shape(tree, data):
    tree.write_data({"base": {"*": ["f"]}}, "top")
    tree.write_data(data)
    assert isinstance(tree.compiler.compile(), dict)


@fuzz(TEXTS)
@example("a: 1\n---\nb: 2\n")
@example("a: \x1f")
@example("#!json\n{")
def test_texts_of_pillar(tree, text):
    tree.write_data({"base": {"*": ["f"]}}, "top")
    tree.write(text)
    pillar = tree.compiler.compile()
    for message in pillar.get("_errors", ()):
        assert "Traceback" not in message, message


@fuzz(
    mutated_text(
        [
            "{{ a }}",
            "{% for x in a %}{{ x|yaml }}{% endfor %}",
            "{{ a|json|sha256 }}",
            "{{ salt['test.echo'](a) }}",
        ],
        PIECES,
    ),
    values(),
)
def test_templates_of_files(tree, text, value):
    try:
        rendered = tree.service.render_template(text, engine="jinja", context={"a": value})
    except RenderError as exc:
        assert str(exc).strip()
    else:
        assert isinstance(rendered, str)
