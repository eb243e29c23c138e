"""Everyday use of Salt in mixed fleets, where some parts are stock's and others ours."""

import json
import pathlib
import subprocess
import textwrap

import pytest

LIMIT = 150


def test_key_waits_for_acceptance(fleet):
    assert fleet.history["pending"].value in ({}, None) or "m1" not in fleet.history["pending"].value
    assert "m1" in fleet.history["accept"].out
    assert fleet.key("-l", "acc").value == {"minions": ["m1"]}


def test_a_ping_is_answered(fleet):
    completed = fleet.salt("*", "test.ping")

    assert completed.value == {"m1": True}, completed
    assert completed.code == 0


def test_commands_run_and_return_exit_codes(fleet):
    good = fleet.salt("m1", "cmd.run", "echo one; echo two")
    bad = fleet.salt("m1", "cmd.run", "exit 3")

    assert good.value == {"m1": "one\ntwo"}
    assert good.code == 0
    assert fleet.reports_failure(bad)


def test_arguments_keep_their_types(fleet):
    words = ["1", "text", "[1, {a: b}]", "flag=True", "name='12'", "none=null"]

    value = fleet.returned("test.arg", *words)

    assert value["args"] == [1, "text", [1, {"a": "b"}]]
    kwargs = {name: value for name, value in value["kwargs"].items() if not name.startswith("__")}
    assert kwargs == {"flag": True, "name": "12", "none": None}


def test_unknown_functions_are_errors(fleet):
    completed = fleet.salt("m1", "no.such")

    assert completed.value == {"m1": "'no.such' is not available."}
    assert fleet.reports_failure(completed)


@pytest.mark.parametrize(
    "target",
    [
        ["-E", "m[0-9]"],
        ["-L", "m1,m7"],
        ["-G", "role:web"],
        ["-P", "role:w.b"],
        ["-I", "team:blue"],
        ["-C", "G@role:web and not L@m2"],
        ["-S", "127.0.0.0/8"],
        ["-N", "ones"],
    ],
    ids=lambda target: target[0].strip("-"),
)
def test_targets_match_the_minion(fleet, target):
    fleet.write({"pillar/top.sls": "base: {'*': [team]}", "pillar/team.sls": "team: blue"})
    fleet.returned("saltutil.refresh_pillar", "wait=True")
    fleet.returned("pillar.items")
    if target[0] == "-S":
        # The loopback address is in no grain of addresses: ask for one that the minion has.
        target = ["-S", fleet.returned("grains.get", "ipv4")[-1]]

    completed = fleet.salt(*target, "test.ping")

    assert completed.value.get("m1") is True, completed


def test_states_with_files_templates_and_pillar(fleet):
    out = fleet.root / "out"
    fleet.write(
        {
            "pillar/top.sls": "base: {'*': [team]}",
            "pillar/team.sls": "team: blue",
            "states/web/init.sls": textwrap.dedent(
                f"""
                {{% from 'web/map.jinja' import greeting with context %}}
                {out}/plain:
                  file.managed:
                    - source: salt://web/plain
                    - makedirs: True
                {out}/made:
                  file.managed:
                    - source: salt://web/made.j2
                    - template: jinja
                    - context: {{greeting: {{{{ greeting }}}}}}
                    - require:
                      - file: {out}/plain
                echo changed >> {out}/log:
                  cmd.run:
                    - onchanges:
                      - file: {out}/made
                """
            ),
            "states/web/map.jinja": "{% set greeting = 'hello ' ~ pillar['team'] %}",
            "states/web/plain": "as it is\n",
            "states/web/made.j2": "{{ greeting }} from {{ grains['id'] }}\n",
        }
    )

    trial = fleet.salt("m1", "state.apply", "web", "test=True")
    first = fleet.salt("m1", "state.apply", "web")
    second = fleet.salt("m1", "state.apply", "web")

    assert [one["result"] for one in trial.value["m1"].values()] == [None, None, None], trial
    assert all(one["result"] and one["changes"] for one in first.value["m1"].values()), first
    assert not any(one["changes"] for one in second.value["m1"].values()), second
    assert (out / "plain").read_text() == "as it is\n"
    assert (out / "made").read_text() == "hello blue from m1\n"
    assert (out / "log").read_text() == "changed\n"


def test_highstate_from_a_top_file(fleet):
    out = fleet.root / "top-out"
    fleet.write(
        {
            "states/top.sls": "base:\n  'role:web':\n    - match: grain\n    - topped\n",
            "states/topped.sls": f"{out}:\n  file.managed:\n    - contents: from top\n",
        }
    )

    completed = fleet.salt("m1", "state.highstate")

    assert completed.code == 0, completed
    assert out.read_text() == "from top\n"


def test_failed_states_fail_the_command(fleet):
    fleet.write({"states/broken.sls": "no way:\n  test.fail_without_changes: []\n"})

    completed = fleet.salt("m1", "state.apply", "broken")

    assert [one["result"] for one in completed.value["m1"].values()] == [False]
    assert fleet.reports_failure(completed)


def test_large_binary_files_arrive_complete(fleet):
    content = bytes(range(256)) * 9000
    (fleet.states / "large.bin").write_bytes(content)
    dest = fleet.root / "large.copy"

    fleet.returned("cp.get_file", "salt://large.bin", dest)

    assert dest.read_bytes() == content


def test_modules_are_synced(fleet, wait_until):
    fleet.write({"states/_modules/own.py": "def answer():\n    return __grains__['id'] + ' 42'\n"})

    # A master may serve a list of files that is some seconds old.
    wait_until(
        lambda: (
            fleet.returned("saltutil.sync_modules")
            or "own.answer" in fleet.returned("sys.list_functions", "own")
        ),
        "the module is there",
        fleet,
    )

    assert fleet.returned("own.answer") == "m1 42"


