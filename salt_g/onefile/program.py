"""Entry point of the frozen program: salt-g under the called name, or Python for salt-g's own use."""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import MutableMapping

from salt_g.process.command import AS_PYTHON

#: Variable in which PyInstaller's loader sets the path of the program's libraries; the loader keeps the
#: user's value in a variable with the suffix `_ORIG`.
_LIBRARIES = "LD_LIBRARY_PATH"
#: Prefix of other variables of PyInstaller's loader.
_LOADER = "_PYI_"


def main() -> None:
    """Run the command line, or Python if the first argument says so."""
    restore_environment(os.environ)
    if sys.argv[1:2] == [AS_PYTHON]:
        _as_python(sys.argv[2:])
        return
    # Only the launcher script knows the name by which it was called.
    sys.argv[0] = os.environ.pop("SALT_G_CALLED_AS", sys.argv[0])
    from salt_g.cli import main as run

    run()


def restore_environment(environment: MutableMapping[str, str]) -> None:
    """Undo the changes of PyInstaller's loader, so that all programs we start get the user's environment.

    Our own libraries are still found, because the dynamic linker read the variable at the start. A copy of
    this program starts with its loader again.
    """
    users = environment.pop(f"{_LIBRARIES}_ORIG", None)
    if users is not None:
        environment[_LIBRARIES] = users
    elif any(name.startswith(_LOADER) for name in environment):
        environment.pop(_LIBRARIES, None)
    for name in [name for name in environment if name.startswith(_LOADER)]:
        del environment[name]


def _as_python(words: list[str]) -> None:
    """Run like `python -c CODE ARGUMENT…` or `python -I FILE ARGUMENT…`."""
    option, what, *rest = words
    if option == "-c":
        sys.argv = [option, *rest]
        exec(what, {"__name__": "__main__"})  # noqa: S102 - what `python -c` does
    else:
        sys.argv = [what, *rest]
        runpy.run_path(what, run_name="__main__")


if __name__ == "__main__":
    main()
