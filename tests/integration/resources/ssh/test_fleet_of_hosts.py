"""Agentless hosts in a fleet: declared in pillar, targeted, configured by states; and failures.

The tests, which share one fleet because daemons start slowly, go from a first trial to the loss of a
managing minion.
"""

import os
import pathlib
import signal
import threading
import uuid

import pytest

from tests.support.waiting import until

LEASE = 6
IDS = ["web-01", "web-02", "db-01"]
TREE = """
program:
  pkg.installed:
    - name: openssh-server
{out}/{{{{ grains.id }}}}/nginx.conf:
  file.managed:
    - source: salt://nginx.conf
    - template: jinja
    - context: {{port: 8080}}
    - makedirs: True
    - require: [{{pkg: program}}]
service:
  service.running:
    - name: {service}
    - watch: [{{file: {out}/{{{{ grains.id }}}}/nginx.conf}}]
"""
INIT = """#!/bin/sh
case $1 in
start) echo running > {state}; echo started >> {state}.log ;;
stop) rm -f {state} ;;
restart) "$0" stop; "$0" start ;;
status) [ -f {state} ] && echo running ;;
esac
"""


@pytest.fixture
def hosts(place, make_fleet):
    """Return a master, the minion gw1 that manages three hosts, and gw2 on standby."""
    fleet = make_fleet(resource_lease=LEASE)
    run = uuid.uuid4().hex
    servers = {"web-01": place.sshd(f"{run}-web"), "db-01": place.sshd(f"{run}-db")}
    servers["web-02"] = servers["web-01"]
    shared = {"resources": {"ssh": {"hosts": {id: place.settings(servers[id]) for id in IDS}}}}
    fleet.give({"gw1": shared, "gw2": shared})
    fleet.start("gw1", number=len(IDS))
    fleet.servers = servers
    return fleet


@pytest.fixture
def service(tmp_path):
    """Yield the name of a service of this machine."""
    if os.path.isdir("/run/systemd/system"):
        yield "systemd-journald"
        return
    name = f"sg{uuid.uuid4().hex[:8]}"
    script = pathlib.Path("/etc/init.d") / name
    script.write_text(INIT.format(state=tmp_path / "state"))
    script.chmod(0o755)
    yield name
    script.unlink()


def test_a_new_user_brings_hosts_into_a_state(hosts, service, tmp_path):
    states = hosts.master.root / "states"
    (states / "nginx.sls").write_text(TREE.format(out=tmp_path, service=service))
    (states / "nginx.conf").write_text("# {{ grains.id }} on {{ grains.os }}\nlisten {{ port }};\n")
    system = hosts.salt("web-01", "grains.get", "os")[0]["web-01"]
    target = ("-C", f"T@ssh and G@os:{system}")

    first, code, err = hosts.salt(*target, "state.apply", "nginx", timeout=120)
    again, _, _ = hosts.salt(*target, "state.apply", "nginx", timeout=120)

    assert (sorted(first), code) == (sorted(IDS), 0), err
    assert (tmp_path / "web-02/nginx.conf").read_text() == f"# web-02 on {system}\nlisten 8080;\n"
    assert {key: one["changes"] for run in again.values() for key, one in run.items() if one["changes"]} == {}
    assert hosts.salt("web*", "test.ping")[0] == {"web-01": True, "web-02": True}
    assert {f"ssh:{id}" for id in IDS} == set(hosts.run("resource.list"))


def test_a_host_that_goes_away_in_the_middle_is_reported(hosts, tmp_path):
    outcome = []
    words = ("-L", "web-01,db-01", "cmd.run", f"touch {tmp_path}/$$; sleep 3")
    job = threading.Thread(target=lambda: outcome.append(hosts.salt(*words, timeout=60)))
    job.start()
    until(lambda: len(list(tmp_path.iterdir())) == 2, "both work")

    hosts.servers["db-01"].stop()
    job.join(120)

    answers, code, _ = outcome[0]
    assert (answers["web-01"], code) == ("", 1)
    assert "the connection to root@127.0.0.1" in str(answers["db-01"])
    assert "has ended while a command ran" in str(answers["db-01"])
    assert hosts.salt("db-01", "test.ping")[0] == {"db-01": False}


def test_a_killed_job_ends_and_lists_what_it_has_started_on_hosts(hosts, tmp_path):
    daemon = f"(setsid sleep 2001 >/dev/null 2>&1 & echo $! >{tmp_path}/daemon)"
    (hosts.master.root / "states" / "long.sls").write_text(
        f"{tmp_path}/first:\n  file.managed:\n    - contents: one\n"
        f"then:\n  cmd.run:\n    - name: '{daemon}; touch {tmp_path}/begun; sleep 2002'\n"
    )
    outcome = []
    job = threading.Thread(
        target=lambda: outcome.append(hosts.salt("db-01", "state.apply", "long", timeout=60))
    )
    job.start()
    until((tmp_path / "begun").exists, "the command runs")
    (jid,) = [
        one["jid"] for one in hosts.salt("gw1", "saltutil.running")[0]["gw1"] if one["fun"] == "state.apply"
    ]

    hosts.salt("gw1", "saltutil.kill_job", jid)
    job.join(120)

    answer = outcome[0][0]["db-01"]
    daemon = int((tmp_path / "daemon").read_text())
    until(lambda: not os.path.exists(f"/proc/{daemon}"), "the end of the daemon")
    assert [one["result"] for one in answer.values()] == [True, False]
    ended = hosts.run("jobs.list_job", jid)["Result"]["db-01"]["ended"]
    assert {"sleep 2001", "sleep 2002"} <= {one["command"] for one in ended}


def test_a_killed_minion_is_followed_and_no_command_runs_twice(hosts, tmp_path):
    hosts.add("gw2")
    until(lambda: "gw2" in hosts.run("resource.owners"), "gw2 stands by")
    log = tmp_path / "runs"
    words = ("web-01", "cmd.run", f"echo first >> {log}; sleep 5; echo first ended >> {log}")
    job = threading.Thread(target=lambda: hosts.salt(*words, timeout=4))
    job.start()
    until(log.exists, "the command runs")

    hosts.minions["gw1"].send_signal(signal.SIGKILL)
    until(lambda: "ssh" in hosts.run("resource.owners").get("gw2", {}), "gw2 has them")
    until(lambda: hosts.salt("web-01", "test.ping")[0] == {"web-01": True}, "gw2 reaches the host")
    job.join(120)
    hosts.salt("web-01", "cmd.run", f"echo second >> {log}")

    # What a killed minion began on a host ends there by itself, as a command of its own would.
    until(lambda: "first ended" in log.read_text(), "the end of the first command")
    assert sorted(log.read_text().splitlines()) == ["first", "first ended", "second"]
