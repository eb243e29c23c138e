import pytest

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules import quota

REPORT = """\
*** Report for user quotas on device /dev/loop0
Block grace time: 7days; Inode grace time: 7days
                        Block limits                File limits
User            used    soft    hard  grace    used  soft  hard  grace
----------------------------------------------------------------------
root      --      14       0       0      0       3     0     0      0
ann       --       0     100     200      0       0     0     0      0

Statistics:
"""
MODE = "group quota on /data (/dev/loop0) is off\nuser quota on /data (/dev/loop0) is on\n"


@pytest.fixture
def recorded(programs):
    return programs({"repquota": REPORT, "quotaon -p": MODE})


def test_limits_are_read(recorded):
    users = quota.report("/data")["/data"]["User Quotas"]

    assert users["Block Grace Time"] == ["7days"]
    assert users["Users"]["ann"]["block-hard-limit"] == "200"


def test_limits_that_are_not_given_stay(recorded):
    result = quota.set_("/data", user="ann", **{"file-hard-limit": 50})

    assert recorded.lines[-1] == "setquota -u ann 100 200 0 50 /data"
    assert result["User: ann"]["file-hard-limit"] == 50


def test_one_user_or_one_group_is_meant(recorded):
    with pytest.raises(InvocationError, match="not both"):
        quota.set_("/data", user="a", group="b")
    with pytest.raises(CommandExecutionError, match="valid user or group"):
        quota.set_("/data")


def test_modes_are_read(recorded):
    assert quota.get_mode("/data") == {"/data": {"device": "/dev/loop0", "group": "off", "user": "on"}}
