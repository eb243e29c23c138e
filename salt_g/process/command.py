"""Program execution: process groups, time limits, users, environments, decoding.

Every part that runs programs does so here: the whole process group must be killed at its time limit, and
output may not be UTF-8. A program runs in its own session, so Ctrl-C in the terminal reaches salt-g first,
and a command that prompts for a password gets no terminal.
Units: timeouts in seconds.
Errors: CommandNotFound, CommandTimeout, CommandExecutionError.
"""

from __future__ import annotations

import contextlib
import contextvars
import errno
import functools
import logging
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

from salt_g.errors import CommandExecutionError, CommandNotFound, CommandTimeout, SaltGError
from salt_g.process import observed_output
from salt_g.process.redaction import Redacted

if TYPE_CHECKING:
    from salt_g.process import job_marks

log = logging.getLogger(__name__)

#: Directories searched after those of `PATH`, because the `PATH` of daemons is often short.
SYSTEM_DIRECTORIES = ("/sbin", "/bin", "/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin")
#: `PATH` of a user at login, before the profile is read.
USER_DIRECTORIES = ("/usr/local/bin", "/usr/bin", "/bin")
#: First argument with which the single-file program acts as Python; `-c CODE` or `-I FILE` and arguments
#: follow.
AS_PYTHON = "--as-python"
#: Maximum number of started programs that a job remembers.
_MOST_STARTED = 10_000
#: Timeout for reading the environment of a login shell (s).
LOGIN_TIMEOUT = 10


class Programs:
    """Running programs of one job, for terminating them with the job.

    With `jid`, the programs of a minion's job are marked, so that the processes that they start can be found.
    """

    def __init__(self, jid: str = "") -> None:
        self.jid = jid
        self._pids: set[int] = set()
        #: Pids of the newest _MOST_STARTED programs; each leads the session of the processes it starts.
        self._started: dict[int, None] = {}
        self._why_over: BaseException | None = None
        self._elsewhere: list[tuple[str, Any]] = []

    def check(self) -> None:
        """Raise an error if the job has been terminated, so that it starts no further programs."""
        if self._why_over is not None:
            raise self._why_over

    def add(self, pid: int) -> None:
        """Register a program, which leads its own process group."""
        self._pids.add(pid)
        self._started[pid] = None
        if len(self._started) > _MOST_STARTED:
            del self._started[next(iter(self._started))]

    def discard(self, pid: int) -> None:
        """Unregister a program that has ended."""
        self._pids.discard(pid)

    def leave(self, pid: int) -> None:
        """Unregister a program that outlives the job."""
        self._pids.discard(pid)
        self._started.pop(pid, None)

    @property
    def running(self) -> list[int]:
        """Pids of the running programs, sorted."""
        return sorted(self._pids)

    def first(self) -> int | None:
        """Return the lowest pid of the running programs, usually that of the oldest one, or None."""
        return min(self._pids, default=None)

    def signal(self, number: int) -> list[int]:
        """Send a signal to the programs' process groups; return the pids that received it."""
        return [pid for pid in sorted(self._pids) if _reached(pid, number)]

    @property
    def mark(self) -> job_marks.Mark | None:
        """Mark for the job's programs, or None if the job is not a minion's."""
        if not self.jid:
            return None
        from salt_g.process import job_marks  # Imported lazily: a call without a master marks nothing.

        return job_marks.mark_of(self.jid)

    def end_all(self, number: int, why: BaseException | None = None) -> dict[int, str]:
        """Send a signal to the programs and all processes that they started; return {pid: command}.

        Further programs are refused, as by `end`. This does not yield to the hub.
        """
        from salt_g.process import process_tree  # Imported lazily: few jobs are ended.

        pids = set(self._pids)
        self._refuse(why)
        ended = process_tree.end(self._started, pids, self.mark, number)
        self.signal(number)
        return ended

    def wait_for_all(self, timeout: float, *, sleep: Callable[[float], None]) -> dict[int, str]:
        """Wait until all processes of the job are gone; return {pid: command} of those killed in the end."""
        from salt_g.process import process_tree

        return process_tree.wait(self._started, set(self._pids), self.mark, timeout, sleep=sleep)

    def ends_elsewhere(self, place: str, ending: Any) -> None:
        """Register a greenlet that ends the job's processes elsewhere and returns {pid: command}."""
        self._elsewhere.append((place, ending))

    def wait_elsewhere(self, timeout: float) -> dict[str, dict[int, str]]:
        """Wait for the greenlets of `ends_elsewhere`; return what they ended: {place: {pid: command}}."""
        deadline = time.monotonic() + timeout
        found: dict[str, dict[int, str]] = {}
        for place, ending in self._elsewhere:
            ending.join(max(0.0, deadline - time.monotonic()))
            if ending.successful():
                found.setdefault(place, {}).update(ending.value)
        return found

    def end(self, number: int, why: BaseException | None = None) -> list[int]:
        """Send a signal to the process groups; further programs are refused with the error `why`."""
        self._refuse(why)
        return self.signal(number)

    def _refuse(self, why: BaseException | None) -> None:
        refusal = CommandExecutionError("the job was terminated and cannot start further programs")
        self._why_over = refusal if why is None else why


