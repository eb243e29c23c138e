"""Commands: a fixed table, permissions checked in full, users proved by keys (properties 9, 10 and 11)."""

import contextlib
import os
import pwd
import stat

import pytest

from salt_g.errors import SealBroken
from tests.support.peers import Peer, ask_clear, ask_socket, publish, run
from tests.support.tickers import cpu_of
from tests.support.waiting import until

#: Unprivileged user of this machine.
NOBODY = pwd.getpwnam("nobody")
NOT_AUTHENTICATED = {"error": {"name": "AuthenticationError", "message": "Authentication error occurred."}}
NOT_AUTHORIZED = {"error": {"name": "AuthorizationError", "message": "Authorization error occurred."}}

needs_root = pytest.mark.skipif(os.getuid() != 0, reason="becomes another user")


def job(fun="test.ping", arg=(), tgt="*", **more):
    return {"cmd": "publish", "fun": fun, "arg": list(arg), "tgt": tgt, "ret": "", "jid": "", **more}


@pytest.mark.parametrize(
    "cmd", ["__init__", "commands", "_prep_pub", "destroy", "run", "", None, 5, ["_return"]]
)
def test_unknown_commands_do_nothing(shared_master, cmd):
    """Property 9: commands and their fields are a fixed table."""
    peer = Peer(shared_master, "m1", 0).sign_in()

    assert peer.ask({"cmd": cmd}) == {}
    assert ask_clear(shared_master, {"cmd": cmd, "key": shared_master.root_key}) == {}


def test_fields_of_another_type_are_refused(shared_master):
    """Property 9: commands and their fields are a fixed table."""
    peer = Peer(shared_master, "m1", 0).sign_in()

    assert peer.ask({"cmd": "pub_ret", "jid": {"$gt": ""}}) == ""
    assert peer.ask({"cmd": "pub_ret", "jid": "9" * 10_000}) == ""
    assert peer.ask({"cmd": "minion_pub", "fun": "test.ping"}) == ""


def test_no_key_a_wrong_key_and_a_foreign_name_look_the_same(shared_master):
    """Property 11: the key, a token or a login proves the user."""
    for load in (job(), job(key="x", user="root"), job(key="", user="root"), job(key=None), job(key=b"\xff")):
        assert ask_clear(shared_master, load) == NOT_AUTHENTICATED


@needs_root
def test_a_user_cannot_take_another_name_with_its_own_key(start_master):
    """Property 11: the key, a token or a login proves the user."""
    master = start_master(publisher_acl={"nobody": ["test.*"], "daemon": [".*"]})
    Peer(master, "m1", 0).sign_in()
    key = (master.cachedir / ".nobody_key").read_text()

    assert ask_clear(master, job(key=key, user="nobody"))["load"]["minions"] == ["m1"]
    for name in ("root", "daemon", "sudo_daemon", "sudo_root", master.settings["user"]):
        assert ask_clear(master, job(key=key, user=name)) == NOT_AUTHENTICATED


@needs_root
def test_the_socket_knows_its_users(start_master):
    """Property 11: the key, a token or a login proves the user."""
    master = start_master(publisher_acl={"nobody": ["test.*"]})
    Peer(master, "m1", 0).sign_in()
    uid = NOBODY.pw_uid

    assert ask_socket(master, job(), uid=uid)["load"]["minions"] == ["m1"]
    assert ask_socket(master, job("cmd.run", ["id"]), uid=uid) == NOT_AUTHORIZED
    assert ask_socket(master, job(user="root"), uid=uid) == NOT_AUTHENTICATED
    assert ask_socket(master, job("cmd.run", ["id"]))["load"]["minions"] == ["m1"]
    runner = {"cmd": "runner", "fun": "jobs.list_jobs", "kwarg": {}}
    assert ask_socket(master, runner, uid=uid)["error"]["name"] == "UserAuthenticationError"
    wheel = {"cmd": "wheel", "fun": "key.delete", "arg": ["*"], "kwarg": {}}
    assert ask_socket(master, wheel, uid=uid)["error"]["name"] == "UserAuthenticationError"
    assert (master.pki_dir / "minions" / "m1").exists()


