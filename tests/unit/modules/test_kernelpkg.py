"""Installed kernels; packages are a dictionary that install and purge change."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import _debian_versions, _rpm_versions, kernelpkg_linux_apt, kernelpkg_linux_yum
from salt_g.states import kernelpkg


class Debian:
    """A machine of Debian's family: installed packages, and the dependency of an unversioned package."""

    grains = {"os_family": "Debian", "kernelrelease": "6.1.0-17-amd64"}
    module = kernelpkg_linux_apt

    def __init__(self):
        self.installed = ["linux-image-6.1.0-17-amd64", "linux-image-amd64", "bash"]
        self.depends = "linux-image-amd64\n  Depends: linux-image-6.1.0-18-amd64\n"
        self.rebooted = []

    def functions(self):
        return {
            "pkg.normalize_name": lambda name: name,
            "pkg.list_pkgs": lambda versions_as_list: {key: ["1"] for key in self.installed},
            "pkg.latest_version": lambda name: "6.1.76-1",
            "pkg.version_cmp": _debian_versions.compare,
            "pkg.install": self.install,
            "pkg.purge": self.installed.remove,
            "cmd.run_all": lambda words, **options: {"stdout": self.depends, "retcode": 0},
            "system.reboot": lambda at_time=None: self.rebooted.append(at_time),
        }

    def install(self, name):
        self.installed.append(name)
        return {name: {"old": "", "new": "1"}}


class RedHat(Debian):
    """A machine of Red Hat's family: versions of one package."""

    grains = {"os_family": "RedHat", "kernelrelease": "5.14.0-9.el9.x86_64"}
    module = kernelpkg_linux_yum

    def __init__(self):
        super().__init__()
        self.installed = ["5.14.0-9.el9"]

    def functions(self):
        return {
            **super().functions(),
            "pkg.normalize_name": lambda name: name.removesuffix(".x86_64"),
            "pkg.version": lambda name, versions_as_list: self.installed,
            "pkg.version_cmp": _rpm_versions.compare,
            "pkg.latest_version": lambda name: "" if len(self.installed) > 1 else "5.14.0-10.el9",
            "pkg.upgrade": lambda name: self.install("5.14.0-10.el9"),
            "pkg.remove": lambda pkgs: self.installed.remove(pkgs[0]["kernel"]),
        }


@pytest.fixture(params=[Debian, RedHat])
def machine(request, call_context):
    made = request.param()
    offered = {f"kernelpkg.{name}": getattr(made.module, name) for name in made.module.__all__}
    made.enter = lambda **opts: call_context(
        functions={**made.functions(), **offered}, grains=made.grains, opts=opts
    )
    made.enter()
    made.older, made.newer = ("6.1.0-17-amd64", "6.1.0-18-amd64")
    if request.param is RedHat:
        made.older, made.newer = ("5.14.0-9.el9", "5.14.0-10.el9")
    return made


def test_a_newer_kernel_is_installed_and_needs_a_reboot(machine):
    module = machine.module
    before = (module.latest_available(), module.upgrade_available(), module.needs_reboot())

    result = module.upgrade(reboot=True, at_time=1)

    assert before == (machine.newer, True, False)
    assert result == {
        "upgrades": result["upgrades"],
        "active": machine.older,
        "latest_installed": machine.newer,
        "reboot_requested": True,
        "reboot_required": True,
    }
    assert result["upgrades"]
    assert machine.rebooted == [1]
    assert module.list_installed() == [machine.older, machine.newer]
    assert (module.upgrade_available(), module.needs_reboot()) == (False, True)


def test_nothing_reboots_unasked_or_unneeded(machine):
    machine.module.upgrade()
    machine.module.cleanup(keep_latest=False)
    machine.module.upgrade(reboot=False)

    assert machine.rebooted == []


def test_the_running_kernel_and_the_newest_are_kept(machine):
    machine.module.upgrade()

    assert machine.module.cleanup() == {"removed": []}
    assert [
        name.endswith(machine.newer) for name in machine.module.cleanup(keep_latest=False)["removed"]
    ] == [True]
    assert machine.module.list_installed() == [machine.older]
    with pytest.raises(CommandExecutionError, match="Active kernel cannot be removed"):
        machine.module.remove(machine.older)
    with pytest.raises(CommandExecutionError, match=f"Kernel release '{machine.newer}' is not installed"):
        machine.module.remove(machine.newer)


@pytest.mark.parametrize(
    ("running", "others", "listed"),
    [
        ("6.12.38+deb13-amd64", ["6.12.9+deb13-amd64"], ["6.12.9+deb13-amd64"]),
        ("5.15.0-91-generic", ["5.15.0-100-generic", "5.15.0-99-aws"], ["5.15.0-100-generic"]),
        ("6.1.0-0.deb11.5-cloud-amd64", ["6.1.0-18-amd64"], []),
    ],
)
def test_only_kernels_of_the_running_one_s_kind_count(call_context, running, others, listed):
    machine = Debian()
    machine.installed = [f"linux-image-{release}" for release in others]
    call_context(functions=machine.functions(), grains={"kernelrelease": running})

    assert kernelpkg_linux_apt.list_installed() == listed


def test_a_kernel_of_no_package_is_reported(call_context):
    call_context(functions=Debian().functions(), grains={"kernelrelease": "6.6.87.2"})

    with pytest.raises(CommandExecutionError, match="'6.6.87.2' does not have the name of a packaged kernel"):
        kernelpkg_linux_apt.list_installed()


def test_a_kind_of_kernel_that_no_package_has_is_reported(call_context):
    machine = Debian()
    machine.depends = ""
    functions = machine.functions()
    functions["kernelpkg.list_installed"] = kernelpkg_linux_apt.list_installed
    functions["kernelpkg.latest_available"] = kernelpkg_linux_apt.latest_available
    call_context(functions=functions, grains={"kernelrelease": "6.6.87.2-own"}, opts={"test": True})

    result = kernelpkg.latest_installed("kernel")

    assert result["result"] is False
    assert result["comment"].startswith("no repository has a package 'linux-image-own'")


def test_states_install_and_then_reboot(machine):
    machine.enter(test=True)
    preview = kernelpkg.latest_installed("kernel")
    machine.enter()
    done = kernelpkg.latest_installed("kernel")
    again = kernelpkg.latest_installed("kernel")
    machine.enter(test=True)
    would = kernelpkg.latest_active("kernel", at_time=1)
    machine.enter()
    waited = kernelpkg.latest_wait("kernel", at_time=1)
    rebooted = kernelpkg.mod_watch("kernel", sfun="latest_wait", at_time=1)

    assert (preview["result"], preview["changes"]) == (None, {})
    assert preview["comment"] == f"The latest kernel package will be installed: {machine.newer}"
    assert (done["result"], bool(done["changes"])) == (True, True)
    assert again["comment"] == f"The latest kernel package is already installed: {machine.newer}"
    change = {"kernel": {"old": machine.older, "new": machine.newer}}
    assert (would["result"], would["changes"]) == (None, change)
    assert waited["changes"] == {}
    assert (rebooted["result"], rebooted["changes"]) == (True, change)
    assert machine.rebooted == [1]


def test_the_newest_kernel_needs_no_reboot(machine):
    result = kernelpkg.latest_active("kernel")

    assert (result["result"], result["changes"]) == (True, {})
    assert result["comment"] == f"The latest installed kernel package is active: {machine.older}"
