import pytest

from salt_g.process import secret_hiding
from salt_g.state.plan.summaries import MAX_SUMMARY, full_text, opaque, summary, verdict_of
from tests.support.planned_states import DIFF, LOW, would


@pytest.mark.parametrize(
    ("ret", "expected"),
    [
        (would({"diff": DIFF}), "+1 -1"),
        (would({"diff": DIFF, "mode": "0644"}), "+1 -1, mode: 0644"),
        (would({"newfile": "/x"}), "new file"),
        (would({"nginx": {"old": "", "new": "1.24"}}), "nginx none→1.24"),
        (would({"/x": {"directory": "new"}}), "/x directory=new"),
        (would({}, comment="Service nginx is set to start\nmore"), "Service nginx is set to start"),
        (would({"would change": True}, comment="User x set to be added"), "User x set to be added"),
        (would({}, result=True), "nothing"),
        (would({}, result=False, comment="No such user"), "fails: No such user"),
    ],
)
def test_changes_in_a_few_words(ret, expected):
    assert summary(ret, LOW) == expected


def test_the_whole_text_has_diffs_and_what_the_summary_cannot_hold():
    assert full_text(would({"diff": DIFF, "mode": "0644"}), LOW) == DIFF
    assert full_text(would({"newfile": "/x"}), LOW) == ""
    assert '"x"' in full_text(would({str(number): "x" for number in range(50)}), LOW)


def test_verdicts():
    assert verdict_of(would({})) == "change"
    assert verdict_of(would({"a": 1}, result=True)) == "change"
    assert verdict_of(would({}, result=True)) == "same"
    assert verdict_of(would({"a": 1}, result=False)) == "fails"


def test_long_ones_are_cut_and_secrets_and_hidden_states_are_not_shown():
    with secret_hiding.forgotten():
        secret_hiding.add({"Planted-secret-1": "db:password"})
        ret = would({"set": "Planted-secret-1"})
        assert summary(ret, LOW) == "set: <secret:db:password>"
        assert "Planted" not in full_text(ret, LOW)
    assert len(summary(would({"a": "x" * 999}), LOW)) == MAX_SUMMARY
    assert len(full_text(would({"a": "x" * 99_999}), LOW)) < 9000
    hidden = {**LOW, "no_log": True}
    assert summary(would({"a": "x"}), hidden) == "(no_log)"
    assert full_text(would({"a": "x"}), hidden) == ""


def test_commands_and_functions_are_opaque_if_they_would_run():
    run = {**LOW, "state": "cmd", "fun": "run"}

    assert opaque(would({"cmd": "true"}), run, "true") == "runs true"
    assert opaque(would({}), {**run, "state": "module"}, "test.ping") == "calls test.ping"
    assert opaque(would({}, result=True), run, "true") == ""
    assert opaque(would({"a": 1}), LOW, "/x") == ""
