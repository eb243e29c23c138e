"""Authorization of publications and runner calls."""

import os

import pytest

from salt_g.auth.logins import Login
from salt_g.auth.permissions import FunctionCall
from salt_g.errors import TargetError
from salt_g.master.calls.authorization import Authorization, CommandCaller, NotAuthorized
from salt_g.master.settings import AuthorizationSettings

OPTS = {
    "publisher_acl": {"fred": ["test.*"], "ann": [{"web*": ["test.ping"]}]},
    "publisher_acl_blacklist": {"modules": ["cmd.*"], "users": ["bad"]},
    "client_acl_verify": False,
    "sudo_acl": False,
    "nodegroups": {},
    "ext_job_cache": "mysql",
}
IDS = {"*": {"web1", "db1"}, "web*": {"web1"}, "db1": {"db1"}}


class Keys:
    """Keys of local users: the key of a user is `key of <name>`."""

    owner = "salt"

    def user_of(self, key):
        text = str(key)
        return text.removeprefix("key of ") if text.startswith("key of ") else None


class Logins:
    def by_token(self, token, source):
        limits = ["test.ping", "cmd.run", "@runner"] if token == "limited" else None
        login = Login("tok", ["test.*", "@jobs"], "pam", [], limits, "ci" if limits else "")
        return login if token in ("good", "limited") else None

    def by_password(self, load, source):
        return Login("eve", ["@runner"], "pam") if load.get("password") == "right" else None

    def renewed(self, login):
        return login._replace(permissions=["test.*", "@jobs"]) if login.user == "tok" else None

    def make_token(self, load, source):
        return {"token": "new"} if load.get("password") == "right" else {}

    def about_token(self, token, source):
        return {"name": "tok"} if token == "good" else {}


def resolve(tgt, tgt_type, delimiter, greedy):
    if tgt not in IDS:
        raise TargetError(f"{tgt} is no target")
    return frozenset(IDS[tgt])


@pytest.fixture
def rules():
    return Authorization(AuthorizationSettings.of(OPTS), Keys(), logins=Logins(), resolve=resolve)


def publish(user, fun="test.ping", tgt="*", **more):
    return {"key": f"key of {user}", "user": user, "fun": fun, "arg": [], "tgt": tgt, **more}


def refusal(rules, load, caller=None):
    with pytest.raises(NotAuthorized) as refused:
        rules.check_publish(load, caller or CommandCaller("192.0.2.1"))
    return refused.value.reply["error"]["name"]


@pytest.mark.parametrize("user", ["root", "salt"])
def test_root_and_the_masters_user_may_do_everything(rules, user):
    allowed = rules.check_publish(publish(user, "state.apply", ret="mysql"), CommandCaller())

    assert (allowed.user, allowed.is_limited) == (user, False)


def test_the_blacklist_is_for_root_too(rules):
    assert refusal(rules, publish("root", "cmd.run")) == "AuthorizationError"
    assert refusal(rules, publish("bad")) in ("AuthorizationError", "AuthenticationError")


def test_users_of_the_acl_may_what_it_says(rules):
    assert rules.check_publish(publish("fred"), CommandCaller()).is_limited
    assert rules.check_publish(publish("ann", tgt="web*"), CommandCaller()).user == "ann"
    assert refusal(rules, publish("fred", "status.uptime")) == "AuthorizationError"
    assert refusal(rules, publish("ann", tgt="*")) == "AuthorizationError"
    assert refusal(rules, publish("ann", "test.echo", tgt="web*")) == "AuthorizationError"


@pytest.mark.parametrize(
    "load",
    [
        {"key": "nonsense", "user": "root"},
        {"key": None, "user": "root"},
        {"user": "root"},
        {"key": "key of fred", "user": "ann"},
        {"key": "key of fred", "user": "root"},
        {"key": "key of nobody", "user": "nobody"},
        {"kwargs": {"token": "bad"}, "key": "key of root", "user": "root"},
        {"kwargs": {"eauth": "pam", "password": "wrong"}, "key": "key of root", "user": "root"},
    ],
)
def test_a_caller_without_a_proof_is_not_authenticated(rules, load):
    assert refusal(rules, {"fun": "test.ping", "arg": [], "tgt": "*", **load}) == "AuthenticationError"


