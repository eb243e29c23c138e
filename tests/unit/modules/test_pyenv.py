"""The module `pyenv` with a script that records its calls, and a real git repository."""

import subprocess

import pytest

from salt_g.modules import cmd, config, pyenv

PROGRAM = """\
#!/bin/sh
echo "$PYENV_ROOT $*" >> '{log}'
case "$*" in
  'versions --bare') printf '3.11.1\\n3.10.2\\n' ;;
  global) echo 3.11.1 ;;
  'install --list') printf 'Available versions:\\n  3.10.2\\n  3.11.1\\n' ;;
  'install 3.12.1') echo built >&2 ;;
  'install bad') exit 1 ;;
esac
"""


@pytest.fixture
def root(call_context, tmp_path, monkeypatch):
    """Return the directory of a pyenv; its file `calls` has the executed commands."""
    # Programs run with the environment of the tests, which may have been started with a version of pyenv.
    monkeypatch.delenv("PYENV_VERSION", raising=False)
    root = tmp_path / "root"
    (root / "bin").mkdir(parents=True)
    (root / "shims").mkdir()
    (root / "calls").touch()
    for path, text in (("bin/pyenv", PROGRAM), ("shims/tool", '#!/bin/sh\necho "$PYENV_VERSION:$1"\n')):
        (root / path).write_text(text.replace("{log}", str(root / "calls")))
        (root / path).chmod(0o755)
    functions = {"cmd.run_all": cmd.run_all, "cmd.which": cmd.which, "config.get": config.get}
    call_context(opts={"pyenv.root": str(root)}, functions=functions)
    return root


def _calls(root):
    return [line.removeprefix(f"{root} ") for line in (root / "calls").read_text().splitlines()]


def test_versions_are_listed(root):
    assert pyenv.is_installed() is True
    assert pyenv.versions() == ["3.11.1", "3.10.2"]
    assert pyenv.list_() == ["3.10.2", "3.11.1"]
    assert pyenv.default() == "3.11.1"


def test_a_version_is_installed_and_made_the_default(root):
    assert pyenv.install_python("python-3.12.1") == "built"
    assert pyenv.default("3.12.1") is True
    assert pyenv.uninstall_python("3.12.1") is True

    assert _calls(root) == ["install 3.12.1", "rehash", "global 3.12.1", "uninstall --force 3.12.1"]


def test_a_failed_build_is_removed(root):
    assert pyenv.install_python("bad") is False
    assert _calls(root)[-1] == "uninstall --force bad"


def test_a_command_runs_with_pyenvs_programs(root):
    assert pyenv.do("tool 'a b'") == ":a b"
    assert pyenv.do_with_python("3.10.2", ["tool", "x"]) == "3.10.2:x"
    assert pyenv.do("false") is pyenv.do("") is False


def test_a_missing_pyenv_has_no_versions(root):
    (root / "bin" / "pyenv").unlink()

    assert pyenv.is_installed() is False
    assert pyenv.versions() == pyenv.list_() == []
    assert pyenv.install_python("3.12.1") is False


def test_pyenv_is_cloned_and_updated(root, tmp_path, monkeypatch):
    source = tmp_path / "source"
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", "init", "-q", str(source)], check=True)
    commit = ["git", *who, "-C", str(source), "commit", "-q", "--allow-empty", "-m", "one"]
    subprocess.run(commit, check=True)
    monkeypatch.setattr(pyenv, "REPOSITORY", str(source))
    place = str(tmp_path / "place")

    assert pyenv.update(path=place) is False
    assert pyenv.install(path=place) is True
    assert pyenv.install(path=place) is pyenv.update(path=place) is True
