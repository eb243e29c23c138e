"""The machine as a whole; programs that would shut it down or set its clock are recorded."""

import datetime
import re

import pytest

from salt_g.errors import CommandExecutionError, CommandNotFound, InvocationError
from salt_g.modules import _systemd, system
from salt_g.modules.system import clock, names


@pytest.fixture
def machine(call_context, monkeypatch, tmp_path):
    """Return a machine: the words of executed programs, `retcodes` by program, and installed `programs`."""

    class Machine:
        ran = []
        retcodes = {}
        programs = ["shutdown", "halt", "poweroff", "init", "date"]

    def run_all(words, **options):
        Machine.ran.append(words)
        code = Machine.retcodes.get(words[0], 0)
        return {"pid": 1, "retcode": code, "stdout": "", "stderr": "refused" if code else ""}

    Machine.ran, Machine.retcodes, Machine.programs = [], {}, list(Machine.programs)
    Machine.info = tmp_path / "machine-info"
    monkeypatch.setattr(names, "MACHINE_INFO", str(Machine.info))
    monkeypatch.setattr(_systemd, "BOOTED_MARK", str(tmp_path / "not-booted"))
    monkeypatch.setattr(clock, "is_installed", lambda program: program in Machine.programs)
    call_context(
        functions={
            "cmd.which": lambda program: program if program in Machine.programs else None,
            "cmd.run_all": run_all,
            "cmd.run": lambda words, **options: run_all(words)["stdout"],
        }
    )
    return Machine


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: system.reboot(), ["shutdown", "-r", "now"]),
        (lambda: system.reboot(1), ["shutdown", "-r", "1"]),
        (lambda: system.shutdown("22:00"), ["shutdown", "-h", "22:00"]),
        (lambda: system.halt(), ["halt"]),
        (lambda: system.poweroff(), ["poweroff"]),
        (lambda: system.init(3), ["init", "3"]),
    ],
)
def test_the_machine_is_turned_off_by_its_programs(machine, call, words):
    assert call() == ""
    assert machine.ran == [words]


def test_without_the_program_the_package_that_has_it_is_named(machine):
    machine.programs.remove("shutdown")

    with pytest.raises(CommandNotFound, match=r"'shutdown' binary .* package 'systemd-sysv'"):
        system.reboot()


def test_the_time_is_reported_here_and_elsewhere(machine):
    here = datetime.datetime.strptime(system.get_system_date_time(), "%Y-%m-%d %H:%M:%S")
    there = datetime.datetime.strptime(system.get_system_date_time("+0530"), "%Y-%m-%d %H:%M:%S")

    assert abs(here - datetime.datetime.now()) < datetime.timedelta(minutes=1)
    utc = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)
    assert abs(there - utc - datetime.timedelta(hours=5, minutes=30)) < datetime.timedelta(minutes=1)
    assert re.fullmatch(r"\d\d:\d\d:\d\d [AP]M", system.get_system_time())
    assert re.fullmatch(r"[A-Z][a-z]{2} \d\d/\d\d/\d{4}", system.get_system_date("-0100"))


def test_parts_of_the_clock_are_set_and_the_others_stay(machine):
    assert system.set_system_date_time(2030, 1, 31, 11, 37, 53) is True
    assert system.set_system_date_time(2030, 1, 31, 22, 37, 53, "-0500") is True
    assert system.set_system_date("2031-02-28") is True

    assert machine.ran[:2] == [["date", "013111372030.53"], ["date", "-u", "020103372030.53"]]
    assert re.fullmatch(r"0228\d{4}2031\.\d\d", machine.ran[2][-1])


def test_the_hardware_clock_follows(machine):
    machine.programs.append("hwclock")

    system.set_system_time("11:20 PM")

    assert re.fullmatch(r"\d{4}2320\d{4}\.00", machine.ran[0][-1])
    assert machine.ran[1:] == [["hwclock", "--test", "--systohc"], ["hwclock", "--systohc"]]


def test_a_clock_that_cannot_be_set_is_reported(machine):
    machine.retcodes["date"] = 1

    with pytest.raises(CommandExecutionError, match="date failed: refused"):
        system.set_system_date_time(2030)


@pytest.mark.parametrize(
    "call",
    [
        lambda: system.set_system_date("31.01.2030"),
        lambda: system.set_system_date_time(2030, 2, 31),
        lambda: system.get_system_time(384),
        lambda: system.get_system_time("1 h"),
    ],
)
def test_an_invalid_time_is_refused(machine, call):
    with pytest.raises(InvocationError):
        call()

    assert machine.ran == []


def test_a_text_that_is_not_a_time_of_day_sets_nothing(machine):
    assert system.set_system_time("noon") is False
    assert machine.ran == []


@pytest.mark.parametrize("before", ["", "ICON_NAME=computer", "PRETTY_HOSTNAME=old\nICON_NAME=computer\n"])
def test_words_for_people_are_kept_beside_other_settings(machine, before):
    machine.info.write_text(before)
    words = 'the "blue" one\nof Ann\'s'

    assert system.set_computer_desc(words) is True
    assert system.get_computer_desc() == words
    lines = machine.info.read_text().splitlines()
    assert len([line for line in lines if line.startswith("PRETTY_HOSTNAME=")]) == 1
    assert ("ICON_NAME=computer" in lines) == ("ICON_NAME" in before)


def test_a_machine_without_words_has_none(machine):
    assert system.get_computer_desc() is False
