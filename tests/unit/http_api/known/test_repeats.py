"""Repeated requests."""

import pytest

from salt_g.http_api.known.repeats import KEPT, MAX_KEY, MOST, Repeats
from salt_g.http_api.messages import Refusal


def refused(repeats, *args):
    with pytest.raises(Refusal) as refusal:
        repeats.once(*args)
    return refusal.value.status


def test_the_first_answer_is_given_again_to_the_same_user_and_data():
    answers = iter(range(9))
    now = [0.0]
    repeats = Repeats(clock=lambda: now[0])

    def run():
        return next(answers)

    assert repeats.once("ann", "k", {"a": 1}, run) == repeats.once("ann", "k", {"a": 1}, run) == 0
    assert repeats.once("bob", "k", {"a": 1}, run) == 1
    assert repeats.once("ann", "", {"a": 1}, run) == 2
    assert refused(repeats, "ann", "k", {"a": 2}, run) == 422
    now[0] = KEPT
    assert repeats.once("ann", "k", {"a": 2}, run) == 3


def test_a_refused_request_may_be_repeated():
    repeats = Repeats()

    def fail():
        raise Refusal(503, "no master")

    assert refused(repeats, "ann", "k", {}, fail) == 503
    assert repeats.once("ann", "k", {}, lambda: 1) == 1


def test_a_key_in_use_and_a_long_key_are_refused():
    repeats = Repeats()
    inner = []
    repeats.once("ann", "k", {}, lambda: inner.append(refused(repeats, "ann", "k", {}, list)))
    assert inner == [409]
    assert refused(repeats, "ann", "k" * (MAX_KEY + 1), {}, list) == 400


def test_keys_are_bounded():
    repeats = Repeats()
    for number in range(MOST + 5):
        repeats.once("ann", str(number), {}, lambda: 1)
    assert repeats.once("ann", "0", {}, lambda: 2) == 2


def test_long_answers_displace_the_oldest():
    repeats = Repeats(most_bytes=100)
    for key in ("a", "b", "c"):
        repeats.once("ann", key, {}, lambda key=key: key * 45)

    assert repeats.once("ann", "c", {}, lambda: "new") == "c" * 45
    assert repeats.once("ann", "b", {}, lambda: "new") == "b" * 45
    assert repeats.once("ann", "a", {}, lambda: "new") == "new"
