"""Hosts that our minion manages by SSH, with stock's master and with ours."""

import json
import os

import pytest

from tests.support.ssh_servers import place_for_servers

STATES = """
{path}:
  file.managed:
    - contents: {{{{ grains.resource_id }}}}
"""


@pytest.fixture
def host(fleet, wait_until):
    """Yield the fleet, with a host behind a real sshd on its minion."""
    if fleet.series != "3008" or fleet.minion.whose != "ours":
        pytest.skip("hosts of our minion are meant, and a master that knows resources")
    with place_for_servers() as place:
        settings = place.settings(place.sshd("host"))
        fleet.write(
            {
                "pillar/top.sls": "base:\n  'm1':\n    - hosts\n",
                "pillar/hosts.sls": json.dumps({"resources": {"ssh": {"hosts": {"web-01": settings}}}}),
                "states/host.sls": STATES.format(path=place.root / "made"),
            }
        )
        fleet.salt("m1", "saltutil.refresh_pillar")
        wait_until(
            lambda: fleet.salt("web-01", "test.ping", "-t", "3").value == {"web-01": True},
            "it answers",
            fleet,
        )
        fleet.place = place
        yield fleet
        fleet.forget_resources()


def test_hosts_of_our_minion_are_worked_on_under_either_master(host):
    kernel = os.uname().release

    assert host.salt("-C", "T@ssh", "cmd.run", "uname -r").value == {"web-01": kernel}
    assert host.salt("-G", "resource_type:ssh", "test.ping").value == {"web-01": True}
    applied = host.salt("web-01", "state.apply", "host")

    assert [one["result"] for one in applied.value["web-01"].values()] == [True]
    assert (host.place.root / "made").read_text() == "web-01\n"
