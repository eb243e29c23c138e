"""Pillar that was not available when the minion connected."""

import concurrent.futures

from tests.support.waiting import until

SLOW = """\
#!py
import os, time

def run():
    open({began!r}, "w").close()
    while os.path.exists({began!r}):
        time.sleep(0.05)
    return {{"role": "web"}}
"""


def test_a_master_that_ends_while_it_makes_pillar_is_asked_again(start_master, start_minion, order, tmp_path):
    began = tmp_path / "began"
    master = start_master()
    (master.root / "pillar" / "top.sls").write_text("base:\n  '*':\n    - slow\n")
    (master.root / "pillar" / "slow.sls").write_text(SLOW.format(began=str(began)))
    impatient = {"request_channel_timeout": 1, "request_channel_tries": 1, "auth_timeout": 1, "auth_tries": 1}
    with concurrent.futures.ThreadPoolExecutor() as threads:
        starting = threads.submit(start_minion, master, **impatient)
        until(began.exists, "the master makes pillar")
        master.kill()
        (master.root / "pillar" / "slow.sls").write_text("role: web\n")
        minion = starting.result()
    until(lambda: "cannot load pillar" in minion.log(), "the minion has no pillar")
    master.start()

    until(
        lambda: order(master, "m1", "pillar.get", "role", "unmask=True") == {"m1": "web"}, "pillar is there"
    )


def test_a_master_that_takes_too_long_for_pillar_is_asked_again(start_master, start_minion, order, tmp_path):
    began = tmp_path / "began"
    master = start_master()
    (master.root / "pillar" / "top.sls").write_text("base:\n  '*':\n    - slow\n")
    (master.root / "pillar" / "slow.sls").write_text(SLOW.format(began=str(began)))

    minion = start_minion(master, request_channel_timeout=1, request_channel_tries=1)
    until(lambda: "cannot load pillar" in minion.log(), "the minion has no pillar")
    (master.root / "pillar" / "slow.sls").write_text(
        "role: web\nschedule: {x: {function: test.ping, hours: 9}}\n"
    )
    began.unlink()

    until(
        lambda: order(master, "m1", "pillar.get", "role", "unmask=True") == {"m1": "web"}, "pillar is there"
    )
    until(lambda: "Running scheduled job: x" in minion.log(), "the schedule of pillar is followed")
