"""One call of `state.undo`."""

import itertools
import os
import signal
import sys

import pytest

from salt_g import safe_files
from salt_g.errors import CommandExecutionError
from salt_g.process import disk
from salt_g.state.undo.undo import undo
from tests.support.file_trees import snapshot
from tests.support.recorded_jobs import jid


class Services:
    """A fake service manager with one service, `cron`."""

    def __init__(self, *, failing=(), **state):
        self.state = state
        self.calls = []
        self.failing = failing

    def functions(self):
        return {
            "service.status": lambda name: self.state["running"],
            "service.enabled": lambda name: self.state["enabled"],
            **{
                f"service.{verb}": lambda name, verb=verb, key=key, value=value: self._set(verb, key, value)
                for verb, key, value in (
                    ("start", "running", True),
                    ("stop", "running", False),
                    ("enable", "enabled", True),
                    ("disable", "enabled", False),
                )
            },
            **{f"service.{verb}": lambda name, verb=verb: self.again(verb) for verb in ("reload", "restart")},
        }

    def _set(self, verb, key, value):
        self.calls.append(verb)
        self.state[key] = value
        return True

    def again(self, verb):
        """Restart the service, or make it reload its files, in one of the ways."""
        self.calls.append(verb)
        return verb not in self.failing


def run(call_context, history, wanted="last", *, services=None, force=False, by=99, **opts):
    functions = (services or Services(running=True, enabled=True)).functions()
    context = call_context(functions=functions, opts=opts).replace(job={"jid": jid(by)})
    return undo(context, history, wanted, force=force)


def test_the_last_run_is_reverted_once_and_its_way_back_as_well(call_context, history, recorded, top):
    (top / "f").write_text("one")
    with recorded(changes={"diff": ""}):
        disk.rewrite(str(top / "f"), b"two")

    done = run(call_context, history)

    assert (done["jid"], done["result"], done["restored"]) == (jid(1), True, [str(top / "f")])
    assert (top / "f").read_text() == "one"
    with pytest.raises(CommandExecutionError, match="All recorded state runs have been undone"):
        run(call_context, history)
    assert run(call_context, history, jid(99))["restored"] == [str(top / "f")]
    assert (top / "f").read_text() == "two"


def test_in_test_mode_nothing_changes(call_context, history, recorded, top):
    (top / "f").write_text("one")
    with recorded():
        disk.rewrite(str(top / "f"), b"two")

    done = run(call_context, history, test=True)

    assert done["comment"] == "1 path would go back"
    assert (top / "f").read_text() == "two"
    assert history.last() == jid(1)


def test_a_service_is_as_before_again(call_context, history, recorded):
    with recorded(state="service") as chunk:
        chunk.service("cron", is_running=False, is_enabled=False)
    services = Services(running=True, enabled=True)

    done = run(call_context, history, services=services)

    assert done["services"] == ["cron"]
    assert services.state == {"running": False, "enabled": False}
    assert services.calls == ["stop", "disable"]


@pytest.fixture
def watching(recorded, top):
    """Return a file changed by a run, which has reloaded the service for it."""
    (top / "f").write_text("one")
    with recorded(state="service") as chunk:
        disk.rewrite(str(top / "f"), b"two")
        chunk.restart("cron", "reload")
    return top / "f"


def test_a_service_loads_the_file_that_is_back_as_it_did_in_the_run(call_context, history, watching):
    services = Services(running=True, enabled=True)

    result = run(call_context, history, services=services, test=True)
    assert (result["comment"], services.calls) == ("1 path would go back, cron would be reloaded", [])
    done = run(call_context, history, services=services)

    assert (done["comment"], services.calls) == ("1 path back, cron reloaded", ["reload"])
    assert done["restarted"] == {"cron": "reload"}
    # The way back of the way back does the same.
    assert run(call_context, history, jid(99), services=services)["restarted"] == {"cron": "reload"}
    assert watching.read_text() == "two"


def test_a_service_that_does_not_run_any_more_is_left_alone(call_context, history, watching):
    services = Services(running=False, enabled=True)

    assert run(call_context, history, services=services)["restarted"] == {}
    assert services.calls == []


def test_a_service_is_not_restarted_where_no_file_goes_back(call_context, history, watching):
    watching.write_text("edited")
    services = Services(running=True, enabled=True)

    assert run(call_context, history, services=services)["result"] is False
    assert services.calls == []


def test_a_restart_that_failed_is_left_and_done_by_the_next_undo(call_context, history, watching):
    services = Services(running=True, enabled=True, failing=("reload",))

    done = run(call_context, history, services=services)
    assert done["comment"] == "1 path back, 1 left: service cron (service.reload failed)"
    services.failing = ()
    done = run(call_context, history, services=services)

    assert done["comment"] == "0 paths back, cron reloaded"
    with pytest.raises(CommandExecutionError, match="have been undone"):
        run(call_context, history, services=services)


