import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import linux_acl

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
def ran(call_context):
    asked = []

    def run_all(argv, **options):
        asked.append(" ".join(argv))
        retcode = 1 if "nobody9" in asked[-1] else 0
        return {"pid": 1, "retcode": retcode, "stdout": LISTED, "stderr": "Invalid argument"}

    call_context(functions={"cmd.run_all": run_all})
    return asked


def test_lists_are_read(ran):
    found = linux_acl.getfacl("/srv")["/srv"]

    names = [next(iter(entry)) for entry in found["user"]]
    assert names == ["root", "ann"]
    assert found["user"][1]["ann"]["octal"] == 5
    assert found["sgid"] is True and "suid" not in found
    assert found["mask"][0][""]["permissions"] == {"read": True, "write": False, "execute": False}
    assert [next(iter(entry)) for entry in found["defaults"]["user"]] == ["root", "ann"]


def test_lists_are_changed(ran):
    linux_acl.modfacl("default:user", "ann", "rwX", "/srv", recursive=True)
    linux_acl.delfacl("g", "staff", "/srv")
    linux_acl.wipefacls("/srv", "/opt")

    assert ran == ["setfacl -R -m d:u:ann:rwX /srv", "setfacl -x g:staff /srv", "setfacl -b /srv /opt"]


def test_a_failure_is_raised_when_asked_for(ran):
    assert linux_acl.modfacl("user", "nobody9", "r", "/srv") is True
    with pytest.raises(CommandExecutionError, match="Invalid argument"):
        linux_acl.modfacl("user", "nobody9", "r", "/srv", raise_err=True)
    with pytest.raises(CommandExecutionError, match="at least one file"):
        linux_acl.getfacl()
