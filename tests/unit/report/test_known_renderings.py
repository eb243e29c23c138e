"""Renderings that are not observed again: what they read is known, or counts as everything."""

import pytest

from salt_g.report.known_renderings import KEPT_FOR, MOST, KnownRenderings
from salt_g.report.reads import Reads

GRAINS, PILLAR = {"os": "Debian"}, {"port": 80}
COPY = "/cache/map.jinja"
NAMES = {"web": {"function:pillar.get": "", "pillar:port": "", "salt://map.jinja": "2c26b46b68ffc68f"}}


class Clock:
    """Time that the test moves."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def run(clock):
    """`run(pillar)` renders one template in a run; returns (whether it was known, names)."""
    known = KnownRenderings(clock)

    def go(pillar=PILLAR, *, function="pillar.get", imported=b"foo", key="k", other=None, parallel=False):
        reads = Reads(known)
        reads.begin(GRAINS, pillar)
        if parallel:
            reads.observe_all()
        with reads.rendering("web", key, GRAINS, other or pillar) as block:
            notes = block.notes
            notes.file("map.jinja", "base", COPY)
            notes.content(COPY, imported)
            notes.name(f"function:{function}")
            assert notes.mapping("pillar", pillar)["port"] == 80
        assert reads.owner == "" and reads.here == set()
        return notes.is_known, reads.names()

    return go


def test_a_rendering_with_the_same_data_is_known(run):
    assert run() == (False, NAMES)
    assert run(dict(PILLAR)) == (True, NAMES)


@pytest.mark.parametrize(
    "changed",
    [
        {"pillar": {"port": 80, "x": 1}},
        {"pillar": {"port": 80, "x": object()}},
        {"key": "other"},
        {"key": None},
        {"other": dict(PILLAR)},
        {"parallel": True},
    ],
)
def test_with_anything_else_it_is_observed(run, changed):
    run()

    assert run(**changed) == (False, NAMES)


def test_a_template_that_calls_other_functions_is_observed_each_time(run):
    assert run(function="cmd.run") == run(function="cmd.run")
    assert run(function="cmd.run")[0] is False


def test_where_an_import_differs_it_has_read_everything_and_is_observed_the_next_time(run):
    run()

    is_known, names = run(imported=b"bar")
    assert is_known
    assert names["web"].keys() == {"function", "grain", "mine", "pillar", "salt://map.jinja"} | {
        "function:pillar.get"
    }
    assert run(imported=b"bar")[0] is False
    assert run(imported=b"bar")[0] is True


def test_a_rendering_is_known_for_a_day(run, clock):
    run()
    clock.now = KEPT_FOR + 1

    assert run()[0] is False
    assert run()[0] is True


def test_a_bounded_number_is_known(run):
    run()
    for number in range(MOST):
        run(key=number)

    assert run()[0] is False


def test_renderings_inside_of_a_known_one_are_known_too():
    known = KnownRenderings()
    for is_known in (False, True):
        reads = Reads(known)
        reads.begin(GRAINS, PILLAR)
        with (
            reads.rendering("web", "outer", GRAINS, PILLAR) as outer,
            outer.notes.rendering("", "inner", GRAINS, PILLAR) as inner,
        ):
            inner.notes.path("pillar:port")
            assert inner.notes.is_known is is_known
        assert reads.names() == {"web": {"pillar:port": ""}}
