"""Permissions: whole names, parsed arguments and each id match; no minion widens them (property 10)."""

import pytest

from tests.support.peers import Peer, ask_clear, ask_raw

NOT_AUTHORIZED = {"error": {"name": "AuthorizationError", "message": "Authorization error occurred."}}
LOGIN = {"eauth": "sharedsecret", "username": "fred", "password": "geheim"}
RIGHTS = [
    "test.ping",
    {
        "web*": [
            "status.*",
            {"service.restart": {"args": ["nginx"]}},
            {"pkg.install": {"kwargs": {"name": "vim"}}},
        ]
    },
    {"G@role:web": ["disk.usage"]},
    {"N@webs": ["disk.usage"]},
    {"I@role:web": ["disk.usage"]},
    {"db1 or G@role:db": ["disk.usage"]},
]


@pytest.fixture(scope="module")
def fleet_of_two(fleet):
    """Return a master where fred has RIGHTS, with minions web1 and db1 known by id only."""
    master = fleet[0](
        external_auth={
            "sharedsecret": {"fred": RIGHTS, "root2": [".*"], "returns": ["test.ping", "local.returner"]}
        },
        sharedsecret="geheim",
        nodegroups={"webs": "G@role:web", "both": "web1,db1"},
    )
    master.minions = [Peer(master, id, number).sign_in() for number, id in enumerate(("web1", "db1"))]
    return master


def order(master, fun, arg=(), tgt="web1", *, login=LOGIN, **more):
    load = {"cmd": "publish", "fun": fun, "arg": list(arg), "tgt": tgt, "ret": "", "jid": ""}
    kwargs = {**login, **more.pop("kwargs", {})}
    return ask_clear(master, {**load, **more, "kwargs": kwargs})


def named(**kwargs):
    return {"__kwarg__": True, **kwargs}


@pytest.mark.parametrize(
    "fun",
    [
        "test.pinger",
        "xtest.ping",
        "Test.ping",
        "test.ping\n",
        "test.ping\ncmd.run",
        "test.ping,cmd.run",
        "test.ping ",
        "",
        [],
        [""],
        ["test.ping", ""],
        ["test.ping", "cmd.run"],
        ["test.ping", ["test.ping"]],
        [["test.ping"]],
        {"test.ping": 1},
        None,
        5,
        "test.ping" * 2000,
    ],
)
def test_a_name_fits_whole_and_each_of_several_does(fleet_of_two, fun):
    arg = [[] for _ in fun] if isinstance(fun, list) else []

    assert order(fleet_of_two, fun, arg) == NOT_AUTHORIZED


def test_several_functions_have_as_many_arguments(fleet_of_two):
    for arg in ([], [[]], [[], [], []], [[], None], [[], "x"]):
        assert order(fleet_of_two, ["test.ping", "status.uptime"], arg) == NOT_AUTHORIZED
    assert "load" in order(fleet_of_two, ["test.ping", "status.uptime"], [[], []])


@pytest.mark.parametrize(
    ("fun", "arg"),
    [
        ("service.restart", []),
        ("service.restart", ["sshd"]),
        ("service.restart", ["name=sshd"]),
        ("service.restart", ["name=nginx"]),
        ("service.restart", [named(name="nginx")]),
        ("service.restart", ["nginx\n"]),
        ("service.restart", ["nginx sshd"]),
        ("service.restart", [["nginx"]]),
        ("service.restart", [None]),
        ("pkg.install", []),
        ("pkg.install", ["vim"]),
        ("pkg.install", ["name=evil"]),
        ("pkg.install", ["name=vim", "name=evil"]),
        ("pkg.install", ["name=vim", named(name="evil")]),
        ("pkg.install", [named(name="vim"), named(name="evil")]),
        ("pkg.install", [named(name=["vim"])]),
        ("pkg.install", [{"name": "vim"}]),
    ],
)
def test_arguments_are_what_the_minion_will_read(fleet_of_two, fun, arg):
    assert order(fleet_of_two, fun, arg) == NOT_AUTHORIZED


@pytest.mark.parametrize(
    ("fun", "arg"),
    [("service.restart", ["nginx"]), ("pkg.install", ["name=vim"]), ("pkg.install", [named(name="vim")])],
)
def test_a_call_within_the_permissions_is_allowed(fleet_of_two, fun, arg):
    assert order(fleet_of_two, fun, arg)["load"]["minions"] == ["web1"]


@pytest.mark.parametrize(
    ("tgt", "tgt_type"),
    [
        ("*", "glob"),
        ("?*", "glob"),
        ("[wd]*", "glob"),
        (".*", "pcre"),
        ("web1|db1", "pcre"),
        ("web1,db1", "list"),
        (["web1", "db1"], "list"),
        ("web1 , db1", "list"),
        ("web1 or db1", "compound"),
        ("not web1", "compound"),
        ("L@db1", "compound"),
        ("N@both", "compound"),
        ("both", "nodegroup"),
        ("role:web", "grain"),
        ("role:web", "pillar"),
        ("192.0.2.0/24", "ipcidr"),
        ("web1", "no_such"),
        ({"web1": 1}, "glob"),
        (None, "glob"),
        ("nobody", "glob"),
    ],
)
def test_each_id_of_a_target_counts(fleet_of_two, tgt, tgt_type):
    assert order(fleet_of_two, "status.uptime", [], tgt, tgt_type=tgt_type) == NOT_AUTHORIZED


