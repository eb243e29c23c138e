"""`salt-g ssh`: roster hosts behind a real sshd, without a master."""

import json
import pathlib
import pwd
import re
import shutil
import uuid

import pytest
import yaml

from tests.support.ssh_servers import SshOutcome
from tests.support.terminals import on_terminal

TREE = {
    "top.sls": "base:\n  'web*': [web]\n  'os:{os}':\n    - match: grain\n    - facts\n",
    "web.sls": (
        "{out}/{{{{ grains.id }}}}/motd:\n  file.managed:\n    - makedirs: True\n    - template: jinja\n"
        "    - source: salt://motd\n"
    ),
    "facts.sls": "fact:\n  test.succeed_without_changes: []\n",
    "motd": "{{ pillar.who }} {{ grains.kernel }}\n",
    "broken.sls": "a: [b\n",
}
PILLAR = {
    "top.sls": "base:\n  '*': [all]\n  web-01: [one]\n  'kernel:Linux':\n    - match: grain\n    - linux\n",
    "all.sls": "who: anybody\n",
    "one.sls": "who: {{ grains.id }}\n",
    "linux.sls": "kernel: {{ grains.kernel }}\n",
}


@pytest.fixture
def tree(ssh):
    """Return states and pillar; the directory in which the states write."""
    machine = ssh.machine
    files = {
        name: text.format(out=machine.out, os="*") if name in ("top.sls", "web.sls") else text
        for name, text in TREE.items()
    }
    machine.write(files)
    machine.write(PILLAR, below=machine.pillar)
    return machine.out


@pytest.mark.own_start
def test_functions_run_on_the_hosts_of_a_target(ssh):
    assert ssh("web*", "test.ping").value == {"web-01": True, "web-02": True}
    assert ssh("-L", "web-02,nobody", "test.arg", "1", "a=b").value == {
        "web-02": {"args": [1], "kwargs": {"a": "b"}}
    }
    assert ssh("-G", "kernel:Linux", "grains.get", "id").value == {"web-01": "web-01", "web-02": "web-02"}
    assert ssh("-C", "G@kernel:Linux and E@.*2", "config.get", "id").value == {"web-02": "web-02"}


def test_secrets_of_pillar_are_not_printed(ssh, tree):
    ssh.machine.write({"all.sls": "who: {{ 'Planted-secret-7' | secret }}\n"}, below=ssh.machine.pillar)

    found = ssh("web-02", "pillar.get", "who", "--static")

    assert found.value == {"web-02": "<secret:who>"}


def test_results_are_printed_as_they_come_or_together(ssh):
    found = ssh("web*", "test.echo", "hi", as_json=False)

    assert sorted(re.findall(r"web-0\d:\n    hi\n", found.out)) == ["web-01:\n    hi\n", "web-02:\n    hi\n"]
    assert found.code == 0


def test_a_command_that_fails_on_a_host_gives_twenty(ssh):
    found = ssh("web-01", "cmd.run_all", "echo out; echo err >&2; exit 3")

    assert found.code == 20
    value = found.value["web-01"]
    assert value.pop("pid") > 0
    assert value == {"retcode": 3, "stdout": "out", "stderr": "err"}
    assert found.err == ""


def test_a_raw_command_needs_nothing_but_a_shell(ssh):
    found = ssh("web-01", "-r", "echo out; echo err >&2; exit 3")

    assert found.code == 20
    assert found.value == {
        "web-01": {
            "stdout": "out\n", "stderr": "err", "retcode": 3, "parsed": None,
            "_error": "The command resulted in a non-zero exit code",
        }
    }  # fmt: skip
    assert ssh("web-01", "-r", "echo", "two words").value["web-01"]["stdout"] == "two words\n"


def test_a_function_that_hosts_do_not_have_is_refused_in_the_form_of_stock(ssh):
    found = ssh("web-01", "nosuch.function")

    assert found.code == 20
    assert found.value["web-01"]["retcode"] == 255
    assert "Function 'nosuch.function' is not supported" in found.value["web-01"]["stderr"]


