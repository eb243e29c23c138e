"""Texts of settings of a host: its hosts file, its kernel settings."""

from salt_g.resources.ssh.modules import hosts, sysctl


def test_a_kernel_setting_takes_the_place_of_its_old_one():
    text = "# kernel\nvm.swappiness=10\nnet.ipv4.ip_forward = 1"

    assert sysctl._with(text, "vm.swappiness", 20) == "# kernel\nvm.swappiness = 20\nnet.ipv4.ip_forward = 1"
    assert sysctl._with(text, "kernel.panic", 5) == f"{text}\nkernel.panic = 5\n"


def test_kernel_settings_are_read_without_comments():
    assert sysctl._pairs("# a = 1\n; b = 2\nc.d =  3 4\n") == {"c.d": "3 4"}
    assert sysctl._plain("4096\t87380 6291456") == sysctl._plain("4096 87380 6291456")


def test_an_address_keeps_one_line():
    lines = ["# names", "192.0.2.1 a", "127.0.0.1 localhost", "192.0.2.1 b # twice"]

    one = hosts._changed(lines, "192.0.2.1", lambda is_first, line: ["new"] if is_first else [], ["new"])

    assert one == ["# names", "new", "127.0.0.1 localhost"]
    assert hosts._changed(lines, "192.0.2.9", lambda is_first, line: [], ["new"]) == [*lines, "new"]
