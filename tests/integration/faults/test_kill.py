"""SIGKILL at random points of a stream of jobs: every accepted return is stored once, unchanged.

A point is a number of events on the master's bus, drawn with a seed, plus a few milliseconds.
"""

import random

import pytest

from salt_g.report.ended_jobs import INTERRUPTED
from tests.support.job_stream import Stream, owed_by, results_of, settle
from tests.support.waiting import until

#: Kills in one test, and its seeds: twenty points for each daemon.
KILLS = 10
SEEDS = (1, 2)
#: Results of jobs that a kill interrupted.
NOT_ENDED = (None, INTERRUPTED)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_killed_master_has_every_return_that_it_accepted_and_gets_the_others(
    start_master, start_minion, client, run, tmp_path, seed
):
    master = start_master()
    minion = start_minion(master)
    ran, points = tmp_path / "ran", random.Random(seed)

    with Stream(master, ran) as stream:
        for _ in range(KILLS):
            stream.wait(points.randrange(1, 15), points.uniform(0, 0.05))
            master.kill()
            master.start()
        wait_for_enough(stream)
    settle(minion, client(master))
    jobs = results_of(run, master, client(master))

    numbers = ran.read_text().split()
    assert len(numbers) == len(set(numbers)), "a job ran twice"
    # Whatever ran has returned, and what it returned is its number.
    assert sorted(numbers) == sorted(returned for returned in jobs.values() if returned is not None)
    check_return_events(stream, jobs)
    check_verdicts(run, master, jobs)


@pytest.mark.parametrize("seed", SEEDS)
def test_of_a_killed_minion_no_return_is_lost_and_no_job_runs_twice(
    start_master, start_minion, client, run, tmp_path, seed
):
    master = start_master()
    minion = start_minion(master)
    ran, points, owed = tmp_path / "ran", random.Random(seed), set()

    with Stream(master, ran) as stream:
        for _ in range(KILLS):
            stream.wait(points.randrange(1, 15), points.uniform(0, 0.05))
            minion.kill()
            owed |= owed_by(minion)
            minion.start()
        wait_for_enough(stream)
    settle(minion, client(master))
    check_cut_off(run, master, stream, results_of(run, master, client(master)), ran, owed)


def test_of_both_killed_at_once_no_return_is_lost_and_no_job_runs_twice(
    start_master, start_minion, client, run, tmp_path
):
    master = start_master()
    minion = start_minion(master)
    ran, points, owed = tmp_path / "ran", random.Random(3), set()

    with Stream(master, ran) as stream:
        for _ in range(KILLS // 2):
            stream.wait(points.randrange(1, 15), points.uniform(0, 0.05))
            for daemon in points.sample([master, minion], 2):
                daemon.kill()
            owed |= owed_by(minion)
            master.start()
            minion.start()
        wait_for_enough(stream)
    settle(minion, client(master))
    check_cut_off(run, master, stream, results_of(run, master, client(master)), ran, owed)


def wait_for_enough(stream):
    """Wait for events after the last kill, and for as many returns on the bus as there were kills."""
    stream.wait(15, 0)
    until(lambda: len(stream.returns) >= KILLS, "the bus told of a return for each kill")


def check_cut_off(run, master, stream, jobs, ran, owed):
    """Check that an interrupted job is reported as such, and that spooled returns were delivered."""
    numbers = ran.read_text().split()
    assert len(numbers) == len(set(numbers)), "a job ran twice"
    assert {returned for returned in jobs.values() if returned not in NOT_ENDED} <= set(numbers)
    assert [jid for jid in owed if jobs[jid] in NOT_ENDED] == []
    check_return_events(stream, jobs)
    check_verdicts(run, master, jobs)


def check_return_events(stream, jobs):
    """Check that each return event was accepted: stored, and never seen with another value."""
    result = {jid: set(returns) for jid, returns in stream.returns.items()}
    assert len(result) >= KILLS
    assert result == {jid: {jobs.get(jid)} for jid in result}


def check_verdicts(run, master, jobs):
    """Check that the newest jobs have the right verdicts."""
    for jid in sorted(jobs)[-3:]:
        assert run(master, "jobs.lookup_jid", jid) == ({} if jobs[jid] is None else {"m1": jobs[jid]})