def test_states_come_from_the_master_with_pillar_and_grains_of_the_host(ssh, tree):
    (run,) = ssh("web-01", "state.apply").value.values()

    assert [one["result"] for one in run.values()] == [True, True]
    assert (tree / "web-01" / "motd").read_text() == "web-01 Linux\n"
    again = ssh("web*", "state.sls", "web", "test=True").value
    results = {id: [one["result"] for one in run.values()] for id, run in again.items()}
    assert results == {"web-01": [True], "web-02": [None]}
    assert not (tree / "web-02").exists()


def test_states_that_do_not_compile_are_reported_and_give_twenty(ssh, tree):
    found = ssh("web-01", "state.sls", "nowhere")

    assert (found.code, found.value) == (
        20,
        {"web-01": ["No matching sls found for 'nowhere' in env 'base'"]},
    )


def test_pillar_is_that_of_the_host_and_not_masked(ssh, tree):
    assert ssh("web*", "pillar.items").value == {
        "web-01": {"who": "web-01", "kernel": "Linux"}, "web-02": {"who": "anybody", "kernel": "Linux"},
    }  # fmt: skip
    assert ssh("-I", "who:any*", "test.ping").value == {"web-02": True}


def test_the_states_to_run_can_be_shown(ssh, tree):
    assert ssh("web-01", "state.show_top").value == {"web-01": {"base": ["web", "facts"]}}
    assert ssh("web-01", "cp.get_file", "salt://motd", tree / "motd").value == {"web-01": str(tree / "motd")}


def test_settings_of_a_host_reach_its_calls(ssh):
    ssh.roster({"web-01": ssh.entry(minion_opts={"color": "red", "grains": {"rack": 7}})})

    assert ssh("web-01", "config.get", "color").value == {"web-01": "red"}
    assert ssh("-G", "rack:7", "grains.get", "rack").value == {"web-01": 7}


def test_one_host_that_is_gone_does_not_stop_the_others(ssh):
    ssh.roster({"web-01": ssh.entry(), "gone": ssh.entry(port=1)})

    found = ssh("*", "test.ping")

    assert found.code == 20
    assert found.value["web-01"] is True
    assert "root@127.0.0.1:1 cannot be reached" in found.value["gone"]


def test_state_runs_are_printed_together_beside_a_host_that_is_gone(ssh, tree):
    ssh.roster({"web-01": ssh.entry(), "gone": ssh.entry(port=1)})

    found = ssh("*", "state.sls", "web", "--static", as_json=False)

    assert found.code == 20
    assert found.out.startswith("gone:\n    root@127.0.0.1:1 cannot be reached")
    assert "Summary for web-01\n" in found.out


def test_an_unknown_host_key_is_refused_unless_asked_otherwise(ssh, tmp_path):
    known = tmp_path / "known"
    known.write_text("")
    ssh.roster({"web-01": ssh.entry(known_hosts_file=str(known))})

    refused = ssh("web-01", "test.ping")

    assert refused.code == 20
    result = refused.value["web-01"]
    assert result["retcode"] == 254
    assert result["stdout"].startswith(
        "The host key needs to be accepted, to auto accept run salt-ssh with the -i"
    )
    assert "is not known: refused" in result["stdout"]
    assert ssh("web-01", "--no-host-keys", "test.ping").value == {"web-01": True}
    assert known.read_text() == ""
    assert ssh("web-01", "-i", "test.ping").value == {"web-01": True}
    assert known.read_text() != ""


def test_a_target_that_matches_nothing_is_reported(ssh):
    found, document = ssh("nobody*", "test.ping", as_json=False), ssh("nobody*", "test.ping")

    assert (found.code, found.out) == (0, "")
    assert (document.code, document.value) == (0, {})
    for outcome in (found, document):
        assert "No matching targets found in roster." in outcome.err


