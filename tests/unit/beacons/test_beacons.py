"""Reports of each beacon, on this machine and on fake ones."""

import os
import sys

import pytest

from salt_g.beacons import (
    diskusage,
    inotify,
    journald,
    load,
    log_beacon,
    memusage,
    network_info,
    ps,
    service,
    status,
)


@pytest.fixture(autouse=True)
def in_a_call(call_context):
    """Enter a call: beacons keep data in its scratch."""
    return call_context()


def averages(*bounds):
    return {"averages": dict(zip(("1m", "5m", "15m"), bounds, strict=True))}


def test_load_reports_averages_out_of_bounds(monkeypatch):
    monkeypatch.setattr(os, "getloadavg", lambda: (3.0, 1.0, 1.0))

    assert load.beacon([averages([0, 2], [0, 2], [0, 2])]) == [{"1m": 3.0, "5m": 1.0, "15m": 1.0}]
    assert load.beacon([averages([0, 4], [0, 2], [0, 2])]) == []


def test_load_on_change_reports_when_a_bound_is_crossed(monkeypatch):
    config = [averages([1, 2], [0, 9], [0, 9]), {"onchangeonly": True}]
    seen = []

    for now in (1.5, 3.0, 3.5, 0.5, 0.4):
        monkeypatch.setattr(os, "getloadavg", lambda now=now: (now, 1.0, 1.0))
        seen.append(bool(load.beacon(config)))

    assert seen == [False, True, False, True, False]


def test_memory_and_disks_are_compared_with_a_threshold():
    assert memusage.beacon([{"percent": "0%"}])[0]["memusage"] > 0
    assert memusage.beacon([{"percent": 100.1}]) == []
    result = diskusage.beacon([{"/": "0%"}, {"interval": 5}])
    assert (result[0]["mount"], 0 <= result[0]["diskusage"] <= 100) == ("/", True)
    assert diskusage.beacon([{"/no/such": "0%"}]) == []


def test_network_counters_reach_thresholds():
    greater = {"lo": {"type": "greater", "bytes_recv": -1}, "no-such": {"errin": 0}}

    (result,) = network_info.beacon([{"interfaces": greater}])

    assert result["interface"] == "lo"
    assert result["network_info"].keys() == network_info.COUNTERS.keys()
    assert network_info.beacon([{"interfaces": {"lo": {"type": "equal", "bytes_recv": -1}}}]) == []


def test_processes_run_or_do_not():
    name = os.path.basename(os.path.realpath(sys.executable))
    with open("/proc/self/comm") as file:
        name = file.read().strip()

    result = ps.beacon([{"processes": {name: "running", "no-such-process": "stopped", "neither": None}}])

    assert result == [{name: "Running"}, {"no-such-process": "Stopped"}, {"neither": False}]


@pytest.fixture
def one_service(call_context):
    """Return a function that runs rounds of the beacon `service`, one for each given state."""

    def rounds(states, **wanted):
        left = list(states)
        call_context(functions={"service.status": lambda name: left.pop(0)})
        config = [{"services": {"nginx": wanted}}]
        return [[event["nginx"]["running"] for event in service.beacon(config)] for _ in states]

    return rounds


def test_a_service_is_reported_in_each_round(one_service):
    assert one_service([True, True, False]) == [[True], [True], [False]]


def test_a_service_is_reported_when_it_changes(one_service):
    assert one_service([True, True, False], onchangeonly=True) == [[True], [], [False]]


def test_a_service_is_not_reported_at_the_start(one_service):
    assert one_service([True, True, False], onchangeonly=True, emitatstartup=False) == [[], [], [False]]


def test_a_service_is_reported_in_one_state_only(one_service):
    assert one_service([True, False], is_running_state=False) == [[], [False]]


def test_a_change_that_does_not_last_is_not_reported(one_service, monkeypatch):
    now = iter([0, 10, 15, 40, 50])
    monkeypatch.setattr(service.time, "monotonic", lambda: next(now))

    result = one_service([True, False, False, False, False], onchangeonly=True, delay=20, emitatstartup=False)

    assert result == [[], [], [], [False], []]


def test_a_leftover_pid_file_indicates_a_crash(call_context, tmp_path):
    call_context(functions={"service.status": lambda name: False})
    (tmp_path / "pid").write_text("1")

    (result,) = service.beacon([{"services": {"nginx": {"uncleanshutdown": str(tmp_path / "pid")}}}])

    assert result == {
        "nginx": {"running": False, "uncleanshutdown": True},
        "service_name": "nginx",
        "tag": "nginx",
    }


def test_status_reports_chosen_figures(call_context):
    call_context(
        functions={"status.loadavg": lambda: {"1-min": 1, "5-min": 5}, "status.w": lambda: ["a", "b"]}
    )

    (result,) = status.beacon(
        [{"loadavg": ["1-min"]}, {"w": [1]}, {"interval": 9}, {"_beacon_name": "status"}]
    )

    assert result["data"] == {"loadavg": {"1-min": 1}, "w": {1: "b"}}
    assert "T" in result["tag"]


def test_log_reports_new_lines_that_match(tmp_path):
    path = tmp_path / "log"
    path.write_text("error: old\n")
    config = [{"file": str(path)}, {"tags": {"bad/line": {"regex": "error: .*"}, "none": {"regex": ""}}}]
    assert log_beacon.beacon(config) == []

    with path.open("a") as file:
        file.write("fine\nerror: new\nerror: half")
    result = log_beacon.beacon(config)

    assert result == [{"tag": "bad/line", "match": "yes", "raw": "error: new", "error": ""}]
    with path.open("a") as file:
        file.write(" done\n")
    assert [event["raw"] for event in log_beacon.beacon(config)] == ["error: half done"]


