"""Test files of states, found in the file environments.

Shapes: the tests of `a.b.c` are in `init.tst` of `a/b/c/saltcheck-tests`, and in `c.tst` of the same folder
below `a/b` and `a`.
Errors: CommandExecutionError for a file that is not a mapping.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from salt_g.api import call, opts, services
from salt_g.errors import CommandExecutionError
from salt_g.formats import salturl

DEFAULT_FOLDER = "saltcheck-tests"


def folders(sls: str) -> list[str]:
    """Return the folders that can hold tests of an SLS, the nearest first."""
    parts = sls.split(".")
    folder = str(call("config.get", "saltcheck_test_location", DEFAULT_FOLDER)).strip("/")
    above = ["/".join(parts), "/".join(parts[:-1]), "/".join(parts[:1]) if len(parts) > 1 else ""]
    return list(dict.fromkeys(f"{path}/{folder}" if path else folder for path in above))


def of_sls(sls: str, known: Iterable[str]) -> list[str]:
    """Return the `known` files that test an SLS."""
    nearest, *others = folders(sls)
    last = sls.rpartition(".")[2]
    wanted = [f"{nearest}/init.tst", *(f"{folder}/{last}.tst" for folder in others)]
    files = set(known)
    return [path for path in wanted if path in files]


def beside(sls: str, known: Iterable[str]) -> list[str]:
    """Return the `known` test files in all folders with tests of an SLS."""
    prefixes = tuple(f"{folder}/" for folder in folders(sls))
    return [path for path in known if path.startswith(prefixes) and path.endswith(".tst")]


def known_files(saltenv: str) -> list[str]:
    """Return the paths of all test files of an environment."""
    return [path for path in services().files.list_files(saltenv) if path.endswith(".tst")]


def names_of(sls: str, saltenv: str) -> list[str]:
    """Return an SLS and the SLS that it includes; only the SLS itself if it does not compile."""
    chunks = call("state.show_low_sls", sls, saltenv=saltenv, test=True)
    included = [chunk["__sls__"] for chunk in chunks if isinstance(chunk, dict)]
    return list(dict.fromkeys([sls, *included]))


def read(path: str, saltenv: str) -> dict[str, Any]:
    """Return the rendered {name: test} of a file."""
    render = services().render
    cached = services().files.cache_file(salturl.create(path), saltenv)
    sls = path.removesuffix(".tst").replace("/", ".")
    data = render.render_sls(cached, sls=sls, saltenv=saltenv, tmplpath=cached)
    if not isinstance(data, dict):
        raise CommandExecutionError(f"{path} ({saltenv}) has to be a mapping of tests, not {data!r}")
    return {str(name): test for name, test in data.items()}


def saltenv_of(given: str | None) -> str:
    """Return the environment of a call: `given`, else that of the settings, else `base`."""
    return given or str(opts.get("saltenv") or "base")
