"""Changes of a state run, and their causes."""

import pytest

from salt_g.report.state_changes import FOLLOWS, MAX_TEXT, NO_DIGEST, Cause, changes_of, is_state_run

JID = "20261118140300000000"
DIFF = "--- \n+++ \n@@ -1 +1 @@\n-a\n+b\n+c\n"
ONE, TWO = b"1" * 8, b"2" * 8


def entry(number=0, *, changes=None, result=True, name="/etc/motd"):
    return {"changes": changes or {}, "result": result, "__run_num__": number, "name": name}


def load(*entries, digests=None, fun="file.managed", **more):
    state, function = fun.split(".")
    ret = {f"{state}_|-motd {number}_|-{one['name']}_|-{function}": one for number, one in enumerate(entries)}
    seen = {} if digests is None else {"low_digests": b"".join(digests)}
    return {"fun": "state.apply", "return": ret, "user": "ann", **seen, **more}


def change(**more):
    return entry(changes={"diff": DIFF}, **more)


def cause(run, before):
    return Cause(changes_of(JID, "m1", run, before).rows[0].cause)


def after(run, before=None):
    return changes_of(JID, "m1", run, before).digests


def test_a_change_has_place_lines_time_and_user():
    made = changes_of(JID, "m1", load(change()), None)

    (row,) = made.rows
    assert (row.jid, row.minion, row.id, row.name, row.fun) == (
        JID,
        "m1",
        "motd 0",
        "/etc/motd",
        "file.managed",
    )
    assert (row.added, row.removed, row.who, row.is_test) == (2, 1, "ann", 0)
    assert made.texts == {row.text: DIFF}
    assert int(row.at) == 1795010580


def test_states_without_changes_are_no_rows():
    assert changes_of(JID, "m1", load(entry()), None).rows == []


@pytest.mark.parametrize("ret", [None, "no", ["Rendering failed"], {"x": 1}, {"a_|-b_|-c_|-d": "x"}, {1: {}}])
def test_returns_that_are_no_states_have_no_changes(ret):
    assert changes_of(JID, "m1", {"fun": "state.apply", "return": ret}, None).rows == []


def test_a_change_with_the_same_wanted_state_is_corrective():
    before = after(load(entry(), digests=[ONE]))

    assert cause(load(change(), digests=[ONE]), before) is Cause.CORRECTIVE
    assert cause(load(change(), digests=[TWO]), before) is Cause.INTENDED


def test_without_digests_or_an_earlier_run_the_cause_is_unknown():
    before = after(load(entry(), digests=[ONE]))

    assert cause(load(change()), before) is Cause.UNKNOWN
    assert cause(load(change(), digests=[NO_DIGEST]), before) is Cause.UNKNOWN
    assert cause(load(change(), digests=[ONE]), None) is Cause.UNKNOWN


def test_a_state_that_is_new_to_the_minion_is_intended():
    assert cause(load(change(), digests=[ONE]), {b"other": ONE}) is Cause.INTENDED


@pytest.mark.parametrize(
    "run", [load(change(result=None), digests=[ONE]), load(change(result=False), digests=[ONE])]
)
def test_a_change_after_a_test_or_failure_is_intended(run):
    before = after(run, {b"other": ONE})

    assert cause(load(change(), digests=[ONE]), before) is Cause.INTENDED


def test_a_test_run_finds_drift_and_keeps_what_was_wanted():
    before = after(load(entry(), digests=[ONE]))
    test = changes_of(JID, "m1", load(change(result=None), digests=[ONE]), before)

    assert (Cause(test.rows[0].cause), test.rows[0].is_test) == (Cause.CORRECTIVE, 1)
    assert cause(load(change(), digests=[ONE]), test.digests) is Cause.CORRECTIVE


def test_a_change_that_follows_from_others_corrects_nothing():
    before = after(load(entry(), digests=[ONE]))
    run = load(change(), digests=[FOLLOWS])

    assert cause(run, before) is Cause.INTENDED
    assert after(run, before) == before


def test_commands_correct_nothing():
    before = after(load(entry(name="x"), digests=[ONE], fun="cmd.run"))

    assert cause(load(change(name="x"), digests=[ONE], fun="cmd.run"), before) is Cause.INTENDED


def test_other_changes_are_kept_as_json_and_long_ones_are_cut():
    made = changes_of(JID, "m1", load(entry(changes={"new": "x" * MAX_TEXT, "b": b"\xff"})), None)

    (row,) = made.rows
    assert (row.added, row.removed, len(made.texts[row.text])) == (None, None, MAX_TEXT)


def test_a_scheduled_run_is_by_the_schedule():
    assert changes_of(JID, "m1", load(change(), schedule="nightly"), None).rows[0].who == "schedule"


def test_only_functions_of_the_state_module_are_state_runs():
    assert all(is_state_run(fun) for fun in ("state.apply", ["state.apply"], ["test.ping", "state.sls"]))
    assert not any(
        is_state_run(fun) for fun in ("test.ping", ["test.ping"], None, [None], {"state.apply": 1})
    )


@pytest.mark.parametrize("is_ordered", [False, True])
def test_a_job_of_several_functions_has_the_changes_of_all_its_state_runs(is_ordered):
    first, second = load(entry(), change()), load(change(name="/etc/other"))
    named = {"state.apply": first["return"], "test.ping": {"a": 1}, "state.single": second["return"]}
    ret = list(named.values()) if is_ordered else named
    job = {"fun": list(named), "return": ret, "low_digests": ONE + ONE + TWO}
    list(first["return"].values())[1]["__run_num__"] = 1

    result = changes_of(JID, "m1", job, {})

    assert [(row.number, row.name) for row in result.rows] == [(1, "/etc/motd"), (2, "/etc/other")]
    assert sorted(result.digests.values()) == [ONE, ONE, TWO]


def test_a_number_that_no_run_has_is_not_taken():
    numbers = (-1, 10**18, True, "1")
    result = changes_of(JID, "m1", load(*(entry(number, changes={"x": 1}) for number in numbers)), None)

    assert [row.number for row in result.rows] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("fun", "ret", "has_run"),
    [
        ("state.apply", {}, True),
        (["test.ping", "state.apply"], [True, {}], True),
        ("state.show_top", {"base": ["web"]}, False),
        ("state.running", [], False),
        ("state.apply", "an error", False),
    ],
)
def test_a_run_without_changes_is_one_and_a_look_at_states_is_none(fun, ret, has_run):
    made = changes_of("20261118000000000001", "m1", {"fun": fun, "return": ret}, None)

    assert (made.at > 0) is has_run
