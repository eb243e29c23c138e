"""Calls on a host of a roster that involve others: other hosts, minions, runners."""

import json
import pathlib

import pytest

from tests.support.ssh_servers import SshOutcome


@pytest.fixture
def fleet(ssh, place, server, start_master, start_minion):
    """Return a function: `fleet(...)` is `salt-g ssh` beside a master with the minion m1."""
    master = start_master(known_hosts_file=f"{place.root}/known_hosts")
    start_minion(master, id="m1")
    roster = master.config_dir / "roster"
    roster.write_text(f"{{web-01: {ssh.entry()}, web-02: {ssh.entry()}}}")
    words = ["ssh", "-c", master.config_dir, "--out=json", "--static"]
    return lambda *more: SshOutcome(ssh.machine.run(*words, *more, timeout=240))


def test_a_host_publishes_to_hosts_of_the_roster(ssh):
    pings = ssh("web-01", "publish.publish", "*", "test.ping").value
    named = ssh("web-01", "publish.publish", "web-02", "test.arg", "arg=[1, a b, c=d]").value
    full = ssh("web-01", "publish.full_data", "*2", "cmd.run", "arg=echo hi; exit 3").value["web-01"]

    assert pings == {"web-01": {"web-01": True, "web-02": True}}
    assert named == {"web-01": {"web-02": {"args": [1, "a b"], "kwargs": {"c": "d"}}}}
    assert (full["web-02"]["ret"], full["web-02"]["retcode"]) == ("hi", 3)


def test_hosts_without_a_result_are_left_out_and_logged(ssh):
    ssh.roster({"web-01": ssh.entry(), "web-02": ssh.entry(port=1)})
    found = ssh("-lerror", "web-01", "publish.publish", "*", "test.ping")
    missing = ssh("-lerror", "web-01", "publish.publish", "web-01", "no.function")

    assert found.value == {"web-01": {"web-01": True}}
    assert "web-02: test.ping: " in found.err
    assert missing.value == {"web-01": {}}
    assert "no.function" in missing.err


def test_a_target_without_hosts_publishes_no_job(ssh):
    assert ssh("web-01", "publish.publish", "localhost", "test.ping").value == {"web-01": {}}


def test_a_published_function_does_not_publish(ssh):
    found = ssh("web-01", "publish.publish", "*", "publish.publish", "arg=[web-01, test.ping]")

    assert found.value == {"web-01": {}}


def test_a_host_publishes_to_minions_and_calls_runners(fleet):
    minions = fleet(
        "web-01", "publish.publish", "*", "test.ping", "ssh_minions=False", "regular_minions=True"
    )
    both = fleet("web-01", "publish.publish", "*", "test.arg", "arg=[a=b]", "regular_minions=True")
    up = fleet("web-01", "publish.runner", "manage.up")
    refused = fleet("web-01", "publish.runner", "manage.nothing")

    assert minions.value == {"web-01": {"m1": True}}
    assert both.value["web-01"].keys() == {"m1", "web-01", "web-02"}
    assert {one["kwargs"]["a"] for one in both.value["web-01"].values()} == {"b"}
    assert up.value == {"web-01": ["m1"]}
    assert "manage.nothing" in refused.value["web-01"]["stderr"]


def test_an_orchestration_reaches_hosts_of_a_roster(ssh, place, start_master, tmp_path):
    """With a roster and settings of one step, and with the roster of the master."""
    master = start_master(known_hosts_file=f"{place.root}/known_hosts")
    (master.config_dir / "roster").write_text(json.dumps({"web-02": ssh.entry()}))
    own = tmp_path / "hosts"
    own.write_text(json.dumps({"web-01": ssh.entry(priv=None), "web-07": ssh.entry(port=1)}))
    web = f"{tmp_path}/{{{{ grains.id }}}}:\n  file.touch: []\n"
    orchestration = f"""
both:
  salt.state:
    - {{tgt: 'web*', ssh: True, sls: web, roster_file: {own}, ssh_priv: {place.root}/id}}
one:
  salt.function:
    - {{name: grains.get, tgt: web-02, ssh: True, arg: [id]}}
"""
    (states,) = master.settings["file_roots"]["base"]
    pathlib.Path(states, "web.sls").write_text(web)
    pathlib.Path(states, "orch.sls").write_text(orchestration)
    words = ["run", "-c", master.config_dir, "--out=json", "state.orchestrate", "orch"]

    found = ssh.machine.run(*words, timeout=240)

    (by_tag,) = json.loads(found.out)["data"].values()
    both, one = (next(ret for tag, ret in by_tag.items() if f"|-{id}_" in tag) for id in ("both", "one"))
    assert both["result"] is False
    assert "Minion web-07 returned" in both["comment"]
    assert [run["result"] for run in both["changes"]["ret"]["web-01"].values()] == [True]
    assert (tmp_path / "web-01").exists()
    assert one["changes"]["ret"] == {"web-02": "web-02"}


