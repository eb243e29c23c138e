"""Users' runners and modules that import stock's `salt.client`, and use it to reach the fleet."""

import json

from tests.support.commands import PROGRAM, outcome_of

RUNNER = """
import salt.client

def ping():
    with salt.client.get_local_client(__opts__["conf_file"]) as one:
        first = one.cmd("*", "test.ping", timeout=30)
    client = salt.client.LocalClient(__opts__["conf_file"])
    return [first, client.cmd("a", "test.echo", ["x"], timeout=30)]
"""
MODULE = """
import salt.client

def ping():
    return salt.client.Caller(mopts=dict(__opts__)).cmd("test.echo", "y")
"""


def test_a_users_runner_publishes_with_a_local_client(start_master, start_minion, daemon_root):
    runners = daemon_root / "runners"
    runners.mkdir()
    (runners / "mine.py").write_text(RUNNER)
    master = start_master(runner_dirs=[str(runners)])
    start_minion(master, "a")

    result = outcome_of([PROGRAM, "run", "-c", str(master.config_dir), "--out=json", "mine.ping"])

    assert result.code == 0, result.err
    assert json.loads(result.out) == [{"a": True}, {"a": "x"}]


def test_a_users_module_calls_with_a_caller(start_master, start_minion, salt):
    master = start_master()
    modules = master.root / "states" / "_modules"
    modules.mkdir()
    (modules / "mine.py").write_text(MODULE)
    start_minion(master, "a")
    salt(master, "a", "saltutil.sync_modules")

    assert salt(master, "a", "mine.ping").minions == {"a": "y"}
