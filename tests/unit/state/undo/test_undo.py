"""One call of `state.undo`."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.process import disk
from salt_g.state.undo.undo import undo

from .conftest import jid


class Services:
    """A service manager with one service, `cron`."""

    def __init__(self, *, failing=(), **state):
        self.state = state
        self.asked = []
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
        self.asked.append(verb)
        self.state[key] = value
        return True

    def again(self, verb):
        """Restart the service, or let it load its files, in one of the ways."""
        self.asked.append(verb)
        return verb not in self.failing


def run(call_context, history, wanted="last", *, services=None, force=False, **opts):
    functions = (services or Services(running=True, enabled=True)).functions()
    context = call_context(functions=functions, opts=opts).replace(job={"jid": jid(99)})
    return undo(context, history, wanted, force=force)


def test_the_last_run_is_reverted_once_and_its_way_back_as_well(call_context, history, recorded, top):
    (top / "f").write_text("one")
    with recorded(changes={"diff": ""}):
        disk.rewrite(str(top / "f"), b"two")

    done = run(call_context, history)

    assert (done["jid"], done["result"], done["restored"]) == (jid(1), True, [str(top / "f")])
    assert (top / "f").read_text() == "one"
    with pytest.raises(CommandExecutionError, match="All recorded state runs are undone"):
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
    assert services.asked == ["stop", "disable"]


@pytest.fixture
def watching(recorded, top):
    """A run that has changed a file and reloaded the service for it; return the file."""
    (top / "f").write_text("one")
    with recorded(state="service") as chunk:
        disk.rewrite(str(top / "f"), b"two")
        chunk.restart("cron", "reload")
    return top / "f"


def test_a_service_loads_the_file_that_is_back_as_it_did_in_the_run(call_context, history, watching):
    services = Services(running=True, enabled=True)

    told = run(call_context, history, services=services, test=True)
    assert (told["comment"], services.asked) == ("1 path would go back, cron would be reloaded", [])
    done = run(call_context, history, services=services)

    assert (done["comment"], services.asked) == ("1 path back, cron reloaded", ["reload"])
    assert done["restarted"] == {"cron": "reload"}
    # The way back of the way back does the same.
    assert run(call_context, history, jid(99), services=services)["restarted"] == {"cron": "reload"}
    assert watching.read_text() == "two"


def test_a_service_that_does_not_run_any_more_is_left_alone(call_context, history, watching):
    services = Services(running=False, enabled=True)

    assert run(call_context, history, services=services)["restarted"] == {}
    assert services.asked == []


def test_a_service_is_not_restarted_where_no_file_goes_back(call_context, history, watching):
    watching.write_text("edited")
    services = Services(running=True, enabled=True)

    assert run(call_context, history, services=services)["result"] is False
    assert services.asked == []


def test_a_restart_that_failed_is_left_and_done_by_the_next_undo(call_context, history, watching):
    services = Services(running=True, enabled=True, failing=("reload",))

    done = run(call_context, history, services=services)
    assert done["comment"] == "1 path back, 1 left: service cron (service.reload failed)"
    services.failing = ()
    done = run(call_context, history, services=services)

    assert done["comment"] == "0 paths back, cron reloaded"
    with pytest.raises(CommandExecutionError, match="are undone"):
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

    assert (done["services"], done["restarted"], services.asked) == ([], {"cron": "restart"}, ["restart"])


def test_an_unknown_job_names_the_known_ones(call_context, history, recorded, top):
    with pytest.raises(CommandExecutionError, match="state_undo: True"):
        run(call_context, history)
    with recorded():
        disk.write_whole(str(top / "f"), "x")

    with pytest.raises(CommandExecutionError, match=f"There are: {jid(1)}"):
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

    assert (done["result"], done["services"], services.asked) == (True, ["cron"], ["stop"])
