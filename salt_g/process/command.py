"""Run programs: one owner for process groups, time limits, users, environments, decoding.

Why its own file: execution functions, grains, the git and gpg files all start programs, and
each must kill the whole group on a time limit and cope with output that is not UTF-8. A
program runs in a session of its own, so Ctrl-C on our terminal reaches us first and a
command that asks for a password gets no terminal to ask on.
Units: timeouts in seconds. Errors: CommandNotFound, CommandTimeout, CommandExecutionError.
"""

from __future__ import annotations

import contextlib
import contextvars
import errno
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Mapping, Sequence
from types import FrameType
from typing import NamedTuple

from salt_g.errors import CommandExecutionError, CommandNotFound, CommandTimeout

#: Directories searched after `PATH`: daemons often start with a short one.
SYSTEM_DIRECTORIES = ("/sbin", "/bin", "/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin")
#: `PATH` of a user at login, before the profile has its say.
USER_DIRECTORIES = ("/usr/local/bin", "/usr/bin", "/bin")
#: The word that lets the one file play Python: what follows is `-c CODE` or `-I FILE`, and arguments.
AS_PYTHON = "--as-python"
#: How long a login shell may take to tell its environment, in seconds.
LOGIN_TIMEOUT = 10


class Programs:
    """The programs that one job has running, so that whoever ends the job can end them too."""

    def __init__(self) -> None:
        self._pids: set[int] = set()
        self._why_over: BaseException | None = None

    def check(self) -> None:
        """Refuse to start further programs when the job has been ended."""
        if self._why_over is not None:
            raise self._why_over

    def add(self, pid: int) -> None:
        """Note a program, which leads a process group of its own."""
        self._pids.add(pid)

    def discard(self, pid: int) -> None:
        """Note that a program has ended."""
        self._pids.discard(pid)

    def signal(self, number: int) -> list[int]:
        """Send a signal to the groups; return the pids of those that were there."""
        return [pid for pid in sorted(self._pids) if _reached(pid, number)]

    def end(self, number: int, why: BaseException | None = None) -> list[int]:
        """Send a signal to the groups and let no further program start: who tries gets `why`."""
        refusal = CommandExecutionError("the job was ended, no further program is started for it")
        self._why_over = refusal if why is None else why
        return self.signal(number)


#: The programs of this process that belong to no job.
outside = Programs()
#: The programs of the job that is running.
programs: contextvars.ContextVar[Programs] = contextvars.ContextVar("salt_g_programs", default=outside)


class Finished(NamedTuple):
    """What a program left behind; `stdout` and `stderr` are bytes as they came."""

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
    """Who a program runs as: numbers for the kernel, names for the environment."""

    uid: int
    gid: int
    groups: tuple[int, ...]
    name: str
    home: str

    def is_ours(self) -> bool:
        """Return whether this process is that user and group already."""
        return (self.uid, self.gid) == (os.geteuid(), os.getegid())


