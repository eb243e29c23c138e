"""Network devices without NAPALM: handling of a candidate, and its report."""

import importlib.util

import pytest

from salt_g import api
from salt_g.resources import network_device
from salt_g.resources.network_device import __virtual__, _settings_of, driver_name
from salt_g.resources.network_device.configuration import load
from salt_g.resources.network_device.device import Device, DeviceError
from salt_g.resources.network_device.states.netconfig import managed

DIFF = "+ ntp server 192.0.2.1"


@pytest.fixture
def device(call_context):
    """Return a device with prepared results: `device.answers` by method, `device.calls` in order."""

    class Fake:
        def __init__(self):
            self.answers = {"compare_config": DIFF}
            self.calls = []

        def call(self, method, *args, **kwargs):
            self.calls.append(method)
            found = self.answers.get(method)
            if isinstance(found, Exception):
                raise found
            return found

    fake = Fake()
    table = {"network_device.call": fake.call, "network_device.release": lambda: fake.calls.append("release")}
    fake.context = call_context(tables={"resource_funcs": table})
    return fake


def done(**options):
    """Load a configuration."""
    wanted = {"test": False, "commit": True, "debug": False, "replace": False, "revert_in": None, **options}
    return load("ntp server 192.0.2.1", **wanted)


def test_a_difference_is_committed(device):
    assert done() == {
        "result": True,
        "comment": "",
        "already_configured": False,
        "diff": DIFF,
        "loaded_config": "",
    }
    assert device.calls == ["load_merge_candidate", "compare_config", "commit_config", "release"]


def test_test_mode_discards_and_no_difference_is_not_a_commit(device):
    tried = done(test=True)
    device.answers["compare_config"] = ""
    same = done(replace=True)

    assert (tried["comment"], tried["already_configured"]) == ("Configuration discarded.", False)
    assert (same["comment"], same["already_configured"]) == ("Already configured.", True)
    assert "commit_config" not in device.calls
    assert device.calls[4:6] == ["load_replace_candidate", "compare_config"]


@pytest.mark.parametrize("method", ["load_merge_candidate", "compare_config", "commit_config"])
def test_no_candidate_stays_behind_when_something_fails(device, method):
    device.answers[method] = DeviceError("line 1: no")

    failed = done()

    assert failed["result"] is False
    assert "line 1: no" in failed["comment"]
    assert device.calls[-2:] == ["discard_config", "release"]
    assert device.context.scratch["retcode"] == 1


def test_a_device_that_gives_no_facts_is_not_left_connected(monkeypatch):
    class Silent:
        is_kept = False
        closed = 0

        def call(self, method):
            raise DeviceError("no facts")

        def close(self):
            self.closed += 1

    silent = Silent()
    monkeypatch.setattr(network_device, "_device", lambda: silent)

    with pytest.raises(DeviceError, match="no facts"):
        network_device.grains()
    assert silent.closed == 1


def test_without_commit_the_candidate_waits(device):
    assert done(commit=False)["diff"] == DIFF
    assert device.calls == ["load_merge_candidate", "compare_config"]


@pytest.mark.parametrize(
    ("loaded", "test", "result", "changes"),
    [
        ({"result": True, "already_configured": False, "diff": DIFF}, False, True, {"diff": DIFF}),
        ({"result": True, "already_configured": False, "diff": DIFF}, True, None, {"diff": DIFF}),
        ({"result": True, "already_configured": True, "diff": ""}, True, True, {}),
        ({"result": False, "already_configured": False, "diff": DIFF}, False, False, {}),
    ],
)
def test_the_state_reports_what_was_done(call_context, loaded, test, result, changes):
    call_context(
        functions={"net.load_template": lambda *args, **kwargs: {"comment": "", **loaded}},
        opts={"test": test},
    )

    ret = managed("ntp", template_source="x")

    assert (ret["result"], ret["changes"]) == (result, changes)


def test_a_worker_that_is_gone_is_reported_without_the_password():
    import socket

    class Gone:
        def line(self):
            ours, theirs = socket.socketpair()
            theirs.close()
            return ours

        def settle(self):
            pass

    device = Device("sw1", {"driver": "ios", "host": "sw1", "username": "u", "password": "hunter22"}, Gone())

    with pytest.raises(DeviceError) as caught:
        device.call("get_facts")

    assert str(caught.value) == (
        "Cannot connect to sw1 as u. Reason: the process of NAPALM's drivers has ended"
    )


def test_the_type_names_the_extra_when_napalm_is_missing(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)

    assert __virtual__() == (False, "network_device needs the library napalm: pip install salt-g[napalm]")


@pytest.mark.parametrize(
    ("settings", "driver"),
    [
        ({"driver": "eos"}, "eos"),
        ({"driver": "eos", "defaults": {"driver": "ios"}}, "ios"),
        ({"driver": "eos", "hosts": {"gw1": {"host": "192.0.2.1", "driver": "junos"}}}, "junos"),
    ],
)
def test_a_driver_of_the_type_counts_for_devices_without_one(call_context, settings, driver):
    below = {"hosts": {"gw1": {"host": "192.0.2.1"}}, **settings}
    context = call_context(pillar={"resources": {"network_device": below}})
    inside = context.replace(
        resource={"type": "network_device", "id": "gw1"}, scratch={"devices": {}, "worker": None}
    )

    with api.use(inside):
        assert driver_name() == driver


def test_a_devices_own_setting_counts_under_any_of_its_names():
    hosts = {"gw1": {"username": "own"}, "gw2": {}}
    below = {"user": "all", "timeout": 5, "hosts": hosts, "defaults": {"pass": "x"}}

    assert _settings_of(below, "gw1") == {"timeout": 5, "pass": "x", "username": "own"}
    assert _settings_of(below, "gw2") == {"timeout": 5, "pass": "x", "user": "all"}
