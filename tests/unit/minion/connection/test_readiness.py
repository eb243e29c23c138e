"""Readiness of a minion."""

import pytest

from salt_g.minion.connection.readiness import Readiness


@pytest.fixture
def first():
    return []


@pytest.fixture
def readiness(first):
    return Readiness(on_first=first.append)


def state(readiness):
    return readiness.settled.is_set(), readiness.connected.is_set()


def test_only_the_first_connected_master_begins_something(readiness, first):
    assert state(readiness) == (False, False)

    readiness.note_connected("master a")
    readiness.note_connected("master b")

    assert (state(readiness), first) == ((True, True), ["master a"])


def test_trouble_settles_the_start_and_the_master_is_still_the_first_later(readiness, first):
    readiness.note_trouble()
    assert (state(readiness), first) == ((True, False), [])

    readiness.note_connected("master a")
    assert first == ["master a"]


def test_without_a_master_jobs_can_begin_at_once(readiness, first):
    readiness.note_masterless()

    assert (state(readiness), first) == ((False, True), [])
