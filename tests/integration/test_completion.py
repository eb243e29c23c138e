"""The completion scripts complete what the parsers and the loader know."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

PROGRAM = pathlib.Path(sys.executable).with_name("salt-g")


def _complete_in_bash(*words):
    """Return what bash offers for the last of these words of a command line."""
    script = subprocess.run(
        [PROGRAM, "completion", "bash"], capture_output=True, text=True, check=True
    ).stdout
    asked = f"""
        {script}
        COMP_WORDS=({" ".join(f"'{word}'" for word in words)})
        COMP_CWORD={len(words) - 1}
        _salt_g
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    finished = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True)
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
