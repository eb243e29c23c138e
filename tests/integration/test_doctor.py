"""`salt-g doctor` reports problems of this host, and what to do about them."""

import json
import os
import socket
import subprocess
import sys

import pytest

from tests.support import key_pairs
from tests.support.certificates import tls_settings
from tests.support.commands import PROGRAM, outcome_of, started_outcome_of


def look(config_dir, *words):
    """Return (exit code, {about: (level, text, advice)} of the findings that report a problem)."""
    done = outcome_of([PROGRAM, "doctor", "-c", str(config_dir), "--json", *words])
    assert done.out, done.err
    found = json.loads(done.out)
    return done.code, {
        one["about"]: (one["level"], one["text"], one["advice"]) for one in found if one["level"] != "ok"
    }


@pytest.fixture
def minion_dir(tmp_path):
    """Return a config directory whose minion has a key and an unreachable master."""

    def configure(**settings):
        keys = tmp_path / "etc/salt/pki/minion"
        keys.parent.mkdir(parents=True, exist_ok=True)
        key_pairs.place(keys, "minion")
        mine = {"id": "m1", "root_dir": str(tmp_path), "master": "127.0.0.1", **settings}
        (tmp_path / "minion").write_text(json.dumps(mine))
        return tmp_path

    return configure


@pytest.fixture
def master(start_master):
    """Return a running master whose settings contain its actual ports."""
    running = start_master(auto_accept=True)
    (running.config_dir / "master").write_text(json.dumps(running.settings))
    return running


