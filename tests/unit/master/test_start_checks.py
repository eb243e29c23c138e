"""Settings that would prevent a master's start, reported with their location."""

import pytest

from salt_g.config import load
from salt_g.master.start_checks import problems

FREEZE = "change_freezes: [{name: x, reason: y, from: 2026-12-20, until: 2026-12-24, %s}]"


def problems_of(tmp_path, text):
    (tmp_path / "master").write_text(f"root_dir: {tmp_path}\n{text}\n")
    settings = load("master", str(tmp_path))
    return problems(settings.opts, settings.origins)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("change_freezes: [{name: x}]", "change_freezes: number 1 needs name, reason, from, until"),
        (FREEZE % "target: web, tgt_type: nodegroup", "change_freezes: x: nodegroup 'web' does not exist"),
        (FREEZE % "tgt_type: glbo", "change_freezes: x: target type 'glbo' does not exist"),
        ("rollout_guard: {above: many}", "rollout_guard must have exactly the keys `above` and `functions`"),
        ("clear_commands_from: [10.0.0.0/99]", "clear_commands_from: '10.0.0.0/99' does not appear"),
        ("cluster: True", "cluster: masters share a database"),
        (
            "audit_log: /proc",
            "audit_log: /proc: cannot be opened, so decisions would not be recorded: Is a dir",
        ),
        ("audit_log: /proc/version/audit.log", "audit_log: /proc/version/audit.log: cannot be opened, so"),
    ],
)
def test_a_setting_that_prevents_the_start_is_reported_with_its_location(tmp_path, text, sentence):
    (problem,) = problems_of(tmp_path, text)

    assert problem.startswith(f"{tmp_path}/master:2: {sentence}")


def test_settings_with_which_a_master_starts_are_no_problem(tmp_path):
    assert (
        problems_of(tmp_path, FREEZE % "target: 'web*'" + "\nrollout_guard: {above: 5, functions: ['cmd.*']}")
        == []
    )


def test_a_type_of_target_that_a_users_matcher_has_is_no_problem(tmp_path):
    folder = tmp_path / "var/cache/salt/master/extmods/matchers"
    folder.mkdir(parents=True)
    (folder / "rack_match.py").write_text("def match(tgt, opts=None, minion_id=None):\n    return False\n")

    text = FREEZE % "target: r1, tgt_type: rack" + f"\nextension_modules: {folder.parent}"

    assert problems_of(tmp_path, text) == []
