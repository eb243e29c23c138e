"""NAPALM devices: its own mock driver, and a router daemon on this machine."""

import importlib.util
import json
import os
import pathlib
import shutil
import subprocess

import pytest

from tests.support.waiting import until

HERE = pathlib.Path(__file__).parent
#: What the mock driver of NAPALM answers: {file name: value}.
MOCKED = {
    "get_facts.1": {
        "vendor": "Acme",
        "model": "X1",
        "os_version": "4.2",
        "serial_number": "SN-1",
        "hostname": "sw1",
        "fqdn": "sw1.example.org",
        "uptime": 3600,
        "interface_list": ["Ethernet1", "Ethernet2"],
    },
    "get_arp_table.1": [
        {"interface": "Ethernet1", "mac": "02:00:00:00:00:01", "ip": "192.0.2.1", "age": 1.0},
        {"interface": "Ethernet2", "mac": "02:00:00:00:00:02", "ip": "192.0.2.2", "age": 2.0},
    ],
    "get_mac_address_table.1": [{"mac": "02:00:00:00:00:01", "interface": "Ethernet1", "vlan": 10}],
    "get_interfaces_ip.1": {"Ethernet1": {"ipv4": {"192.0.2.9": {"prefix_length": 24}}}},
    "get_lldp_neighbors_detail.1": {"Ethernet1": [{"remote_system_name": "sw2"}], "Ethernet2": []},
    "ping.1": {"success": {"probes_sent": 5, "packet_loss": 0}},
    "get_environment.1": {
        "exception": "napalm.base.exceptions.CommandErrorException",
        "args": ["hunter22 no"],
    },
    "load_merge_candidate.1": {},
    "load_replace_candidate.1": {},
    "compare_config.1": {"diff": "+ ntp server 192.0.2.1"},
    "commit_config.1": {},
    "discard_config.1": {},
    "discard_config.2": {},
}


@pytest.fixture(scope="session")
def may_use_napalm():
    """Require the library; where the tests must run, its absence is a failure."""
    if importlib.util.find_spec("napalm") is None:
        reason = "napalm is not installed (the extra `napalm`)"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)


@pytest.fixture
def answers(tmp_path):
    """Return the directory of the mock driver's answers."""
    directory = tmp_path / "mocked"
    directory.mkdir()
    for name, value in MOCKED.items():
        (directory / name).write_text(json.dumps(value))
    (directory / "cli.1.show_version.0").write_text("Acme 4.2\n")
    return directory


@pytest.fixture
def device(salt_g):
    """Return a factory: `device(settings)` is `call("net.facts")` on a machine with this device, `sw1`."""

    def make(settings, env=None):
        salt_g.write(
            {
                "top.sls": "base:\n  '*':\n    - devices\n",
                "devices.sls": json.dumps({"resources": {"network_device": {"hosts": {"sw1": settings}}}}),
            },
            below=salt_g.pillar,
        )

        def call(*words):
            return salt_g("-r", "--tgt", "sw1", *words, env={"PYTHONWARNINGS": "ignore", **(env or {})})

        call.write = salt_g.write
        return call

    return make


@pytest.fixture
def bird(tmp_path, may_use_napalm):
    """Yield the settings and environment of a NAPALM driver for a running BIRD."""
    program = shutil.which("bird", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("bird is not installed (Debian: bird2)")
    drivers = tmp_path / "drivers/custom_napalm"
    drivers.mkdir(parents=True)
    (drivers / "__init__.py").write_text("")
    shutil.copy(HERE / "bird_driver.py", drivers / "bird.py")
    config, control = tmp_path / "bird.conf", tmp_path / "bird.ctl"
    config.write_text("router id 192.0.2.1;\nprotocol device { }\n")
    daemon = subprocess.Popen(
        [program, "-f", "-c", str(config), "-s", str(control)],
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        until(lambda: control.exists() or daemon.poll() is not None, "bird listens")
        assert daemon.poll() is None, "bird ended"
        yield {
            "settings": {
                "driver": "bird",
                "host": "localhost",
                "password": "not-in-any-log",
                "optional_args": {"control": str(control), "config": str(config)},
            },
            "env": {"PYTHONPATH": str(drivers.parent)},
            "config": config,
        }
    finally:
        daemon.terminate()
        daemon.wait(10)