#: Programs of this process that belong to no job.
outside = Programs()
#: Programs of the current job.
programs: contextvars.ContextVar[Programs] = contextvars.ContextVar("salt_g_programs", default=outside)


#: Whether started programs are meant to outlive the job.
_outliving: contextvars.ContextVar[bool] = contextvars.ContextVar("salt_g_outliving", default=False)


@contextlib.contextmanager
def outliving() -> Iterator[None]:
    """Let processes started by the programs of the block, such as services, outlive their job."""
    token = _outliving.set(True)
    try:
        yield
    finally:
        _outliving.reset(token)


class Finished(NamedTuple):
    """Result of a program; `stdout` and `stderr` are the raw bytes."""

    pid: int
    retcode: int
    stdout: bytes
    stderr: bytes

    @property
    def out(self) -> str:
        """Standard output as text."""
        return decode(self.stdout)

    @property
    def err(self) -> str:
        """Standard error as text."""
        return decode(self.stderr)


class Identity(NamedTuple):
    """User of a program: numbers for the kernel, names for the environment."""

    uid: int
    gid: int
    groups: tuple[int, ...]
    name: str
    home: str

    def is_ours(self) -> bool:
        """Return whether this process already has this user and group."""
        return (self.uid, self.gid) == (os.geteuid(), os.getegid())


def identity(user: str | None = None, group: str | None = None) -> Identity:
    """Return the identity of a user (None: the current one), with `group` instead of the primary group.

    Raises CommandExecutionError for an unknown user or group.
    """
    import grp
    import pwd

    try:
        entry = pwd.getpwnam(user) if user is not None else pwd.getpwuid(os.geteuid())
    except KeyError:
        raise CommandExecutionError(f"User '{user}' is not available") from None
    try:
        gid = grp.getgrnam(group).gr_gid if group else entry.pw_gid
    except KeyError:
        raise CommandExecutionError(f"Group '{group}' is not available") from None
    groups = tuple(sorted({*os.getgrouplist(entry.pw_name, entry.pw_gid), gid}))
    return Identity(entry.pw_uid, gid, groups, entry.pw_name, entry.pw_dir)


def decode(data: bytes, encoding: str | None = None) -> str:
    """Decode output of a program; undecodable bytes become the replacement character.

    `encoding` None is UTF-8. Raises CommandExecutionError for an unknown encoding.
    """
    try:
        return data.decode(encoding or "utf-8", "replace")
    except LookupError:
        raise CommandExecutionError(f"unknown output encoding {encoding!r}") from None


def own_python(statement: str) -> list[str]:
    """Return a command that runs a statement in salt-g's Python without modules of the current directory."""
    return [*as_python(), "-c", f"import sys; sys.path[:] = filter(None, sys.path); {statement}"]


def as_python() -> list[str]:
    """Return the command that starts salt-g's Python interpreter, even from a single-file program."""
    return [sys.executable, AS_PYTHON] if is_frozen() else [sys.executable]


def host_python() -> str:
    """Return a Python for pip and venv: this one, or the system's if salt-g is a single file.

    Raises CommandNotFound if there is none.
    """
    if not is_frozen():
        return sys.executable
    found = which("python3")
    if found is None:
        raise CommandNotFound("there is no python3 on this machine (Debian: python3-venv, python3-pip)")
    return found


