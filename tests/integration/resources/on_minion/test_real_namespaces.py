"""Many real devices on this machine: network namespaces with roots, through a master and a minion."""

import os
import shutil
import subprocess

import pytest

NUMBER = 12
SLS = """
/etc/motd:
  file.managed:
    - contents: 'I am {{ grains.id }} at {{ salt["network.ip_addrs"]() | first }}'
    - makedirs: true
told:
  cmd.run:
    - name: test -s /etc/motd
    - onchanges:
      - file: /etc/motd
"""


@pytest.fixture
def devices(daemon_root):
    """Yield {id: settings} of namespaces.

    Each has an address, and a root whose programs are this machine's.
    """
    if os.geteuid() != 0 or not shutil.which("ip") or not shutil.which("nsenter"):
        pytest.skip("needs root, ip and nsenter")
    if subprocess.run(["unshare", "--net", "true"], check=False).returncode:
        pytest.skip("this machine lets nobody make namespaces")
    found, mounted = {}, []
    try:
        for number in range(NUMBER):
            name, root = f"sgn{os.getpid()}-{number}", daemon_root / f"root{number}"
            subprocess.run(["ip", "netns", "add", name], check=True)
            found[f"dev-{number:02}"] = {"netns": name, "root": str(root)}
            for words in (
                ["addr", "add", f"198.51.100.{number + 1}/32", "dev", "lo"],
                ["link", "set", "lo", "up"],
            ):
                subprocess.run(["ip", "-n", name, *words], check=True)
            mounted.append(_with_programs(root))
        yield found
    finally:
        for path in mounted:
            subprocess.run(["umount", str(path)], check=False)
        for settings in found.values():
            subprocess.run(["ip", "netns", "del", settings["netns"]], check=False)


def _with_programs(root):
    """Create a root with this machine's /usr, read-only; return what was mounted."""
    (root / "usr").mkdir(parents=True)
    for name in ("bin", "lib", "lib64", "sbin"):
        (root / name).symlink_to(f"usr/{name}")
    subprocess.run(["mount", "--bind", "-o", "ro", "/usr", str(root / "usr")], check=True)
    return root / "usr"


def test_a_fleet_of_namespaces_is_targeted_asked_and_converged(manage, devices):
    manage.write({"web.sls": SLS})
    manage({"container_ns": {"hosts": devices}})

    manage.until_answered("-C", "T@container_ns", "test.ping")
    addresses = manage.salt("dev-*", "network.ip_addrs").minions
    codes = manage.salt("-L", "dev-00,dev-01", "cmd.run_all", "echo here; exit 3")
    first = manage.salt("-C", "T@container_ns and not dev-00", "state.apply", "web")
    again = manage.salt("dev-01", "state.apply", "web")
    shown = manage.salt("dev-*", "file.file_exists", "/etc/motd").minions

    assert addresses == {f"dev-{number:02}": [f"198.51.100.{number + 1}"] for number in range(NUMBER)}
    assert codes.code == 1
    assert {(one["stdout"], one["retcode"]) for one in codes.minions.values()} == {("here", 3)}
    assert first.code == 0
    assert len(first.minions) == NUMBER - 1
    assert not any(one["changes"] for one in again.minions["dev-01"].values())
    assert shown == {id: id != "dev-00" for id in devices}
    with open(f"{devices['dev-05']['root']}/etc/motd") as file:
        assert file.read() == "I am dev-05 at 198.51.100.6\n"