def test_an_undo_that_is_killed_before_the_restart_leaves_it_to_the_next(call_context, history, watching):
    class Killed(Services):
        def again(self, verb):
            raise SystemExit

    with pytest.raises(SystemExit):
        run(call_context, history, services=Killed(running=True, enabled=True))
    assert watching.read_text() == "one"
    services = Services(running=True, enabled=True)

    assert run(call_context, history, services=services)["restarted"] == {"cron": "reload"}


def test_a_service_that_was_stopped_for_a_change_and_runs_again_is_restarted(
    call_context, history, recorded, top
):
    with recorded(state="service") as chunk:
        chunk.service("cron", is_running=True)
        disk.write_whole(str(top / "f"), "x")
        chunk.service("cron", is_running=False)
    services = Services(running=True, enabled=True)

    done = run(call_context, history, services=services)

    assert (done["services"], done["restarted"], services.calls) == ([], {"cron": "restart"}, ["restart"])


def test_an_unknown_job_names_the_known_ones(call_context, history, recorded, top):
    with pytest.raises(CommandExecutionError, match="state_undo: True"):
        run(call_context, history)
    with recorded():
        disk.write_whole(str(top / "f"), "x")

    with pytest.raises(CommandExecutionError, match=f"Recorded jobs: {jid(1)}"):
        run(call_context, history, "../../etc")


def test_a_service_manager_that_does_not_know_what_starts_at_boot_is_not_asked(
    call_context, history, recorded
):
    class Plain(Services):
        def functions(self):
            found = super().functions()
            return {name: found[name] for name in ("service.status", "service.start", "service.stop")}

    with recorded(state="service") as chunk:
        chunk.service("cron", is_running=False, is_enabled=True)
    services = Plain(running=True)

    done = run(call_context, history, services=services)

    assert (done["result"], done["services"], services.calls) == (True, ["cron"], ["stop"])


#: Events that the interpreter raises for changes before it asks the kernel for them.
_NAMES = ("rename", "remove", "mkdir", "rmdir", "symlink", "link", "chmod", "chown", "utime", "truncate")
CHANGES = {f"os.{name}" for name in _NAMES}


def killed(act, at):
    """Run `act` in a process of its own, killed before its n-th change; return whether there was one."""
    pid = os.fork()
    if not pid:
        changes = itertools.count(1)

        def watch(event, args):
            writes = event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR)
            if (event in CHANGES or writes) and next(changes) == at:
                os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(watch)
        try:
            act()
        finally:
            os._exit(0)
    return os.waitpid(pid, 0)[1] == signal.SIGKILL


def change(top):
    """Change each kind of entry in each possible way."""
    disk.write_whole(str(top / "replaced"), "new", mode=0o600)
    with open(top / "written", "w", opener=safe_files.opener) as file:
        file.write("new")
    safe_files.remove_tree(str(top / "gone"))
    safe_files.remove_file(str(top / "link"))
    safe_files.symlink("elsewhere", str(top / "link"))
    safe_files.remove_file(str(top / "kind"))
    safe_files.make_directory(str(top / "kind"))
    disk.write_whole(str(top / "kind" / "new"), "new")
    safe_files.change_mode(str(top / "mode"), 0o700)


def test_an_undo_that_is_killed_at_any_step_is_finished_by_the_next(call_context, history, recorded, top):
    for name in ("replaced", "written", "kind", "mode"):
        (top / name).write_text(f"old {name}")
    os.link(top / "written", top / "other name")
    (top / "gone" / "deep").mkdir(parents=True)
    (top / "gone" / "deep" / "file").write_text("old")
    (top / "link").symlink_to("replaced")
    before = snapshot(top)

    for step in itertools.count(1):
        with recorded(10 * step):
            change(top)
        assert snapshot(top) != before
        was_killed = killed(lambda: run(call_context, history, by=10 * step + 1), step)  # noqa: B023
        done = run(call_context, history, jid(10 * step), by=10 * step + 2)
        assert (step, snapshot(top), done["left"]) == (step, before, {})
        if not was_killed:
            break

    assert step > 20


def test_a_file_edited_after_a_killed_undo_is_left(call_context, history, recorded, top):
    for name in ("a", "b"):
        (top / name).write_text("old one")
    with recorded():
        for name in ("a", "b"):
            with open(top / name, "w", opener=safe_files.opener) as file:
                file.write("new")
    history.mark_begun(jid(1), jid(98))
    undo_of_it = history.journal(jid(98), "state.undo")
    with undo_of_it.chunk({"state": "x", "fun": "y"}).recording:
        for name in ("a", "b"):
            disk.rewrite(str(top / name), b"old")
    undo_of_it.close()
    (top / "b").write_text("mine")

    done = run(call_context, history, jid(1))

    assert (done["restored"], done["left"]) == ([str(top / "a")], {str(top / "b"): "edited since"})
    assert (top / "a").read_text() == "old one"
