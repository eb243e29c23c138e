"""Persistent connection to one host: an OpenSSH master process, with commands as sessions on it.

The object that starts the master process, its pipes and its sessions also ends them. The master process ends
with this process, even if this one is killed, because its standard input is a pipe from here.
Units: seconds.
Errors: Unreachable has the reason and the remedy; CommandTimeout; CommandExecutionError if a connection
breaks during a command, whose progress is then unknown.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shlex
import shutil
import time
from collections.abc import Iterator, Sequence
from typing import Any

from salt_g.errors import CommandExecutionError, CommandNotFound, CommandTimeout
from salt_g.process.command import Finished, programs
from salt_g.resources.ssh._connection_directories import new_place
from salt_g.resources.ssh._control_session import HeldStreams, Lines
from salt_g.resources.ssh._mux import MuxError
from salt_g.resources.ssh._program import (
    configuration,
    explanation,
    is_key_unknown,
    path_words,
    why_no_shell,
    why_no_sudo,
    words,
)
from salt_g.resources.ssh._remote_shell import (
    OwnStreams,
    RemoteShell,
    RemoteShellLost,
    Streams,
    can_carry,
    new_token,
    start_line,
    start_words,
)
from salt_g.resources.ssh._secrets import Askpass
from salt_g.resources.ssh._sessions import (
    KILL,
    MARK,
    Opened,
    SessionCommand,
    after_mark,
    ended_by,
    mark_of_job,
    marked,
    opened,
)
from salt_g.resources.ssh._settings import Host
from salt_g.resources.ssh._streams import pipe_to_read, pipe_to_write

log = logging.getLogger(__name__)

#: Time limit for a master process to end, and for killing a command on the host (s).
_ENDING = 3.0
#: Exit code of `ssh` itself; any other code is that of the program on the host.
_SSH_FAILED = 255
#: Maximum number of commands and shells on one host killed concurrently, each within `_ENDING`.
_KILLS = 64
#: Maximum size of the kept messages of `ssh` itself (bytes).
_SAID = 8192
#: Runs a command after printing a mark, because `sudo` prints a line break after the password prompt on a
#: terminal.
_MARKED = ["/bin/sh", "-c", f"printf '{MARK}%s\\n' $$; exec \"$@\"", "sh"]
_POSIX_SHELLS = frozenset(("sh", "ash", "bash", "busybox", "dash", "ksh", "ksh93", "mksh", "yash", "zsh"))


class Unreachable(CommandExecutionError):
    """Host that cannot be reached; the text has the reason and the remedy."""


class HostKeyUnknown(Unreachable):
    """Host whose key is not known; nothing was sent to it."""


class Connection:
    """Connection to `host`, opened on first use and reopened after a loss."""

    def __init__(self, host: Host) -> None:
        import gevent.lock

        from salt_g.process.supervisor import LoggedGreenlets

        self.host = host
        self._killing = LoggedGreenlets(f"ssh kill on {host.id}", limit=_KILLS)
        self.used_at = time.monotonic()
        self._connecting: Any = gevent.lock.RLock()
        self._directory = ""
        self._process: Any = None
        self._stdin = -1
        self._said = bytearray()
        self._shell = ""
        self._sudo: list[str] | None = None
        self._sessions = 0
        self._worker: RemoteShell | None = None
        self._held: HeldStreams | None = None
        self._is_working = False
        self._is_over = False
        self._failed: tuple[float, Unreachable | None] = (0.0, None)

    @property
    def is_busy(self) -> bool:
        """Whether commands are running on the connection."""
        return self._sessions > 0

    def run(
        self,
        argv: Sequence[str],
        *,
        stdin: bytes = b"",
        timeout: float | None,
        tty: bool = False,
        merge: bool = False,
        mark: str | None = None,
    ) -> Finished:
        """Run a command on the host as the working user (with `sudo`: root or `sudo_user`).

        `merge` sends standard error to standard output. `mark` is a variable in the command's environment, by
        default the job's. Raises Unreachable, CommandTimeout, CommandExecutionError.
        """
        self._connect()
        argv = marked(list(argv), mark_of_job(self.host.id) if mark is None else mark)
        if not (tty or self._is_working) and can_carry(stdin, argv):
            with self._shell_that_stays() as worker:
                if worker.has_rooms:
                    return worker.command(argv, stdin, timeout, merge=merge)
        prefix, secret = self._elevation()
        begins_late = bool(tty and secret)
        words = [*prefix, *(_MARKED if begins_late else []), *argv]
        done = self._run(words, stdin=secret + stdin, timeout=timeout, tty=tty, merge=merge)
        return done._replace(stdout=after_mark(done.stdout)[1]) if begins_late else done

    def run_at_login(self, command: str, *, tty: bool) -> Finished:
        """Run a command in the user's login shell, without sudo; raises Unreachable."""
        self._connect()
        argv = [self._shell or "/bin/sh", "-c", command]
        return (self._run if self.host.sudo else self.run)(argv, timeout=None, tty=tty)

    def script(self, script: str, args: Sequence[str], *, stdin: bytes, timeout: float | None) -> Finished:
        """Run an internal script, in the host's persistent shell if that is free and the input is short."""
        self._connect()
        if self._is_working or timeout is None or not can_carry(stdin):
            return self.run(["/bin/sh", "-c", script, "sh", *args], stdin=stdin, timeout=timeout)
        with self._shell_that_stays() as worker:
            return worker.run(script, args, stdin, timeout)

    def open(self) -> None:
        """Connect now; raises Unreachable if that fails."""
        self._connect()

    def close(self) -> None:
        """Close the connection now, or after the last command that runs on it."""
        self._is_over = True
        if not self.is_busy:
            self._end()

    def _run(
        self,
        argv: Sequence[str],
        *,
        stdin: bytes = b"",
        timeout: float | None,
        tty: bool = False,
        merge: bool = False,
    ) -> Finished:
        command = self._command(argv, tty=tty, merge=merge)
        with self._in_use():
            opened = self._session(command, tty)
            return SessionCommand(self.host.place, opened, kill=self.kill, kill_later=self._kill_later).run(
                stdin, timeout, shlex.join(argv)
            )

    @contextlib.contextmanager
    def _in_use(self) -> Iterator[None]:
        self._sessions += 1
        try:
            yield
        finally:
            self._sessions -= 1
            self.used_at = time.monotonic()
            if self._is_over and not self.is_busy:
                self._end()

    @contextlib.contextmanager
    def _shell_that_stays(self) -> Iterator[RemoteShell]:
        """Yield the persistent shell for one script or command; discard it if it is still busy afterwards."""
        self._is_working = True
        with self._in_use():
            try:
                yield self._worker_there()
            except RemoteShellLost as exc:
                self._end_worker()
                raise CommandExecutionError(
                    f"the connection to {self.host.place} has ended while a command ran, or the shell there"
                    " was killed"
                ) from exc
            except CommandTimeout as exc:
                pid = self._end_worker()
                self.kill(pid)
                raise CommandTimeout(exc.command, exc.seconds, pid=pid) from None
            except BaseException:
                self._kill_later(self._end_worker())
                raise
            else:
                if self._worker is not None and not self._worker.is_free:
                    shell = self._worker.pid
                    self._end_worker()
                    self._killing.spawn(self._signal, 'kill -s KILL -- "$1"', shell, "", name="shell")
            finally:
                self._is_working = False

    def _worker_there(self) -> RemoteShell:
        if self._worker is not None and not self._worker.is_there:
            self._end_worker()
        if self._worker is None:
            prefix, secret = self._elevation()
            token = new_token()
            command = [*prefix, *start_words(token)]
            streams = self._streams_for(command, token)
            if secret:
                os.write(streams.stdin, secret)
            self._worker = RemoteShell(streams, token, self.host.place)
            self._worker.begin(self.host.timeout)
        return self._worker

    def _streams_for(self, command: list[str], token: str) -> Streams:
        """Start a shell in the unused control session, which saves a login, or else in a separate session."""
        held, self._held = self._held, None
        if held is not None:
            os.write(held.stdin, start_line(command, token))
            return held
        text = self._for_login_shell(f"exec {shlex.join(command)}")
        return OwnStreams(*self._session(text, tty=False))

    def _end_worker(self) -> int:
        """Close the persistent shell; return the pid of the command that runs in it, 0 for none."""
        worker, self._worker = self._worker, None
        if worker is None:
            return 0
        worker.close()
        return worker.under_way

    def _session(self, command: str, tty: bool) -> Opened:
        """Open a session; if the connection was lost, reconnect, which is safe before the command runs."""
        try:
            return opened(self._socket, command, tty=tty)
        except MuxError as exc:
            log.info("ssh host %s: %s; reconnecting", self.host.id, exc)
            self._end()
            self._connect()
        try:
            return opened(self._socket, command, tty=tty)
        except MuxError as exc:
            raise Unreachable(f"{self.host.place}: {exc}") from exc

    def kill(self, pid: int, mark: str = "") -> dict[int, str]:
        """Kill an abandoned command's processes and all processes with a mark; return {pid: command} of them.

        A pid of 0 means that the command had not started, so nothing is killed.
        """
        return ended_by(self._signal(KILL, pid, mark))

    def _kill_later(self, pid: int) -> None:
        """Kill a job's processes on the host in the background; the job's end can wait for the result."""
        killing = self._killing.spawn(self.kill, pid, mark_of_job(self.host.id), name="command")
        programs.get().ends_elsewhere(self.host.id, killing)

    def _signal(self, script: str, pid: int, mark: str) -> str:
        """Run a script that kills a process; return its output, '' if it failed or `pid` is 0."""
        if pid:
            with contextlib.suppress(CommandExecutionError, MuxError):
                return self.run(["/bin/sh", "-c", script, "sh", str(pid), mark], timeout=_ENDING, mark="").out
        return ""

    def _command(self, argv: Sequence[str], *, tty: bool, merge: bool) -> str:
        """Return the command line that the user's login shell runs."""
        begin = f"printf '{MARK}%s\\n' $$"
        begin += "; stty -echo -onlcr" if tty else f"; printf '{MARK}\\n' >&2"
        return self._for_login_shell(
            f"{begin}; exec {shlex.join(argv)}{' 2>&1' if merge and not tty else ''}"
        )

    def _for_login_shell(self, text: str) -> str:
        if os.path.basename(self._shell) in _POSIX_SHELLS:
            return text
        # Other shells have other quoting rules, but all of them leave octal escapes in single quotes
        # unchanged.
        octal = "".join(f"\\0{byte:03o}" for byte in text.encode("utf-8", "surrogateescape"))
        return f'exec /bin/sh -c \'eval "$(printf %b "{octal}")"\''

    @property
    def _socket(self) -> str:
        return os.path.join(self._directory, "s")

    def _elevation(self) -> tuple[list[str], bytes]:
        """Return the words before a command, for `sudo` and `set_path`, and the input that they read."""
        path = path_words(self.host)
        if not self.host.sudo:
            return path, b""
        if self._sudo is None:
            self._sudo = self._tried_sudo()
        return [*self._sudo, *path], self._secret if "-S" in self._sudo else b""

    @property
    def _secret(self) -> bytes:
        return self.host.passwd.encode() + b"\n"

    def _tried_sudo(self) -> list[str]:
        """Return a `sudo` command line that works, tested without and then with the password.

        Without this test, the command would read a password that `sudo` does not ask for.
        """
        test, timeout = ["/bin/sh", "-c", ":"], self.host.timeout
        user = ["-u", self.host.sudo_user] if self.host.sudo_user else []
        done = self._run(["sudo", "-n", "-k", *user, "--", *test], timeout=timeout)
        if done.retcode == 0:
            return ["sudo", "-n", *user, "--"]
        if self.host.passwd:
            with_password = ["sudo", "-k", "-S", "-p", "", *user, "--"]
            done = self._run([*with_password, *test], stdin=self._secret, timeout=timeout)
            if done.retcode == 0:
                return with_password
        raise Unreachable(why_no_sudo(self.host, done.err.strip() or done.out.strip()))

    def _connect(self) -> None:
        with self._connecting:
            if self._process is not None and self._process.poll() is None:
                return
            self._end()
            begun = time.monotonic()
            until, failure = self._failed
            if failure is not None and begun < until:
                raise type(failure)(str(failure))
            try:
                self._begin()
            except Unreachable as exc:
                # Refuse new attempts for as long as this one took, so that an unresponsive host costs at most
                # half of the time.
                now = time.monotonic()
                self._failed = (now + (now - begun), exc)
                self._end()
                raise
            except BaseException:
                self._end()
                raise

    def _begin(self) -> None:
        import gevent
        from gevent.event import Event
        from gevent.subprocess import Popen

        self._directory = new_place()
        config = os.path.join(self._directory, "config")
        with open(config, "w", encoding="utf-8") as file:
            file.write(configuration(self.host))
        self._said.clear()
        askpass = Askpass(self._directory, self.host)
        with askpass as environment, contextlib.ExitStack() as theirs:
            self._stdin, stdin = pipe_to_write()
            out, stdout = pipe_to_read()
            err, stderr = pipe_to_read()
            for end in (stdin, stdout, stderr):
                theirs.callback(os.close, end)
            ready = Event()
            lines = Lines(ready)
            held = HeldStreams(self._stdin, lines.take, self._keep_errors)
            try:
                self._process = Popen(
                    words(self.host, config=config, socket=self._socket),
                    stdin=stdin, stdout=stdout, stderr=stderr, start_new_session=True,
                    env={**_environment(), **environment},
                )  # fmt: skip
            except FileNotFoundError:
                raise CommandNotFound(
                    "the program ssh is not installed on this machine (Debian: openssh-client)"
                ) from None
            askpass.answer(self._process.pid)
            theirs.close()
            held.read(out, err).link(lambda _: ready.set())
            has_answered = ready.wait(self.host.timeout)
        if not has_answered:
            raise Unreachable(f"{self.host.place} does not answer within {self.host.timeout:g} s")
        if lines.shell is None:
            self._process.wait(timeout=_ENDING)
            gevent.sleep(0)
            said = self._said.decode("utf-8", "replace")
            if self._process.poll() not in (None, _SSH_FAILED):
                raise Unreachable(why_no_shell(self.host, said, lines.before))
            raise (HostKeyUnknown if is_key_unknown(said) else Unreachable)(explanation(self.host, said))
        self._shell, self._held = lines.shell, held
        self._failed = (0.0, None)
        log.debug("ssh host %s: connected", self.host.id)

    def _keep_errors(self, data: bytes) -> bool:
        self._said += data
        del self._said[:-_SAID]
        return True

    def _end(self) -> None:
        """End the master process and remove its files."""
        self._end_worker()
        self._held = None
        process, self._process = self._process, None
        if self._stdin >= 0:
            os.close(self._stdin)
            self._stdin = -1
        if process is not None and process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            _reap(process)
        if self._directory:
            shutil.rmtree(self._directory, ignore_errors=True)
            self._directory = ""


def _environment() -> dict[str, str]:
    """Return the environment of `ssh`: home directory, PATH, user and agent of this process, and C locale."""
    names = ("HOME", "PATH", "USER", "LOGNAME", "SSH_AUTH_SOCK")
    return {**{name: os.environ[name] for name in names if name in os.environ}, "LC_ALL": "C"}


def _reap(process: Any) -> None:
    from gevent.subprocess import TimeoutExpired

    try:
        process.wait(timeout=_ENDING)
    except TimeoutExpired:
        process.kill()
