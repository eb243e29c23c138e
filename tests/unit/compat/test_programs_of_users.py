"""Names below `salt.` for programs outside of salt-g: clients, functions of this machine, options."""

import socket
import subprocess
import sys
import tempfile

import pytest

from salt_g import api, config
from salt_g.compat import loader, minion, netapi, scripts
from salt_g.compat.cli.caller import Caller
from salt_g.compat.client.ssh.client import SSHClient
from salt_g.compat.utils.calls import parsers
from salt_g.errors import ClientError, CommandExecutionError, InvocationError
from salt_g.stock_errors import __dict__ as errors


@pytest.fixture
def opts(tmp_path):
    """Return settings of a minion with directories below the test's, outside of any call."""
    (tmp_path / "pillar").mkdir()
    (tmp_path / "pillar/top.sls").write_text("base: {'*': [a]}")
    (tmp_path / "pillar/a.sls").write_text("port: 80")
    (tmp_path / "minion").write_text(
        f"id: m1\nroot_dir: {tmp_path}\ngrains: {{room: cellar}}\n"
        f"pillar_roots: {{base: [{tmp_path}/pillar]}}\n"
    )
    return dict(config.load("minion", str(tmp_path)).opts)


def test_functions_of_this_machine_run_in_a_call_of_their_own(opts):
    found = minion.SMinion(opts)

    assert found.functions["pillar.get"]("port", unmask=True) == 80
    assert found.functions.test.echo("x") == "x"
    assert (found.opts["grains"]["room"], found.opts["pillar"]) == ("cellar", {"port": 80})
    assert "file.managed" in found.states and "no.such" not in found.functions
    assert not api.is_running()


def test_the_master_has_functions_without_pillar(opts):
    assert minion.MasterMinion(opts).functions["pillar.get"]("port", "none", unmask=True) == "none"


def test_functions_of_the_loader_run_outside_of_a_call(opts):
    functions = loader.minion_mods(opts)

    assert functions["config.get"]("id") == "m1"
    assert "test.ping" in functions


def test_a_call_of_settings_has_its_value_and_exit_code(opts, capsys):
    done = Caller({**opts, "fun": "test.arg", "arg": ["a", "x=[1]"]}).call()

    assert done["return"]["args"] == ("a",) and done["return"]["kwargs"]["x"] == [1]
    assert (done["fun"], done["fun_args"], done["retcode"], done["id"]) == (
        "test.arg",
        ["a", "x=[1]"],
        0,
        "m1",
    )
    assert Caller({**opts, "fun": "cmd.run", "arg": ["exit 3"]}).call()["retcode"] == 3
    Caller.factory({**opts, "fun": "test.echo", "arg": ["hello"], "color": False}).run()
    assert capsys.readouterr().out.split() == ["local:", "hello"]


@pytest.mark.parametrize(
    ("low", "error", "text"),
    [
        ({"client": "nosuch"}, InvocationError, "the clients are: local, local_async"),
        ({"client": "wheel", "fun": "key.list_all"}, InvocationError, "wheel is disabled"),
        ({"client": "local", "fun": "test.ping"}, errors["EauthAuthenticationError"], "credentials"),
    ],
)
def test_low_data_is_checked_before_the_master_is_asked(low, error, text):
    with tempfile.TemporaryDirectory(prefix="sg-") as sock_dir, socket.socket(socket.AF_UNIX) as master:
        master.bind(f"{sock_dir}/salt_g.ipc")
        master.listen()
        client = netapi.NetapiClient({"sock_dir": sock_dir, "netapi_enable_clients": ["local"]})

        with pytest.raises(error, match=text):
            client.run(low)


def test_without_a_master_low_data_is_refused(tmp_path):
    with pytest.raises(errors["SaltDaemonNotRunning"], match="no master"):
        netapi.NetapiClient({"sock_dir": str(tmp_path)}).run({"client": "local"})


def test_hosts_are_called_with_the_options_of_the_settings(monkeypatch, tmp_path):
    (tmp_path / "master").write_text(f"root_dir: {tmp_path}\n")
    (tmp_path / "roster").write_text("{}")
    client = SSHClient(str(tmp_path / "master"))

    with pytest.raises(CommandExecutionError, match="No matching targets"):
        client.cmd("web1*", "test.ping", roster_file=str(tmp_path / "roster"), ignore_host_keys=True)
    with pytest.raises(CommandExecutionError, match="passwords belong in the roster"):
        client.cmd_sync({"tgt": "*", "fun": "test.ping", "ssh_passwd": "x"})
    with pytest.raises(InvocationError, match="one line"):
        client.cmd("*", "a\nb", raw_shell=True)
    with pytest.raises(ClientError):
        client.cmd_async({})


def test_a_script_of_stock_runs_the_program_with_the_words_of_the_command_line():
    code = "from salt_g.compat.scripts import salt_call; salt_call()"
    words = [sys.executable, "-c", code, "--local", "test.echo", "hello", "--out=json"]

    done = subprocess.run([*words, "--no-such-option"], capture_output=True, text=True, timeout=60)

    assert done.returncode == 64 and "--no-such-option" in done.stderr


def test_programs_that_do_not_exist_here_say_what_to_use():
    with pytest.raises(CommandExecutionError, match="salt_cloud is not available"):
        scripts.salt_cloud()


class Program(
    parsers.OptionParser,
    parsers.ConfigDirMixIn,
    parsers.MergeConfigMixIn,
    parsers.LogLevelMixIn,
    metaclass=parsers.OptionParserMeta,
):
    """A user's program with its own option and settings."""

    _config_filename_ = "own"

    def _mixin_setup(self):
        self.add_option("--port", type=int)
        self.add_option("--host", default="h")

    def setup_config(self):
        return {"path": self.get_config_file_path(), "port": 1, "host": "of the file", "log_level": "info"}

    def process_host(self):
        self.seen = self.options.host

    def _mixin_after_parsed(self):
        self.rest = self.args


def test_options_of_the_command_line_replace_settings(tmp_path):
    program = Program()
    program.parse_args(["-c", str(tmp_path), "--port", "2", "-l", "debug", "word"])

    assert program.config == {
        "path": f"{tmp_path}/own", "port": 2, "host": "of the file", "log_level": "debug",
        "config_dir": str(tmp_path),
    }  # fmt: skip
    assert (program.options.host, program.seen, program.rest) == ("of the file", "h", ["word"])


def test_a_wrong_option_ends_the_program_with_64(capsys):
    with pytest.raises(SystemExit) as ended:
        Program().parse_args(["--nosuch"])

    assert ended.value.code == 64
    assert "error: no such option: --nosuch" in capsys.readouterr().err
