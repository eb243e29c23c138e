"""Network devices in a running minion: NAPALM's mock driver, many at once."""

import importlib.util
import json
import os

import psutil
import pytest

from tests.support.waiting import until

NUMBER = 8
PASSWORD = "hunter22-of-the-devices"


@pytest.fixture
def switches(tmp_path):
    """Return the pillar subtree for switches whose answers are files."""
    if importlib.util.find_spec("napalm") is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("napalm is not installed (the extra `napalm`)")
    hosts = {}
    for number in range(NUMBER):
        path = tmp_path / f"sw{number}"
        path.mkdir()
        facts = {"vendor": "Acme", "model": "X1", "serial_number": f"SN-{number}", "interface_list": ["e1"]}
        for count in (1, 2, 3):
            (path / f"get_facts.{count}").write_text(json.dumps(facts))
        hosts[f"sw{number}"] = {"host": f"sw{number}.example.org", "optional_args": {"path": str(path)}}
    hosts["dead"] = {"host": "dead.example.org", "optional_args": {"fail_on_open": True}}
    return {"defaults": {"driver": "mock", "username": "salt", "password": PASSWORD}, "hosts": hosts}


def test_devices_are_asked_through_one_process_that_ends_with_the_minion(manage, switches):
    minion = manage({"network_device": switches}, log_level_logfile="debug")

    manage.until_answered("sw0", "test.ping")
    pinged = manage.salt("-C", "T@network_device", "test.ping").minions
    facts = manage.salt("sw*", "net.facts").minions
    found = manage.salt("-G", "serial:SN-3", "test.ping").minions
    why = manage.salt("m1", "saltutil.resource_errors").minions["m1"]
    workers = [
        one for one in psutil.Process(minion.pid).children() if "worker import main" in str(one.cmdline())
    ]
    minion.stop()

    assert pinged == {"dead": False, **{f"sw{number}": True for number in range(NUMBER)}}
    assert {id: result["out"]["serial_number"] for id, result in facts.items()} == {
        f"sw{number}": f"SN-{number}" for number in range(NUMBER)
    }
    assert found == {"sw3": True}
    assert "Cannot connect to dead.example.org as salt" in why["network_device:dead"]
    assert PASSWORD not in minion.log()
    assert len(workers) == 1
    until(lambda: not workers[0].is_running(), "the worker has ended")