def test_hosts_are_listed_with_their_roster(ssh):
    path = str(ssh.machine.conf / "roster")

    assert ssh("-H", "web-01").value == {path: {"web-01": "127.0.0.1"}}
    assert list(ssh("-H").value[path]) == ["web-01", "web-02"]


def test_sudo_works_as_another_user(ssh, place, account, sudoers):
    sudoers("NOPASSWD:")
    ssh.roster(
        {
            "root": ssh.entry(user=account[0], sudo=True),
            "nobody": ssh.entry(user=account[0], sudo=True, sudo_user="nobody"),
            "itself": ssh.entry(user=account[0]),
        }
    )

    found = ssh("*", "cmd.run", "id -un", "shell=/bin/sh").value
    raw = ssh("*", "-r", "id -un; [ $0 = /bin/sh ] && echo by its shell").value

    assert found == {"root": "root", "nobody": "nobody", "itself": account[0]}
    assert {one["stdout"] for one in raw.values()} == {f"{account[0]}\nby its shell\n"}


def test_a_password_for_sudo_leaves_nothing_in_output_and_environment(ssh, account, sudoers):
    sudoers("PASSWD:")
    entry = ssh.entry(user=account[0], passwd=account[1], sudo=True)
    ssh.roster({"plain": entry, "terminal": {**entry, "tty": True}})

    found = ssh("*", "cmd.run", "id -un").value
    environment = ssh("plain", "environ.items").value["plain"]

    assert found == {"plain": "root", "terminal": "root"}
    assert environment["SUDO_USER"] == account[0]
    assert "SUDO_COMMAND" not in environment


def test_set_path_is_where_commands_are_sought(ssh, account, sudoers):
    sudoers("NOPASSWD:")
    own = "$PATH:/opt/a b:$(id)"
    ssh.roster(
        {"web-01": ssh.entry(set_path=own), "web-02": ssh.entry(user=account[0], sudo=True, set_path=own)}
    )

    found = ssh("*", "environ.get", "PATH").value

    assert {id: path.endswith(":/opt/a b:$(id)") and "/bin:" in path for id, path in found.items()} == {
        "web-01": True,
        "web-02": True,
    }


@pytest.fixture
def at_home(place, account):
    """Yield (server, file) of a server that accepts a password, or a key in the user's authorized_keys."""
    home = pathlib.Path(pwd.getpwnam(account[0]).pw_dir)
    server = place.sshd(
        f"home-{uuid.uuid4().hex}",
        authentication="PasswordAuthentication yes\nAuthorizedKeysFile .ssh/authorized_keys",
    )
    yield server, home / ".ssh" / "authorized_keys"
    shutil.rmtree(home / ".ssh", ignore_errors=True)


def test_the_key_is_deployed_once_with_the_password(ssh, place, account, at_home):
    server, file = at_home
    host = ssh.entry(user=account[0], port=server.port, identities_only=True)
    ssh.roster({"web-01": host})

    assert "refuses the login" in ssh("web-01", "test.ping").value["web-01"]
    for _ in range(2):
        found = ssh("web-01", "--key-deploy", f"--passwd={account[1]}", "test.ping")
        assert (found.value, found.code) == ({"web-01": True}, 0)
    assert file.read_text() == (place.root / "id.pub").read_text()
    assert ssh("web-01", "test.ping").value == {"web-01": True}
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_key_that_cannot_be_deployed_is_reported_and_nothing_runs(ssh, account, at_home):
    server, file = at_home
    ssh.roster({"web-01": ssh.entry(user=account[0], port=server.port, identities_only=True)})

    found = ssh("web-01", "--key-deploy", "--passwd=wrong", "test.ping")

    assert found.code == 20
    assert found.value["web-01"].startswith("the public key cannot be added: ")
    assert "wrong" not in found.out + found.err
    assert not file.exists()


