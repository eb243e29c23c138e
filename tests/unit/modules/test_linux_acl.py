import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import cmd, linux_acl

LISTED = """\
# file: /srv
# owner: root
# group: staff
# flags: -s-
user::rwx
user:ann:r-x                    #effective:r--
group::r-x
mask::r--
other::---
default:user::rwx
default:user:ann:rwx
"""


@pytest.fixture
def recorded(programs):
    machine = programs({"getfacl": LISTED})
    machine.answer("nobody9", retcode=1, stderr="Invalid argument")
    return machine


def test_lists_are_read(recorded):
    found = linux_acl.getfacl("/srv")["/srv"]

    names = [next(iter(entry)) for entry in found["user"]]
    assert names == ["root", "ann"]
    assert found["user"][1]["ann"]["octal"] == 5
    assert found["sgid"] is True and "suid" not in found
    assert found["mask"][0][""]["permissions"] == {"read": True, "write": False, "execute": False}
    assert [next(iter(entry)) for entry in found["defaults"]["user"]] == ["root", "ann"]


def test_lists_are_changed(recorded):
    linux_acl.modfacl("default:user", "ann", "rwX", "/srv", recursive=True)
    linux_acl.delfacl("g", "staff", "/srv")
    linux_acl.wipefacls("/srv", "/opt")

    assert recorded.lines == [
        "setfacl -R -m d:u:ann:rwX /srv",
        "setfacl -x g:staff /srv",
        "setfacl -b /srv /opt",
    ]


def test_a_failure_is_raised_when_asked_for(recorded):
    assert linux_acl.modfacl("user", "nobody9", "r", "/srv") is True
    with pytest.raises(CommandExecutionError, match="Invalid argument"):
        linux_acl.modfacl("user", "nobody9", "r", "/srv", raise_err=True)
    with pytest.raises(CommandExecutionError, match="at least one file"):
        linux_acl.getfacl()


def test_a_refused_change_fails_the_call(call_context, tmp_path, monkeypatch):
    (tmp_path / "setfacl").write_text("#!/bin/sh\nexit 2\n")
    (tmp_path / "setfacl").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    context = call_context(functions={"cmd.run_all": cmd.run_all})

    linux_acl.modfacl("user", "nosuch", "rwx", str(tmp_path))

    assert context.scratch["retcode"] != 0
