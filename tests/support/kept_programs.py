"""Programs of stock that a test runs many times: their imports, which take most of a run, are done once.

The program is unmodified, and each run is a process of its own with its own arguments, environment,
directory and exit code (`tests/interop/kept_program.py`).
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import select
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from typing import Any

SERVER = pathlib.Path(__file__).parents[1] / "interop" / "kept_program.py"


class KeptProgram:
    """One program and the Python that runs it; it ends with `close`, or with a run that takes too long."""

    def __init__(self, program: str | pathlib.Path) -> None:
        self._program = pathlib.Path(program)
        self._process: Any = None

    def run(
        self, words: Iterable[object], *, env: Mapping[str, str], cwd: str | pathlib.Path, timeout: float
    ) -> subprocess.CompletedProcess[str]:
        """Run the program to completion; return a `subprocess.CompletedProcess` with texts.

        Raises subprocess.TimeoutExpired after `timeout` seconds.
        """
        given = [str(word) for word in words]
        with tempfile.TemporaryDirectory(prefix="sg-") as path:
            out, err = pathlib.Path(path, "out"), pathlib.Path(path, "err")
            request = {"words": given, "env": env, "cwd": str(cwd), "out": str(out), "err": str(err)}
            code = self._code_of(request, timeout)
            texts = [file.read_bytes().decode(errors="replace") for file in (out, err)]
        return subprocess.CompletedProcess([str(self._program), *given], code, *texts)

    def close(self) -> None:
        """End the kept process and whatever it runs."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.communicate()
            self._process = None

    def _code_of(self, request: Mapping[str, Any], timeout: float) -> int:
        if self._process is None:
            self._process = self._started(request["env"])
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        if not select.select([self._process.stdout], [], [], timeout)[0]:
            self.close()
            raise subprocess.TimeoutExpired(request["words"], timeout)
        answer = self._process.stdout.readline()
        assert answer, f"{self._program} is gone"
        return int(answer)

    def _started(self, env: Mapping[str, str]) -> subprocess.Popen[str]:
        # What Python reads at its start is that of the first run; the order of sets is the same for all.
        return subprocess.Popen(
            [str(self._program.with_name("python3")), str(SERVER), str(self._program)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**env, "PYTHONHASHSEED": "0"},
            start_new_session=True,
        )


class KeptPrograms:
    """Kept programs by their paths: `programs(path)` is a `KeptProgram`."""

    def __init__(self) -> None:
        self._programs: dict[pathlib.Path, KeptProgram] = {}

    def __call__(self, path: str | pathlib.Path) -> KeptProgram:
        """Return the kept program at a path."""
        return self._programs.setdefault(pathlib.Path(path), KeptProgram(path))

    def close(self) -> None:
        """Close all kept programs."""
        for program in self._programs.values():
            program.close()
