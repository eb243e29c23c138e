"""Records of runs that a single master resumes at its next start."""

import pytest


def test_runs_of_all_kinds_are_recorded_and_those_of_rollouts_are_sealed(compose):
    parts, persistence, *_ = compose()
    records = parts.records

    records.runners.begin("1", {}, {"fun": "state.orch"}).keep("step/x", "plain")
    records.batches.begin("2", {}, {"load": {}}).keep("sent/m1", "plain")
    records.rollouts.begin("3", {}, {"job": []}).keep("wave/0", "secret")

    assert [jid for jid in "123" if records.runners.is_kept(jid)] == ["1", "2"]
    assert records.rollouts.is_kept("3")
    banks = persistence.banks
    assert banks.list_all("runs/1") == {"step/x": "plain"}
    assert b"secret" not in banks.fetch("rollout_runs/3", "wave/0")
    assert records.rollout_banks.list_all("rollout_runs/3") == {"wave/0": "secret"}


def test_with_secrets_in_pillar_only_rollouts_are_recorded(compose):
    parts, *_ = compose(pillar_secrets=["password"])
    records = parts.records

    assert records.runners.begin("1", {}, {"fun": "state.orch"}) is None
    assert records.batches.begin("2", {}, {"load": {}}) is None
    records.rollouts.begin("3", {}, {"job": []}).check()


@pytest.mark.parametrize("kind", ["runner", "batch"])
def test_each_kind_of_run_is_resumed_by_its_own_part(compose, kind):
    parts, *_ = compose()
    part = {"runner": parts.calls.runner_calls, "batch": parts.calls.batches}[kind]

    assert parts.calls.resumers()[kind] == part.resume
    assert parts.calls.resumers()["rollout"] == parts.calls.rollouts.rollouts.resume