@pytest.fixture(scope="module")
def web_and_db(fleet):
    """Return a master where `nobody` may run a few functions on web1."""
    allowed = ["test.ping", {"web*": ["status.*", {"service.restart": {"args": ["nginx"]}}]}]
    master = fleet[0](publisher_acl={"nobody": allowed})
    for number, id in enumerate(("web1", "db1")):
        Peer(master, id, number).sign_in()
    return master


@needs_root
@pytest.mark.parametrize(
    ("fun", "arg", "tgt", "more"),
    [
        ("cmd.run", ["id"], "web1", {}),
        ("test.pinger", [], "web1", {}),
        (["test.ping", "cmd.run"], [[], ["id"]], "web1", {}),
        (["cmd.run", "saltutil.find_job"], [["id"], ["1"]], "web1", {}),
        ("status.uptime", [], "*", {}),
        ("status.uptime", [], "web1,db1", {"tgt_type": "list"}),
        ("status.uptime", [], "os:Debian", {"tgt_type": "grain"}),
        ("status.uptime", [], "web1 or db1", {"tgt_type": "compound"}),
        ("status.uptime", [], ["web1", "db1"], {"tgt_type": "list"}),
        ("service.restart", ["sshd"], "web1", {}),
        ("service.restart", ["name=sshd"], "web1", {}),
        ("service.restart", ["nginx", "name=sshd"], "db1", {}),
        ("service.restart", [], "web1", {}),
    ],
)
def test_a_job_with_one_forbidden_part_is_refused(web_and_db, fun, arg, tgt, more):
    """Property 10: permissions are checked in full."""
    master = web_and_db
    key = (master.cachedir / ".nobody_key").read_text()

    assert ask_clear(master, job(fun, arg, tgt, key=key, user="nobody", **more)) == NOT_AUTHORIZED
    assert "load" in ask_clear(master, job("status.uptime", [], "web*", key=key, user="nobody"))
    assert "load" in ask_clear(master, job("service.restart", ["nginx"], "web1", key=key, user="nobody"))


@needs_root
def test_grains_bring_no_minion_into_a_permission(start_master):
    """Property 10: permissions are checked in full."""
    master = start_master(publisher_acl={"nobody": [{"G@role:web": ["test.ping"]}]})
    peer = Peer(master, "db1", 0).sign_in()
    peer.ask({"cmd": "_minion_event", "tag": "x", "data": {}})
    key = (master.cachedir / ".nobody_key").read_text()

    assert ask_clear(master, job(key=key, user="nobody")) == NOT_AUTHORIZED


def test_the_blacklist_holds_for_everybody_and_for_each_function(start_master):
    """Property 10: permissions are checked in full."""
    master = start_master(publisher_acl_blacklist={"users": ["sudo_eve"], "modules": ["cmd.*"]})
    Peer(master, "m1", 0).sign_in()

    assert publish(master, "cmd.run", "id") == NOT_AUTHORIZED
    assert (
        ask_clear(master, job(["test.ping", "cmd.run"], [[], ["id"]], key=master.root_key)) == NOT_AUTHORIZED
    )
    assert ask_clear(master, job(key=master.root_key, user="sudo_eve")) == NOT_AUTHORIZED
    assert publish(master, "test.ping")["minions"] == ["m1"]


EAUTH = {
    "external_auth": {"sharedsecret": {"fred": ["test.*", "@jobs", {"@wheel": ["key.list_all"]}]}},
    "sharedsecret": "geheim",
}
LOGIN = {"eauth": "sharedsecret", "username": "fred", "password": "geheim"}


def test_logins_give_what_the_settings_give(start_master):
    """Property 11: the key, a token or a login proves the user."""
    master = start_master(**EAUTH)
    Peer(master, "m1", 0).sign_in()

    assert ask_clear(master, job(kwargs=LOGIN))["load"]["minions"] == ["m1"]
    assert ask_clear(master, job("cmd.run", ["id"], kwargs=LOGIN)) == NOT_AUTHORIZED
    assert "tag" in ask_clear(master, {"cmd": "runner", "fun": "jobs.list_jobs", "kwarg": {}, **LOGIN})
    wheel = {"cmd": "wheel", "arg": [], "kwarg": {}, **LOGIN}
    assert ask_clear(master, {**wheel, "fun": "key.list_all"})["data"]["success"]
    for fun in ("key.list", "key.list_all_of", "config.values", "list_all", "key.list_all.x"):
        assert "error" in ask_clear(master, {**wheel, "fun": fun})


