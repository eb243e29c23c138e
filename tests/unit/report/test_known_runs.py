"""Runs whose reads are known: what is not observed again, and what is."""

import pytest
from support.clocks import Clock

from salt_g.report.known_runs import KEPT_FOR, MOST, KnownRuns
from salt_g.report.reads import Reads

GRAINS, PILLAR = {"os": "Debian"}, {"port": 80}
COPY = "/cache/map.jinja"
#: What the template below reads, and with `sources` what its states name.
NAMES = {"function:pillar.get", "pillar:port", "salt://map.jinja"}
SOURCE = "salt://web.conf"


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def run(clock):
    """`run()` renders one template in a run; returns (whether it was observed, names)."""
    runs = KnownRuns(clock)

    def render(reads, key, pillar, function, imported):
        data = (GRAINS, pillar)
        notes = reads.known(key, *data) if key is not None else None
        if notes is not None:
            _read(notes, pillar, function, imported)
            return False
        with reads.rendering("web", key, *data):
            _read(reads, pillar, function, imported)
        return True

    def go(
        pillar=PILLAR,
        *,
        key="k",
        held=None,
        function="pillar.get",
        imported=b"foo",
        call="web",
        at_once=False,
    ):
        reads = Reads(runs, call)
        reads.begin({"grains": GRAINS, "pillar": pillar}, (GRAINS, held or pillar))
        is_observed = render(reads, key, pillar, function, imported)
        reads.sources(lambda: reads.file("web.conf", "base", owner="web") or at_once)
        reads.remember()
        assert (reads.owner, reads.here) == ("", reads._names[""])
        return is_observed, {name for names in reads.names().values() for name in names}

    return go


def _read(notes, pillar, function, imported):
    notes.file("map.jinja", "base", COPY)
    if imported is not None:
        notes.content(COPY, imported)
    notes.name(f"function:{function}")
    assert notes.mapping("pillar", pillar)["port"] == 80


def test_a_run_like_the_last_one_of_its_call_is_known(run):
    assert run() == (True, {*NAMES, SOURCE})
    assert run() == (False, {*NAMES, SOURCE})
    assert run(call="db")[0] is True


@pytest.mark.parametrize(
    "changed",
    [
        {"pillar": {"port": 80, "x": 1}},
        {"pillar": {"port": 80, "x": object()}},
        {"key": "other"},
        {"key": None},
        {"held": {"port": 80}},
    ],
)
def test_with_anything_else_it_is_observed(run, changed):
    run()

    assert run(**changed) == (True, {*NAMES, SOURCE})


def test_runs_that_call_other_functions_are_observed_each_time_and_so_are_sources(run):
    found = [run(function="cmd.run") for _ in range(3)]

    assert found == [(True, {"function:cmd.run", "pillar:port", "salt://map.jinja", SOURCE})] * 3


@pytest.mark.parametrize("imported", [b"bar", None])
def test_where_an_import_differs_it_has_read_everything_and_is_observed_the_next_time(run, imported):
    run()

    is_observed, names = run(imported=imported)
    assert (is_observed, names) == (False, {*NAMES, SOURCE, "function", "grain", "mine", "pillar"})
    assert run(imported=imported)[0] is True
    assert run(imported=imported) == (False, {*NAMES, SOURCE})


def test_another_template_adds_to_what_was_read_and_the_next_run_is_exact(run):
    run()

    assert run(key="other", function="config.get")[1] == {*NAMES, SOURCE, "function:config.get"}
    assert run(key="other", function="config.get") == (
        True,
        {"function:config.get", "pillar:port", "salt://map.jinja", SOURCE},
    )


def test_states_that_run_at_the_same_time_make_no_known_run(run):
    run(at_once=True)

    assert run()[0] is True


def test_a_run_that_ends_early_or_fails_is_not_kept():
    runs = KnownRuns()
    for _ in range(2):
        reads = Reads(runs, "web")
        reads.begin({"grains": GRAINS, "pillar": PILLAR}, (GRAINS, PILLAR))
        assert reads.known("k", GRAINS, PILLAR) is None
        with pytest.raises(ValueError, match="no"), reads.rendering("web", "k", GRAINS, PILLAR):
            raise ValueError("no")
        reads.remember()


def test_it_is_known_for_a_day(run, clock):
    run()
    clock.now = KEPT_FOR + 1

    assert run()[0] is True
    assert run()[0] is False


def test_a_bounded_number_of_calls_is_known(run):
    for number in range(MOST + 1):
        run(call=number)

    assert [run(call=number)[0] for number in (MOST, 0)] == [False, True]


def test_the_inside_of_a_known_rendering_is_known():
    runs = KnownRuns()
    for is_known in (False, True):
        reads = Reads(runs, "web")
        reads.begin({"grains": GRAINS, "pillar": PILLAR}, (GRAINS, PILLAR))
        inside = reads.known("k", GRAINS, PILLAR)
        assert (inside is not None) is is_known
        if inside is not None:
            assert inside.known("other", {}, {}) is inside
            with inside.within("x"), inside.paused(), inside.rendering("x", None, {}, {}):
                inside.path("pillar:secret")
        else:
            with reads.rendering("web", "k", GRAINS, PILLAR):
                reads.path("pillar:port")
        reads.sources(lambda: False)
        reads.remember()
        assert reads.names() == {"web": {"pillar:port": ""}}
