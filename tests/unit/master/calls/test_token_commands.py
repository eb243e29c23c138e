"""Commands for scoped tokens."""

import pytest

from salt_g.auth.logins import Login
from salt_g.auth.scoped_tokens import ScopedTokens
from salt_g.auth.tokens import Tokens
from salt_g.master.calls.authorization import CommandCaller
from salt_g.master.calls.token_commands import TokenCommands

CALLER = CommandCaller("192.0.2.7")


class Logins:
    modules = ("pam", "file")

    def by_token(self, token, source):
        limits = ["test.*"] if token == "limited" else None
        return Login(token, [], "pam", [], limits) if token in ("ann", "bob", "limited") else None

    def permissions_of(self, module, user):
        return {"ann": ["pam"], "both": ["pam", "file"]}.get(user, []).count(module) * [".*"]


@pytest.fixture
def commands(tmp_path):
    return TokenCommands(Logins(), ScopedTokens(Tokens(str(tmp_path / "scoped"))))


def test_users_have_their_own_tokens(commands):
    users = commands.of_users()
    made = users["token_make"]({"token": "ann", "label": "ci", "allow": ["test.*"]}, CALLER)["made"]

    assert made["name"] == "ann"
    assert len(made["token"]) == 64
    [listed] = users["tokens"]({"token": "ann"}, CALLER)["tokens"]
    assert users["tokens"]({"token": "bob"}, CALLER)["tokens"] == []
    assert not users["token_revoke"]({"token": "bob", "id": listed["id"]}, CALLER)["revoked"]
    assert users["token_revoke"]({"token": "ann", "id": listed["id"]}, CALLER)["revoked"]


def test_a_scoped_token_makes_no_others(commands):
    for command in commands.of_users().values():
        assert command({"token": "limited"}, CALLER)["needs"] == "right"
        assert command({"token": "old"}, CALLER)["needs"] == "login"


@pytest.mark.parametrize(
    ("fields", "is_made"),
    [
        ({"owner": "ann"}, True),
        ({"owner": "ann", "eauth": "pam"}, True),
        ({"owner": "ann", "eauth": "file"}, False),
        ({"owner": "both"}, False),
        ({"owner": "both", "eauth": "file"}, True),
        ({"owner": "nobody"}, False),
        ({"owner": "ann", "allow": "test.*"}, False),
        ({"owner": "ann", "lifetime": "1d"}, False),
        ({"owner": "ann", "label": ""}, False),
    ],
)
def test_root_makes_tokens_for_users_with_rights(commands, fields, is_made):
    result = commands.of_root()["token_make"]({"label": "ci", "allow": ["test.*"], **fields})
    assert ("made" in result) == is_made
    assert ("error" in result) != is_made


def test_root_lists_and_revokes_all(commands):
    root = commands.of_root()
    root["token_make"]({"owner": "ann", "label": "ci", "allow": ["test.*"]})
    [listed] = root["tokens"]({})["tokens"]
    assert root["token_revoke"]({"id": listed["id"]}) == {"revoked": True}
    assert root["token_revoke"]({"id": listed["id"]}) == {"revoked": False}