def test_every_failed_login_says_the_same(start_master):
    """Property 11: the key, a token or a login proves the user."""
    master = start_master(**EAUTH)
    wrong = [{"password": "x"}, {"username": "eve", "password": "x"}, {"eauth": "pam"}]

    answers = [ask_clear(master, job(kwargs={**LOGIN, **change})) for change in wrong]
    tokens = [ask_clear(master, {"cmd": "mk_token", **LOGIN, **change}) for change in wrong[:1]]

    assert answers == [NOT_AUTHENTICATED] * 3
    assert tokens == [""]
    assert "geheim" not in master.log()


def test_tokens_are_made_kept_hashed_and_ended(start_master):
    """Property 11: the key, a token or a login proves the user."""
    master = start_master(**EAUTH)
    Peer(master, "m1", 0).sign_in()

    made = ask_clear(master, {"cmd": "mk_token", **LOGIN})
    token = made["token"]

    assert ask_clear(master, {"cmd": "get_token", "token": token}) == made
    assert ask_clear(master, job(kwargs={"token": token}))["load"]["minions"] == ["m1"]
    assert ask_clear(master, job("cmd.run", ["id"], kwargs={"token": token})) == NOT_AUTHORIZED
    kept = list((master.cachedir / "tokens").iterdir())
    assert [stat.S_IMODE(path.stat().st_mode) for path in kept] == [0o600]
    assert token not in kept[0].name + kept[0].read_text() + master.log()
    assert run(master, "run", "auth.del_token", token).code == 0
    assert ask_clear(master, job(kwargs={"token": token})) == NOT_AUTHENTICATED


def test_a_minion_may_call_only_what_peer_permits(start_master):
    """Property 10: permissions are checked in full."""
    master = start_master(
        peer={"web.*": ["test.*", {"db*": ["status.uptime"]}]}, peer_run={"web1": ["manage.up"]}
    )
    web, db, other = (Peer(master, id, n).sign_in() for n, id in enumerate(("web1", "db1", "xweb1")))
    pub = {"cmd": "minion_pub", "fun": "test.ping", "arg": [], "tgt": "db1", "ret": ""}

    ordered = web.ask(pub)

    assert ordered["minions"] == ["db1"]
    assert db.ask(pub) == {}
    assert other.ask(pub) == {}
    assert web.ask({**pub, "fun": "cmd.run", "arg": ["id"]}) == {}
    assert web.ask({**pub, "fun": "test.ping,cmd.run", "arg": ["", "id"]}) == {}
    assert web.ask({**pub, "fun": "publish.publish"}) == {}
    assert web.ask({**pub, "fun": "status.uptime"})["minions"] == ["db1"]
    assert web.ask({**pub, "fun": "status.uptime", "tgt": "*"}) == {}
    assert web.ask({**pub, "tgt": "secret:a*", "tgt_type": "pillar"}) == {}
    assert web.ask({**pub, "tgt": "J@secret:a.*", "tgt_type": "compound"}) == {}
    assert web.ask({**pub, "tgt": "Ix@secretxa*", "tgt_type": "compound"}) == {}
    assert web.ask({**pub, "ret": "redis"}) == {}
    assert web.ask({**pub, "arg": ["__pub_id=db1"]}) == {}
    assert web.ask({"cmd": "pub_ret", "jid": ordered["jid"]}) == {}
    assert db.ask({"cmd": "pub_ret", "jid": ordered["jid"]}) == {}
    assert web.ask({"cmd": "pub_ret", "jid": "20200101000000000000"}) == ""
    assert db.ask({"cmd": "minion_runner", "fun": "manage.up", "arg": []}) == {}
    assert web.ask({"cmd": "minion_runner", "fun": "manage.upx", "arg": []}) == {}


def test_the_returns_of_a_job_are_for_the_minion_that_ordered_it(start_master):
    """Property 11: the key, a token or a login proves the user."""
    master = start_master(peer={"web1": ["test.*"]})
    web, db = Peer(master, "web1", 0).sign_in(), Peer(master, "db1", 1).sign_in()
    jid = web.ask({"cmd": "minion_pub", "fun": "test.ping", "arg": [], "tgt": "db1", "ret": ""})["jid"]

    db.ask({"cmd": "_return", "jid": jid, "fun": "test.ping", "return": True, "retcode": 0, "success": True})

    assert web.ask({"cmd": "pub_ret", "jid": jid}) == {"db1": {"ret": True}}
    assert db.ask({"cmd": "pub_ret", "jid": jid}) == {}


