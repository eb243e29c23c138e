"""Program that enters the namespaces of a process and runs a command with at most its privileges.

It runs stand-alone, with the standard library: `python -I confined.py SPEC -- words`. The bounding set,
no-new-privs, seccomp filters, label and control group of the process apply to the command.
Shapes: SPEC is JSON {pid, begun, namespaces: [[kind, path]], root, cwd, uid, gid}; uid and gid may be null.
Exit code 125: entering failed; standard error has the reason.
Source: nsenter(1), capabilities(7), ptrace(2) PTRACE_SECCOMP_GET_FILTER, prctl(2).
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from typing import Any

FAILED = 125
#: Constants of prctl(2), ptrace(2) and capset(2).
_DUMPABLE, _SECCOMP, _BOUND_HAS, _BOUND_DROP, _NO_NEW_PRIVS, _AMBIENT = 4, 22, 23, 24, 38, 47
_AMBIENT_CLEAR, _FILTER = 4, 2
_SEIZE, _INTERRUPT, _DETACH, _GET_FILTER = 0x4206, 0x4207, 17, 0x420C
_CAPABILITIES_3 = 0x20080522
#: Option of waitpid(2): include threads.
_ALL = 0x40000000
#: Size of a filter instruction (bytes), and maximum number of instructions.
_INSTRUCTION, _MOST = 8, 32768

_libc = ctypes.CDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def main(words: list[str]) -> None:
    """Enter the namespaces and run the command; never return."""
    spec, argv = json.loads(words[0]), words[2:]
    try:
        _enter(spec, argv)
    except OSError as exc:
        what = f"{exc.filename}: {exc.strerror}" if exc.filename else str(exc)
        print(f"process {spec['pid']} cannot be entered: {what}", file=sys.stderr)
    except ValueError as exc:
        print(f"process {spec['pid']} cannot be entered: {exc}", file=sys.stderr)
    # This forked copy must not run the parent's clean-up handlers.
    sys.stderr.flush()
    os._exit(FAILED)


def _enter(spec: dict[str, Any], argv: list[str]) -> None:
    pid = spec["pid"]
    limits = _limits(pid)
    filters = _filters(pid) if limits["Seccomp"] == "2" else []
    label = _label(pid)
    opened = [(kind, os.open(path, os.O_RDONLY)) for kind, path in spec["namespaces"]]
    places = [os.open(path, os.O_PATH | os.O_DIRECTORY) for path in (spec["root"], spec["cwd"]) if path]
    proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY)
    if _begun(pid) != spec["begun"]:
        raise ValueError("it has ended, and its pid was reused")
    _join_groups(pid)
    # Programs inside can neither trace this process nor open its files.
    _call(_libc.prctl, _DUMPABLE, 0, 0, 0, 0)
    kinds = dict(opened)
    for kind, number in opened:
        if kind != "user":
            _call(_libc.setns, number, 0)
    if spec["root"]:
        os.fchdir(places[0])
        os.chroot(".")
    os.fchdir(places[-1])
    if "pid" in kinds:
        _go_on_as_child()
    if "user" in kinds:
        _call(_libc.setns, kinds["user"], 0)
    _confine(limits, filters, label, proc, spec, is_mapped="user" in kinds)
    os.execvp(argv[0], argv)  # noqa: S606 - a shell is not wanted


def _confine(
    limits: dict[str, str],
    filters: list[bytes],
    label: str,
    proc: int,
    spec: dict[str, Any],
    *,
    is_mapped: bool,
) -> None:
    """Drop privileges that the entered process lacks, in an order in which each step is still permitted."""
    bound = int(limits["CapBnd"], 16)
    _bound_capabilities(bound)
    if label:
        with open(os.open("self/attr/exec", os.O_WRONLY, dir_fd=proc), "w") as file:
            file.write(label)
    if int(limits["NoNewPrivs"]):
        _call(_libc.prctl, _NO_NEW_PRIVS, 1, 0, 0, 0)
    uid, gid = spec["uid"], spec["gid"]
    if uid is not None or is_mapped:
        _drop_groups()
        os.setresgid(gid or 0, gid or 0, gid or 0)
    for program in filters:
        _install(program)
    if uid is not None or is_mapped:
        os.setresuid(uid or 0, uid or 0, uid or 0)


def _limits(pid: int) -> dict[str, str]:
    with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
        lines = (line.partition(":") for line in file)
        found = {name: value.strip() for name, _, value in lines}
    if found.get("Seccomp", "0") not in ("0", "2"):
        raise ValueError("seccomp mode 1 allows it only to read, write and exit")
    return {"NoNewPrivs": "0", "Seccomp": "0", **found}


def _begun(pid: int) -> str:
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
        return file.read().rpartition(")")[2].split()[19]


def _filters(pid: int) -> list[bytes]:
    """Return the seccomp filters of a process, oldest first; stop the process briefly to read them."""
    try:
        _trace(_SEIZE, pid, 0, None)
        try:
            _trace(_INTERRUPT, pid, 0, None)
            os.waitpid(pid, _ALL)
            return _read_filters(pid)[::-1]
        finally:
            _trace(_DETACH, pid, 0, None)
    except OSError as exc:
        raise ValueError(f"its seccomp filter cannot be copied ({exc.strerror})") from exc


def _read_filters(pid: int) -> list[bytes]:
    found: list[bytes] = []
    buffer = ctypes.create_string_buffer(_MOST * _INSTRUCTION)
    while True:
        try:
            length = _trace(_GET_FILTER, pid, len(found), buffer)
        except FileNotFoundError:
            # ENOENT marks the end of the list.
            return found
        found.append(buffer.raw[: length * _INSTRUCTION])


def _trace(request: int, pid: int, address: int, data: Any) -> int:
    return _call(_libc.ptrace, request, pid, ctypes.c_void_p(address), data)


def _install(program: bytes) -> None:
    kept = ctypes.create_string_buffer(program, len(program))
    described = _Program(len(program) // _INSTRUCTION, ctypes.addressof(kept))
    _call(_libc.prctl, _SECCOMP, _FILTER, ctypes.byref(described), 0, 0)


def _bound_capabilities(bound: int) -> None:
    """Reduce our bounding set to `bound`; clear the ambient and inheritable capabilities."""
    _libc.prctl(_AMBIENT, _AMBIENT_CLEAR, 0, 0, 0)
    for number in range(64):
        has_it = _libc.prctl(_BOUND_HAS, number, 0, 0, 0) == 1
        if has_it and not bound >> number & 1:
            _call(_libc.prctl, _BOUND_DROP, number, 0, 0, 0)
    head, sets = (ctypes.c_uint32 * 2)(_CAPABILITIES_3, 0), (ctypes.c_uint32 * 6)()
    _call(_libc.capget, head, sets)
    # The words are effective, permitted and inheritable, each for 32 capabilities. Inheritable ones are
    # cleared because programs run by root would get them.
    sets[2], sets[5] = 0, 0
    _call(_libc.capset, head, sets)


def _label(pid: int) -> str:
    """Return the text that gives a program a process's security label, '' if none is needed or set."""
    try:
        with open(f"/proc/{pid}/attr/current") as theirs, open("/proc/self/attr/current") as ours:
            label, own = theirs.read().strip("\0\n"), ours.read().strip("\0\n")
    except OSError:
        return ""
    if label == own or label == "unconfined":
        return ""
    # AppArmor: `name (mode)`; SELinux: a context without spaces.
    name, _, mode = label.rpartition(" (")
    return f"exec {name}" if mode else label


def _join_groups(pid: int) -> None:
    """Join the control groups of a process, if this machine mounts them in the usual location."""
    with open(f"/proc/{pid}/cgroup") as theirs, open("/proc/self/cgroup") as ours:
        wanted, own = theirs.read().splitlines(), ours.read().splitlines()
    for line in wanted:
        _, controllers, path = line.split(":", 2)
        group = os.path.join("/sys/fs/cgroup", controllers, path.lstrip("/"), "cgroup.procs")
        if line not in own and os.path.exists(group):
            with open(group, "w") as file:
                file.write(str(os.getpid()))


def _drop_groups() -> None:
    try:
        os.setgroups([])
    except PermissionError:
        # A user namespace may forbid setgroups; the supplementary groups then stay as they are.
        return


def _go_on_as_child() -> None:
    """Continue in a child inside the pid namespace; this process waits for it and exits with its status."""
    child = os.fork()
    if not child:
        return
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        os.kill(os.getpid(), -code)
    os._exit(code if code >= 0 else 128 - code)


def _call(function: Any, *args: Any) -> int:
    """Call a function of the C library; raises OSError."""
    result = int(function(*args))
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


if __name__ == "__main__":
    main(sys.argv[1:])
