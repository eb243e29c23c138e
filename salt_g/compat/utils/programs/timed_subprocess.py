"""Stock's `salt.utils.timed_subprocess`: programs with a time limit."""

import subprocess
from typing import Any

from salt_g import stock_errors


class TimedProc:
    """A program that is killed after `timeout` seconds; its output is in `stdout` and `stderr`.

    `stdin` can be text; with `with_communicate=False` the program inherits the output of this process.
    """

    def __init__(self, args: Any, **kwargs: Any) -> None:
        self.command = args
        self.timeout = kwargs.pop("timeout", None)
        self.stdin = kwargs.pop("stdin", None)
        self.with_communicate = kwargs.pop("with_communicate", kwargs.pop("wait", True))
        if self.stdin is not None:
            self.stdin = self.stdin if isinstance(self.stdin, bytes) else str(self.stdin).encode()
            kwargs["stdin"] = subprocess.PIPE
        if not self.with_communicate:
            kwargs.update(stdout=None, stderr=None)
        self.process = subprocess.Popen(args, **kwargs)
        self.stdout: bytes | None = None
        self.stderr: bytes | None = None

    def run(self) -> int:
        """Wait for the program and return its exit code; raise TimedProcTimeoutError on a timeout."""
        try:
            if self.with_communicate or self.stdin is not None:
                self.stdout, self.stderr = self.process.communicate(self.stdin, self.timeout)
            else:
                self.process.wait(self.timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            reason = f"{self.command} : Timed out after {self.timeout} seconds"
            raise vars(stock_errors)["TimedProcTimeoutError"](reason) from None
        return int(self.process.returncode)


__all__ = ["TimedProc"]