def identity(user: str | None = None, group: str | None = None) -> Identity:
    """Return the identity of a user (None: ours), with its primary group exchanged for `group`.

    Raises CommandExecutionError when there is no such user or group.
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
    """Return bytes of a program as text; what does not fit becomes the replacement character.

    `encoding` None is UTF-8. Raises CommandExecutionError for an encoding that Python lacks.
    """
    try:
        return data.decode(encoding or "utf-8", "replace")
    except LookupError:
        raise CommandExecutionError(f"unknown output encoding {encoding!r}") from None


def check_permitted(cmd: str | Sequence[object], refused: Sequence[str], allowed: Sequence[str]) -> None:
    """Refuse a command from outside that globs forbid; an empty `allowed` allows all.

    Raises CommandExecutionError.
    """
    import fnmatch

    text = cmd if isinstance(cmd, str) else " ".join(map(str, cmd))
    if any(fnmatch.fnmatch(text, pattern) for pattern in refused):
        raise CommandExecutionError(f'The shell command "{text}" is not permitted')
    if allowed and not any(fnmatch.fnmatch(text, pattern) for pattern in allowed):
        raise CommandExecutionError(f'The shell command "{text}" is not permitted')


def own_python(statement: str) -> list[str]:
    """Return the words that run Python code of ours; the working directory is no place for its modules."""
    return [*as_python(), "-c", f"import sys; sys.path[:] = filter(None, sys.path); {statement}"]


def as_python() -> list[str]:
    """Return the words that start the Python that runs us; in one file, the program itself plays it."""
    return [sys.executable, AS_PYTHON] if is_frozen() else [sys.executable]


def host_python() -> str:
    """Return the Python of this machine that has pip and venv; raises CommandNotFound when there is none."""
    if not is_frozen():
        return sys.executable
    found = which("python3")
    if found is None:
        raise CommandNotFound("there is no python3 on this machine (Debian: python3-venv, python3-pip)")
    return found


def is_frozen() -> bool:
    """Return whether salt-g runs as one file, which is no Python for others."""
    return bool(getattr(sys, "frozen", False))


def which(name: str) -> str | None:
    """Return the path of a program, None when there is none that we may execute."""
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
) -> Finished:
    """Run a program to its end in a process group of its own.

    `env` is the whole environment (None: ours); `who` switches user and groups; `pass_fds` are
    descriptors that the program gets as they are. Raises CommandNotFound when there is no such
    program, CommandTimeout (the group is killed) when it runs longer than `timeout`,
    CommandExecutionError when it may not be started.
    """
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
        stdout, stderr = process.communicate(stdin, timeout=timeout)
    except subprocess.TimeoutExpired:
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
) -> int:
    """Start a program that outlives its caller, its output thrown away; return its pid."""
    nothing = subprocess.DEVNULL
    process = _start(
        argv, cwd=cwd, env=env, stdin=nothing, stdout=nothing, stderr=nothing, umask=umask, who=who
    )
    pid = process.pid
    # It outlives the job as well.
    _forget(pid)
    # Nobody waits for it on purpose: `subprocess` reaps it when a later program is started.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        del process
    return pid


def login_environment(who: Identity, shell: str) -> dict[str, str]:
    """Return the environment that `who` has after logging in with `shell`.

    The login shell reads the user's profile; a marker separates what it prints meanwhile.
    When the shell does not tell it within LOGIN_TIMEOUT, what every login has is all there is.
    """
    path = os.pathsep.join(SYSTEM_DIRECTORIES if who.uid == 0 else USER_DIRECTORIES)
    known = {"HOME": who.home, "USER": who.name, "LOGNAME": who.name, "SHELL": shell, "PATH": path}
    marker = b"<<<" + os.urandom(16).hex().encode() + b">>>"
    script = f"printf '%s' '{marker.decode()}'; env -0; printf '%s' '{marker.decode()}'"
    try:
        told = run([shell, "-l", "-c", script], cwd="/", env=known, timeout=LOGIN_TIMEOUT, who=who).stdout
    except CommandTimeout:
        return known
    parts = told.split(marker)
    if len(parts) != 3:
        return known
    lines = parts[1].decode("utf-8", "surrogateescape").split("\0")
    told_variables = dict(line.split("=", 1) for line in lines if "=" in line)
    return {**known, **told_variables, "HOME": who.home, "USER": who.name}


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
    programs.get().discard(pid)


def is_starting(frame: FrameType | None) -> bool:
    """Return whether a stack is about to start a program, which nobody knows of yet."""
    while frame is not None and frame.f_code is not _start.__code__:
        frame = frame.f_back
    return frame is not None


def _is_executable(path: str) -> bool:
    return os.access(path, os.X_OK) and os.path.isfile(path)


def _abandon(process: subprocess.Popen[bytes]) -> None:
    """Kill the group and let go of its pipes, which a child that left the group may still hold."""
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
) -> subprocess.Popen[bytes]:
    owner = programs.get()
    owner.check()
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
            umask=umask,
            pass_fds=pass_fds,
            user=switch.uid if switch else None,
            group=switch.gid if switch else None,
            extra_groups=switch.groups if switch else None,
        )
    except FileNotFoundError as exc:
        if cwd is not None and not os.path.isdir(cwd):
            raise CommandExecutionError(
                f"{argv[0]!r} cannot run in {cwd!r}: there is no such directory"
            ) from exc
        raise CommandNotFound(f"program {argv[0]!r} is not installed or not in PATH") from exc
    except OSError as exc:
        # The kernel refuses a change of user by EPERM, a file that is not executable by EACCES.
        if switch is not None and exc.errno == errno.EPERM:
            raise CommandExecutionError(f"{argv[0]!r} may not be run as user {switch.name!r}: {exc}") from exc
        raise CommandExecutionError(f"{argv[0]!r} cannot be started: {exc}") from exc
    owner.add(process.pid)
    try:
        # Whoever ended the job meanwhile did not know of this program.
        owner.check()
    except BaseException:
        _abandon(process)
        _forget(process.pid)
        raise
    return process