def is_frozen() -> bool:
    """Return whether salt-g runs as a single-file program, which other programs cannot use as a Python."""
    return bool(getattr(sys, "frozen", False))


def which(name: str) -> str | None:
    """Return the path of a program, or None when no executable one is found."""
    if _is_executable(name):
        return name
    listed = [part for part in os.environ.get("PATH", "").split(os.pathsep) if part]
    for directory in dict.fromkeys([*listed, *SYSTEM_DIRECTORIES]):
        path = os.path.join(directory, name)
        if _is_executable(path):
            return path
    return None


def run(
    argv: Sequence[str],
    *,
    cwd: str | None = None,
    env: Mapping[str, str] | None = None,
    stdin: bytes | None = None,
    timeout: float | None = None,
    merge_stderr: bool = False,
    umask: int = -1,
    who: Identity | None = None,
    pass_fds: Sequence[int] = (),
    is_logged: bool = True,
    is_shown: bool = True,
) -> Finished:
    """Run a program to completion in its own process group.

    `env` is the complete environment (None: that of this process); `who` switches user and groups; `pass_fds`
    are descriptors that the program inherits. Callers set `is_logged` to False if they log the command
    themselves or the command is secret, and `is_shown` to False if the output is secret.
    Raises CommandNotFound for an unknown program, CommandTimeout when it exceeds `timeout` (the program and
    all processes that it started are killed), CommandExecutionError when it cannot be started.
    """
    if is_logged:
        log_command(argv, cwd, who)
    process = _start(
        argv,
        cwd=cwd,
        env=env,
        stdin=subprocess.PIPE if stdin is not None else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if merge_stderr else subprocess.PIPE,
        umask=umask,
        who=who,
        pass_fds=pass_fds,
    )
    try:
        observer = observed_output.observer() if is_shown else None
        if observer is None:
            stdout, stderr = process.communicate(stdin, timeout=timeout)
        else:
            stdout, stderr = observed_output.communicate(process, stdin, timeout, observer)
    except subprocess.TimeoutExpired:
        _end_descendants(process.pid)
        _abandon(process)
        raise CommandTimeout(" ".join(argv), timeout or 0, pid=process.pid) from None
    except BaseException:
        _abandon(process)
        raise
    finally:
        _forget(process.pid)
    return Finished(process.pid, process.returncode, stdout or b"", stderr or b"")


def start(
    argv: Sequence[str],
    *,
    cwd: str | None = None,
    env: Mapping[str, str] | None = None,
    umask: int = -1,
    who: Identity | None = None,
    is_logged: bool = True,
) -> int:
    """Start a program that outlives its caller, with its output discarded, and return its pid."""
    if is_logged:
        log_command(argv, cwd, who)
    nothing = subprocess.DEVNULL
    process = _start(
        argv,
        cwd=cwd,
        env=env,
        stdin=nothing,
        stdout=nothing,
        stderr=nothing,
        umask=umask,
        who=who,
        is_marked=False,
    )
    pid = process.pid
    # The program must outlive the job.
    programs.get().leave(pid)
    # Deliberately not waited for: `subprocess` reaps it when a later program is started.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        del process
    return pid


def log_command(command: str | Sequence[object], cwd: str | None, who: Identity | None) -> None:
    """Log a command that is about to run, with recognizable secrets redacted."""
    log.debug("command in %s%s: %s", cwd or ".", f" as {who.name}" if who else "", Redacted(command))


def login_environment(who: Identity, shell: str) -> dict[str, str]:
    """Return the environment of `who` after a login with `shell`.

    The login shell reads the user's profile; markers separate the environment from other output. After
    LOGIN_TIMEOUT, or if a marker is missing, the default environment of a login is returned.
    """
    path = os.pathsep.join(SYSTEM_DIRECTORIES if who.uid == 0 else USER_DIRECTORIES)
    known = {"HOME": who.home, "USER": who.name, "LOGNAME": who.name, "SHELL": shell, "PATH": path}
    marker = b"<<<" + os.urandom(16).hex().encode() + b">>>"
    script = f"printf '%s' '{marker.decode()}'; env -0; printf '%s' '{marker.decode()}'"
    try:
        output = run([shell, "-l", "-c", script], cwd="/", env=known, timeout=LOGIN_TIMEOUT, who=who).stdout
    except CommandTimeout:
        return known
    parts = output.split(marker)
    if len(parts) != 3:
        return known
    lines = parts[1].decode("utf-8", "surrogateescape").split("\0")
    profile_variables = dict(line.split("=", 1) for line in lines if "=" in line)
    return {**known, **profile_variables, "HOME": who.home, "USER": who.name}


