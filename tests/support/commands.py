"""Runs of the real `salt-g` command, and what they left behind."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import yaml

from tests.support.fork_server import COMMANDS, fork_server, run_forked

if TYPE_CHECKING:
    from tests.support.daemons import Process

#: Command under test.
PROGRAM = str(pathlib.Path(sys.executable).with_name("salt-g"))


@dataclasses.dataclass(frozen=True)
class Outcome:
    """Outcome of one run of the command."""

    code: int
    out: str
    err: str

    @property
    def value(self) -> Any:
        """The function's return, for runs with `--out=json`."""
        return json.loads(self.out)["local"]

    @property
    def states(self) -> dict[str, tuple[bool | None, str, Any]]:
        """{id: (result, comment, changes)} of a state run."""
        return {ret["__id__"]: (ret["result"], ret["comment"], ret["changes"]) for ret in self.value.values()}

    @property
    def minions(self) -> dict[str, Any]:
        """{id: return} of a remote run with `--out=json`, which prints a map for each minion."""
        decoder, text = json.JSONDecoder(), self.out.strip()
        found: dict[str, Any] = {}
        while text:
            one, end = decoder.raw_decode(text)
            found.update(one)
            text = text[end:].strip()
        return found


class Machine:
    """A config directory, a state tree, a pillar tree, and the command that uses them."""

    program = PROGRAM
    #: Whether commands are forked from a process that has imported them; tests of the start switch it off.
    is_forked = True

    def __init__(self, root: pathlib.Path) -> None:
        self.root = root
        self.conf = self._make("conf")
        self.states = self._make("states")
        self.pillar = self._make("pillar")
        self.out = self._make("out")
        self.settings: dict[str, Any] = {
            "id": "m1",
            "file_client": "local",
            "root_dir": str(root),
            "cachedir": str(root / "cache"),
            "pki_dir": str(root / "pki"),
            "log_file": str(root / "log" / "minion"),
            "file_roots": {"base": [str(self.states)]},
            "pillar_roots": {"base": [str(self.pillar)]},
            "enable_gpu_grains": False,
            "enable_fqdns_grains": False,
        }

    def _make(self, name: str) -> pathlib.Path:
        path = self.root / name
        path.mkdir()
        return path

    def write(self, files: Mapping[str, str], *, below: pathlib.Path | None = None) -> None:
        """Write {relative path: text} into the state tree (or below another directory)."""
        for name, text in files.items():
            path = (below or self.states) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def __call__(
        self,
        *words: object,
        as_json: bool = True,
        stdin: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float = 60,
        **settings: Any,
    ) -> Outcome:
        """Run `salt-g call WORDS`; keyword arguments are settings of this machine."""
        (self.conf / "minion").write_text(yaml.safe_dump({**self.settings, **settings}))
        output = ["--out=json"] if as_json else []
        return self.run(
            "call", "-c", str(self.conf), "--local", *output, *words, stdin=stdin, env=env, timeout=timeout
        )

    def state(self, function: str, *words: object, timeout: float = 120, **options: Any) -> dict[str, Any]:
        """Apply one state; return its state return."""
        applied = self("state.single", function, *words, timeout=timeout, **options)
        ret: dict[str, Any]
        (ret,) = applied.value.values()
        return ret

    def run(
        self,
        *words: object,
        stdin: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float = 60,
    ) -> Outcome:
        """Run `salt-g WORDS`."""
        run = outcome_of if self.is_forked else started_outcome_of
        command = [self.program, *map(str, words)]
        return run(command, stdin=stdin or "", env=env, timeout=timeout, directory=self.root)


def outcome_of(
    command: Sequence[str | os.PathLike[str]],
    *,
    stdin: str = "",
    env: Mapping[str, str] | None = None,
    timeout: float = 120,
    directory: str | os.PathLike[str] | None = None,
) -> Outcome:
    """Run a command to its end, in a directory (default: this one); forked if that equals a fresh start."""
    environment = _environment(env)
    if str(command[0]) == PROGRAM and len(command) > 1 and command[1] in COMMANDS:
        server = fork_server(COMMANDS[command[1]])
        if server.can_fork(environment):
            data = stdin.encode("utf-8", "surrogateescape")
            words = [str(word) for word in command]
            code, out, err = run_forked(
                server, words, environment, stdin=data, timeout=timeout, directory=directory
            )
            return Outcome(code, _text(out), _text(err))
    return started_outcome_of(command, stdin=stdin, env=env, timeout=timeout, directory=directory)


def started_outcome_of(
    command: Sequence[str | os.PathLike[str]],
    *,
    stdin: str = "",
    env: Mapping[str, str] | None = None,
    timeout: float = 120,
    directory: str | os.PathLike[str] | None = None,
) -> Outcome:
    """Start a command and wait for its end."""
    finished = subprocess.run(
        command,
        cwd=directory,
        input=stdin,
        capture_output=True,
        text=True,
        errors="surrogateescape",
        timeout=timeout,
        env=_environment(env),
    )
    return Outcome(finished.returncode, finished.stdout, finished.stderr)


def _environment(changes: Mapping[str, str] | None) -> dict[str, str]:
    """Return the environment of a command."""
    return {**os.environ, "LC_ALL": "C.UTF-8", "TERM": "dumb", **(changes or {})}


def _text(data: bytes) -> str:
    """Return output as text, with the line ends that `subprocess` gives."""
    return data.decode("utf-8", "surrogateescape").replace("\r\n", "\n").replace("\r", "\n")


def stop_all(daemons: Sequence[Process]) -> None:
    """Stop all daemons, also after one of them has failed."""
    problems = []
    for daemon in reversed(daemons):
        try:
            daemon.stop()
        except (AssertionError, subprocess.TimeoutExpired) as exc:
            daemon.kill()
            problems.append(str(exc))
    assert not problems, "\n".join(problems)
