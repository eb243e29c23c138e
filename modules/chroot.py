"""Functions and states inside another root directory, where no minion runs.

The program is copied there for each call and removed afterwards. If it was installed by pip, the root needs
a `python3` of the same version (such as 3.11); the package and the single file need no Python there.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from typing import Any, NamedTuple

from salt_g import api
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules import _chroot_program, _state_bundle
from salt_g.process import command
from salt_g.shapes import Completed

log = logging.getLogger(__name__)

__func_alias__ = {"apply_": "apply"}
__outputter__ = dict.fromkeys(("apply_", "sls", "highstate"), "highstate")

#: {directory required in a root: mode}
_DIRECTORIES = {"dev": 0o755, "proc": 0o555, "sys": 0o555}
_PREFIX = ".salt-g-"
#: Return code of a call with failed states.
_FAILED = 2


def __virtual__() -> bool | tuple[bool, str]:
    if command.which("chroot"):
        return True
    return False, "The chroot execution module cannot be loaded: the program chroot was not found."


def exist(root: str) -> bool:
    """Return whether a directory is a root, that is, has `dev`, `proc` and `sys`.

    Example::

        salt-g chroot.exist /srv/image
    """
    return all(os.path.isdir(os.path.join(root, name)) for name in _DIRECTORIES)


def create(root: str) -> bool:
    """Make the directories of a root, without programs; return whether they exist.

    Example::

        salt-g chroot.create /srv/image
    """
    for name, mode in _DIRECTORIES.items():
        path = os.path.join(root, name)
        if not os.path.isdir(path):
            try:
                os.makedirs(path)
                os.chmod(path, mode)
            except OSError as exc:
                log.error("cannot make %s: %s", path, exc.strerror)
                api.scratch["retcode"] = _FAILED
                return False
    return exist(root)


def in_chroot() -> bool:
    """Return whether this process itself is inside another root.

    Example::

        salt-g chroot.in_chroot
    """
    try:
        return not os.path.samestat(os.stat("/"), os.stat("/proc/1/root/."))
    except OSError:
        return False


def call(root: str, function: str, *args: Any, **kwargs: Any) -> Any:
    """Return the result of an execution function that runs inside a root.

    A failed call returns {result, retcode, comment: {stdout, stderr}}.

    Example::

        salt-g chroot.call /srv/image pkg.install curl
    """
    if not function:
        raise InvocationError("Missing function parameter")
    with _copied_to(root) as copy:
        return copy.call(function, args, kwargs)


def apply_(root: str, mods: Any = None, **kwargs: Any) -> Any:
    """Apply SLS files inside a root, or the highstate if no files are given.

    Example::

        salt-g chroot.apply /srv/image web
    """
    return sls(root, mods, **kwargs) if mods else highstate(root, **kwargs)


def sls(
    root: str, mods: Any, saltenv: str = "base", test: bool | None = None, exclude: Any = None, **kwargs: Any
) -> Any:
    """Apply SLS files inside a root; they are compiled outside, with the grains of the root.

    Other arguments are those of `state.sls`: `pillar`, ...

    Example::

        salt-g chroot.sls /srv/image web,db test=True
    """
    options = {"saltenv": saltenv, **({"exclude": exclude} if exclude else {}), **kwargs}
    return _apply(root, "state.show_low_sls", (mods,), options, test)


def highstate(root: str, **kwargs: Any) -> Any:
    """Apply the highstate of this minion inside a root.

    Example::

        salt-g chroot.highstate /srv/image test=True
    """
    test = kwargs.pop("test", None)
    return _apply(root, "state.show_lowstate", (), kwargs, test)


class _Copy(NamedTuple):
    """Copy of the program inside a root: its directory seen from outside and inside, and how to start it."""

    root: str
    directory: str
    inside: str
    words: list[str]

    def call(self, function: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return the result of a function, or the report of its failure."""
        given = [json.dumps(one) for one in args]
        given += [f"{name}={json.dumps(one)}" for name, one in kwargs.items() if not name.startswith("__")]
        words = [*self.words, "call", "--local", "--config-dir", f"{self.inside}/conf", "--out", "json"]
        line = shlex.join([*words, "--log-level", "quiet", "--", function, *given])
        done: Completed = api.call("cmd.run_chroot", self.root, line)
        try:
            return json.loads(done["stdout"])["local"]
        except (ValueError, KeyError, TypeError):
            result = {"stdout": done["stdout"], "stderr": done["stderr"]}
            return {"result": False, "retcode": done["retcode"], "comment": result}


@contextlib.contextmanager
def _copied_to(root: str) -> Iterator[_Copy]:
    """Copy the program into a root for the duration of the block."""
    if not exist(root):
        raise CommandExecutionError("Chroot environment not found")
    directory = tempfile.mkdtemp(prefix=_PREFIX, dir=root)
    inside = f"/{os.path.basename(directory)}"
    try:
        words = _chroot_program.put(directory, inside)
        os.mkdir(os.path.join(directory, "conf"))
        settings = {"id": api.opts["id"], "file_client": "local", "root_dir": f"{inside}/state"}
        with open(os.path.join(directory, "conf", "minion"), "w", encoding="utf-8") as file:
            json.dump(settings, file)
        yield _Copy(root, directory, inside, words)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _apply(
    root: str, compiling: str, args: tuple[Any, ...], options: dict[str, Any], test: bool | None
) -> Any:
    """Compile chunks outside a root, with its grains, and run them inside."""
    with _copied_to(root) as copy:
        grains = copy.call("grains.items", (), {})
        if not isinstance(grains, dict) or "os" not in grains:
            return grains
        with api.use(api.current().replace(grains=grains)):
            chunks = api.call(compiling, *args, **options)
        if not isinstance(chunks, list) or not all(isinstance(chunk, dict) for chunk in chunks):
            return chunks
        pillar = {**api.pillar, **(options.get("pillar") or {})}
        digest = _state_bundle.pack(os.path.join(copy.directory, "states.tgz"), chunks, pillar)
        bundle = (f"{copy.inside}/states.tgz", digest, _state_bundle.HASH_TYPE)
        states = copy.call("state.pkg", bundle, {"test": bool(api.opts["test"] if test is None else test)})
    if not _succeeded(states):
        api.scratch["retcode"] = _FAILED
    return states


def _succeeded(states: Any) -> bool:
    """Return whether a run has states and none of them failed."""
    runs = states.values() if isinstance(states, dict) else ()
    return bool(runs) and all(isinstance(one, dict) and one.get("result") is not False for one in runs)