def kill_group(pid: int) -> None:
    """Kill a process group that `run` started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _reached(pid: int, number: int) -> bool:
    try:
        os.killpg(pid, number)
    except ProcessLookupError:
        return False
    return True


def _forget(pid: int) -> None:
    owner = programs.get()
    (owner.leave if _outliving.get() else owner.discard)(pid)


def _end_descendants(pid: int) -> None:
    """Kill a program and its descendants, including those that left its process group."""
    from salt_g.process import process_tree  # Imported lazily: few programs take too long.

    ended = process_tree.end([pid], [pid], None, signal.SIGKILL)
    # The commands are not named, because some of them may be commands that must not be logged.
    log.info("killed %d processes after a timeout", len(ended))


def is_starting(frame: FrameType | None) -> bool:
    """Return whether a call stack is starting a program that is not yet registered."""
    while frame is not None and frame.f_code is not _start.__code__:
        frame = frame.f_back
    return frame is not None


def _is_executable(path: str) -> bool:
    return os.access(path, os.X_OK) and os.path.isfile(path)


def _abandon(process: subprocess.Popen[bytes]) -> None:
    """Kill a program's group and close its pipes, which a child that left the group may still hold open."""
    kill_group(process.pid)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            # Under gevent a greenlet of `communicate` may still read here; it ends with the pipe.
            with contextlib.suppress(OSError, RuntimeError):
                pipe.close()


def _start(
    argv: Sequence[str],
    *,
    cwd: str | None,
    env: Mapping[str, str] | None,
    stdin: int,
    stdout: int,
    stderr: int,
    umask: int,
    who: Identity | None,
    pass_fds: Sequence[int] = (),
    is_marked: bool = True,
) -> subprocess.Popen[bytes]:
    owner = programs.get()
    owner.check()
    mark = owner.mark if is_marked and not _outliving.get() else None
    mark_program = None
    if mark is not None:
        from salt_g.process import job_marks

        name, _, value = mark.variable.partition("=")
        env = {**(os.environ if env is None else env), name: value}
        mark_program = functools.partial(job_marks.set_limit, mark)
    switch = who if who is not None and not (who.is_ours() and os.geteuid() != 0) else None
    try:
        process = subprocess.Popen(
            list(argv),
            cwd=cwd,
            env=env,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
            # A daemon starts programs through gevent, whose child process runs Python code in any case.
            preexec_fn=mark_program,
            umask=umask,
            pass_fds=pass_fds,
            user=switch.uid if switch else None,
            group=switch.gid if switch else None,
            extra_groups=switch.groups if switch else None,
        )
    except OSError as exc:
        raise _start_error(exc, argv[0], cwd, switch) from exc
    owner.add(process.pid)
    try:
        # The job may have been terminated before this program was registered.
        owner.check()
    except BaseException:
        _abandon(process)
        _forget(process.pid)
        raise
    return process


def _start_error(exc: OSError, program: str, cwd: str | None, switch: Identity | None) -> SaltGError:
    """Return the error of a program that could not be started."""
    if isinstance(exc, FileNotFoundError):
        if cwd is not None and not os.path.isdir(cwd):
            return CommandExecutionError(f"{program!r} cannot run in {cwd!r}: there is no such directory")
        return CommandNotFound(f"program {program!r} is not installed or not in PATH")
    # The kernel refuses a change of user with EPERM, a file that is not executable with EACCES.
    if switch is not None and exc.errno == errno.EPERM:
        return CommandExecutionError(f"{program!r} may not be run as user {switch.name!r}: {exc}")
    return CommandExecutionError(f"{program!r} cannot be started: {exc}")
