"""SELinux with recorded output of its programs."""

import pytest

from salt_g.errors import InvocationError
from salt_g.modules import selinux
from salt_g.states import selinux as states

RECORDED = {
    "semanage boolean --list": (
        "SELinux boolean                State  Default Description\n\n"
        "virt_use_usb                   (on   ,   on)  Allow virt to use usb\n"
        "squid_use_tproxy               (off  ,  off)  Allow squid to use tproxy\n"
    ),
    "semodule --list-modules=full": "100 abrt        pp\n400 sensord     pp disabled\n",
    "semanage fcontext --list": (
        "SELinux fcontext                                   type               Context\n\n"
        "/                                                  directory          system_u:object_r:root_t:s0\n"
        "/srv/www(/.*)?                                     all files"
        "          system_u:object_r:httpd_sys_content_t:s0\n"
        "/dev/x                                             all files          <<None>>\n"
    ),
    "semanage port --list": (
        "SELinux Port Type              Proto    Port Number\n\n"
        "http_port_t                    tcp      80, 81, 443, 8008-8010\n"
    ),
    "restorecon -n -v -R /srv/www": (
        "Would relabel /srv/www/a from unconfined_u:object_r:var_t:s0"
        " to unconfined_u:object_r:httpd_sys_content_t:s0\n"
    ),
}


@pytest.fixture
def recorded(programs):
    """Enter a call with recorded output of programs, and with the functions that states call."""
    functions = {f"selinux.{name}": getattr(selinux, name) for name in selinux.__all__}
    answers = {words: stdout.rstrip("\n") for words, stdout in RECORDED.items()}
    return programs(answers, functions=functions, grains={"kernel": "Linux"})


def test_lists_are_read(recorded):
    assert selinux.getsebool("virt_use_usb") == {
        "State": "on",
        "Default": "on",
        "Description": "Allow virt to use usb",
    }
    assert selinux.list_semod() == {
        "abrt": {"Enabled": True, "Version": None},
        "sensord": {"Enabled": False, "Version": None},
    }
    assert selinux.fcontext_get_policy("/srv/www(/.*)?", "a") == {
        "filespec": "/srv/www(/.*)?",
        "filetype": "all files",
        "sel_user": "system_u",
        "sel_role": "object_r",
        "sel_type": "httpd_sys_content_t",
        "sel_level": "s0",
    }
    assert selinux.port_get_policy("tcp/443")["sel_type"] == "http_port_t"
    assert selinux.port_get_policy("tcp/8009") is None


def test_a_boolean_is_changed_once(recorded):
    there = states.boolean("virt_use_usb", True)
    changed = states.boolean("all", booleans=[{"squid_use_tproxy": "on"}, {"virt_use_usb": 1}], persist=True)

    assert there["comment"] == "The following booleans were in the correct state: virt_use_usb"
    assert changed["result"] is True
    assert changed["changes"] == {"squid_use_tproxy": {"old": ("off", "off"), "new": ("on", "on")}}
    assert recorded.lines[-1] == "setsebool -P squid_use_tproxy=on"
    assert states.boolean("nope", True)["comment"] == "Boolean nope is not available"


def test_a_policy_for_files_is_changed_and_applied(recorded):
    there = states.fcontext_policy_present("/srv/www(/.*)?", "httpd_sys_content_t")
    changed = states.fcontext_policy_present("/srv/www(/.*)?", "var_t")
    added = states.fcontext_policy_present("/srv/new", "var_t", filetype="d")
    applied = states.fcontext_policy_applied("/srv/www", recursive=True)

    assert there["changes"] == {}
    assert changed["changes"]["old"] == {"/srv/www(/.*)?": {"sel_type": "httpd_sys_content_t"}}
    assert "semanage fcontext --modify --type var_t /srv/www(/.*)?" in recorded.lines
    assert added["changes"]["new"] == {"/srv/new": {"filetype": "directory", "sel_type": "var_t"}}
    assert "semanage fcontext --add --ftype d --type var_t /srv/new" in recorded.lines
    assert applied["changes"] == {
        "/srv/www/a": {"old": {"sel_type": "var_t"}, "new": {"sel_type": "httpd_sys_content_t"}}
    }


def test_a_policy_for_a_port_is_added_or_modified(recorded):
    states.port_policy_present("tcp/443", "squid_port_t")
    states.port_policy_present("udp/53", "dns_port_t")

    assert "semanage port --modify --proto tcp --type squid_port_t 443" in recorded.lines
    assert "semanage port --add --proto udp --type dns_port_t 53" in recorded.lines
    with pytest.raises(InvocationError, match="Invalid name"):
        selinux.port_get_policy("443")


def test_a_missing_program_is_named_with_its_package(installed):
    installed()

    loaded, reason = selinux.__virtual__()

    assert loaded is False
    assert "policycoreutils-python-utils" in reason