@pytest.fixture
def closed_port():
    """Return a port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def test_a_fleet_that_is_well_is_well_on_both_sides(master, start_minion):
    minion = start_minion(master)

    assert look(master.config_dir, "--role", "master") == (0, {})
    assert look(minion.config_dir, "--role", "minion") == (0, {})


def test_a_minion_that_is_away_is_named(master, start_minion):
    start_minion(master).stop()

    code, found = look(master.config_dir, "--role", "master")

    assert code == 0
    assert found["minions"][:2] == ("warning", "1 of 1 do not answer: m1")


def test_a_key_that_was_not_accepted_is_reported(start_master, minion_dir):
    master = start_master(auto_accept=False)
    directory = minion_dir(master_port=master.ret_port, publish_port=master.publish_port)

    code, found = look(directory)

    assert code == 1
    assert found["admission"][0] == "error"
    assert "salt-g key -a m1" in found["admission"][2]


def test_an_invitation_that_does_not_count_is_reported(start_master, minion_dir):
    master = start_master(auto_accept=False)
    directory = minion_dir(master_port=master.ret_port, publish_port=master.publish_port)
    (directory / "etc/salt/pki/minion/invitation").write_text("abcdefgh-" + "a" * 32 + "\n")

    _, found = look(directory)

    assert "its invitation is not valid" in found["admission"][2]
    assert "salt-g key -a m1" in found["admission"][2]


def test_a_missing_master_is_reported(minion_dir, closed_port):
    code, found = look(minion_dir(master_port=closed_port, publish_port=closed_port))

    assert code == 1
    assert found["requests"][1] == f"127.0.0.1:{closed_port}: Connection refused"
    assert found["process"][0] == "warning"


def test_another_server_at_the_port_is_reported(minion_dir, closed_port):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code, found = look(minion_dir(master_port=port, publish_port=closed_port))

    assert code == 1
    assert "does not answer within" in found["requests"][1]


def test_the_two_ports_of_a_master_in_the_wrong_place_are_reported(master, minion_dir):
    requests, publications = master.ret_port, master.publish_port

    _, swapped = look(minion_dir(master_port=publications))
    _, doubled = look(minion_dir(master_port=requests, publish_port=requests))

    assert swapped["requests"][1] == f"127.0.0.1:{publications} is a port for publications, not for requests"
    assert doubled["publications"][1] == f"127.0.0.1:{requests} is a port for requests, not for publications"
    assert doubled["publications"][2].startswith(f"the master says {publications}: remove `publish_port:")


@pytest.mark.parametrize("is_secure", [False, True], ids=["plain", "tls"])
@pytest.mark.parametrize("transport", ["tcp", "ws"])
def test_ports_of_other_transports_are_checked_from_both_sides(
    start_master, minion_dir, transport, is_secure, tmp_path
):
    spoken = {"transport": transport, **({"ssl": tls_settings(tmp_path)} if is_secure else {})}
    master = start_master(auto_accept=True, **spoken)
    # The ports that it took.
    (master.config_dir / "master").write_text(json.dumps(master.settings))
    theirs = {"master_port": master.ret_port, "publish_port": master.publish_port}

    _, of_master = look(master.config_dir, "--role", "master")
    _, same = look(minion_dir(**theirs, **spoken))
    code, other = look(minion_dir(**theirs))

    assert not {"requests", "publications"} & (of_master.keys() | same.keys())
    assert code == 1
    result = f"127.0.0.1:{master.ret_port} ends connections of transport zeromq"
    assert other["requests"] == ("error", result, "give `transport` and `ssl` the values that the master has")


def test_a_transport_that_does_not_exist_is_reported(minion_dir):
    code, found = look(minion_dir(transport="carrier-pigeon"))

    assert code == 1
    assert found["requests"][1] == "transport: 'carrier-pigeon' is none of zeromq, tcp, ws"


def test_a_name_without_an_address_is_reported(minion_dir):
    code, found = look(minion_dir(master="nowhere.invalid"))

    assert code == 1
    assert found["master"][1].startswith("no address for 'nowhere.invalid': Name or service not known")


def test_a_key_that_others_may_read_is_reported(minion_dir, closed_port):
    directory = minion_dir(master_port=closed_port)
    path = directory / "etc/salt/pki/minion/minion.pem"
    os.chmod(path, 0o644)

    _, found = look(directory)

    assert found["keys"] == ("error", f"{path} has mode 0644: other users can read it", f"chmod 600 {path}")


def test_unknown_settings_are_reported(minion_dir, closed_port):
    _, found = look(minion_dir(master_port=closed_port, master_prot=1))

    assert "master_prot" in found["settings"][1]


def test_settings_that_cannot_be_read_are_an_error_of_their_own(tmp_path):
    (tmp_path / "minion").write_text("id: [")

    done = outcome_of([PROGRAM, "doctor", "-c", str(tmp_path)])

    assert done.code == 64
    assert f"{tmp_path}/minion:2" in done.err


def test_people_get_lines(minion_dir, closed_port):
    # Not forked: a fork's standard library is patched before the command does it.
    done = started_outcome_of([PROGRAM, "doctor", "-c", str(minion_dir(master_port=closed_port))])

    assert done.out.startswith("minion:\n  ok       settings")
    assert f"  error    requests      127.0.0.1:{closed_port}: Connection refused\n" in done.out


@pytest.mark.parametrize(
    ("skew", "code", "level", "expected"),
    [(-7230, 1, "error", "2.0 hours behind 127.0.0.1:"), (60, 0, "warning", "seconds ahead of 127.0.0.1:")],
)
def test_a_clock_that_differs_from_the_masters_is_reported(master, start_minion, skew, code, level, expected):
    minion = start_minion(master)
    minion.stop()
    # The same program, with another clock than its master's.
    shifted = (
        f"import sys, time; now = time.time; time.time = lambda: now() + {skew};"
        "from salt_g.cli import main; sys.exit(main())"
    )
    words = ["doctor", "-c", str(minion.config_dir), "--role", "minion", "--json"]

    done = subprocess.run(
        [sys.executable, "-c", shifted, *words], capture_output=True, text=True, timeout=120
    )

    clocks = [one for one in json.loads(done.stdout) if one["about"] == "clock" and one["level"] != "ok"]
    assert [one["level"] for one in clocks] == [level], done.stdout
    assert expected in clocks[0]["text"]
    assert "chrony" in clocks[0]["advice"]
    assert done.returncode == code


def test_a_directory_of_keys_that_others_may_write_is_reported(minion_dir, closed_port):
    directory = minion_dir(master=f"127.0.0.1:{closed_port}")
    keys = directory / "etc/salt/pki/minion"
    keys.chmod(0o777)

    code, found = look(directory)

    assert code == 1
    assert found["permissions"][2] == f"chmod go-w {keys}"


def test_a_wrong_fingerprint_is_reported_with_where_to_compare_it(master, minion_dir):
    directory = minion_dir(master=f"127.0.0.1:{master.settings['ret_port']}", master_finger="aa:bb")

    code, found = look(directory)

    assert code == 1
    assert "fingerprint" in found["admission"][1] and "salt-g key -F master" in found["admission"][2]
    assert "publications" not in found


@pytest.fixture
def resting(tmp_path):
    """Return the config directory of a master that is not running, and its settings."""

    def configure(**settings):
        mine = {"root_dir": str(tmp_path), "interface": "127.0.0.1", **settings}
        (tmp_path / "master").write_text(json.dumps(mine))
        return tmp_path

    return configure


def test_a_port_that_keeps_a_master_from_starting_is_reported(resting, closed_port):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code, found = look(resting(ret_port=port, publish_port=closed_port))

    assert code == 1
    assert found["requests"][:2] == ("error", f"127.0.0.1:{port} is in use by another program")
    assert f"sport = :{port}" in found["requests"][2]
    assert "publications" not in found


def test_an_interface_of_another_host_is_reported(resting):
    _, found = look(resting(interface="192.0.2.1"))

    assert found["publications"][:2] == ("error", "192.0.2.1:4505 is not an address of this host")


def test_a_pid_file_that_a_crash_left_is_not_taken_for_a_master(resting):
    directory = resting(ret_port=0, publish_port=0, pidfile="/master.pid")
    # A process that is there, but no daemon.
    with subprocess.Popen(["sleep", "100"]) as other:
        (directory / "master.pid").write_text(f"{other.pid}\n")
        _, found = look(directory)
        other.kill()

    assert found["process"][:2] == ("warning", f"no master is running ({directory}/master.pid)")


def test_settings_in_a_directory_of_snippets_alone_make_a_role(tmp_path):
    (tmp_path / "master.d").mkdir()
    (tmp_path / "master.d/own.conf").write_text(json.dumps({"root_dir": str(tmp_path)}))

    done = subprocess.run(
        [PROGRAM, "doctor", "-c", str(tmp_path), "--json"], capture_output=True, text=True, timeout=120
    )

    assert {one["role"] for one in json.loads(done.stdout)} == {"master"}


@pytest.mark.parametrize(
    ("options", "expected"), [("ro", "read-only"), ("nr_inodes=50", "more files"), ("size=8m", "8 MiB free")]
)
def test_a_disk_that_takes_nothing_is_reported(resting, tmp_path, options, expected):
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("this machine mounts nothing")
    try:
        code, found = look(resting(cachedir="/disk/cache"))
    finally:
        subprocess.run(["umount", str(place)], check=True)

    assert code == 1
    assert found["disk"][0] == "error"
    assert expected in found["disk"][1] and str(place) in found["disk"][1]


def summary(config_dir):
    """Return the last line of `salt-g install minion` for a minion with these settings."""
    code = (
        "import sys; from salt_g.process import monkey_patch; monkey_patch.patch()\n"
        "from salt_g import config; from salt_g.doctor.minion import connection_summary\n"
        "print(connection_summary(config.load('minion', sys.argv[1]).opts))"
    )
    words = [sys.executable, "-c", code, str(config_dir)]
    return subprocess.run(words, capture_output=True, text=True, check=True, timeout=120).stdout


def test_an_installation_ends_with_why_the_minion_is_not_connected(minion_dir, closed_port):
    text = summary(minion_dir(master_port=closed_port, publish_port=closed_port))

    assert text.startswith(
        f"not connected: 127.0.0.1:{closed_port}: Connection refused; is the master running"
    )


def test_an_installation_ends_with_the_connected_master(start_master, minion_dir):
    master = start_master(auto_accept=True)

    text = summary(minion_dir(master_port=master.ret_port, publish_port=master.publish_port))

    assert text == "connected: 127.0.0.1 accepts m1\n"


def test_a_configured_http_api_that_does_not_run_is_reported(master, closed_port):
    settings = {**master.settings, "rest_cherrypy": {"port": closed_port, "host": "127.0.0.1"}}
    (master.config_dir / "master").write_text(json.dumps(settings))

    _, found = look(master.config_dir, "--role", "master")

    level, text, advice = found["HTTP API"]
    assert level == "warning"
    assert text == f"127.0.0.1:{closed_port} does not answer"
    assert advice == "start it: salt-g api -d"