def test_clear_commands_are_refused_in_sessions_and_session_commands_in_the_clear(master):
    """Property 9: commands and their fields are a fixed table."""
    peer = Peer(master, "m1", 0).sign_in()

    assert peer.ask({"cmd": "publish", "fun": "test.ping", "tgt": "*", "key": "x"}) == {}
    assert ask_clear(master, {"cmd": "_file_envs", "id": "m1"}) == {}
    with pytest.raises(SealBroken):
        peer.ask({"cmd": "_file_envs"}, id="m2")


def test_arguments_of_wheel_functions_are_judged_wherever_they_are(start_master):
    """Property 10: permissions are checked in full."""
    allowed = [{"@wheel": [{"key.accept": {"kwargs": {"match": "web.*"}}}]}]
    master = start_master(external_auth={"sharedsecret": {"fred": allowed}}, sharedsecret="geheim")
    wheel = {"cmd": "wheel", "fun": "key.accept", **LOGIN}

    def is_refused(**more):
        return "error" in ask_clear(master, {**wheel, **more})

    assert not is_refused(match="web1")
    assert not is_refused(kwarg={"match": "web1"})
    assert not is_refused(arg=[], kwarg={"match": "web1"})
    assert not is_refused(kwarg={"arg": [], "kwarg": {"match": "web1"}})
    assert is_refused(match="db1")
    assert is_refused(match="db1", kwarg={})
    assert is_refused(match="web1", arg=["db1"])
    assert is_refused(arg=["db1"], kwarg={})
    assert is_refused(kwarg={"arg": ["db1"], "kwarg": {}})


@pytest.fixture(scope="module")
def empty_master(fleet):
    """Return a master without minions where `nobody` may run a module's functions."""
    return fleet[0](publisher_acl={"nobody": ["test.*"]})


@needs_root
@pytest.mark.parametrize(
    "kwargs",
    [
        {"jid": "x"},
        {"is_stopped": True, "client": 1, "rules": [], "job": None},
        {"timeout": "soon"},
        {"gather_job_timeout": []},
        {"": 1, "fun": 2},
        {"delimiter": 5},
    ],
)
def test_no_order_of_a_batch_ends_the_master(empty_master, kwargs):
    """Property 9: commands and their fields are a fixed table."""
    load = {"cmd": "batch", "tgt": "*", "fun": "test.ping", "arg": [], "rules": {"size": "1"}}

    for caller in (NOBODY.pw_uid, None):
        ask_socket(empty_master, {**load, "kwargs": kwargs}, uid=caller)
    until(lambda: not ask_socket(empty_master, {"cmd": "batches"}), "the batches have ended")

    assert empty_master.is_running()


def test_an_sls_that_calls_sys_exit_ends_one_request_only(start_master):
    """Property 9: commands and their fields are a fixed table."""
    master = start_master()
    (master.root / "pillar" / "top.sls").write_text("base: {'*': [leaves]}\n")
    (master.root / "pillar" / "leaves.sls").write_text("#!py\nimport sys\ndef run(): sys.exit(1)\n")
    peer = Peer(master, "m1", 0).sign_in()

    with contextlib.suppress(SealBroken):
        peer.ask({"cmd": "_pillar", "grains": {}, "ver": "2"})

    assert peer.ask({"cmd": "_file_envs"}) == ["base"]
    assert master.is_running()


def test_arguments_of_a_user_without_rights_are_not_parsed(shared_master):
    """Parsing arguments as YAML takes a second for each megabyte (property 9)."""
    peer, other = Peer(shared_master, "m1", 0).sign_in(), Peer(shared_master, "m2", 1).sign_in()
    words = ["[" + "1, " * 100_000 + "1]"] * 3
    order = {"fun": "test.ping", "arg": words, "tgt": "*", "ret": ""}
    cpu = cpu_of(shared_master.pid)

    for cmd in ("minion_pub", "minion_publish", "minion_runner"):
        assert peer.ask({"cmd": cmd, **order}) == {}

    assert cpu_of(shared_master.pid) - cpu < 2
    assert other.ask({"cmd": "_file_envs"}) == ["base"]
