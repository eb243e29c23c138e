"""`ldap` with the library's own in-memory directory."""

import gc

import pytest

from salt_g.auth import ldap
from salt_g.errors import AuthModuleError

ldap3 = pytest.importorskip("ldap3")

PEOPLE = "ou=people,dc=example,dc=org"
SEARCHING = {
    "auth.ldap.basedn": "dc=example,dc=org",
    "auth.ldap.binddn": "cn=reader,dc=example,dc=org",
    "auth.ldap.bindpw": "r",
    "auth.ldap.filter": "uid={{ username }}",
}
NAMING = {"auth.ldap.basedn": "dc=example,dc=org", "auth.ldap.binddn": f"uid={{{{ username }}}},{PEOPLE}"}


class InMemory(ldap.Checker):
    """A directory with two people and two groups."""

    def connection(self, name, password):
        server = ldap3.Server("fake", get_info=ldap3.NONE)
        connection = ldap3.Connection(server, name, password, client_strategy=ldap3.MOCK_SYNC)
        add = connection.strategy.add_entry
        add("cn=reader,dc=example,dc=org", {"userPassword": "r", "cn": "reader"})
        for uid, word in (("fred", "geheim"), ("eve", "e")):
            add(f"uid={uid},{PEOPLE}", {"userPassword": word, "uid": uid, "objectClass": "person"})
        for cn, member in (("ops", "fred"), ("dev", "eve")):
            attributes = {"cn": cn, "memberUid": member, "objectClass": "posixGroup"}
            add(f"cn={cn},ou=Groups,dc=example,dc=org", attributes)
        return connection


@pytest.mark.parametrize("settings", [SEARCHING, NAMING])
def test_a_user_is_found_and_bound_with_the_password(settings):
    checker = InMemory(settings, {})

    assert checker.is_right("fred", "geheim")
    assert checker.groups("fred") == ["ops"]
    assert not checker.is_right("fred", "e")
    assert not checker.is_right("nobody", "geheim")


@pytest.mark.parametrize("settings", [SEARCHING, NAMING])
@pytest.mark.parametrize("username", ["*", "fred)(uid=*", "f*", f"fred,{PEOPLE}", "fred\\"])
def test_a_user_name_is_not_a_filter_and_no_name(settings, username):
    assert not InMemory(settings, {}).is_right(username, "geheim")


@pytest.mark.parametrize("settings", [SEARCHING, NAMING])
def test_no_password_is_a_wrong_one(settings):
    assert not InMemory(settings, {}).is_right("fred", "")


def test_a_reader_that_is_not_let_in_is_reported():
    with pytest.raises(AuthModuleError, match="refuses to bind"):
        InMemory({**SEARCHING, "auth.ldap.bindpw": "x"}, {}).is_right("fred", "geheim")


def test_settings_that_contradict_are_reported():
    with pytest.raises(AuthModuleError, match="not both"):
        InMemory({**NAMING, "auth.ldap.tls": True, "auth.ldap.starttls": True}, {})
    with pytest.raises(AuthModuleError, match="binddn"):
        InMemory({}, {})


# The library leaves the socket of a refused connection to the garbage collector, which warns of it.
@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
def test_a_missing_directory_is_reported():
    unreachable = {**NAMING, "auth.ldap.server": "127.0.0.1", "auth.ldap.port": 1}

    with pytest.raises(AuthModuleError, match="cannot reach the directory"):
        ldap.Checker(unreachable, {}).is_right("fred", "geheim")
    gc.collect()