@pytest.mark.parametrize(
    "more",
    [
        {"ret": "redis"},
        {"ret": ["redis"]},
        {"kwargs": {"module_executors": ["sudo"]}},
        {"kwargs": {"ret_kwargs": {"a": 1}}},
        {"arg": [{"__kwarg__": True, "__pub_user": "root"}]},
        {"arg": "text"},
        {"fun": ["test.ping", "test.echo"], "arg": [[]]},
        {"fun": []},
        {"tgt": "nowhere"},
    ],
    ids=str,
)
def test_further_fields_of_a_limited_user_need_rights_of_their_own(rules, more):
    assert refusal(rules, publish("fred", **more)) == "AuthorizationError"


def test_the_masters_own_job_cache_may_be_named_by_everybody(rules):
    assert rules.check_publish(publish("fred", ret="mysql"), CommandCaller()).user == "fred"


def test_each_of_several_functions_must_be_allowed(rules):
    several = {"fun": ["test.ping", "status.uptime"], "arg": [[], []]}

    assert refusal(rules, publish("fred", **several)) == "AuthorizationError"
    assert rules.check_publish(
        publish("fred", **{**several, "fun": ["test.ping", "test.echo"]}), CommandCaller()
    )


def test_the_peer_of_our_socket_is_the_user_of_its_id(rules):
    load = {"fun": "test.ping", "arg": [], "tgt": "*"}

    assert rules.check_publish({**load, "user": "root"}, CommandCaller(uid=0)).user == "root"
    assert rules.check_publish(load, CommandCaller(uid=os.geteuid())).user
    assert refusal(rules, load, CommandCaller(uid=12345)) == "AuthenticationError"
    # A process proves nothing by listening at the other end of a port.
    assert refusal(rules, load, CommandCaller("127.0.0.1", reader=0)) == "AuthenticationError"


def test_failed_logins_are_counted_by_address_and_user():
    assert CommandCaller("192.0.2.1").source == "192.0.2.1"
    assert CommandCaller(uid=5).source == "uid 5"
    assert CommandCaller("127.0.0.1", reader=5).source == "127.0.0.1 uid 5"


def test_runners_need_their_own_rights(rules):
    call = FunctionCall("jobs.active")

    assert rules.check_call("runner", call, {"token": "good"}, CommandCaller()).user == "tok"
    assert rules.check_call(
        "runner", FunctionCall("manage.up"), {"eauth": "pam", "password": "right"}, CommandCaller()
    )
    assert rules.check_call(
        "wheel", FunctionCall("key.list"), {"key": "key of root", "user": "root"}, CommandCaller()
    )


@pytest.mark.parametrize(
    ("kind", "call", "proof", "name"),
    [
        ("runner", FunctionCall("manage.up"), {"token": "good"}, "TokenAuthenticationError"),
        (
            "wheel",
            FunctionCall("key.list"),
            {"eauth": "pam", "password": "right"},
            "EauthAuthenticationError",
        ),
        (
            "runner",
            FunctionCall("test.arg"),
            {"key": "key of fred", "user": "fred"},
            "UserAuthenticationError",
        ),
        ("runner", FunctionCall("jobs.active"), {"token": "bad"}, "TokenAuthenticationError"),
        ("runner", FunctionCall("jobs"), {"token": "good"}, "SaltInvocationError"),
        ("runner", FunctionCall("jobs.a.b"), {"token": "good"}, "SaltInvocationError"),
        (
            "runner",
            FunctionCall("jobs.active", (), {"__pub_user": 1}),
            {"token": "good"},
            "TokenAuthenticationError",
        ),
    ],
)
def test_refusals_of_calls_without_a_right_reveal_nothing(rules, kind, call, proof, name):
    with pytest.raises(NotAuthorized) as refused:
        rules.check_call(kind, call, proof, CommandCaller())

    assert refused.value.reply["error"]["name"] == name
    assert call.fun not in refused.value.reply["error"]["message"]


def test_a_failed_login_for_a_call_names_the_user_as_given(rules):
    with pytest.raises(NotAuthorized) as refused:
        rules.check_call(
            "runner", FunctionCall("test.arg"), {"eauth": "pam", "username": "eve"}, CommandCaller()
        )

    message = refused.value.reply["error"]["message"]
    assert message == 'Authentication failure of type "eauth" occurred for user eve.'


def test_tokens_are_made_and_shown(rules):
    assert rules.make_token({"password": "right"}, CommandCaller()) == {"token": "new"}
    assert rules.make_token({"password": "wrong"}, CommandCaller()) == ""
    assert rules.get_token({"token": "good"}, CommandCaller()) == {"name": "tok"}
    assert rules.get_token({"token": "bad"}, CommandCaller()) == {}
    assert rules.get_token({}, CommandCaller()) is False


