"""The decision on an offered key."""

import pytest

from salt_g.keys.admission import ACCEPTED, DENIED, PENDING, REJECTED, Known, Rules, decide

KEY, OTHER = "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", "other"
SIGN, REJECT = Rules(accept="listed"), Rules(reject="listed")
NONE = Rules()


@pytest.mark.parametrize(
    ("known", "rules", "act", "keep"),
    [
        (None, NONE, "pend", PENDING),
        (None, SIGN, "accept", ACCEPTED),
        (None, REJECT, "reject", REJECTED),
        (None, Rules(accept="x", reject="y"), "reject", REJECTED),
        (Known(PENDING, KEY), NONE, "pend", ""),
        (Known(PENDING, KEY), SIGN, "accept", ACCEPTED),
        (Known(PENDING, KEY), REJECT, "reject", REJECTED),
        (Known(PENDING, OTHER), NONE, "denied", DENIED),
        (Known(PENDING, OTHER), SIGN, "denied", DENIED),
        (Known(PENDING, OTHER), REJECT, "reject", REJECTED),
        (Known(ACCEPTED, KEY), NONE, "accept", ""),
        (Known(ACCEPTED, KEY), REJECT, "accept", ""),
        (Known(ACCEPTED, OTHER), NONE, "denied", DENIED),
        (Known(ACCEPTED, OTHER), SIGN, "denied", DENIED),
        (Known(ACCEPTED, ""), SIGN, "denied", DENIED),
        (Known(REJECTED, KEY), NONE, "reject", ""),
        (Known(REJECTED, KEY), SIGN, "reject", ""),
        (Known(REJECTED, OTHER), NONE, "reject", ""),
    ],
)
def test_every_state_has_its_verdict(known, rules, act, keep):
    verdict = decide("m1", KEY, known, rules)

    assert (verdict.act, verdict.keep) == (act, keep)
    assert verdict.reason


@pytest.mark.parametrize("known", [None, Known(PENDING, OTHER), Known(ACCEPTED, OTHER), Known(REJECTED, KEY)])
def test_open_mode_accepts_and_replaces_everything(known):
    verdict = decide("m1", KEY, known, Rules(open_mode=True, reject="listed"))

    assert (verdict.act, verdict.keep) == ("accept", ACCEPTED)


def test_open_mode_leaves_the_key_alone_that_is_accepted():
    assert decide("m1", KEY, Known(ACCEPTED, KEY), Rules(open_mode=True)).keep == ""


def test_line_ends_and_white_space_around_make_no_other_key():
    offered = KEY.replace("\n", "\r\n") + "\n\n"

    assert decide("m1", offered, Known(ACCEPTED, KEY), NONE).act == "accept"


def test_a_full_master_decides_nothing_else():
    verdict = decide("m1", KEY, Known(ACCEPTED, KEY), Rules(full="100 minions are connected", open_mode=True))

    assert (verdict.act, verdict.answer, verdict.keep) == ("full", "full", "")


@pytest.mark.parametrize("id", ["", "../m1", "a/b", "a\0", ".x", "-x", "m\n", "ｍ1", "x" * 254])
def test_an_id_that_is_none_is_an_error_whatever_the_settings(id):
    assert decide(id, KEY, None, Rules(open_mode=True, accept="x")).act == "error"


def test_no_key_is_an_error():
    assert decide("m1", "", None, Rules(open_mode=True)).act == "error"


def test_only_a_pending_minion_is_asked_to_come_again():
    answers = {
        decide("m1", KEY, known, NONE).act: decide("m1", KEY, known, NONE).answer
        for known in (None, Known(ACCEPTED, OTHER), Known(REJECTED, KEY))
    }

    assert answers == {"pend": True, "denied": False, "reject": False}


@pytest.mark.parametrize("id", ["G@os:Linux", "N@web", "x.", "not", "and"])
@pytest.mark.parametrize("rules", [Rules(), Rules(accept="auto"), Rules(open_mode=True), Rules(invited="1")])
def test_a_new_key_under_an_id_that_targets_misread_is_refused(id, rules):
    for known in (None, Known(PENDING, KEY)):
        verdict = decide(id, KEY, known, rules)
        assert (verdict.act, verdict.keep) == ("error", "")

    assert decide(id, KEY, Known(ACCEPTED, KEY), Rules()).is_accepted
