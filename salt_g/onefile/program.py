"""Entry point of the frozen program: salt-g under the called name, or Python for salt-g's own use."""

from __future__ import annotations

import os
import runpy
import sys

from salt_g.process.command import AS_PYTHON


def main() -> None:
    """Run the command line."""
    if sys.argv[1:2] == [AS_PYTHON]:
        _as_python(sys.argv[2:])
        return
    # Only the launcher script knows the name it was called by.
    sys.argv[0] = os.environ.pop("SALT_G_CALLED_AS", sys.argv[0])
    from salt_g.cli import main as run

    run()


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