def test_a_scoped_token_allows_what_its_user_and_its_limits_allow(rules):
    def order(fun):
        return {"kwargs": {"token": "limited"}, "fun": fun, "arg": [], "tgt": "*"}

    assert rules.check_publish(order("test.ping"), CommandCaller("192.0.2.1")).is_limited
    for fun in ("test.version", "cmd.run"):
        assert refusal(rules, order(fun)) == "AuthorizationError"
    assert rules.check_call(
        "runner", FunctionCall("jobs.active"), {"token": "limited"}, CommandCaller("192.0.2.1")
    )
    for kind, fun in (("runner", "manage.up"), ("wheel", "key.list_all")):
        with pytest.raises(NotAuthorized):
            rules.check_call(kind, FunctionCall(fun), {"token": "limited"}, CommandCaller("192.0.2.1"))


def test_rights_of_a_scoped_token_have_its_limits(rules):
    result = rules.get_rights({"token": "limited"}, CommandCaller("192.0.2.1"))
    assert (result["limits"], result["label"]) == (["test.ping", "cmd.run", "@runner"], "ci")
    assert "limits" not in rules.get_rights({"token": "good"}, CommandCaller("192.0.2.1"))
    sight = rules.sight_of({"token": "limited"}, CommandCaller("192.0.2.1"))
    assert sight.may_run("test.ping", ["m1"])
    assert not sight.may_run("cmd.run", ["m1"])
    assert rules.sight_of({"token": "old"}, CommandCaller("192.0.2.1")) is None


def test_a_local_user_is_known_at_another_master_by_name(rules):
    assert rules.local_name(publish("fred"), CommandCaller()) == "fred"
    assert rules.local_name({}, CommandCaller(uid=os.geteuid())) == "salt"
    assert rules.local_name({}, CommandCaller("192.0.2.1")) == ""
    assert rules.caller_of("salt") == CommandCaller("", os.geteuid())
    assert rules.caller_of("root") == CommandCaller("", 0)
    assert rules.caller_of("no such user") is None


def test_a_later_decision_is_about_what_the_user_may_do_then(rules):
    ann = rules.check_publish(publish("ann", tgt="web*"), CommandCaller())
    later = {"fun": "test.ping", "arg": [], "tgt": "web*"}

    assert rules.check_again(ann.standing, later).user == "ann"
    for change in ({"tgt": "*"}, {"fun": "cmd.run"}):
        with pytest.raises(NotAuthorized):
            rules.check_again(ann.standing, {**later, **change})
    for standing in ({**ann.standing, "user": "bob", "proven": "bob"}, {**ann.standing, "user": "fred"}, {}):
        with pytest.raises(NotAuthorized):
            rules.check_again(standing, later)


def test_root_may_do_everything_later_too(rules):
    standing = rules.check_publish(publish("root"), CommandCaller()).standing

    assert not rules.check_again(standing, {"fun": "state.apply", "arg": [], "tgt": "*"}).is_limited


def test_a_later_decision_about_a_login_asks_for_its_present_permissions(rules):
    standing = rules.check_publish({"kwargs": {"token": "limited"}, **publish("x")}, CommandCaller()).standing

    assert rules.check_again(standing, {"fun": "test.ping", "arg": [], "tgt": "*"}).user == "tok"
    # The token's limits hold, and so do the permissions of its user.
    for fun in ("test.echo", "cmd.run"):
        with pytest.raises(NotAuthorized):
            rules.check_again(standing, {"fun": fun, "arg": [], "tgt": "*"})


def test_a_caller_limited_to_their_own_things_needs_a_key(rules):
    assert rules.check_user({"key": "key of ann", "user": "ann"}, CommandCaller()).is_limited
    assert not rules.check_user({"key": "key of root"}, CommandCaller()).is_limited
    with pytest.raises(NotAuthorized):
        rules.check_user({"user": "ann"}, CommandCaller())


@pytest.mark.parametrize(
    "call",
    [
        {"fun": "test.try", "arg": ["cmd.run", "cmd=id"]},
        {"fun": "test.cross_test", "arg": ["cmd.run", ["id"]]},
        {"fun": ["test.ping", "test.try"], "arg": [[], ["module=test.cross_test", "func=cmd.run"]]},
    ],
)
def test_functions_called_by_name_need_their_own_right(rules, call):
    with pytest.raises(NotAuthorized):
        rules.check_publish({**call, "tgt": "web*", "kwargs": {"token": "good"}}, CommandCaller())
    harmless = {"fun": "test.try", "arg": ["test.ping"], "tgt": "web*", "kwargs": {"token": "good"}}
    assert rules.check_publish(harmless, CommandCaller()).user == "tok"
