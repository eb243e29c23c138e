"""Clients that follow one runner to its end."""

import pytest

from salt_g.cli.run.run_client import follow
from salt_g.errors import MasterUnreachable
from tests.support.memory_link import JID, MemoryLink

TAG = f"salt/run/{JID}"


def test_a_runner_is_followed_to_its_outcome():
    link, result = MemoryLink(), []
    link.put(0, f"{TAG}/progress", text="half")
    link.put(0, f"salt/run/{JID}1/ret", **{"return": 1, "success": True})
    link.put(1, f"{TAG}/ret", **{"return": 2, "success": True})

    outcome = follow(link, TAG, lambda suffix, data: result.append((suffix, data)))

    assert outcome["return"] == 2
    assert result == [("progress", {"text": "half"})]


def test_a_runner_with_which_another_master_goes_on_is_left():
    link = MemoryLink()
    link.put(0, f"{TAG}/left", jid=JID)

    with pytest.raises(MasterUnreachable, match="this master no longer runs the function"):
        follow(link, TAG, lambda suffix, data: None)
