"""Twins: the same machine once under stock Salt and once under salt-g.

Stock's programs are looked for in the directory named by `SALT_G_STOCK_BIN`. Without it these tests are
skipped with that reason, or fail if `SALT_G_NEEDS_STOCK=1` promises stock.
"""

import contextlib
import dataclasses
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys

import pytest
import yaml

from tests.support.kept_programs import KeptPrograms
from tests.support.steady_values import steady


@pytest.fixture(scope="session")
def stock_bin():
    """Return the directory with stock's programs and its Python."""
    directory = os.environ.get("SALT_G_STOCK_BIN", "")
    if directory and os.access(os.path.join(directory, "salt-call"), os.X_OK):
        return pathlib.Path(directory)
    reason = "stock Salt is not here: set SALT_G_STOCK_BIN to the directory that holds its salt-call"
    if os.environ.get("SALT_G_NEEDS_STOCK") == "1":
        pytest.fail(reason)
    return pytest.skip(reason)


@pytest.fixture(scope="session")
def kept_programs():
    """Yield a function that runs a program of stock in a process that keeps its imports (`KeptProgram`)."""
    programs = KeptPrograms()
    yield programs
    programs.close()


@pytest.fixture
def twins(tmp_path, stock_bin, kept_programs):
    """Return a function that copies a tree to two machines, one for each program."""
    stock = kept_programs(stock_bin / "salt-call").run

    def make(tree, **spec):
        return Twins(
            stock=Machine(stock, tmp_path / "one", tree, spec),
            salt_g=Machine(run_ours, tmp_path / "two", tree, spec),
        )

    return make


def run_ours(words, **options):
    """Run `salt-g call`, with the interface of `KeptProgram.run`."""
    return subprocess.run(
        [str(pathlib.Path(sys.executable).with_name("salt-g")), "call", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        **options,
    )


@dataclasses.dataclass(frozen=True)
class Twins:
    """Two machines with equal contents."""

    stock: "Machine"
    salt_g: "Machine"

    def run(self, *words):
        """Run the same command on both; return (stock's result, ours), without volatile parts."""
        return self.stock.run(*words), self.salt_g.run(*words)

    def files(self):
        """Return the files that each machine has now."""
        return self.stock.files(), self.salt_g.files()


class Machine:
    """A config directory, copies of a tree's states and pillar, a sandbox, and the program under test."""

    def __init__(self, start, root, tree, spec):
        self._start = start
        self.root = root
        self.sandbox = root / "sandbox"
        for name in ("states", "pillar"):
            if (tree / name).is_dir():
                shutil.copytree(tree / name, root / name, symlinks=True)
            else:
                (root / name).mkdir(parents=True)
        for name in ("conf", "sandbox"):
            (root / name).mkdir()
        for name, text in spec.get("files", {}).items():
            path = self.sandbox / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        settings = self._settings(self._placed(spec.get("minion", {})), spec.get("envs", {"base": ""}))
        (root / "conf" / "minion").write_text(yaml.safe_dump(settings))

    def _placed(self, value):
        return json.loads(json.dumps(value).replace("{SANDBOX}", str(self.sandbox)))

    def _settings(self, extra, envs):
        return {
            "id": "web1.example.org",
            "file_client": "local",
            "root_dir": str(self.root),
            "cachedir": str(self.root / "cache"),
            "pki_dir": str(self.root / "pki"),
            "extension_modules": str(self.root / "cache" / "extmods"),
            "log_file": str(self.root / "log"),
            "log_level": "quiet",
            "log_level_logfile": "quiet",
            "enable_fqdns_grains": False,
            "enable_gpu_grains": False,
            "file_roots": {env: [str(self.root / "states" / folder)] for env, folder in envs.items()},
            "pillar_roots": {env: [str(self.root / "pillar" / folder)] for env, folder in envs.items()},
            **extra,
            "grains": {"sandbox": str(self.sandbox), **extra.get("grains", {})},
        }

    def run(self, *words):
        """Run a function; return {'code': exit code, 'return': ...}, or its output without a return."""
        finished = self._start(
            ["--local", "-c", str(self.root / "conf"), "--out=json", *map(self._placed, words)],
            cwd=self.root,
            timeout=120,
            env=self._environment(),
        )
        with contextlib.suppress(ValueError):
            value = json.loads(finished.stdout)["local"]
            return {"code": finished.returncode, "return": steady(value, self.root)}
        return {"code": finished.returncode, "stderr": steady(finished.stderr, self.root)}

    def _environment(self):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("SALT", "GIT_"))}
        git = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
        names = {
            f"GIT_{who}_{what}": "t@example.org"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        }
        dates = {"GIT_AUTHOR_DATE": "2020-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z"}
        return {
            **kept,
            **git,
            **names,
            **dates,
            "LC_ALL": "C.UTF-8",
            "PYTHONHASHSEED": "0",
            "TZ": "UTC",
            "HOME": str(self.root),
        }

    def files(self):
        """Return {relative path: (mode, content)} of the sandbox."""
        return {
            steady(str(path.relative_to(self.sandbox)), self.root): self._described(path)
            for path in sorted(self.sandbox.rglob("*"))
            if ".git" not in path.relative_to(self.sandbox).parts
        }

    def _described(self, path):
        if path.is_symlink():
            return "link", steady(os.readlink(path), self.root)
        mode = oct(stat.S_IMODE(path.stat().st_mode))
        return (
            (mode, "directory")
            if path.is_dir()
            else (mode, steady(path.read_bytes().decode(errors="replace"), self.root))
        )
