"""Write files whole or not at all, private unless told otherwise.

Why its own file: caches, keys, config and managed files all need the same care (temporary
file beside the target, fsync, rename), and a full disk must never leave half a file.
Units: modes are octal ints as `os.chmod` takes them.
"""

from __future__ import annotations

import contextlib
import os
import tempfile

#: Mode of files that salt-g makes for itself.
PRIVATE_FILE = 0o600
#: Mode of directories that salt-g makes for itself.
PRIVATE_DIRECTORY = 0o700


def make_private_directory(path: str) -> None:
    """Make `path` and its parents where missing, readable by the owner only."""
    os.makedirs(path, mode=PRIVATE_DIRECTORY, exist_ok=True)


def write_whole(path: str, data: bytes | str, *, mode: int = PRIVATE_FILE) -> None:
    """Replace `path` by `data` in one step.

    Raises OSError when the disk is full or the directory not writable; the old file is then
    untouched and no temporary file stays behind.
    """
    content = data.encode() if isinstance(data, str) else data
    directory = os.path.dirname(path) or "."
    descriptor, temporary = tempfile.mkstemp(prefix=".salt-g-", dir=directory)
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(file.fileno(), mode)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def mode_text(mode: int | str | None) -> str | None:
    """Return a mode as results spell it: four octal digits, as in '0644'; None stays None.

    A number is read by its decimal digits, because YAML's `mode: 644` means rw-r--r--.
    """
    if mode is None:
        return None
    return str(mode).replace("0o", "0").strip("\"'").lstrip("0").zfill(4)
