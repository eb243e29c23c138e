"""States that check processes, load and the keyboard."""

import pytest

from salt_g.states import keyboard, process, status


def test_a_process_is_killed_once(call_context):
    answers = [{"killed": [1, 2]}, None]
    calls = []
    call_context(functions={"ps.pkill": lambda *words, **more: calls.append((words, more)) or answers.pop(0)})

    first = process.absent("agent", user="root", signal=9)
    again = process.absent("agent")

    assert first["comment"] == "Killed 2 processes"
    assert first["changes"] == {"killed": [1, 2]}
    assert calls[0] == (("agent",), {"user": "root", "full": True, "signal": 9})
    assert (again["comment"], again["changes"]) == ("No matching processes running", {})


def test_a_dry_run_counts_processes_and_kills_none(call_context):
    call_context(functions={"ps.pgrep": lambda name, user: [1, 2, 3]}, opts={"test": True})

    result = process.absent("agent")

    assert (result["result"], result["comment"]) == (None, "3 processes will be killed")


@pytest.mark.parametrize(
    ("name", "bounds", "result", "comment"),
    [
        ("1-min", {"maximum": 2}, True, "Load avg in acceptable range"),
        ("1-min", {"maximum": 1}, False, "Load avg above maximum of 1 at 1.5"),
        ("1-min", {"minimum": 2}, False, "Load avg is below minimum of 2 at 1.5"),
        ("1-min", {"minimum": 2, "maximum": 1}, False, "Min must be less than max"),
        ("2-min", {}, False, "Requested load average 2-min not available "),
    ],
)
def test_a_load_has_to_be_within_bounds(call_context, name, bounds, result, comment):
    call_context(functions={"status.loadavg": lambda: {"1-min": 1.5}})

    answer = status.loadavg(name, **bounds)

    assert (answer["result"], answer["comment"]) == (result, comment)


def test_a_process_has_to_run(call_context):
    call_context(functions={"status.pid": {"sshd": "1\n2"}.get})

    assert status.process("sshd")["data"] == "1\n2"
    assert status.process("nosuch")["comment"] == 'Process signature "nosuch" not found '


def test_a_layout_is_set_once(call_context):
    layout = ["us"]
    call_context(
        functions={
            "keyboard.get_sys": lambda: layout[0],
            "keyboard.set_sys": lambda name: layout.__setitem__(0, name),
        }
    )

    first = keyboard.system("de")
    again = keyboard.system("de")

    assert first["comment"] == "Set system keyboard layout de"
    assert again["comment"] == "System layout de already set"