def test_mine_data_is_shared(fleet):
    fleet.returned("mine.update")

    assert fleet.returned("mine.get", "*", "shared") == {"m1": "from m1"}
    assert fleet.returned("mine.get", "role:web", "shared", "tgt_type=grain") == {"m1": "from m1"}


def test_events_of_minions_reach_the_bus(fleet, wait_until):
    listener = fleet.beside("salt-run", "state.event", "my/own/*", "count=1", "quiet=False")
    try:
        # The listener's subscription cannot be seen: fire until it has what it waits for.
        wait_until(
            lambda: (
                fleet.returned("event.send", "my/own/tag", "{greeting: hello}")
                and listener.poll() is not None
            ),
            "the listener has heard the event",
            fleet,
        )
        output = listener.communicate(timeout=LIMIT)[0]
    finally:
        listener.kill()
        listener.communicate()

    tag, _, data = output.partition("\t")
    assert tag.strip() == "my/own/tag"
    event = json.loads(data.splitlines()[0])
    assert (event["id"], event["data"]["greeting"]) == ("m1", "hello")


def test_jobs_can_be_looked_up(fleet, wait_until):
    if (fleet.tools, fleet.master.whose) == ("stock", "ours"):
        pytest.skip("stock's salt-run reads stock's job files; ours asks the master")
    started = fleet.salt("--async", "m1", "test.echo", "kept", as_json=False)
    jid = started.out.split()[-1]

    wait_until(lambda: fleet.run("jobs.lookup_jid", jid).value, "the job has returned", fleet)

    assert fleet.run("jobs.lookup_jid", jid).value == {"m1": "kept"}
    listed = fleet.run("jobs.list_job", jid).value
    assert (listed["Function"], listed["Target"], listed["Minions"]) == ("test.echo", "m1", ["m1"])


def test_running_jobs_are_found_and_killed(fleet, wait_until):
    started = fleet.salt("--async", "m1", "cmd.run", "sleep 300", as_json=False)
    jid = started.out.split()[-1]

    wait_until(lambda: fleet.returned("saltutil.find_job", jid), "the job runs", fleet)
    found = fleet.returned("saltutil.find_job", jid)
    fleet.returned("saltutil.kill_job", jid)

    assert (found["fun"], found["arg"], found["jid"]) == ("cmd.run", ["sleep 300"], jid)
    wait_until(lambda: not fleet.returned("saltutil.find_job", jid), "the job is gone", fleet)


def test_several_functions_at_once(fleet):
    completed = fleet.salt("m1", "test.ping,test.echo", ",", "hi")

    assert completed.value == {"m1": {"test.ping": True, "test.echo": "hi"}}, completed


def test_batches_reach_all_minions(fleet):
    completed = fleet.salt("-b", "1", "*", "test.ping", as_json=False)

    assert completed.code == 0, completed
    assert "True" in completed.out


def test_missing_minions_are_named(fleet):
    fleet.write({"gone.pub": (fleet.minion.root / "pki/minion.pub").read_text()})
    key = fleet.master.root / "pki/minions/gone"
    key.write_text((fleet.root / "gone.pub").read_text())
    try:
        completed = fleet.salt("-t", "1", "gone", "test.ping", as_json=False)
    finally:
        key.unlink()

    assert "gone" in completed.out + completed.err
    assert completed.code != 0


def test_files_are_sent_to_minions(fleet):
    source = fleet.root / "sent"
    source.write_text("sent by the master\n")
    dest = fleet.root / "received"

    completed = fleet.tool("salt-cp", "m1", source, dest)

    assert dest.read_text() == "sent by the master\n", completed


def test_local_calls_go_through_the_master(fleet):
    fleet.write({"pillar/top.sls": "base: {'*': [team]}", "pillar/team.sls": "team: blue"})

    assert fleet.call("match.pillar", "team:blue").value == {"local": True}
    assert fleet.call("test.ping").value == {"local": True}


def test_stocks_python_clients_work(fleet):
    if fleet.tools != "stock":
        pytest.skip("the tools of this fleet are ours")
    program = textwrap.dedent(
        f"""
        import json, salt.client, salt.config
        client = salt.client.LocalClient({str(fleet.master.conf / "master")!r})
        print(json.dumps([
            client.cmd("*", "test.ping"),
            client.cmd("role:web", "test.echo", ["x"], tgt_type="grain", full_return=True)["m1"]["ret"],
            list(client.cmd_iter("m1", "test.echo", ["y"]))[0]["m1"]["ret"],
        ]))
        """
    )

    finished = subprocess.run(
        [str(pathlib.Path(fleet.stock_bin) / "python"), "-W", "ignore", "-c", program],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )

    assert finished.returncode == 0, finished.stderr
    assert json.loads(finished.stdout.splitlines()[-1]) == [{"m1": True}, "x", "y"]


def test_deleting_another_key_leaves_the_minion_in(fleet):
    public = (fleet.minion.root / "pki/minion.pub").read_text()
    (fleet.master.root / "pki/minions/other").write_text(public)

    deleted = fleet.key("-y", "-d", "other", as_json=False)

    assert deleted.code == 0
    assert not (fleet.master.root / "pki/minions/other").exists()
    fleet.wait_for_answer()
    assert fleet.salt("m1", "test.ping").value == {"m1": True}


def test_minion_restarts(fleet):
    fleet.minion.restart()

    fleet.wait_for_answer()
    assert fleet.returned("test.echo", "again") == "again"


def test_master_restarts(fleet):
    fleet.master.restart()

    fleet.wait_for_answer()
    assert fleet.returned("test.echo", "again") == "again"
