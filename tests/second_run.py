"""Runner for tests of daemons, which repeats those that fail beside others once more, alone.

Usage: python tests/second_run.py [options and paths of pytest]
On a busy machine four daemons' tests at once may exceed a time limit that one alone keeps. What fails twice
has failed; what fails once is named at the end, because its cause is still to be found. More than `MOST`
failures have another cause than load, and are final. Exit code: that of pytest.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Sequence

#: Maximum number of failures that are looked at again; one server that does not start fails a whole file.
MOST = 10
_FAILED = 1


def main(words: Sequence[str]) -> int:
    """Run pytest with these arguments, and the failed tests once more; return the exit code."""
    with tempfile.TemporaryDirectory() as cache:
        # Not `-m pytest`: it would import the checkout, without `modules/`, for the built package.
        pytest = [str(pathlib.Path(sys.executable).with_name("pytest")), "-o", f"cache_dir={cache}"]
        code = subprocess.call([*pytest, *words])
        names = failed_in(cache)
        if code != _FAILED or not 0 < len(names) <= MOST:
            return code
        print(f"{len(names)} tests failed beside others, and run once more alone", flush=True)
        code = subprocess.call([*pytest, "-p", "no:randomly", *options_in(words), *names])
    for name in names:
        print(f"failed beside others{'' if code else ', passed alone'}: {name}", flush=True)
    return code


def failed_in(cache: str) -> list[str]:
    """Return the ids of the tests that failed, from pytest's cache directory."""
    path = pathlib.Path(cache, "v", "cache", "lastfailed")
    return sorted(json.loads(path.read_text())) if path.exists() else []


def options_in(words: Sequence[str]) -> list[str]:
    """Return the options that a test run alone needs: `--timeout` with its value."""
    at = words.index("--timeout") if "--timeout" in words else -1
    return list(words[at : at + 2]) if at >= 0 else []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
