"""Test modules with rewritten assertions, on disk before the workers of pytest-xdist start.

pytest rewrites the assertions of a test module at its first import and keeps the result beside it. Workers
start together, so each would rewrite every module itself, which takes longer than the rest of collecting.
"""

from __future__ import annotations

import os
import pathlib
import sys
import traceback
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch

import pytest


def fill_cache(config: pytest.Config) -> None:
    """Rewrite those test modules of this run that are not on disk yet, with a process for each processor."""
    if sys.dont_write_bytecode or config.option.assertmode != "rewrite":
        return
    modules = list(_test_modules(config))
    count = len(os.sched_getaffinity(0))
    for pid in [_start_rewriting(modules[first::count], config) for first in range(count)]:
        os.waitpid(pid, 0)


def _test_modules(config: pytest.Config) -> Iterator[pathlib.Path]:
    """Yield the files that the arguments of this run name, or have below them."""
    for argument in config.args:
        path = pathlib.Path(os.path.abspath(config.invocation_params.dir / argument.partition("::")[0]))
        if path.suffix == ".py" and path.is_file():
            yield path
        for folder, folders, names in os.walk(path):
            # Environments of tox, say, have tests of their own.
            folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
            found = (pathlib.Path(folder, name) for name in sorted(names) if fnmatch(name, "test_*.py"))
            yield from (module for module in found if not _is_ignored(module, config))


def _is_ignored(module: pathlib.Path, config: pytest.Config) -> bool:
    ignored = [os.path.abspath(config.invocation_params.dir / path) for path in config.option.ignore or ()]
    globs = config.option.ignore_glob or ()
    return any(module.is_relative_to(path) for path in ignored) or any(
        fnmatch(module, glob) for glob in globs
    )


def _start_rewriting(modules: Sequence[pathlib.Path], config: pytest.Config) -> int:
    """Fork a process that rewrites modules; return its id."""
    if pid := os.fork():
        return pid
    try:
        _rewrite(modules, config)
    except Exception:
        # pytest's functions may change: then each worker does it, as without this process.
        traceback.print_exc()
    finally:
        os._exit(0)


def _rewrite(modules: Sequence[pathlib.Path], config: pytest.Config) -> None:
    """Do what the loader of pytest does before it executes a module."""
    from _pytest.assertion import rewrite

    state = config.stash[rewrite.assertstate_key]
    for path in modules:
        cached = rewrite.get_cache_dir(path) / (path.name[:-3] + rewrite.PYC_TAIL)
        if rewrite._read_pyc(path, cached) is not None:
            continue
        try:
            version, code = rewrite._rewrite_test(path, config)
        except SyntaxError:
            # pytest reports it when it collects the module.
            continue
        if not rewrite.try_makedirs(cached.parent) or not rewrite._write_pyc(state, code, version, cached):
            # Nothing can be kept in this checkout.
            return
