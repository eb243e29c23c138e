"""Leases of masters, as observed by counting their beats."""

from salt_g.cluster.observed_beats import LEASE, SILENT, Member, ObservedBeats


def rows(**beats):
    return [Member(id, 0, 1, beat) for id, beat in beats.items()]


def test_a_master_lives_while_its_count_grows():
    beats = ObservedBeats()
    for second in range(30):
        beats.note(rows(a=second, b=7), float(second))

    assert beats.live(29.0) == {"a"}


def test_a_master_that_is_seen_first_has_a_whole_lease():
    beats = ObservedBeats()
    beats.note(rows(a=7), 100.0)

    assert beats.live(100.0 + LEASE - 0.1) == {"a"}
    assert beats.live(100.0 + LEASE) == frozenset()


def test_a_new_start_of_a_master_counts_as_a_beat():
    beats = ObservedBeats()
    beats.note([Member("a", 0, 1, 5)], 0.0)
    beats.note([Member("a", 0, 2, 5)], LEASE)

    assert beats.live(LEASE) == {"a"}


def test_a_master_without_a_row_is_forgotten():
    beats = ObservedBeats()
    beats.note(rows(a=1), 0.0)
    beats.note([], 1.0)

    assert beats.live(1.0) == frozenset()


def test_a_master_that_is_killed_falls_silent_before_its_lease_is_over():
    beats = ObservedBeats()
    for second in range(5):
        beats.note(rows(a=second, b=min(second, 1)), float(second))

    assert beats.live(4.0, SILENT) == {"a"}
    assert beats.live(4.0) == {"a", "b"}