def test_the_password_is_asked_on_the_terminal(ssh, account, at_home):
    ssh.roster({"web-01": ssh.entry(user=account[0], port=at_home[0].port, priv=None)})
    words = [ssh.machine.program, "ssh", "-c", str(ssh.machine.conf), "--askpass", "web-01", "-r", "id -un"]

    code, shown = on_terminal(words, "Password:", account[1])

    assert code == 0
    assert account[0] in shown
    assert account[1] not in shown


def test_a_password_that_cannot_be_asked_for_is_an_error_in_words(ssh):
    found = ssh("web-01", "--askpass", "test.ping")

    assert (found.code, "Traceback" in found.err) == (1, False)
    assert "--askpass needs a terminal" in found.err


def test_a_script_runs_before_the_first_call_and_again_if_asked(ssh, tmp_path):
    script = tmp_path / "flight"
    script.write_text(f"#!/bin/sh\necho $1 >> {tmp_path}/flown\nexit $2\n")
    ssh.roster(
        {
            "web-01": ssh.entry(ssh_pre_flight=str(script), ssh_pre_flight_args="good 0"),
            "web-02": ssh.entry(ssh_pre_flight=str(tmp_path / "nowhere")),
        }
    )

    def flown():
        return (tmp_path / "flown").read_text().splitlines()

    first = ssh("*", "test.ping")
    assert (first.code, first.value["web-01"]) == (20, True)
    assert f"{tmp_path}/nowhere (ssh_pre_flight) does not exist" in first.value["web-02"]["stderr"]
    assert ssh("web-01", "-r", "echo raw").value["web-01"]["stdout"] == "raw\n"
    assert flown() == ["good"]
    ssh.roster({"web-01": ssh.entry(ssh_pre_flight=str(script), ssh_pre_flight_args=["no good", 3])})
    again = ssh("*", "--pre-flight", "test.ping")
    assert (again.code, again.value["web-01"]["retcode"]) == (20, 3)
    assert flown() == ["good", "no good"]


def test_a_host_by_its_address_can_be_added_to_the_roster(ssh, place, server):
    ssh.roster({"web-01": ssh.entry()}, roster_defaults={"priv": f"{place.root}/id"})
    (ssh.machine.conf / "roster").write_text("web-01: 192.0.2.1\n")

    found = ssh(f"root@127.0.0.1:{server.port}", "--update-roster", "test.ping")

    assert found.value == {"127.0.0.1": True}
    assert yaml.safe_load((ssh.machine.conf / "roster").read_text()) == {
        "web-01": "192.0.2.1", "127.0.0.1": {"host": "127.0.0.1", "user": "root", "port": str(server.port)},
    }  # fmt: skip


def test_the_runner_returns_what_stocks_returns(ssh):
    words = ["ssh.cmd", "web*", "test.arg", '["a=b", 1]', "kwarg={key: [x y, 2]}"]

    found = ssh.machine.run("run", "-c", ssh.machine.conf, "--out=json", *words, timeout=240)

    returned = json.loads(found.out)
    assert sorted(returned) == ["web-01", "web-02"]
    one = returned["web-01"]
    assert one["return"] == {"args": ["a=b", 1], "kwargs": {"key": ["x y", 2]}}
    assert (one["id"], one["fun"], one["retcode"], len(one["jid"])) == ("web-01", "test.arg", 0, 20)


def test_the_runner_refuses_a_target_that_matches_nothing(ssh):
    found = ssh.machine.run("run", "-c", ssh.machine.conf, "ssh.cmd", "nobody", "test.ping", timeout=240)

    assert found.code == 1
    assert "No matching targets found in roster." in found.out + found.err


