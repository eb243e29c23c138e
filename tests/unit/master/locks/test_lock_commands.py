"""Rights to lock, drop and break."""

import pytest

from salt_g.auth.logins import Login
from salt_g.auth.permissions import allows_function
from salt_g.config.registry import defaults
from salt_g.errors import InvocationError
from salt_g.master.calls.authorization import Allowed, Authorization, CommandCaller, NotAuthorized
from salt_g.master.locks.lock import Lock
from salt_g.master.locks.lock_commands import LockCommands
from salt_g.master.settings import AuthorizationSettings

#: Rights by local user id; root has all.
RIGHTS = {1: ["@lock"], 2: [{"@lock": ["lock.add", "lock.drop"]}], 3: ["state.*", "@runner"]}
NAMES = {0: "root", 1: "ann", 2: "bob", 3: "eve"}


class Permits:
    """Authorization; with `module` all are users of an authentication module."""

    def __init__(self, module=""):
        self._module = module

    def check_user(self, load, caller):
        if caller.uid not in NAMES:
            raise NotAuthorized({"error": {}}, "nobody")
        return Allowed(NAMES[caller.uid], standing={"module": self._module})

    def check_call(self, kind, call, load, caller):
        allowed = self.check_user(load, caller)
        if caller.uid and not allows_function(RIGHTS[caller.uid], call, kind):
            raise NotAuthorized({"error": {}}, "no right")
        return Allowed(allowed.user)


class Locks:
    def __init__(self):
        self.by_id = {
            id: Lock(id, "db*", "glob", owner, "why", 0.0, 9e9)
            for id, owner in (("a", "ann"), ("b", "bob"), ("freeze:x", "the setting"))
        }

    def all(self):
        return list(self.by_id.values())

    def get(self, id):
        return self.by_id.get(id)

    def add(self, target, tgt_type, *, owner, reason, seconds, most_own):
        if not reason:
            raise InvocationError("a lock needs a reason")
        self.by_id["n"] = Lock("n", target, tgt_type, owner, reason, 0.0, seconds)
        return self.by_id["n"]

    def drop(self, id):
        return self.by_id.pop(id, None) is not None


@pytest.fixture
def commands():
    return LockCommands(Permits(), Locks())


def ask(commands, name, uid, **load):
    return commands.commands()[name]({"cmd": name, **load}, CommandCaller("", uid))


def may(commands, name, uid, **load):
    try:
        return "error" not in ask(commands, name, uid, **load)
    except NotAuthorized:
        return False


def test_a_lock_needs_the_right_and_belongs_to_its_user(commands):
    values = {"tgt": "db*", "reason": "disks", "seconds": 60}

    assert [may(commands, "lock_add", uid, **values) for uid in (0, 1, 2, 3, 9)] == [True] * 3 + [False] * 2
    assert ask(commands, "lock_add", 1, **values)["lock"]["owner"] == "ann"


def test_a_lock_of_a_user_of_a_module_is_their_own():
    locks = Locks()
    commands = LockCommands(Permits("pam"), locks)
    lock = ask(commands, "lock_add", 2, tgt="db*", reason="disks", seconds=60)["lock"]
    locks.by_id["n"] = Lock(*lock.values())

    assert lock["owner"] == "bob (pam)"
    assert ask(commands, "lock_drop", 2, ids=["n"]) == {"dropped": {"n": True}}


@pytest.mark.parametrize("id, uids", [("a", [0, 1]), ("b", [0, 1, 2]), ("none", [0, 1])])
def test_others_locks_are_broken_with_a_right_of_its_own(id, uids):
    assert [uid for uid in NAMES if may(LockCommands(Permits(), Locks()), "lock_drop", uid, ids=[id])] == uids


@pytest.mark.parametrize("id, uids", [("a", [0, 1]), ("b", [0, 1, 2]), ("freeze:x", [0, 1])])
def test_a_job_runs_in_spite_of_ones_own_lock_or_with_the_right_to_break(commands, id, uids):
    def runs(uid):
        try:
            return commands.despite({"kwargs": {"despite_lock": [id]}}, CommandCaller("", uid)) == [id]
        except NotAuthorized:
            return False

    assert [uid for uid in NAMES if runs(uid)] == uids


def test_a_job_that_names_no_lock_needs_no_right(commands):
    assert commands.despite({"fun": "test.ping"}, CommandCaller("", 9)) == []


def test_a_freeze_is_not_dropped_by_a_command(commands):
    assert (
        "is removed from the setting change_freezes"
        in ask(commands, "lock_drop", 0, ids=["freeze:x"])["error"]
    )


def test_every_known_user_lists_locks(commands):
    assert [lock["id"] for lock in ask(commands, "lock_list", 3)["locks"]] == ["a", "b", "freeze:x"]
    assert not may(commands, "lock_list", 9)


@pytest.mark.parametrize(
    ("name", "load"),
    [
        ("lock_add", {"tgt": 1, "reason": "x", "seconds": 1}),
        ("lock_add", {"tgt": "*", "reason": "x", "seconds": "1"}),
        ("lock_add", {"tgt": "*", "reason": "x", "seconds": True}),
        ("lock_add", {"tgt": "*", "reason": "", "seconds": 1}),
        ("lock_drop", {"ids": "a"}),
        ("lock_drop", {"ids": ["a"] * 101}),
    ],
)
def test_malformed_commands_are_answered_in_words(commands, name, load):
    assert isinstance(ask(commands, name, 0, **load)["error"], str)


def test_a_user_with_a_login_owns_and_drops_their_locks():
    """As in a master's rules: names at a login module are not those of this machine."""

    class Logins:
        def by_token(self, token, source):
            rights = [{"@lock": ["lock.add", "lock.drop"]}]
            return Login("ann", rights, token, [], None, "") if token in ("pam", "oidc") else None

    authorization = Authorization(
        AuthorizationSettings.of({**defaults("master"), "user": "root"}),
        type("Keys", (), {"owner": "root", "user_of": lambda self, key: None})(),
        logins=Logins(),
        resolve=lambda *words: frozenset(),
    )
    commands = LockCommands(authorization, Locks())
    values = {"tgt": "db*", "reason": "disks", "seconds": 60}

    def ask(name, token, **load):
        try:
            return commands.commands()[name]({"cmd": name, "token": token, **load}, CommandCaller())
        except NotAuthorized:
            return None

    assert ask("lock_add", "oidc", **values)["lock"]["owner"] == "ann (oidc)"
    assert ask("lock_drop", "pam", ids=["n"]) is None
    assert ask("lock_drop", "oidc", ids=["n"]) == {"dropped": {"n": True}}