def test_a_minions_own_data_adds_it_to_no_permission(fleet_of_two):
    for peer in fleet_of_two.minions:
        own_data = {"grains": {"role": "web", "id": "web1"}, "pillar_override": {"role": "web"}, "ver": "2"}
        ask_raw(fleet_of_two.ret_port, peer.seal({"cmd": "_pillar", **own_data}))

    for tgt in ("web1", "db1", "*"):
        assert order(fleet_of_two, "disk.usage", [], tgt) == NOT_AUTHORIZED
    # As a target of the job, grains can match more ids, each of which needs the permission.
    assert order(fleet_of_two, "status.uptime", [], "role:web", tgt_type="grain") == NOT_AUTHORIZED
    log = fleet_of_two.log()
    assert "permission target 'G@role:web' matches no minion" in log
    assert "permission target 'N@webs' matches no minion" in log
    assert log.count("permission target 'N@webs'") == 1


@pytest.mark.parametrize(
    "steering",
    [
        {"ret_kwargs": {"filename": "/etc/cron.d/x"}},
        {"module_executors": ["process"]},
        {"module_executors": "sudo"},
        {"executor_opts": {"splaytime": 9999}},
        {"ret_config": "other"},
    ],
)
def test_options_that_reach_files_and_programs_need_their_own_right(fleet_of_two, steering):
    assert order(fleet_of_two, "test.ping", kwargs=steering) == NOT_AUTHORIZED
    assert order(fleet_of_two, "saltutil.find_job", ["1"], kwargs=steering) == NOT_AUTHORIZED

    powerful = {**LOGIN, "username": "root2"}
    assert "load" in order(fleet_of_two, "test.ping", login=powerful, kwargs=steering)


@pytest.mark.parametrize("ret", ["redis", "local,redis", "../x", ["redis"], {"redis": 1}])
def test_a_returner_is_a_function_that_needs_its_right(fleet_of_two, ret):
    assert order(fleet_of_two, "test.ping", ret=ret) == NOT_AUTHORIZED
    assert order(fleet_of_two, "saltutil.find_job", ["1"], ret=ret) == NOT_AUTHORIZED


def test_a_user_who_may_call_a_returner_may_name_it(fleet_of_two):
    assert "load" in order(fleet_of_two, "test.ping", ret="local", login={**LOGIN, "username": "returns"})
    assert (
        order(fleet_of_two, "test.ping", ret="redis", login={**LOGIN, "username": "returns"})
        == NOT_AUTHORIZED
    )
    assert "load" in order(fleet_of_two, "test.ping", ret="redis", login={**LOGIN, "username": "root2"})


def test_fields_of_daemons_are_not_published_for_limited_users(fleet_of_two, follow):
    up_to = follow(fleet_of_two)
    forged = {"id": "db1", "to": 9, "user": "root", "resource_id": "x", "auth_list": [".*"], "master_id": "x"}

    reply = order(fleet_of_two, "test.ping", **forged)

    tag = f"salt/job/{reply['load']['jid']}/publish"
    job = up_to(tag)[-1]["data"]
    assert job["user"] == "fred"
    assert {"id", "to", "resource_id", "auth_list", "master_id"} & set(job) == set()


@pytest.mark.parametrize("name", ["__pub_user", "__pub_id", "__pub_jid", "__pub_x", "__id__"])
def test_no_argument_passes_for_a_word_of_the_master(fleet_of_two, name):
    for arg in ([named(**{name: "root"})], [f"{name}=root"], [f"{name}=root", named(x=1)]):
        assert order(fleet_of_two, "test.ping", arg) == NOT_AUTHORIZED
    assert order(fleet_of_two, ["test.ping"], [[named(**{name: "x"})]]) == NOT_AUTHORIZED


def test_looking_for_a_job_reveals_nothing_else(fleet_of_two):
    assert "load" in order(fleet_of_two, "saltutil.find_job", ["20200101000000000000"], "*")
    for fun in ("saltutil.find_jobs", "saltutil.kill_job", "saltutil.find_job.x", "saltutil.running"):
        assert order(fleet_of_two, fun, ["1"], "*") == NOT_AUTHORIZED


def test_a_refused_order_is_reported_with_its_name_and_no_password(fleet_of_two):
    assert order(fleet_of_two, "cmd.run", ["id"], jid="20260101000000000000") == NOT_AUTHORIZED

    assert "fred may not run ['cmd.run'] on this target" in fleet_of_two.log()
    assert "geheim" not in fleet_of_two.log()
