"""Live line of a remote run."""

from salt_g.cli.progress import MinionsLine, status_text
from salt_g.client.return_collector import Return, ReturnCollector, RunProgress

JID = "20260102030405678901"


def _watch(*ids, progress=None, returns=()):
    watch = ReturnCollector(JID, ids, timeout=5, gather_timeout=10, now=0.0)
    watch.progress.update(progress or {})
    watch.returns.update((id, Return(id, {"id": id, "retcode": code})) for id, code in returns)
    return watch


class _Bar:
    total = n = 0
    postfix = ""

    def set_postfix_str(self, text, refresh):
        self.postfix = text

    def refresh(self):
        pass


def test_without_progress_events_names_are_reported():
    assert status_text(_watch("b", "a")) == "a, b"
    assert status_text(_watch("a", "b", returns=[("a", 0), ("b", 0)])) == ""


def test_the_slowest_minions_come_first():
    progress = {"a": RunProgress(35, 40), "b": RunProgress(3, 40), "c": RunProgress(1, 2)}

    assert status_text(_watch("a", "b", "c", progress=progress)) == "slowest: b 3/40, c 1/2, a 35/40"


def test_failures_are_counted_as_soon_as_they_are_known():
    watch = _watch("a", "b", "c", progress={"a": RunProgress(2, 4, failed=1)}, returns=[("b", 2)])

    assert status_text(watch) == "2 failed, slowest: c, a 2/4"


def test_of_many_minions_the_slowest_are_named():
    progress = {f"m{number}": RunProgress(number, 10) for number in range(10)}

    assert status_text(_watch(*progress, progress=progress)) == "slowest: m0 0/10, m1 1/10, m2 2/10, 7 more"


def test_the_bar_counts_minions():
    bar = _Bar()

    MinionsLine(bar).show(_watch("a", "b", returns=[("a", 0)]))

    assert (bar.n, bar.total, bar.postfix) == (1, 2, "b")


def test_nothing_is_drawn_without_a_bar():
    assert MinionsLine().pause is None
