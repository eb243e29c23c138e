"""Responsiveness of a minion while it runs states."""

import pytest

from salt_g.client import LocalClient
from tests.support.waiting import until

#: Longest time that the hub may stand still on a busy machine (s); alone it is a fiftieth of that.
STALL = 0.5


@pytest.fixture
def client(start_master):
    """Yield a client of a master whose SLS `many` creates a thousand files."""
    master = start_master()
    (master.root / "states" / "many.sls").write_text(
        "{% for number in range(1000) %}\n"
        f"{master.root}/made/{{{{ number }}}}:\n"
        "  file.managed:\n    - contents: hello\n    - makedirs: True\n"
        "{% endfor %}\n"
    )
    with LocalClient(c_path=str(master.config_dir / "master")) as made:
        yield master, made


def test_jobs_are_answered_while_a_thousand_states_run(client, start_minion):
    master, local = client
    minion = start_minion(master, hub_warn_interval=STALL)
    jid = local.cmd_async("m1", "state.apply", ["many"])
    until((minion.cachedir / "proc" / jid).exists, "the run began")

    answered = []
    while not local.get_cache_returns(jid):
        answered.append(local.cmd("m1", "test.ping", timeout=60))
        found = local.cmd("m1", "saltutil.find_job", [jid], timeout=60)["m1"]
        assert found == {} or found["fun"] == "state.apply"

    assert len(answered) > 2
    assert all(one == {"m1": True} for one in answered)
    assert len(local.get_cache_returns(jid)["m1"]["ret"]) == 1000
    assert "the hub has been blocked" not in minion.log()
