"""Types of resources: declarations of their modules, lifecycle, reloading."""

import os

import pytest

from salt_g.api import CallContext
from salt_g.loader import Loader
from salt_g.minion.resources.types import ResourceTypes
from salt_g.services.plugins import Services

#: Notes what is called in the type's `__context__`.
NOTING = """
def _note(text):
    __context__.setdefault("calls", []).append(text)
def init(opts):
    _note("init")
    if opts.get("broken"):
        raise ValueError("no cable")
def shutdown(opts):
    _note("shutdown")
"""


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a file of the type `t`, with a new time stamp each time."""
    count = iter(range(1, 100))

    def put(text, name="__init__.py"):
        path = tmp_path / "root" / "resources" / "t" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        os.utime(path, (next(count), 0))

    return put


@pytest.fixture
def types(tmp_path, write):
    """Return a function that returns the types of a minion with a type `t` of this text."""

    def build(text="", **settings):
        write(text)
        opts = {
            **{"id": "m1", "cachedir": str(tmp_path), "module_dirs": [str(tmp_path / "root")]},
            **{"resource_fan_out": 3, **settings},
        }
        return ResourceTypes(opts, Loader(opts))

    return build


@pytest.fixture
def begin():
    """Return a function that initializes a type with this part of pillar, and returns its calls so far."""

    def start(type, below, **opts):
        context = CallContext(opts=opts, grains={}, pillar={}, services=Services(), scratch=type.scratch)
        type.begin(context, below, timeout=5)
        return type.scratch.get("calls", [])

    return start


def test_a_type_is_made_once_and_only_where_it_exists(types):
    made = types()

    assert made.of("t") is made.of("t")
    assert made.used() == [made.of("t")]
    assert (made.of("nothing"), made.why_missing("nothing")) == (None, "")


def test_a_type_that_does_not_load_says_why(types):
    made = types("def __virtual__():\n    return False, 'no such library'\n")

    assert (made.of("t"), made.why_missing("t")) == (None, "no such library")


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("", set()),
        ("__fall_through__ = ['config', 'http']\n", {"config", "http"}),
        ("__fall_through__ = ('config',)\n", {"config"}),
        ("__fall_through__ = 'config'\n", {"config"}),
        ("__fall_through__ = None\n", set()),
    ],
)
def test_a_type_names_what_it_takes_from_the_minion(types, text, slots):
    assert types(text).of("t").fall_through == slots


def test_a_type_says_whether_several_jobs_may_run_on_one_resource(types, write):
    made = types("__concurrent__ = True\n")

    assert made.of("t").is_concurrent is True
    write("")
    made.reread(lambda type: None)
    assert made.of("t").is_concurrent is False


def test_the_number_of_active_resources_is_at_least_one(types):
    assert types().of("t").gate.counter == 3
    assert types(resource_fan_out=0).of("t").gate.counter == 1


def test_a_type_begins_again_only_with_other_pillar(types, begin):
    type = types(NOTING).of("t")
    below = {"hosts": ["a"]}

    assert begin(type, below) == ["init"]
    assert begin(type, {"hosts": ["a"]}) == ["init"]
    below["hosts"].append("b")
    assert begin(type, below) == ["init", "shutdown", "init"]


def test_a_failed_init_is_kept_as_the_error_and_tried_again(types, begin):
    type = types(NOTING).of("t")

    assert begin(type, {}, broken=True) == ["init"]
    assert type.error == "init: ValueError: no cable"
    assert begin(type, {}) == ["init", "init"]
    assert type.error == ""


@pytest.mark.parametrize(
    ("answer", "calls"),
    [("return True", 1), ("return False", 2), ("raise ValueError('lost')", 2), ("raise SystemExit(1)", 2)],
)
def test_a_type_is_asked_whether_its_init_still_lasts(types, begin, answer, calls):
    type = types(f"{NOTING}\ndef initialized():\n    {answer}\n").of("t")

    begin(type, {})

    assert begin(type, {}).count("init") == calls


def test_files_are_read_again_when_one_has_changed_and_types_end_before(types, write):
    made, ended = types(), []
    write("def ping():\n    return 1\n", "modules/net.py")
    type = made.of("t")
    assert type.modules["net.ping"]() == 1

    made.reread(lambda type: ended.append(type.name))
    assert type.modules["net.ping"]() == 1
    ended.clear()
    made.reread(lambda type: ended.append(type.name))
    assert ended == []

    write("def ping():\n    return 22\n", "modules/net.py")
    made.reread(lambda type: ended.append(type.name))

    assert (ended, type.modules["net.ping"]()) == (["t"], 22)


def test_states_of_a_type_take_the_place_of_the_minions(types, write):
    write("def nop(name):\n    return 'of the type'\n", "states/test.py")
    type = types().of("t")

    assert type.states["test.nop"]("x") == "of the type"
    assert "file.managed" in type.states.known_names()
    # A file takes the place of the whole file.
    assert "test.succeed_with_changes" not in type.states
