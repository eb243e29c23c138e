"""Identity and rights of local users: the key decides, and a claimed name must match."""

import pytest

from salt_g.auth.local_users import LocalUsers, Rights, acl_users, blacklisted

ACL = {"fred": ["test.*"], "ops-.*": [{"web*": ["cmd.run"]}], "ops-*": ["status.*"]}


def users(acl=ACL, *, sudo_acl=False):
    return LocalUsers(acl, "salt", sudo_acl=sudo_acl)


@pytest.mark.parametrize("proven", ["root", "salt"])
@pytest.mark.parametrize("claimed", [None, "", "root", "salt", "sudo_fred", "somebody"])
def test_root_and_the_masters_user_may_do_everything(proven, claimed):
    rights = users().rights(proven, claimed)

    assert rights.permissions is None
    assert rights.user == (claimed or proven)


def test_a_listed_user_gets_what_is_listed():
    assert users().rights("fred", "fred") == Rights("fred", ["test.*"], proven="fred")
    assert users().rights("fred", None) == Rights("fred", ["test.*"], proven="fred")
    assert users().rights("ops-anna", "ops-anna").permissions == [{"web*": ["cmd.run"]}, "status.*"]


@pytest.mark.parametrize("claimed", ["root", "salt", "sudo_fred", "sudo_root", "ops-anna", "freddy"])
def test_a_user_cannot_claim_another_name(claimed):
    assert users().rights("fred", claimed) is None


def test_an_unlisted_user_may_do_nothing():
    assert users().rights("freddy", None) is None
    assert users().rights("xops-a", None) is None


def test_sudo_keeps_the_rights_of_the_user_behind_it_when_asked_to():
    assert users(sudo_acl=True).rights("root", "sudo_fred") == Rights("sudo_fred", ["test.*"], proven="root")
    assert users(sudo_acl=True).rights("root", "sudo_nobody") is None
    assert users({}, sudo_acl=True).rights("root", "sudo_fred").permissions is None


def test_the_blacklist_names_what_it_forbids():
    blacklist = {"users": ["root", "^(?!sudo_).*$"], "modules": ["cmd", "test.e*"]}

    assert blacklisted(blacklist, ["fred"], []) == "fred"
    assert blacklisted(blacklist, ["sudo_fred"], ["test.ping", "test.echo"]) == "test.echo"
    assert blacklisted(blacklist, ["sudo_fred"], ["cmd.run"]) == ""
    assert blacklisted({}, ["root"], ["cmd.run"]) == ""


def test_patterns_mean_users_of_this_machine():
    assert acl_users({"fred": [], "roo*": []}, verify=False) == ["fred"]
    assert acl_users({"fred": [], "roo*": []}, verify=True) == ["fred", "root"]
