"""Network devices through NAPALM itself: its mock driver, and BIRD as a real router."""

import json

import pytest

SLS = """
static route:
  netconfig.managed:
    - template_name: salt://route.jinja
    - network: 198.51.100.0/24
"""
TEMPLATE = "protocol static blackholes {\n  ipv4;\n  route {{ network }} blackhole; # {{ grains.model }}\n}\n"


@pytest.fixture
def mocked(device, answers, may_use_napalm):
    """Return a device whose answers are files."""
    return device(
        {
            "driver": "mock",
            "host": "sw1.example.org",
            "username": "salt",
            "password": "hunter22",
            "optional_args": {"path": str(answers), "profile": ["eos"], "port": 2222},
        }
    )


def test_a_device_is_asked_in_stocks_shapes(mocked):
    assert mocked("test.ping").value is True
    assert mocked("net.connected").value == {"out": True}
    # Grains have asked for the facts before; the mock has an answer for the first time only.
    assert mocked("net.arp", "ipaddr=192.0.2.2").value == {
        "out": [{"interface": "Ethernet2", "mac": "02:00:00:00:00:02", "ip": "192.0.2.2", "age": 2.0}],
        "result": True,
        "comment": "",
    }
    assert mocked("net.mac", "vlan=11").value["out"] == []
    assert mocked("net.mac", "vlan=10").value["out"][0]["interface"] == "Ethernet1"
    assert mocked("net.ipaddrs").value["out"] == {"Ethernet1": {"ipv4": {"192.0.2.9": {"prefix_length": 24}}}}
    assert mocked("net.lldp", "Ethernet2").value["out"] == {"Ethernet2": []}
    assert mocked("net.cli", "show version").value["out"] == {"show version": "Acme 4.2\n"}
    assert mocked("net.ping", "192.0.2.1", "count=5").value["out"]["success"]["probes_sent"] == 5


def test_a_refusal_of_a_device_is_reported_without_its_password(mocked):
    refused = mocked("net.environment", "-l", "debug")
    lacking = mocked("net.optics")

    assert refused.code == 1
    assert refused.value["result"] is False
    assert refused.value["comment"] == (
        'Cannot execute "get_environment" on sw1.example.org:2222 as salt. Reason: ********** no!'
    )
    assert "hunter22" not in refused.out + refused.err
    assert lacking.value["comment"] == "get_optics is not implemented for the NAPALM mock driver!"


def test_a_configuration_is_compared_committed_or_discarded(mocked):
    test_run = mocked("net.load_config", "text=ntp server 192.0.2.1", "test=True")
    done = mocked("net.load_config", "text=ntp server 192.0.2.1", "debug=True")

    assert test_run.value == {
        "result": True,
        "comment": "Configuration discarded.",
        "already_configured": False,
        "diff": "+ ntp server 192.0.2.1",
        "loaded_config": "",
    }
    assert (done.value["result"], done.value["comment"]) == (True, "")
    assert done.value["loaded_config"] == "ntp server 192.0.2.1"


def test_a_device_that_cannot_be_reached_has_a_reason(device, may_use_napalm):
    call = device(
        {"driver": "mock", "host": "sw1", "password": "pw", "optional_args": {"fail_on_open": True}}
    )
    unknown = device({"driver": "nosuch", "host": "sw1"})

    assert call("test.ping").value is False
    assert "nosuch" in unknown("net.facts").value["comment"]


def test_a_real_router_is_converged_by_a_template(device, bird):
    call = device(bird["settings"], bird["env"])
    call.write({"route.sls": SLS, "route.jinja": TEMPLATE})

    result = call("net.facts")
    facts = result.value["out"]
    planned = call("state.apply", "route", "test=True")
    first = call("state.apply", "route")
    routes = call("net.cli", "show route")

    assert facts.get("model") == "BIRD", result
    (plan,), (change,) = planned.value.values(), first.value.values()
    assert (plan["result"], change["result"]) == (None, True)
    assert "+  route 198.51.100.0/24 blackhole; # BIRD" in plan["comment"]
    assert change["comment"].startswith("Configuration changed!\n")
    assert "198.51.100.0/24" in str(routes), routes
    assert "not-in-any-log" not in json.dumps([planned.out, first.out, first.err])


def test_a_real_router_refuses_what_it_does_not_understand_and_keeps_what_it_has(device, bird):
    call = device(bird["settings"], bird["env"])
    before = bird["config"].read_text()

    refused = call("net.load_config", "text=protocol nonsense;")
    same = call("net.load_config", f"text={before}", "replace=True")

    assert refused.code == 1
    assert "syntax error" in refused.value["comment"]
    assert bird["config"].read_text() == before
    assert same.value["comment"] == "Already configured."
