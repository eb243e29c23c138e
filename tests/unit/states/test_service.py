"""Service states with a fake service module that keeps two sets."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.safe_files.recording import recorded_by
from salt_g.states import service


class System:
    def __init__(self):
        self.known = {"web", "db"}
        self.running = {"db"}
        self.enabled = {"db"}
        self.calls = []
        self.starts = True

    def start(self, name):
        self.calls.append(f"start {name}")
        if self.starts:
            self.running.add(name)
        return True

    def stop(self, name):
        self.calls.append(f"stop {name}")
        self.running.discard(name)
        return True

    def restart(self, name):
        self.calls.append(f"restart {name}")
        return True

    def reload(self, name):
        self.calls.append(f"reload {name}")
        return True

    def enable(self, name, **kwargs):
        self.enabled.add(name)
        return True

    def disable(self, name, **kwargs):
        self.enabled.discard(name)
        return True

    def table(self):
        return {
            "service.available": lambda name: name in self.known,
            "service.status": lambda name, sig=None: name in self.running,
            "service.enabled": lambda name, **kwargs: name in self.enabled,
            "service.disabled": lambda name: name not in self.enabled,
            **{
                f"service.{name}": getattr(self, name)
                for name in ("start", "stop", "restart", "reload", "enable", "disable")
            },
        }


@pytest.fixture
def system(call_context):
    made = System()

    def enter(functions=None, **opts):
        call_context(functions={**made.table(), **(functions or {})}, opts=opts)
        return made

    return enter


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"fun": "running"}, ("dead", "running")),
        ({"fun": "running", "enable": "True"}, ("dead, disabled", "running, enabled")),
        ({"fun": "enabled"}, ("dead, disabled", "dead, enabled")),
        ({"fun": "dead"}, None),
        ({"fun": "masked"}, None),
    ],
)
def test_a_plan_shows_what_would_be_done_to_a_service(system, wanted, expected):
    system(test=True)

    planned = service.mod_plan("web", **wanted)

    assert planned == ({"web": dict(zip(("old", "new"), expected, strict=True))} if expected else {})


def test_a_plan_knows_no_service_that_is_not_there_and_shows_masks(system):
    made = system(test=True)
    system({"service.masked": lambda name: True}, test=True)

    assert service.mod_plan("other", "running") == {}
    assert service.mod_plan("web", "running", unmask=True)["web"]["old"] == "dead, masked"
    assert service.mod_plan("web", "running", unmask=True)["web"]["new"] == "running"
    assert made.calls == []


class Recorder:
    """Collects the records of services."""

    def __init__(self):
        self.records = []

    def service(self, name, **states):
        self.records += [(name, key, value) for key, value in states.items() if value is not None]


def test_masks_are_recorded_before_they_change(system):
    made, masked = system(), {"web"}
    masks = {
        "service.masked": lambda name, runtime=False: name in masked,
        "service.unmask": lambda name, runtime=False: masked.discard(name),
        "service.enable": made.enable,
    }
    recorder = Recorder()

    with recorded_by(recorder):
        system({**masks, **made.table()})
        service.running("web", unmask=True)
        masked.add("db")
        service.unmasked("db", runtime=True)

    assert recorder.records[0] == ("web", "is_masked", True)
    assert recorder.records[-1] == ("db", "is_runtime_masked", True)
    assert ("web", "is_running", False) in recorder.records


def test_a_stopped_service_is_started_and_enabled(system):
    made = system()

    result = service.running("web", enable=True)

    assert result["comment"] == "Service web has been enabled, and is running"
    assert result["changes"] == {"web": True}
    assert made.enabled == {"web", "db"}


def test_a_running_service_is_left_alone(system):
    made = system()

    result = service.running("db", enable=True)

    assert result["comment"] == "The service db is already running"
    assert (result["changes"], made.calls) == ({}, [])


def test_a_running_service_is_disabled_where_asked(system):
    system()

    result = service.running("db", enable=False)

    assert result["comment"] == "Service db has been disabled, and is in the desired state"
    assert result["changes"] == {"db": True}


def test_test_mode_starts_nothing(system):
    made = system(test=True)

    result = service.running("web")

    assert (result["result"], result["comment"]) == (None, "Service web is set to start")
    assert made.calls == []


def test_a_service_that_does_not_stay_up_fails(system):
    system().starts = False

    result = service.running("web")

    assert (result["result"], result["comment"]) == (False, "Service web failed to start")


def test_an_error_of_the_service_module_is_the_comment(system):
    def broken(name):
        raise CommandExecutionError("Job for web failed.")

    system({"service.start": broken})

    assert service.running("web")["comment"] == "Job for web failed."


def test_an_unknown_service_is_not_available_or_would_be_started(system):
    system()
    assert service.running("nosuch")["comment"] == "The named service nosuch is not available"

    system(test=True)
    assert service.running("nosuch")["result"] is None


def test_a_dead_service_may_be_unknown(system):
    system()

    result = service.dead("nosuch")

    assert (result["result"], result["comment"]) == (True, "The named service nosuch is not available")


def test_a_running_service_is_killed(system):
    made = system()

    result = service.dead("db", enable=False)

    assert result["comment"] == "Service db has been disabled, and is dead"
    assert made.running == set()


def test_the_option_enabled_is_a_slip_of_enable(system):
    system()

    assert "non-existent option" in service.running("web", enabled=True)["comment"]


def test_nothing_is_done_where_services_cannot_run(system):
    made = system({"service.offline": lambda: True})

    result = service.running("web")

    assert result["comment"] == "Running in OFFLINE mode. Nothing to do"
    assert made.calls == []


@pytest.mark.parametrize(
    ("arguments", "calls", "comment"),
    [
        ({"name": "db"}, ["restart db"], "Service restarted"),
        ({"name": "db", "reload": True}, ["reload db"], "Service reloaded"),
        ({"name": "web"}, ["stop web", "start web"], "Service started"),
    ],
)
def test_watching_starts_over_what_runs_and_starts_what_does_not(system, arguments, calls, comment):
    made = system()

    result = service.mod_watch(sfun="running", **arguments)

    assert (made.calls, result["comment"]) == (calls, comment)
    assert result["changes"] == {arguments["name"]: True}


def test_masking_needs_a_platform_that_masks(system):
    system()

    assert service.masked("web")["comment"] == "Service masking not available on this minion"


def test_masking_shows_what_changes(system):
    masked = set()
    system(
        {
            "service.masked": lambda name, runtime: name in masked,
            "service.mask": lambda name, runtime: masked.add(name),
        }
    )

    assert service.masked("web")["changes"] == {"masked": {"old": False, "new": True}}
    assert service.masked("web")["comment"] == "Service web is already masked"


@pytest.fixture
def evidence_of(system, monkeypatch, tmp_path):
    """Return a function that returns the evidence for this output of systemctl, and the commands."""

    def make(stdout, stderr="", *, is_booted=True):
        commands = []

        def run_all(command, **options):
            commands.append((command, options["timeout"], options["ignore_retcode"]))
            return {"stdout": stdout, "stderr": stderr, "retcode": 3}

        monkeypatch.setattr("salt_g.states.service.evidence.BOOTED_MARK", str(tmp_path / "booted"))
        if is_booted:
            (tmp_path / "booted").touch()
        system({"cmd.run_all": run_all})
        return service.mod_evidence("web"), commands

    return make


def test_evidence_of_a_service_is_its_status_and_journal(evidence_of):
    found, ((command, *options),) = evidence_of("* web.service - failed\nNov 24 web[1]: no such file\n")

    assert found == "* web.service - failed\nNov 24 web[1]: no such file"
    assert command[:2] == ["systemctl", "status"]
    assert command[-2:] == ["--", "web"]
    assert options == [5, True]


def test_evidence_of_an_unknown_service_is_what_systemctl_prints(evidence_of):
    assert (
        evidence_of("", "Unit web.service could not be found.\n")[0] == "Unit web.service could not be found."
    )


def test_evidence_is_bounded_and_keeps_the_end(evidence_of):
    found, _ = evidence_of("x" * 9000 + "the end")

    assert (len(found), found[-7:]) == (4096, "the end")


def test_a_machine_without_systemd_has_no_evidence(evidence_of):
    assert evidence_of("anything", is_booted=False) == ("", [])
