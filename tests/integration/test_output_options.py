"""Commands that print data: with `--out=json` standard output has nothing but the data."""

import json
import subprocess

import pytest

from tests.support.commands import PROGRAM, outcome_of
from tests.support.waiting import until

#: Subcommands without data: daemons and servers, the demonstration, completion scripts, and pip.
_WITHOUT = ("master", "minion", "quickstart", "completion", "pip", "api", "lsp")


def run(*words):
    return outcome_of([PROGRAM, *map(str, words)])


def documents(outcome):
    """Return the JSON documents on standard output; fail on anything else there."""
    decoder, text, found = json.JSONDecoder(), outcome.out.strip(), []
    while text:
        one, end = decoder.raw_decode(text)
        found.append(one)
        text = text[end:].strip()
    assert found, outcome
    return found


@pytest.fixture
def fleet(start_master, start_minion):
    """Return a master with the minion a, its settings laid out as on a host's disk."""
    master = start_master()
    (master.config_dir / "master").write_text(json.dumps(master.settings))
    start_minion(master, "a")
    return master.config_dir


@pytest.fixture
def nobody(start_master):
    """Return a master without minions."""
    master = start_master()
    (master.config_dir / "master").write_text(json.dumps(master.settings))
    return master.config_dir


def test_each_printing_subcommand_has_the_option():
    from salt_g.cli.completion import options_of_subcommands

    lacking = {name for name, options in options_of_subcommands().items() if "--out" not in options}
    assert lacking <= set(_WITHOUT)
    assert "--out" in run("key", "invite", "--help").out


#: Commands with a minion, as given after `-c DIR --out=json`.
_WITH_A_MINION = (
    ["cmd", "a", "test.ping"],
    ["cmd", "a", "test.ping", "--static"],
    ["cmd", "a", "test.ping", "--async"],
    ["cmd", "a", "test.ping", "-b", "1"],
    ["cmd", "a", "test.ping", "-b", "1", "--static"],
    ["cmd", "a", "test.ping", "-b", "1", "--async"],
    ["cmd", "a", "test.ping", "--batch-safe-limit", "1", "--batch-safe-size", "1"],
    ["cmd", "a", "test.ping", "--subset", "1"],
    ["cmd", "a", "test.ping", "-v"],
    ["cmd", "a", "test.ping", "--show-jid"],
    ["cmd", "a", "test.ping", "-s"],
    ["cmd", "a", "test.ping", "-p"],
    ["cmd", "a", "no.such"],
    ["cmd", "a", "--preview-target"],
    ["cmd", "a", "test.ping", "-d"],
    ["run", "manage.up"],
    ["run", "no.such"],
    ["run", "jobs.list_jobs"],
    ["run", "test.arg", "--async"],
    ["run", "survey.hash", "a", "test.ping"],
    ["run", "test.ping", "-d"],
    ["match", "a"],
    ["match", "--explain", "a"],
    ["match", "nobody"],
    ["cp", "a", __file__, "/tmp/"],
    ["key", "-L"],
    ["key", "-f", "a"],
    ["key", "-F"],
    ["key", "-p", "a"],
    ["key", "-a", "nobody", "-y"],
    ["key", "-l", "pre"],
    ["key", "invite", "--address", "127.0.0.1"],
    ["key", "invite", "--list"],
    ["top"],
    ["top", "--once"],
    ["doctor", "--role", "master"],
    ["config", "--role", "master"],
    ["config", "--role", "master", "--changed"],
)
_WITHOUT_MINIONS = (
    ["cmd", "*", "test.ping"],
    ["cmd", "*", "test.ping", "--static"],
    ["cmd", "*", "test.ping", "--async"],
    ["cmd", "*", "test.ping", "-b", "1"],
    ["cmd", "*", "test.ping", "-b", "1", "--async"],
    ["cmd", "*", "test.ping", "--subset", "1"],
    ["cmd", "*", "test.ping", "-v"],
    ["cmd", "*", "test.ping", "-p"],
    ["cmd", "*", "--preview-target"],
    ["cmd", "*", "-d"],
    ["cmd", "--config-dump"],
    ["run", "manage.up"],
    ["match", "*"],
    ["cp", "*", __file__, "/tmp/"],
    ["key", "-L"],
    ["key", "-A", "-y"],
    ["key", "-d", "nobody", "-y"],
    ["key", "invite", "--list"],
    ["doctor", "--role", "master"],
    ["top"],
)


def _mixed(directory, commands):
    """Return the commands whose standard output has anything but JSON."""
    wrong = []
    for program, *words in commands:
        invites = words[:1] == ["invite"]
        head = [program, words.pop(0)] if invites else [program]
        done = run(*head, "-c", directory, "--out=json", *words)
        try:
            documents(done)
        except (ValueError, AssertionError):
            wrong.append((program, words, done))
    return wrong


def test_standard_output_is_json_alone_with_a_minion(fleet):
    assert not _mixed(fleet, _WITH_A_MINION)


def test_standard_output_is_json_alone_without_minions(nobody):
    assert not _mixed(nobody, _WITHOUT_MINIONS)


def test_standard_output_is_json_alone_on_one_machine(salt_g):
    (salt_g.conf / "minion").write_text(json.dumps({**salt_g.settings, "file_client": "local"}))
    commands = (
        ["call", "test.ping"],
        ["call", "-d", "test.ping"],
        ["call", "-g"],
        ["call", "test.ping", "--metadata"],
    )
    wrong = run("call", "-c", salt_g.conf, "--out=json", "test.sleep")

    assert not _mixed(salt_g.conf, commands)
    assert (wrong.out, "Usage:" in wrong.err) == ("", True)


def test_events_are_data(fleet):
    words = ["run", "-c", str(fleet), "--out=json", "state.event", "salt/run/*/ret", "count=1"]
    follower = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, text=True)

    until(lambda: run("run", "-c", fleet, "test.arg") and follower.poll() is not None, "an event to come")

    [tag] = json.loads(follower.communicate()[0])
    assert tag.startswith("salt/run/")


def test_an_invitation_is_made_listed_and_revoked_as_data(fleet):
    words = ("-c", fleet, "--out=json")

    [made] = documents(run("key", "invite", *words, "--id", "web1", "--address", "127.0.0.1"))
    [[listed]] = documents(run("key", "invite", *words, "--list"))
    [revoked] = documents(run("key", "invite", *words, "--revoke", listed["number"]))

    assert made["command"].startswith("salt-g install minion ") and made["id"] == "web1"
    assert (listed["id"], listed["left"], listed["expires"]) == (
        "web1",
        1,
        pytest.approx(made["expires"], abs=5),
    )
    assert "key" not in listed
    assert revoked == {"revoked": listed["number"]}


def test_an_installation_is_reported_as_data(tmp_path):
    (tmp_path / "etc").mkdir()

    [planned] = documents(run("install", "master", "--root", tmp_path, "--dry-run", "--out=json"))
    [done] = documents(run("install", "master", "--root", tmp_path, "--out=json"))

    assert any(step.startswith("write   /etc/salt-g/master (mode 0644)") for step in planned["steps"])
    assert "write   /etc/salt-g/master" in done["steps"]
    assert done["connection"] == ""


def test_settings_are_data_with_their_origins(fleet):
    [shown] = documents(run("config", "-c", fleet, "--role", "master", "--out=json", "timeout"))

    assert shown == {"timeout": {"value": 5, "origin": "default"}}
