"""Stock's `salt.utils.files`."""

import contextlib
import os
import time
from collections.abc import Iterator
from typing import IO, Any

from salt_g.process import disk
from salt_g.stock_errors import FileLockError

#: First characters of temporary files.
TEMPFILE_PREFIX = "__salt.tmp."


def fopen(path: str, mode: str = "r", **kwargs: Any) -> IO[Any]:
    """Open a file; text is UTF-8 by default."""
    if "b" not in mode:
        kwargs.setdefault("encoding", "utf-8")
    return open(path, mode, **kwargs)


def rm_rf(path: str) -> None:
    """Remove a file or a whole directory."""
    # Imported lazily: few plugins remove files.
    import shutil

    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


def list_files(directory: str) -> list[str]:
    """Return a directory and all that is in it, with paths; of a file only its own."""
    found = {directory}
    for folder, directories, names in os.walk(directory):
        found.update(os.path.join(folder, name) for name in (*directories, *names))
    return sorted(found)


def safe_rm(path: str) -> None:
    """Remove a file if it exists."""
    if os.path.lexists(path):
        os.unlink(path)


def is_empty(path: str) -> bool:
    """Return whether a file is empty; False for a missing file."""
    return os.path.isfile(path) and os.path.getsize(path) == 0


def mkstemp(*args: Any, **kwargs: Any) -> Any:
    """Make a temporary file and return its path; with `close_fd=False` (descriptor, path)."""
    import tempfile  # Imported lazily: few plugins make temporary files.

    closes = kwargs.pop("close_fd", True)
    descriptor, path = tempfile.mkstemp(*args, **{"prefix": TEMPFILE_PREFIX, **kwargs})
    if not closes:
        return descriptor, path
    os.close(descriptor)
    return path


def copyfile(source: str, dest: str, backup_mode: str = "", cachedir: str = "") -> None:
    """Copy a file over another as a whole, which keeps its owner and mode."""
    # Imported lazily: few plugins copy files.
    from salt_g.process import disk

    with open(source, "rb") as file, disk.replacing(dest) as copy:
        while piece := file.read(1 << 20):
            copy.write(piece)


def is_binary(path: str) -> bool:
    """Return whether a file exists and is not text."""
    # Imported lazily: few plugins look into files.
    from salt_g.data.text_diff import is_text

    return os.path.isfile(path) and os.path.getsize(path) > 0 and not is_text(path)


def is_text(fp: str, blocksize: int = 512) -> bool:
    """Return whether a file is text."""
    return os.path.isfile(fp) and not is_binary(fp)


@contextlib.contextmanager
def set_umask(mask: int | None) -> Iterator[None]:
    """Set the umask of this process for the body of a `with` block."""
    if mask is None:
        yield
        return
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


@contextlib.contextmanager
def wait_lock(
    path: str,
    lock_fn: str | None = None,
    timeout: float = 5,
    sleep: float = 0.1,
    time_start: float | None = None,
) -> Iterator[None]:
    """Hold the lock file `lock_fn` (by default `.<name>.w` beside `path`) for the body of a `with` block.

    Raise FileLockError if another holds it for longer than `timeout` (s).
    """
    began = time.time() if time_start is None else time_start
    lock = lock_fn or os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.w")
    while True:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            break
        except FileExistsError:
            if time.time() - began >= timeout:
                raise FileLockError(
                    f"{lock} exists for longer than {timeout} s; remove it if nobody uses {path}", began
                ) from None
            time.sleep(sleep)
    try:
        yield
    finally:
        safe_rm(lock)


@contextlib.contextmanager
def flopen(path: str, mode: str = "r", **kwargs: Any) -> Iterator[IO[Any]]:
    """Open a file and lock it (flock) for the body of a `with` block."""
    import fcntl  # Imported lazily: few plugins lock files.

    with fopen(path, mode, **kwargs) as file:
        fcntl.flock(file.fileno(), fcntl.LOCK_SH)
        yield file


def remove(path: str) -> None:
    """Remove a file if it exists."""
    safe_rm(path)


def makedirs(path: str, **stock: Any) -> None:
    """Make a directory with its parents."""
    os.makedirs(path, exist_ok=True)


def normalize_mode(mode: Any) -> Any:
    """Return a mode as text with four digits; None for None."""
    from salt_g.process import disk  # Imported lazily: few plugins compare modes.

    return disk.mode_text(mode)


def get_umask() -> int:
    """Return the umask of this process."""
    return disk.current_umask()
