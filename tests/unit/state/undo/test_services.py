"""Services of a run, and the order of their restoration."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.state.undo.services import MachineServices


class Manager:
    """A fake service manager that disables and unmasks nothing without a unit file."""

    def __init__(self, **state):
        self.state = {"running": False, "enabled": False, "masked": False, **state}
        self.has_file = True
        self.calls = []

    def table(self):
        return {
            "service.status": lambda name: self.state["running"],
            "service.enabled": lambda name: self.state["enabled"] and not self.state["masked"],
            "service.masked": lambda name, runtime=False: self.state["masked"] and not runtime,
            **{
                f"service.{verb}": lambda name, *rest, verb=verb, key=key, value=value: self._set(
                    verb, key, value
                )
                for verb, key, value in (
                    ("start", "running", True),
                    ("stop", "running", False),
                    ("enable", "enabled", True),
                    ("disable", "enabled", False),
                    ("mask", "masked", True),
                    ("unmask", "masked", False),
                )
            },
        }

    def _set(self, verb, key, value):
        self.calls.append(verb)
        if verb != "stop" and not self.has_file:
            raise CommandExecutionError("Unit file does not exist")
        self.state[key] = value
        return True


@pytest.fixture
def restored(call_context):
    """Restore one service whose unit file is removed, or added, meanwhile; return the failures."""

    def restore(manager, before, *, file_goes=False):
        services = MachineServices(call_context(functions=manager.table()))
        wanted = services.differing({"cron": before})
        left = services.take_away(wanted)
        manager.has_file = not file_goes
        left.update(services.bring_back(wanted))
        return left

    return restore


def test_a_service_enabled_by_the_run_is_disabled_before_its_unit_file_is_removed(restored):
    manager = Manager(running=True, enabled=True)

    assert restored(manager, {"running": False, "enabled": False}, file_goes=True) == {}
    assert manager.calls == ["stop", "disable"]


def test_a_masked_service_is_unmasked_first_and_then_runs_again(restored):
    manager = Manager(masked=True, enabled=True)

    assert restored(manager, {"running": True, "enabled": True, "masked": False}) == {}
    assert manager.calls == ["unmask", "start"]


def test_a_service_that_was_masked_is_masked_again_last(restored):
    manager = Manager(running=True)

    assert restored(manager, {"running": False, "enabled": True, "masked": True}) == {}
    assert manager.calls == ["stop", "enable", "mask"]


def test_a_service_as_recorded_is_left_alone(restored):
    manager = Manager(running=True)

    assert restored(manager, {"running": True, "enabled": None, "runtime_masked": False}) == {}
    assert manager.calls == []


def test_a_failure_is_named_with_its_service(restored):
    manager = Manager(running=False)

    left = restored(manager, {"running": True, "enabled": False}, file_goes=True)

    assert left == {"service cron": "Unit file does not exist"}
