"""Completion scripts, which complete what the parsers and the loader know."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

PROGRAM = pathlib.Path(sys.executable).with_name("salt-g")


def _complete_in_bash(*words):
    """Return bash's completions of the last of these words of a command line."""
    script = subprocess.run(
        [PROGRAM, "completion", "bash"], capture_output=True, text=True, check=True
    ).stdout
    shell_input = f"""
        {script}
        COMP_WORDS=({" ".join(f"'{word}'" for word in words)})
        COMP_CWORD={len(words) - 1}
        _salt_g
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    finished = subprocess.run(["bash", "-c", shell_input], capture_output=True, text=True, check=True)
    return finished.stdout.split()


def test_bash_completes_a_function_name():
    assert "test.ping" in _complete_in_bash(str(PROGRAM), "test.pi")


def test_bash_completes_subcommands_only_as_first_word():
    assert "call" in _complete_in_bash(str(PROGRAM), "ca")
    assert "call" not in _complete_in_bash(str(PROGRAM), "--local", "ca")


def test_bash_completes_options_and_outputters():
    assert _complete_in_bash(str(PROGRAM), "--retc") == ["--retcode-passthrough"]
    assert _complete_in_bash(str(PROGRAM), "--out", "ne") == ["nested", "newline_values_only"]


def test_bash_completes_the_options_and_functions_of_each_subcommand():
    assert _complete_in_bash(str(PROGRAM), "key", "--finger-") == ["--finger-all"]
    assert _complete_in_bash(str(PROGRAM), "match", "--ex") == ["--explain"]
    assert _complete_in_bash(str(PROGRAM), "run", "jobs.lookup") == ["jobs.lookup_jid"]
    assert _complete_in_bash(str(PROGRAM), "event", "test.pi") == []
    assert _complete_in_bash(str(PROGRAM), "master", "--pid") == ["--pid-file"]


@pytest.fixture
def host(tmp_path):
    """Return a host with SLS files and keys; the directory of its settings."""
    conf, states, keys = tmp_path / "conf", tmp_path / "states", tmp_path / "pki"
    for path in (conf, states / "web", keys / "minions", keys / "minions_pre"):
        path.mkdir(parents=True)
    for name in ("top.sls", "web/init.sls", "web/tls.sls", "weather.sls"):
        (states / name).touch()
    (keys / "minions" / "web1").touch()
    (keys / "minions_pre" / "web2").touch()
    settings = {"file_roots": {"base": [str(states)]}, "pki_dir": str(keys)}
    (conf / "master").write_text(json.dumps(settings))
    return str(conf)


def test_bash_completes_sls_names(host):
    program = str(PROGRAM)

    assert _complete_in_bash(program, "-c", host, "*", "state.apply", "we") == ["weather", "web", "web.tls"]
    assert _complete_in_bash(program, "call", "-c", host, "state.show_sls", "web.") == ["web.tls"]
    assert "state.apply" in _complete_in_bash(program, "state.appl")


def test_bash_completes_the_keys_that_an_option_takes(host):
    program = str(PROGRAM)

    assert _complete_in_bash(program, "key", "-c", host, "-a", "") == ["web2"]
    assert _complete_in_bash(program, "key", "-c", host, "--delete", "we") == ["web1", "web2"]


def test_bash_completes_words_and_options_after_install_and_key():
    assert _complete_in_bash(str(PROGRAM), "install", "mi") == ["minion"]
    assert _complete_in_bash(str(PROGRAM), "install", "minion", "--fi") == ["--finger"]
    assert _complete_in_bash(str(PROGRAM), "key", "inv") == ["invite"]
    assert _complete_in_bash(str(PROGRAM), "completion", "") == ["bash", "zsh", "fish"]


def test_bash_completes_behind_options_and_for_links_with_stock_s_names(host):
    program = str(PROGRAM)

    assert _complete_in_bash(program, "-c", "master", "run", "jobs.lookup") == ["jobs.lookup_jid"]
    assert _complete_in_bash(program, "-c", host, "key", "-d", "web1") == ["web1"]
    assert _complete_in_bash(program, "key", "-c", host, "invite", "--exp") == ["--expires"]
    assert _complete_in_bash(program, "token", "") == ["create", "list", "revoke"]
    assert "test.ping" in _complete_in_bash(str(PROGRAM.with_name("salt-call")), "test.pi")
    assert _complete_in_bash(str(PROGRAM.with_name("salt-key")), "-c", host, "-a", "") == ["web2"]


@pytest.mark.parametrize("words", [["--out", "=", "ne"], ["--out=ne"]])
def test_bash_completes_values_behind_an_equals_sign(words):
    found = _complete_in_bash(str(PROGRAM), *words)

    assert [name.removeprefix("--out=") for name in found] == ["nested", "newline_values_only"]


def _complete_in_fish(line):
    script = subprocess.run(
        [PROGRAM, "completion", "fish"], capture_output=True, text=True, check=True
    ).stdout
    shell_input = f"{script}\ncomplete -C '{line}'"
    path = f"{PROGRAM.parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["fish", "-N", "-c", shell_input],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PATH": path},
    )
    return [line.partition("\t")[0] for line in done.stdout.splitlines()]


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_completes_values_words_and_functions():
    assert _complete_in_fish("salt-g --out=ne") == ["--out=nested", "--out=newline_values_only"]
    assert _complete_in_fish("salt-g install mi") == ["minion"]
    assert "test.ping" in _complete_in_fish("salt-g call test.pi")


def _complete_in_zsh(*words):
    """Return the words passed to zsh, whose completion functions are replaced by ones that print."""
    script = subprocess.run([PROGRAM, "completion", "zsh"], capture_output=True, text=True, check=True).stdout
    quoted = " ".join(f"'{word}'" for word in words)
    shell_input = f"""
        compadd() {{ shift; print -l -- "$@" }}
        compset() {{ words[CURRENT]=${{words[CURRENT]#*=}} }}
        words=({quoted}); CURRENT={len(words)}
        {script}
    """
    done = subprocess.run(["zsh", "-f", "-c", shell_input], capture_output=True, text=True)
    assert not done.stderr
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_is_offered_sls_names_keys_words_and_values(host):
    program = str(PROGRAM)

    assert _complete_in_zsh(program, "call", "-c", host, "state.apply", "we") == [
        *("top", "weather", "web", "web.tls"),
    ]
    assert _complete_in_zsh(program, "key", "-c", host, "-a", "") == ["web2"]
    assert "nested" in _complete_in_zsh(program, "call", "--out=ne")
    assert _complete_in_zsh(program, "install", "mi") == ["master", "minion"]
    assert _complete_in_zsh(program, "-c", host, "key", "-a", "") == ["web2"]
    assert _complete_in_zsh(str(PROGRAM.with_name("salt-key")), "-c", host, "-a", "") == ["web2"]
    assert "--expires" in _complete_in_zsh(program, "key", "invite", "--")


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_script_is_valid_in_its_shell(shell, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / "script"
    script.write_bytes(subprocess.run([PROGRAM, "completion", shell], capture_output=True, check=True).stdout)

    checked = subprocess.run([shell, "-n", script], capture_output=True, text=True, env=os.environ)

    assert checked.returncode == 0, checked.stderr


def test_another_word_is_refused_with_the_choices():
    refused = subprocess.run([PROGRAM, "completion", "tcsh"], capture_output=True, text=True)

    assert refused.returncode == 64
    assert "bash, zsh, fish, functions" in refused.stderr