def test_a_roster_of_the_user_is_loaded(ssh, server, place):
    ssh.machine.write(
        {
            "_roster/mine.py": "def targets(tgt, tgt_type='glob', **kwargs):\n"
            f"    return {{tgt: {{'host': '127.0.0.1', 'port': {server.port}, 'priv': '{place.root}/id'}}}}\n"
        }
    )
    synced = ssh.machine.run("run", "-c", ssh.machine.conf, "saltutil.sync_roster", "--out=json")

    assert json.loads(synced.out) == ["roster.mine"]
    assert ssh("--roster=mine", "any-id", "grains.get", "id").value == {"any-id": "any-id"}


def test_data_of_a_masters_minions_can_be_used(ssh, place, server, start_master, start_minion, salt):
    master = start_master(
        known_hosts_file=f"{place.root}/known_hosts",
        roster_defaults={"priv": f"{place.root}/id", "port": server.port},
        roster_order={"host": ["ipv4-local"]},
    )
    start_minion(master, id="m1", mine_functions={"test.arg": ["shared"]})
    assert salt(master, "m1", "mine.update").minions == {"m1": True}
    words = ["ssh", "-c", master.config_dir, "--out=json", "--static"]

    known = SshOutcome(
        ssh.machine.run(*words, "--roster=cache", "-G", "id:m*", "grains.get", "id", timeout=240)
    )
    mine = SshOutcome(
        ssh.machine.run(*words, "--roster=cache", "m1", "mine.get", "*", "test.arg", timeout=240)
    )

    assert known.value == {"m1": "m1"}
    assert mine.value == {"m1": {"m1": {"args": ["shared"], "kwargs": {}}}}


def test_without_a_target_or_function_the_help_is_printed(ssh):
    found = ssh("web-01", as_json=False)

    assert found.code == 64
    assert "Insufficient arguments" in found.err
    assert found.out.startswith("Usage: salt-g ssh")


WRAPPER = '''"""Functions on this machine about a host."""


def where(path, upper=False):
    """Return what a host, its grains and pillar say."""
    found = __salt__["cmd.run"]("readlink -f " + path)
    __context__["seen"] = __context__.get("seen", 0) + 1
    told = f"{__grains__['id']} {__pillar__['who']} {found}"
    return told.upper() if upper else told


def twice():
    """Call another wrapper."""
    return [__salt__["own.where"]("/"), __salt__["own.where"]("/dev/.."), __context__["seen"]]


def broken():
    """Fail."""
    raise ValueError("as written")


def asks():
    """Call a function of the host that fails."""
    return __salt__["file.touch"]("/no/such/place")
'''


def test_wrappers_of_users_run_on_this_machine_with_the_functions_of_the_host(ssh, tree):
    ssh.machine.write(
        {
            "_wrapper/own.py": WRAPPER,
            "w.sls": "{{ salt['own.where']('/') }}:\n  test.succeed_without_changes: []\n",
        }
    )
    run = ssh.machine.run("run", "-c", ssh.machine.conf, "--out=json", "saltutil.sync_wrapper")
    assert json.loads(run.out) == ["wrapper.own"]

    assert ssh("web-01", "own.where", "/", "upper=true").value == {"web-01": "WEB-01 WEB-01 /"}
    assert ssh("web-02", "own.twice").value == {"web-02": ["web-02 anybody /", "web-02 anybody /", 2]}
    (result,) = ssh("web-02", "state.sls", "w").value["web-02"].values()
    assert result["name"] == "web-02 anybody /"


def test_a_wrapper_that_fails_is_an_error_of_its_host(ssh, tree):
    ssh.machine.write({"_wrapper/own.py": WRAPPER})
    ssh.machine.run("run", "-c", ssh.machine.conf, "saltutil.sync_wrapper")

    found = ssh("web-01", "own.broken")
    of_the_host = ssh("web-01", "own.asks")

    assert (found.code, of_the_host.code) == (20, 20)
    assert found.value == {"web-01": "An Exception occurred while executing own.broken: as written"}
    assert of_the_host.value["web-01"]["stderr"] == "Error running 'file.touch': No such file or directory"
