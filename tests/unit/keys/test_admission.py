"""The decision on an offered key."""

import pytest

from salt_g.keys.admission import ACCEPTED, DENIED, PENDING, REJECTED, AdmissionRules, KeyState, decide

KEY, OTHER = "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", "other"
SIGN, REJECT = AdmissionRules(accept="listed"), AdmissionRules(reject="listed")
NONE = AdmissionRules()


@pytest.mark.parametrize(
    ("known", "rules", "act", "keep"),
    [
        (None, NONE, "pend", PENDING),
        (None, SIGN, "accept", ACCEPTED),
        (None, REJECT, "reject", REJECTED),
        (None, AdmissionRules(accept="x", reject="y"), "reject", REJECTED),
        (KeyState(PENDING, KEY), NONE, "pend", ""),
        (KeyState(PENDING, KEY), SIGN, "accept", ACCEPTED),
        (KeyState(PENDING, KEY), REJECT, "reject", REJECTED),
        (KeyState(PENDING, OTHER), NONE, "denied", DENIED),
        (KeyState(PENDING, OTHER), SIGN, "denied", DENIED),
        (KeyState(PENDING, OTHER), REJECT, "reject", REJECTED),
        (KeyState(ACCEPTED, KEY), NONE, "accept", ""),
        (KeyState(ACCEPTED, KEY), REJECT, "accept", ""),
        (KeyState(ACCEPTED, OTHER), NONE, "denied", DENIED),
        (KeyState(ACCEPTED, OTHER), SIGN, "denied", DENIED),
        (KeyState(ACCEPTED, ""), SIGN, "denied", DENIED),
        (KeyState(REJECTED, KEY), NONE, "reject", ""),
        (KeyState(REJECTED, KEY), SIGN, "reject", ""),
        (KeyState(REJECTED, OTHER), NONE, "reject", ""),
    ],
)
def test_every_state_has_its_verdict(known, rules, act, keep):
    verdict = decide("m1", KEY, known, rules)

    assert (verdict.act, verdict.keep) == (act, keep)
    assert verdict.reason


@pytest.mark.parametrize(
    "known", [None, KeyState(PENDING, OTHER), KeyState(ACCEPTED, OTHER), KeyState(REJECTED, KEY)]
)
def test_open_mode_accepts_and_replaces_everything(known):
    verdict = decide("m1", KEY, known, AdmissionRules(open_mode=True, reject="listed"))

    assert (verdict.act, verdict.keep) == ("accept", ACCEPTED)


def test_open_mode_leaves_the_key_alone_that_is_accepted():
    assert decide("m1", KEY, KeyState(ACCEPTED, KEY), AdmissionRules(open_mode=True)).keep == ""


def test_line_ends_and_white_space_around_make_no_other_key():
    offered = KEY.replace("\n", "\r\n") + "\n\n"

    assert decide("m1", offered, KeyState(ACCEPTED, KEY), NONE).act == "accept"


def test_a_full_master_ignores_all_other_rules():
    verdict = decide(
        "m1", KEY, KeyState(ACCEPTED, KEY), AdmissionRules(full="100 minions are connected", open_mode=True)
    )

    assert (verdict.act, verdict.answer, verdict.keep) == ("full", "full", "")


@pytest.mark.parametrize("id", ["", "../m1", "a/b", "a\0", ".x", "-x", "m\n", "ｍ1", "x" * 254])
def test_an_invalid_id_is_an_error_whatever_the_settings(id):
    assert decide(id, KEY, None, AdmissionRules(open_mode=True, accept="x")).act == "error"


def test_no_key_is_an_error():
    assert decide("m1", "", None, AdmissionRules(open_mode=True)).act == "error"


def test_only_a_pending_minion_is_asked_to_come_again():
    answers = {
        decide("m1", KEY, known, NONE).act: decide("m1", KEY, known, NONE).answer
        for known in (None, KeyState(ACCEPTED, OTHER), KeyState(REJECTED, KEY))
    }

    assert answers == {"pend": True, "denied": False, "reject": False}


@pytest.mark.parametrize("id", ["G@os:Linux", "N@web", "x.", "not", "and"])
@pytest.mark.parametrize(
    "rules",
    [
        AdmissionRules(),
        AdmissionRules(accept="auto"),
        AdmissionRules(open_mode=True),
        AdmissionRules(invited="1"),
    ],
)
def test_a_new_key_under_an_id_that_targets_misread_is_refused(id, rules):
    for known in (None, KeyState(PENDING, KEY)):
        verdict = decide(id, KEY, known, rules)
        assert (verdict.act, verdict.keep) == ("error", "")

    assert decide(id, KEY, KeyState(ACCEPTED, KEY), AdmissionRules()).is_accepted
