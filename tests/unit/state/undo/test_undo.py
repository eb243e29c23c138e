"""One call of `state.undo`."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.process import disk
from salt_g.state.undo.undo import undo

from .conftest import jid


class Services:
    """A service manager with one service, `cron`."""

    def __init__(self, **state):
        self.state = state
        self.asked = []

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
        }

    def _set(self, verb, key, value):
        self.asked.append(verb)
        self.state[key] = value
        return True


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