def test_log_begins_again_when_the_file_is_replaced(tmp_path):
    path = tmp_path / "log"
    path.write_text("x" * 100 + "\n")
    config = [{"file": str(path)}, {"tags": {"t": {"regex": "."}}}]
    log_beacon.beacon(config)

    path.rename(tmp_path / "log.1")
    path.write_text("new\n")

    assert [event["raw"] for event in log_beacon.beacon(config)] == ["new"]


def test_journald_reports_entries_with_wanted_fields(call_context):
    texts = [
        '{"__CURSOR": "a", "SYSLOG_IDENTIFIER": "sshd"}',
        '{"__CURSOR": "b", "SYSLOG_IDENTIFIER": "sshd", "PRIORITY": "6"}\n{"__CURSOR": "c", "PRIORITY": "3"}',
    ]
    commands = []
    call_context(
        functions={
            "cmd.run_stdout": lambda *call, **options: commands.append((*call, options)) or texts.pop(0)
        }
    )
    config = [{"services": {"ssh": {"SYSLOG_IDENTIFIER": "sshd", "PRIORITY": 6}}}]

    assert journald.beacon(config) == []
    assert [event["tag"] for event in journald.beacon(config)] == ["ssh"]
    command, options = commands[1]
    assert command[-4:] == ["--after-cursor", "a", "-n", "10000"]
    assert options["output_loglevel"] == "quiet", "its line in the log would be a new entry each time"


def watched(path, **wanted):
    return [{"files": {str(path): wanted}}, {"_beacon_name": "inotify"}]


def changes(result):
    return {(os.path.basename(event["path"]), event["change"]) for event in result}


def test_inotify_reports_changes_of_a_directory(tmp_path):
    config = watched(tmp_path, mask=["create", "delete"], exclude=["*.swp", {"secret.*": {"regex": True}}])
    assert inotify.beacon(config) == []

    (tmp_path / "a").write_text("x")
    (tmp_path / "a.swp").write_text("x")
    (tmp_path / "secret1").write_text("x")
    (tmp_path / "a").unlink()
    result = inotify.beacon(config)

    assert changes(result) == {("a", "IN_CREATE"), ("a", "IN_DELETE")}
    assert result[0]["tag"] == str(tmp_path)
    inotify.close(config)


def test_inotify_follows_directories_that_come(tmp_path):
    (tmp_path / "old").mkdir()
    config = watched(tmp_path, mask=["create"], recurse=True, auto_add=True)
    inotify.beacon(config)

    (tmp_path / "old" / "a").write_text("x")
    (tmp_path / "new").mkdir()
    assert changes(inotify.beacon(config)) == {("a", "IN_CREATE"), ("new", "IN_CREATE|IN_ISDIR")}
    (tmp_path / "new" / "b").write_text("x")

    assert changes(inotify.beacon(config)) == {("b", "IN_CREATE")}
    inotify.close(config)


def test_inotify_waits_for_a_file_that_is_not_there_yet(tmp_path):
    config = watched(tmp_path / "later", mask=["modify"])
    assert inotify.beacon(config) == []

    (tmp_path / "later").write_text("1")
    inotify.beacon(config)
    (tmp_path / "later").write_text("2")

    assert ("later", "IN_MODIFY") in changes(inotify.beacon(config))
    inotify.close(config)


@pytest.mark.parametrize(
    ("beacon", "config", "comment"),
    [
        (load, {}, "Configuration for load beacon must be a list."),
        (load, [], "Averages configuration is required for load beacon."),
        (
            load,
            [{"averages": {}}],
            "Averages configuration for load beacon must contain 1m, 5m or 15m items.",
        ),
        (load, [{"onchangeonly": 1}], "Configuration for load beacon option onchangeonly must be a boolean."),
        (
            load,
            [averages([0], [0, 1], [0, 1])],
            "Configuration for load beacon: 1m, 5m and 15m items must be",
        ),
        (memusage, [], "Configuration for memusage beacon requires percent."),
        (ps, [], "Configuration for ps beacon requires processes."),
        (ps, [{"processes": []}], "Processes for ps beacon must be a dictionary."),
        (service, [], "Configuration for service beacon requires services."),
        (
            service,
            [{"services": {"a": 1}}],
            "Configuration for service beacon must be a list of dictionaries.",
        ),
        (
            network_info,
            [{"interfaces": {"a": {"x": 1}}}],
            "Invalid configuration item in Beacon configuration.",
        ),
        (log_beacon, [], "Configuration for log beacon must contain file option."),
        (journald, [{"services": {"a": 1}}], "Services configuration for journald beacon must be a list of"),
        (inotify, [], "Configuration for inotify beacon must include files."),
        (inotify, [{"files": {"/": {}}}], "Configuration for inotify beacon must contain mask, recurse or"),
        (
            inotify,
            [{"files": {"/": {"mask": ["x"]}}}],
            "Configuration for inotify beacon invalid mask option x.",
        ),
    ],
)
def test_settings_that_cannot_be_used_are_named(beacon, config, comment):
    valid, message = beacon.validate(config)

    assert valid is False
    assert message.startswith(comment)


def test_settings_that_can_be_used_are_valid():
    assert load.validate([averages([0, 1], [0, 1], [0, 1])]) == (True, "Valid beacon configuration")
    assert inotify.validate(watched("/", mask=["create"], recurse=True))[0]
    assert diskusage.validate([]) == status.validate([]) == (True, "Valid beacon configuration")
