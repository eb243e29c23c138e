"""Audit lines of authorization decisions, without arguments and passwords."""

import pytest

from salt_g.auth.logins import Login
from salt_g.auth.permissions import FunctionCall
from salt_g.master.calls.audited_authorization import AuditedAuthorization
from salt_g.master.calls.authorization import CommandCaller, NotAuthorized
from salt_g.master.settings import AuthorizationSettings

OPTS = {
    "publisher_acl": {"ann": ["test.*"]},
    "publisher_acl_blacklist": {},
    "client_acl_verify": False,
    "sudo_acl": False,
    "nodegroups": {},
    "ext_job_cache": "",
}


class Keys:
    owner = "salt"

    def user_of(self, key):
        return str(key).removeprefix("key of ") if key else None


class Logins:
    permissions = ["test.*"]

    def by_password(self, load, source):
        return Login("eve", ["@runner"], "pam") if load.get("password") == "right" else None

    def make_token(self, load, source):
        return {"token": "new"} if load.get("password") == "right" else {}

    def renewed(self, login):
        return login._replace(permissions=self.permissions) if self.permissions else None


@pytest.fixture
def lines():
    return []


@pytest.fixture
def rules(lines):
    return AuditedAuthorization(
        lines.append,
        AuthorizationSettings.of(OPTS),
        Keys(),
        logins=Logins(),
        resolve=lambda tgt, tgt_type, delimiter, greedy: frozenset(["web1"]),
    )


def publish(user, fun):
    load = {"fun": fun, "arg": ["secret"], "tgt": "web*", "tgt_type": "glob"}
    return {"key": f"key of {user}", "user": user, **load}


def test_allowed_calls_are_written(rules, lines):
    rules.check_publish(publish("ann", "test.echo"), CommandCaller("192.0.2.1"))

    assert lines == [
        {
            **{"what": "publish", "user": "ann", "fun": "test.echo", "tgt": "web*", "tgt_type": "glob"},
            **{"from": "192.0.2.1", "verdict": "allowed"},
        }
    ]


def test_refused_calls_are_written_with_their_reason(rules, lines):
    with pytest.raises(NotAuthorized):
        rules.check_publish(publish("ann", "cmd.run"), CommandCaller("", 1000))

    (line,) = lines
    assert (line["verdict"], line["user"], line["from"]) == ("refused", "ann", "uid 1000")
    assert "may not run" in line["reason"] and "secret" not in str(line)


def test_calls_and_logins_are_written_without_passwords(rules, lines):
    login = {"eauth": "pam", "username": "eve", "password": "right"}
    rules.check_call("runner", FunctionCall("jobs.active", ["secret"]), login, CommandCaller())
    rules.make_token(login, CommandCaller())
    rules.make_token({**login, "password": "wrong"}, CommandCaller())

    assert [(line["what"], line["fun"], line["verdict"]) for line in lines] == [
        ("runner", "jobs.active", "allowed"),
        ("login", "login by pam", "allowed"),
        ("login", "login by pam", "refused"),
    ]
    assert not {"right", "wrong", "secret"} & set(str(lines).replace("'", " ").split())


def test_questions_of_waiting_clients_are_not_written(rules, lines):
    rules.check_publish(publish("ann", "saltutil.find_job"), CommandCaller())

    assert lines == []


def test_later_decisions_are_written(rules, lines, monkeypatch):
    standing = {"user": "eve", "module": "pam", "proven": "", "limits": None}
    rules.check_again(standing, publish("eve", "test.echo"))
    monkeypatch.setattr(Logins, "permissions", [])
    with pytest.raises(NotAuthorized):
        rules.check_again(standing, publish("eve", "test.echo"))

    assert [(line["what"], line["user"], line["verdict"]) for line in lines] == [
        ("order", "eve", "allowed"),
        ("order", "eve", "refused"),
    ]


def several(user, *names):
    return {**publish(user, list(names)), "arg": [["secret"]] * len(names)}


def test_a_job_of_several_functions_is_written_with_all_of_them(rules, lines):
    rules.check_publish(several("ann", "test.echo", "test.ping"), CommandCaller())
    with pytest.raises(NotAuthorized):
        rules.check_publish(several("ann", "test.echo", "cmd.run"), CommandCaller())
    rules.check_again({"user": "ann", "proven": "ann"}, several("ann", "test.echo", "test.ping"))

    assert [(line["what"], line["fun"], line["verdict"]) for line in lines] == [
        ("publish", ["test.echo", "test.ping"], "allowed"),
        ("publish", ["test.echo", "cmd.run"], "refused"),
        ("order", ["test.echo", "test.ping"], "allowed"),
    ]


@pytest.mark.parametrize(
    ("fun", "number"),
    [(["saltutil.find_job"], 0), (["saltutil.find_job", "test.ping"], 1), ([], 1), ([{}], 1), ({}, 1)],
    ids=str,
)
def test_only_a_job_of_nothing_but_questions_is_not_written(rules, lines, fun, number):
    rules.check_publish({**publish("salt", fun), "arg": [[] for _ in fun]}, CommandCaller())

    assert len(lines) == number


@pytest.mark.parametrize("fun", ["jobs.active", "nofunction", "a.b"])
def test_a_refused_call_names_its_user_whatever_the_load_claims(rules, lines, fun):
    with pytest.raises(NotAuthorized):
        rules.check_call(
            "runner",
            FunctionCall(fun, [], {"__pub_user": 1} if fun == "a.b" else {}),
            {"key": "key of ann"},
            CommandCaller("", 65534),
        )

    assert [(line["user"], line["from"]) for line in lines] == [("ann", "uid 65534")]


def test_a_call_that_needs_no_right_is_no_refusal(rules, lines):
    login = {"eauth": "pam", "username": "eve", "password": "right"}

    assert (
        rules.may_call("runner", FunctionCall("rollout.list"), {"key": "key of ann"}, CommandCaller()) is None
    )
    assert lines == []
    assert rules.may_call("runner", FunctionCall("rollout.list"), login, CommandCaller()).user == "eve"
    assert [(line["user"], line["fun"], line["verdict"]) for line in lines] == [
        ("eve", "rollout.list", "allowed")
    ]


@pytest.mark.parametrize(("problem", "verdict"), [("", "allowed"), ("ann needs the right", "refused")])
def test_decisions_about_plans_are_written(rules, lines, problem, verdict, caplog):
    rules.note_plan("apply", "7f3a91", {"web2", "web1"}, "ann", CommandCaller("192.0.2.1"), problem)

    (line,) = lines
    assert (line["what"], line["user"], line["fun"]) == ("plan", "ann", "plan.apply")
    assert (line["plan"], line["tgt"], line["from"]) == ("7f3a91", ["web1", "web2"], "192.0.2.1")
    assert (line["verdict"], line.get("reason", "")) == (verdict, problem) and problem in caplog.text
