"""The local minion daemon, stopped and restarted."""

import subprocess
import sys

import pytest

from salt_g.modules import minion


@pytest.fixture
def daemon(tmp_path):
    """Yield a function that starts a process in place of the minion, with these words.

    It exits at SIGTERM.
    """
    made = []

    def start(*words):
        code = "import signal; print(flush=True); signal.pause()"
        made.append(
            subprocess.Popen([sys.executable, "-c", code, *words], stdout=subprocess.PIPE, cwd=tmp_path)
        )
        made[0].stdout.readline()
        (tmp_path / "pid").write_text(f"{made[0].pid}\n")
        return made[0]

    yield start
    for process in made:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.fixture
def enter(call_context, tmp_path):
    """Return a function that enters a call on this minion.

    Commands print the given text of `systemctl`; starts are recorded.
    """
    started = []

    def make(systemctl="", **opts):
        def run_all(argv, **options):
            return {"retcode": 0 if systemctl else 1, "stdout": systemctl, "stderr": ""}

        def run_bg(argv, **options):
            started.append((argv, options["cwd"]))
            return {"pid": 1}

        functions = {
            "cmd.run_all": run_all,
            "cmd.run_bg": run_bg,
            "service.restart": lambda *args, **kw: True,
        }
        call_context(functions=functions, opts={"pidfile": str(tmp_path / "pid"), **opts})
        return started

    return make


def test_a_minion_in_the_background_is_started_again_when_it_has_ended(daemon, enter, tmp_path):
    old = daemon("-d", "--invite=******")
    started = enter()

    result = minion.restart()

    assert (result["killed"], result["retcode"]) == (old.pid, 0)
    [(argv, cwd)] = started
    assert cwd == str(tmp_path)
    assert argv[3:6] == ["sh", str(old.pid), sys.executable]
    assert argv[-1] == "-d"


def test_the_new_one_begins_when_the_old_one_has_ended(daemon, enter, tmp_path):
    old = daemon()
    check = f"kill -0 {old.pid} 2>/dev/null && echo both || echo one"
    started = enter(minion_restart_command=["sh", "-c", check])

    minion.restart()
    waiting = subprocess.Popen(started[0][0], stdout=subprocess.PIPE)
    old.wait()

    assert waiting.communicate(timeout=30)[0] == b"one\n"


def test_one_that_does_not_run_is_started_by_the_command(enter):
    started = enter(minion_restart_command=["true"])

    assert minion.restart()["retcode"] == 0
    assert subprocess.run(started[0][0], timeout=30, check=False).returncode == 0


def test_a_minion_in_the_foreground_is_stopped_and_that_is_reported(daemon, enter):
    old = daemon()
    started = enter()

    assert minion.restart()["comment"] == [minion._NOT_RESTARTED]
    assert old.wait(30) != 0
    assert started == []


def test_a_service_is_restarted_by_systemd(daemon, enter, monkeypatch):
    old = daemon("-d")
    real_open = open
    lines = "0::/system.slice/salt-g-minion.service\n"

    def fake_open(path, *args, **kwargs):
        if str(path) == f"/proc/{old.pid}/cgroup":
            import io

            return io.StringIO(lines)
        return real_open(path, *args, **kwargs)

    monkeypatch.setattr("builtins.open", fake_open)
    started = enter(systemctl=str(old.pid))

    result = minion.restart()

    assert result["comment"][0] == "Using systemctl to restart salt-g-minion.service"
    assert old.poll() is None
    assert started == []
    # A service that has started the minion is not the minion.
    enter(systemctl="1")
    assert minion.restart()["killed"] == old.pid
