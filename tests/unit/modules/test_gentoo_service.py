import pytest

from salt_g.modules import gentoo_service

#: `rc-update -v show` of Alpine 3.19.
SHOWN = """\
              acpid |
           bootmisc | boot
            chronyd |      default
              crond |      default boot
           networking | boot
               sshd |
"""


@pytest.fixture
def recorded(programs, installed):
    """Return a machine with OpenRC, on which `sshd` is stopped."""
    functions = {
        "service.get_all": gentoo_service.get_all,
        "service.get_disabled": gentoo_service.get_disabled,
    }
    machine = programs({"rc-update -v show": SHOWN}, functions=functions, grains={"os": "Alpine"})
    machine.answer("sshd status", retcode=3)
    installed()
    return machine


def test_it_serves_alpine_and_its_kin(recorded):
    assert gentoo_service.__virtual__() == "service"


def test_services_are_listed_with_their_runlevels(recorded):
    assert gentoo_service.get_all()["crond"] == ["boot", "default"]
    assert gentoo_service.get_enabled()["chronyd"] == ["default"]
    assert gentoo_service.get_disabled() == ["acpid", "sshd"]
    assert gentoo_service.available("sshd")
    assert gentoo_service.missing("nginx")


def test_services_run_by_their_scripts(recorded):
    assert gentoo_service.start("crond")
    assert recorded.lines == ["/etc/init.d/crond start"]
    assert gentoo_service.status("sshd") is False
    assert gentoo_service.status("c*") == {"chronyd": True, "crond": True}


def test_enabling_for_runlevels_leaves_no_others(recorded):
    assert gentoo_service.enable("crond", runlevels="boot")
    assert gentoo_service.enable("crond", runlevels=["boot", "default"])
    assert gentoo_service.enable("sshd")

    changes = [line for line in recorded.lines if not line.startswith("rc-update -v")]
    assert changes == ["rc-update delete crond default", "rc-update add sshd"]


def test_disabling_touches_only_levels_that_start_it(recorded):
    assert gentoo_service.disable("chronyd", runlevels=["boot"])
    assert gentoo_service.disable("chronyd")

    assert [line for line in recorded.lines if "delete" in line] == ["rc-update delete chronyd default"]
    assert gentoo_service.enabled("crond", runlevels=["boot", "default"])
    assert not gentoo_service.enabled("chronyd", runlevels="boot")
    assert gentoo_service.disabled("sshd")


def test_a_disabled_service_is_left_in_no_runlevel(recorded):
    recorded.answer("delete nginx", retcode=1)

    assert gentoo_service.disable("networking")
    assert gentoo_service.disable("crond")
    assert gentoo_service.disable("sshd")
    assert not gentoo_service.disable("nginx")

    assert [line for line in recorded.lines if "delete" in line] == [
        "rc-update delete networking boot",
        "rc-update delete crond boot default",
        "rc-update delete nginx",
    ]
