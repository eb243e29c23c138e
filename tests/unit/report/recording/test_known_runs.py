"""Runs with known reads: what is not observed again, and what is."""

import pytest

from salt_g.report.recording.known_runs import KEPT_FOR, MOST, KnownRuns
from salt_g.report.recording.reads import Reads
from tests.support.clocks import Clock

GRAINS, PILLAR = {"os": "Debian"}, {"port": 80}
COPY = "/cache/map.jinja"
#: What the template below reads, and with `sources` what its states name.
NAMES = {"function:pillar.get", "pillar:port", "salt://map.jinja"}
SOURCE = "salt://web.conf"


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def runs(clock):
    return KnownRuns(clock)


@pytest.fixture
def run(runs):
    """Return a function: `run()` renders one template in a run.

    It returns (whether it was observed, names).
    """

    def render(reads, key, pillar, function, imported):
        data = (GRAINS, pillar)
        notes = reads.known(key, *data) if key is not None else None
        if notes is not None:
            _read(notes, pillar, function, imported)
            if reads.is_as_known():
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
        target=None,
    ):
        reads = Reads(runs, call)
        reads.begin({"grains": GRAINS, "pillar": pillar}, (GRAINS, held or pillar))
        if target:
            reads.name(target)
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
        {"pillar": {"port": 80.0}},
        {"key": "other"},
        {"key": None},
        {"held": {"port": 80}},
    ],
)
def test_with_anything_else_it_is_observed(run, changed):
    run()

    assert run(**changed) == (True, {*NAMES, SOURCE})


@pytest.mark.parametrize("pillar", [{"port": 80, "x": 1}, {"x": object(), "port": 80}])
def test_it_is_known_while_what_it_has_read_is_the_same(run, pillar):
    run()

    assert run(pillar)[0] is False
    assert run() == (False, {*NAMES, SOURCE})


def test_templates_that_call_other_functions_and_sources_are_observed_each_time(run):
    found = [run(function="cmd.run") for _ in range(3)]

    assert found == [(True, {"function:cmd.run", "pillar:port", "salt://map.jinja", SOURCE})] * 3


@pytest.mark.parametrize("imported", [b"bar", None])
def test_where_an_import_differs_it_is_observed_in_the_same_run(run, imported):
    run()

    for is_observed in (True, False, False):
        assert run(imported=imported) == (is_observed, {*NAMES, SOURCE})


def test_a_failure_with_another_import_may_have_read_anything(runs):
    def begun():
        reads = Reads(runs, "web")
        reads.begin({"grains": GRAINS, "pillar": PILLAR}, (GRAINS, PILLAR))
        return reads

    first = begun()
    with first.rendering("web", "k", GRAINS, PILLAR):
        _read(first, PILLAR, "pillar.get", b"foo")
    first.sources(lambda: False)
    first.remember()
    failing = begun()
    _read(failing.known("k", GRAINS, PILLAR), PILLAR, "pillar.get", b"bar")
    failing.remember()

    assert set(failing.names()[""]) == {"function", "grain", "mine", "pillar"}


def test_a_rendering_with_other_inputs_is_observed_each_time(runs):
    for _ in range(3):
        reads = Reads(runs, "web")
        reads.begin({"grains": GRAINS, "pillar": PILLAR}, (GRAINS, PILLAR))
        assert reads.known("inner", GRAINS, PILLAR) is reads.known("outer", GRAINS, PILLAR) is None
        with reads.rendering("web", "outer", GRAINS, PILLAR), reads.rendering("web", "inner", GRAINS, PILLAR):
            reads.outside()
        with reads.rendering("web", "other", GRAINS, PILLAR):
            reads.name("pillar:x")
        reads.sources(lambda: False)
        reads.remember()

    assert set(runs.of("web").renderings) == {"other"}


def test_while_states_run_at_the_same_time_nothing_is_known(run, runs):
    run()
    reads = Reads(runs, "web")
    reads.begin({"grains": GRAINS, "pillar": PILLAR}, (GRAINS, PILLAR))
    with reads.rendering("web", "new", GRAINS, PILLAR):
        pass
    reads.sources(lambda: True)

    assert reads.known("k", GRAINS, PILLAR) is None


def test_another_template_adds_to_what_was_read_and_the_next_run_is_exact(run):
    run()

    assert run(key="other", function="config.get") == (True, {*NAMES, SOURCE, "function:config.get"})
    for _ in range(2):
        assert run(key="other", function="config.get") == (
            False,
            {"function:config.get", "pillar:port", "salt://map.jinja", SOURCE},
        )


def test_reads_of_the_compilation_are_recorded_again_if_they_have_changed(run):
    """A target of the top file, for example."""
    run(target="pillar:role")

    assert run({"port": 80, "role": "web"}, target="pillar:other") == (
        False,
        {*NAMES, SOURCE, "pillar:other"},
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


def test_data_that_nothing_has_read_are_compared_once(run, runs):
    run()
    before = runs.of("web").data

    run({"port": 80, "x": 1})

    assert runs.of("web").data != before