def test_pillar_of_hosts_calls_runners(ssh):
    """Here without a master: the runner runs in the command itself."""
    ssh.machine.write(
        {
            "top.sls": "base: {'*': [own]}\n",
            "own.sls": "told: {{ salt['saltutil.runner']('test.arg', ['a']) }}\n",
        },
        below=ssh.machine.pillar,
    )

    assert ssh("web-01", "pillar.get", "told:args").value == {"web-01": ["a"]}


def test_the_mine_has_values_of_hosts(ssh):
    functions = {
        "test.arg": ["told"],
        "alias": {"mine_function": "test.echo", "text": "hi"},
        "test.ping": [],
        "private": [{"mine_function": "test.ping", "allow_tgt": "web-02"}],
        "test.exception": [],
    }
    ssh.roster({"web-01": ssh.entry(mine_functions=functions), "web-02": ssh.entry()})

    def get(host, *words):
        return ssh("-lerror", host, "mine.get", "*", *words).value[host]

    given = {"web-01": {"args": ["told"], "kwargs": {}}, "web-02": {"args": [], "kwargs": {}}}
    pings = {"web-01": True, "web-02": True}
    assert get("web-02", "test.arg") == given
    assert get("web-02", "alias,test.ping") == {"alias": {"web-01": "hi"}, "test.ping": pings}
    assert (get("web-01", "private"), get("web-02", "private")) == ({}, {"web-01": True})
    assert get("web-01", "test.ping", "exclude_minion=True") == {"web-02": True}
    assert get("web-01", "test.ping", "ssh_minions=False") == {}
    assert get("web-01", "test.exception") == {}


def test_a_compression_that_has_no_effect_is_logged(ssh, tmp_path):
    ssh.machine.write({"motd": "hello\n"})

    found = ssh("-lwarning", "web-01", "cp.get_file", "salt://motd", f"{tmp_path}/motd", "gzip=5")

    assert found.value == {"web-01": f"{tmp_path}/motd"}
    assert "The gzip argument to cp.get_file in salt-ssh is unsupported" in found.err


def test_files_are_cached_on_the_host(ssh, tmp_path):
    ssh.machine.write(
        {"motd": "hello\n", "conf/a.conf": "a\n", "conf/b.txt": "b\n", "t": "{{ grains.id }} {{ x }}"}
    )

    def on_host(*words):
        return ssh("web-01", *words).value["web-01"]

    motd = on_host("cp.cache_dest", "salt://motd")
    assert motd.endswith("/files/base/motd")
    # A run that was killed has left it.
    pathlib.Path(motd).unlink(missing_ok=True)
    try:
        assert on_host("cp.is_cached", "salt://motd") == ""
        assert on_host("cp.cache_file", "salt://motd") == motd
        assert on_host("cp.get_file_str", f"file://{motd}") == "hello\n"
        assert (on_host("cp.is_cached", "salt://motd"), on_host("cp.cache_dest", "salt://motd")) == (
            motd,
            motd,
        )
        conf = on_host("cp.cache_dir", "salt://conf", "include_pat=*.conf")
        assert [path.rpartition("/files/base/")[2] for path in conf] == ["conf/a.conf"]
        assert {motd, *conf} <= set(on_host("cp.list_minion"))
        rendered = on_host("cp.get_template", "salt://t", "", "x=1")
        assert on_host("cp.get_file_str", rendered) == "web-01 1"
        assert (
            on_host("cp.get_file", "salt://{{ 'motd' }}", f"{tmp_path}/m", "template=jinja")
            == f"{tmp_path}/m"
        )
        assert on_host("cp.get_url", "salt://motd", "None") == "hello\n"
        assert on_host("cp.cache_file", "salt://nothing") is False
    finally:
        on_host("file.remove", motd.removesuffix("/files/base/motd"))


def test_states_are_tested_with_saltcheck(ssh):
    ssh.machine.write(
        {
            "web/init.sls": "nothing:\n  test.nop: []\n",
            "web/saltcheck-tests/init.tst": "hello:\n  module_and_function: test.echo\n  args: [hello]\n"
            "  assertion: assertEqual\n  expected_return: hello\n",
        }
    )
    found = ssh("web-01", "saltcheck.run_state_tests", "web").value["web-01"]

    assert found[0]["web"]["hello"]["status"] == "Pass"


def test_templates_find_what_those_of_stock_do(ssh):
    ssh.machine.write(
        {
            "who.sh": "echo {{ pillar.who }}",
            "made.sls": "{{ salt['temp.file'](suffix='.txt') }}:\n  file.managed:\n"
            "    - contents: {{ opts.__master_opts__.file_roots | length }}\n",
        }
    )
    result = ssh("web-01", "cmd.script", "salt://who.sh", "template=jinja", "pillar={who: me}").value[
        "web-01"
    ]
    (made,) = ssh("web-01", "state.apply", "made").value["web-01"].values()
    folder = ssh("web-01", "temp.dir", "prefix=a").value["web-01"]

    assert result["stdout"] == "me"
    assert made["result"] and made["name"].endswith(".txt")
    assert pathlib.Path(made["name"]).read_text() == "1\n"
    assert pathlib.Path(folder).is_dir()
    pathlib.Path(made["name"]).unlink()
    pathlib.Path(folder).rmdir()
