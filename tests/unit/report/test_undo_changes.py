"""Changes made by an undo."""

import pytest

from salt_g.report.state_changes import NO_DIGEST, Cause, changes_of
from salt_g.report.undo_changes import changes_of_undo, undone_job

JOB, UNDO = "20261118000000000001", "20261118000000000002"
DIGEST = b"1" * 8


def again(name):
    entry = {"changes": {"diff": "-a\n+b\n"}, "result": True, "__run_num__": 0, "name": name}
    return {"fun": "state.apply", "return": {f"file_|-x_|-{name}_|-managed": entry}, "low_digests": DIGEST}


def run(name="/x"):
    return changes_of(JOB, "m1", again(name), {})


def undo(**more):
    return {"fun": "state.undo", "user": "ann", "return": {"jid": JOB, "restored": ["/x"], **more}}


@pytest.mark.parametrize(
    "load",
    [
        {"fun": "state.apply", "return": {"jid": JOB}},
        {"fun": ["state.undo"], "return": {"jid": JOB}},
        {"fun": "state.undo", "return": "All recorded state runs have been undone"},
        {"fun": "state.undo", "return": {"jid": 5}},
        undo(test=True),
    ],
)
def test_a_return_of_something_else_has_undone_nothing(load):
    assert undone_job(load) == ""


def test_undone_changes_are_no_longer_wanted():
    applied = run()
    assert applied.digests

    made = changes_of_undo(UNDO, "m1", undo(), applied.digests, applied.rows)

    assert list(made.digests.values()) == [NO_DIGEST] and made.at == 0.0
    assert [(row.name, row.fun, row.who) for row in made.rows] == [("/x", "state.undo", "ann")]


def test_changes_of_other_states_stay_wanted():
    applied, other = run(), run("/y")

    made = changes_of_undo(UNDO, "m1", undo(), applied.digests | other.digests, applied.rows)

    assert made.digests.items() >= other.digests.items()
    assert changes_of(JOB, "m1", again("/y"), made.digests).rows[0].cause == Cause.CORRECTIVE
    assert changes_of(JOB, "m1", again("/x"), made.digests).rows[0].cause == Cause.INTENDED


def test_changes_left_alone_or_irreversible_stay_wanted():
    applied, other = run(), run("/y")
    ret = {"restored": ["/y"], "left": {"/x": "edited since"}}

    made = changes_of_undo(
        UNDO, "m1", undo(**ret), applied.digests | other.digests, applied.rows + other.rows
    )

    assert changes_of(JOB, "m1", again("/x"), made.digests).rows[0].cause == Cause.CORRECTIVE
    assert changes_of(JOB, "m1", again("/y"), made.digests).rows[0].cause == Cause.INTENDED


def test_a_directory_is_undone_with_files_in_it():
    applied = run()

    made = changes_of_undo(UNDO, "m1", undo(restored=["/w", "/x/sub/file"]), applied.digests, applied.rows)
    other = changes_of_undo(UNDO, "m1", undo(restored=["/x2/file"]), applied.digests, applied.rows)

    assert list(made.digests.values()) == [NO_DIGEST] and other.digests == applied.digests


@pytest.mark.parametrize("restored", [None, 5, {"/x": 1}, [None, "\0"]])
def test_a_minion_may_send_anything(restored):
    made = changes_of_undo(UNDO, "m1", undo(restored=restored), None, ())

    assert all(isinstance(row.name, str) and "\0" not in row.name for row in made.rows)
