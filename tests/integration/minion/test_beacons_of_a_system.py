"""Beacons that observe the machine, in a real minion."""

import pytest

from salt_g.client import LocalClient, LocalEventBus
from salt_g.config import load

#: How long something that is to happen may take on a busy machine (s).
DEADLINE = 90.0


@pytest.fixture
def opts(start_master, start_minion, tmp_path):
    """Return the settings of a program beside a master with a minion whose beacons report something."""
    master = start_master()
    beacons = {
        "swapusage": [{"percent": "0%"}],
        "watchdog": [{"directories": {str(tmp_path): {"mask": ["create"]}}}],
        "salt_monitor": [{"salt_fun": [{"test.echo": {"args": ["heard"]}}]}],
    }
    start_minion(master, beacons=beacons)
    return load("master", str(master.config_dir)).opts


def test_beacons_are_offered_and_report_what_they_see(opts, tmp_path):
    bus = LocalEventBus(opts)
    try:
        for tag, result in (
            ("salt/beacon/m1/swapusage/", lambda data: 0 <= data["swapusage"] <= 100),
            ("salt/beacon/m1/salt_monitor/", lambda data: data["ret"] == "heard"),
        ):
            event = bus.get_event(wait=DEADLINE, tag=tag)
            assert event is not None, tag
            assert result(event)
        # The directory is watched since the round in which the others have spoken.
        (tmp_path / "new").touch()
        event = bus.get_event(wait=DEADLINE, tag="salt/beacon/m1/watchdog/watchdog")
    finally:
        bus.destroy()

    assert (event["path"], event["change"]) == (str(tmp_path / "new"), "created")
    with LocalClient(mopts=opts) as client:
        offered = client.cmd("m1", "beacons.list_available", kwarg={"return_yaml": False}, timeout=60)["m1"]
    assert set(offered) >= {"cert_info", "network_settings", "salt_monitor", "swapusage", "watchdog"}
