"""The daemons under systemd: journal, watchdog, restarts during jobs, cleanup of a job's processes."""

import json
import re

import pytest

#: Starts `sleep`s of all ages: in the background, in sessions and scopes of their own, without a parent.
FORKS = """\
sleep 4001 &
setsid sleep 4002 &
(setsid sh -c 'nohup sleep 4003 >/dev/null 2>&1 </dev/null &' &)
systemd-run --scope -q sleep 4004 &
sleep 4000
"""
MINION = "salt-g-minion"


@pytest.fixture
def settings(salt):
    """Give the minion more settings, and its unit a drop-in, for the duration of the test."""
    files = {
        "settings": salt.root / "etc/salt-g/minion.d/test.conf",
        "drop_in": salt.root / f"etc/systemd/system/{MINION}.service.d/test.conf",
    }

    def restart():
        salt.done("systemctl", "daemon-reload")
        salt.done("systemctl", "restart", MINION)
        salt.until("salt-g night test.ping")

    def use(**texts):
        for name, text in texts.items():
            files[name].parent.mkdir(exist_ok=True)
            files[name].write_text(text)
        restart()

    yield use
    for file in files.values():
        file.unlink(missing_ok=True)
    restart()


def start(salt, *words):
    """Start a job; return its id once its shell command runs."""
    jid = re.search(r"\d{20}", salt.done("salt-g", "--async", "night", "cmd.run", *words))[0]
    salt.until("pgrep -fx 'sleep 400[0-9]'")
    return jid


def returned(salt, jid):
    """Return the minion's return of a job."""
    salt.until(f"salt-g run jobs.lookup_jid {jid} --out=json | grep -q night")
    return json.loads(salt.done("salt-g", "run", "jobs.lookup_jid", jid, "--out=json"))["night"]


def test_the_journal_has_the_fields_of_a_job(salt, settings):
    settings(settings="log_level: info\nlog_fmt: json\n")
    ordered = salt.done("salt-g", "--async", "night", "test.echo", "x")
    jid = re.search(r"\d{20}", ordered)[0]

    salt.until(f"journalctl -q SALT_JID={jid} | grep -q .")
    entry = json.loads(
        salt.done("journalctl", "-q", "-o", "json", f"SALT_JID={jid}", "-n", "1").splitlines()[0]
    )

    assert (entry["SYSLOG_IDENTIFIER"], entry["SALT_ID"], entry["PRIORITY"]) == (MINION, "night", "6")
    message = json.loads(entry["MESSAGE"])
    assert (message["jid"], message["id"], message["level"]) == (jid, "night", "info")


def test_the_beacon_reports_entries_of_others_and_reads_none_of_its_own(salt, settings):
    wanted = "{SYSLOG_IDENTIFIER: told, PRIORITY: 4}"
    settings(
        settings=f"log_level: info\nbeacons: {{journald: [{{services: {{x: {wanted}}}}}, {{interval: 1}}]}}\n"
    )

    output = salt.done(
        "sh", "-c",
        "timeout 60 salt-g run state.event 'salt/beacon/night/*' count=1 & waited=$!;"
        " while kill -0 $waited 2>/dev/null;"
        " do echo 'look here' | systemd-cat -t told -p warning; sleep 0.3; done",
    )  # fmt: skip

    assert output.startswith("salt/beacon/night/journald/x")
    assert '"MESSAGE": "look here"' in output
    assert "Executing command journalctl" not in salt.done("journalctl", "-q", "-u", MINION, "-n", "50")


def test_a_daemon_that_stands_still_is_restarted(salt, settings):
    settings(drop_in="[Service]\nWatchdogSec=2\n")
    pid = salt.shown(MINION, "MainPID")

    salt.done("kill", "-STOP", pid)

    salt.until(f'[ "$(systemctl show --value -p MainPID {MINION})" -gt 1 ] && ! [ -e /proc/{pid} ]')
    salt.until("salt-g night test.ping")
    assert salt.shown(MINION, "NRestarts") == "1"
    assert "Watchdog timeout" in salt.done("journalctl", "-q", "-u", MINION, "-n", "50")


@pytest.mark.parametrize("function", ["kill_job", "term_job"])
def test_the_end_of_a_job_is_that_of_all_its_processes(salt, function):
    salt.write("/root/forks.sh", FORKS)
    jid = start(salt, "sh /root/forks.sh")
    salt.until("[ $(pgrep -cfx '(.*/)?sleep 400[0-9]') = 5 ]")

    salt.done("salt-g", "night", f"saltutil.{function}", jid)

    salt.until("! pgrep -fx '(.*/)?sleep 400[0-9]'")
    assert salt.is_("active", MINION) == "active"


def test_a_job_ends_in_time_while_its_minion_restarts(salt):
    pid = salt.shown(MINION, "MainPID")
    jid = start(salt, "mkfifo /root/gate; sleep 4000 & cat /root/gate; kill $!; echo done")
    salt.done("systemctl", "restart", "--no-block", MINION)
    salt.until(f"[ $(systemctl is-active {MINION}) = deactivating ]")

    salt.done("sh", "-c", "echo > /root/gate; rm /root/gate")

    assert returned(salt, jid).strip() == "done"
    salt.until(f"! [ -e /proc/{pid} ] && systemctl -q is-active {MINION}")


def test_a_job_that_takes_too_long_is_cut_with_its_processes(salt, settings):
    settings(settings="job_stop_timeout: 2\n")
    salt.write("/root/forks.sh", FORKS)
    jid = start(salt, "sh /root/forks.sh")

    salt.done("systemctl", "restart", MINION)

    assert "the job was ended by signal 15" in str(returned(salt, jid))
    salt.until("! pgrep -fx '(.*/)?sleep 400[0-9]'")


def test_a_state_restarts_the_minion_it_runs_in(salt):
    pid = salt.shown(MINION, "MainPID")

    done = json.loads(
        salt.done(
            "salt-g", "night", "state.single", "service.mod_watch", MINION, "sfun=running", "--out=json"
        )
    )

    (ret,) = done["night"].values()
    assert (ret["result"], ret["comment"]) == (True, "Service restarted")
    salt.until(f"! [ -e /proc/{pid} ] && salt-g night test.ping")
