"""States of services under a running systemd: applied, planned, refused, undone."""

import pytest
import yaml

UNIT = "[Service]\nExecStart=/bin/sleep 1000\n[Install]\nWantedBy=multi-user.target\n"


@pytest.fixture
def unit(salt):
    """Yield a unit of the distribution's directory that can be masked; it neither runs nor is enabled."""
    salt.write("/usr/lib/systemd/system/own.service", UNIT)
    salt.done("systemctl", "daemon-reload")
    yield "own"
    salt.done("systemctl", "unmask", "own")
    salt.done("systemctl", "disable", "--now", "own")
    (salt.root / "usr/lib/systemd/system/own.service").unlink()


def states(salt, **chunks):
    """Write an SLS of service states, {ID: (function, arguments)}."""
    tree = {
        id: {f"service.{fun}": [{key: value} for key, value in more.items()]}
        for id, (fun, more) in chunks.items()
    }
    salt.write("/srv/salt/t.sls", yaml.safe_dump(tree))


def results(running):
    return {ret["__id__"]: ret["result"] for ret in running.values()}


def test_each_state_does_what_it_says_and_nothing_twice(salt, unit):
    for fun, arguments, active, enabled in (
        ("running", {"enable": True}, "active", "enabled"),
        ("disabled", {}, "active", "disabled"),
        ("dead", {}, "inactive", "disabled"),
        ("enabled", {}, "inactive", "enabled"),
        ("masked", {}, "inactive", "masked"),
        ("unmasked", {}, "inactive", "enabled"),
    ):
        first = salt.state(f"service.{fun}", name=unit, **arguments)
        again = salt.state(f"service.{fun}", name=unit, **arguments)
        assert (first["result"], again["result"], again["changes"]) == (True, True, {}), fun
        assert first["changes"], fun
        assert (salt.is_("active", unit), salt.is_("enabled", unit)) == (active, enabled), fun


def test_a_changed_unit_file_is_loaded_before_the_restart(salt, unit):
    salt.state("service.running", name=unit)
    salt.write(
        "/srv/salt/t.sls",
        yaml.safe_dump(
            {
                "/etc/systemd/system/own.service.d/more.conf": {
                    "file.managed": [
                        {"makedirs": True},
                        {"contents": "[Service]\nEnvironment=X=1"},
                        {"watch_in": [{"service": unit}]},
                    ]
                },
                unit: {"service.running": []},
            }
        ),
    )

    salt.call("state.apply", "t")

    assert salt.shown(unit, "Environment") == "X=1"
    assert salt.shown(unit, "NeedDaemonReload") == "no"
    pid = salt.shown(unit, "MainPID")
    assert "X=1" in salt.done("cat", f"/proc/{pid}/environ")
    salt.call("state.undo", "last")
    assert not (salt.root / "etc/systemd/system/own.service.d").exists()


def test_a_unit_that_fails_brings_its_status(salt):
    salt.write(
        "/etc/systemd/system/bad.service", '[Service]\nType=oneshot\nExecStart=sh -c "echo oh no; exit 7"\n'
    )

    failed = salt.state("service.running", name="bad", code=1)

    assert failed["result"] is False
    assert "status=7" in failed["evidence"]
    assert "oh no" in failed["evidence"]


def test_a_mask_that_systemd_refuses_says_why(salt):
    salt.write("/etc/systemd/system/mine.service", UNIT)

    failed = salt.state("service.masked", name="mine", code=1)

    assert failed["comment"].endswith("File /etc/systemd/system/mine.service already exists.")


@pytest.mark.parametrize(
    ("by_hand", "back"),
    [
        (["enable"], ["disable"]),
        (["start"], ["stop"]),
        (["mask"], ["unmask"]),
    ],
)
def test_a_plan_is_refused_after_a_change_by_hand_and_then_applied(salt, unit, by_hand, back):
    states(salt, **{unit: ("running", {"enable": True})})
    salt.call("state.apply", "t", "test=True", "--save", "/root/t.plan")
    before = salt.is_("active", unit), salt.is_("enabled", unit)
    salt.done("systemctl", *by_hand, unit)

    refused = salt.call("state.apply_plan", "/root/t.plan", code=1)

    assert "planned own dead, disabled→running, enabled, now " in refused
    salt.done("systemctl", *back, unit)
    assert (salt.is_("active", unit), salt.is_("enabled", unit)) == before
    assert results(salt.call("state.apply_plan", "/root/t.plan")) == {unit: True}
    assert (salt.is_("active", unit), salt.is_("enabled", unit)) == ("active", "enabled")


def test_undo_brings_back_what_ran_was_enabled_and_masked(salt, unit):
    salt.done("systemctl", "enable", "--now", unit)
    salt.write("/usr/lib/systemd/system/other.service", UNIT)
    salt.done("systemctl", "mask", "other")
    states(
        salt,
        a=("dead", {"name": unit, "enable": False}),
        b=("masked", {"name": unit}),
        c=("running", {"name": "other", "unmask": True, "enable": True}),
    )

    assert set(results(salt.call("state.apply", "t")).values()) == {True}
    assert (salt.is_("active", unit), salt.is_("enabled", unit)) == ("inactive", "masked")
    assert (salt.is_("active", "other"), salt.is_("enabled", "other")) == ("active", "enabled")
    undone = salt.call("state.undo", "last")

    assert (undone["result"], undone["not_reversible"]) == (True, [])
    assert (salt.is_("active", unit), salt.is_("enabled", unit)) == ("active", "enabled")
    assert (salt.is_("active", "other"), salt.is_("enabled", "other")) == ("inactive", "masked")


def test_nothing_is_left_of_a_service_whose_unit_came_with_the_run(salt):
    path = "/etc/systemd/system/made.service"
    salt.write(
        "/srv/salt/t.sls",
        yaml.safe_dump(
            {
                path: {"file.managed": [{"contents": UNIT}]},
                "made": {"service.running": [{"enable": True}, {"require": [{"file": path}]}]},
            }
        ),
    )
    salt.call("state.apply", "t", "test=True", "--save", "/root/made.plan")

    assert set(results(salt.call("state.apply_plan", "/root/made.plan")).values()) == {True}
    assert salt.is_("active", "made") == "active"
    salt.call("state.undo", "last")

    assert salt.shown("made", "LoadState") == "not-found"
    wants = salt.root / "etc/systemd/system/multi-user.target.wants/made.service"
    assert not wants.is_symlink()
