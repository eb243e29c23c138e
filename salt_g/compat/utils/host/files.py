"""Stock's `salt.utils.files`: work with files and directories."""

import codecs
import contextlib
import datetime
import errno
import os
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from typing import IO, Any

from salt_g import stock_errors
from salt_g.errors import CommandExecutionError
from salt_g.process import disk
from salt_g.stock_errors import FileLockError

#: Lock around changes of the umask, which is shared by the whole process.
_umask_lock = threading.RLock()
MinionError: type[Exception] = vars(stock_errors)["MinionError"]

#: Name prefix of temporary files.
TEMPFILE_PREFIX = "__salt.tmp."
#: {kind of archive: suffixes of its file names}
_ARCHIVES = {
    "tar": (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tbz", ".tar.xz", ".txz", ".tar.lzma", ".tlz"),
    "zip": (".zip",),
    "rar": (".rar",),
}
#: {byte order mark: encoding}; longer marks come before their prefixes.
_ENCODING_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
#: Units of sizes, each 1024 times the one before.
_SIZES = "BKMGTP"
#: {hash type: length of its hex digest in characters}
HASHES = {"sha512": 128, "sha384": 96, "sha256": 64, "sha224": 56, "sha1": 40, "md5": 32}
HASHES_REVMAP = {length: name for name, length in HASHES.items()}
#: URL schemes of local files, of files on other servers, and of all sources.
LOCAL_PROTOS = ("", "file")
REMOTE_PROTOS = ("http", "https", "ftp", "swift", "s3")
VALID_PROTOS = ("salt", "file", *REMOTE_PROTOS)
#: Maximum share of non-ASCII bytes in text that is not UTF-8.
_MOST_OTHERS = 0.3


def fopen(path: Any, mode: str = "r", **kwargs: Any) -> IO[Any]:
    """Open a file, as UTF-8 by default; raise TypeError for the descriptors 0 to 2 and for booleans."""
    if path in (0, 1, 2):
        raise TypeError(f"{path!r} is not a valid file name")
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
    """Return the paths of a directory and everything below it; for a file, only its own path."""
    found = {directory}
    for folder, directories, names in os.walk(directory):
        found.update(os.path.join(folder, name) for name in (*directories, *names))
    return sorted(found)


def safe_rm(tgt: str) -> None:
    """Remove a file; ignore errors."""
    with contextlib.suppress(OSError):
        os.remove(tgt)


def is_empty(filename: str) -> bool:
    """Return whether a file is empty; False for a missing file."""
    return os.path.isfile(filename) and os.path.getsize(filename) == 0


def mkstemp(*args: Any, **kwargs: Any) -> Any:
    """Create a temporary file and return its path, or (descriptor, path) with `close_fd=False`."""
    closes = kwargs.pop("close_fd", True)
    descriptor, path = tempfile.mkstemp(*args, **{"prefix": TEMPFILE_PREFIX, **kwargs})
    if not closes:
        return descriptor, path
    os.close(descriptor)
    return path


def copyfile(source: str, dest: str, backup_mode: str = "", cachedir: str = "") -> None:
    """Replace a file atomically with a copy of another; the target keeps its owner and mode."""
    # Imported lazily: few plugins copy files.
    from salt_g.process import disk

    with open(source, "rb") as file, disk.replacing(dest) as copy:
        while piece := file.read(1 << 20):
            copy.write(piece)


def is_binary(path: str) -> bool:
    """Return whether a file exists and is not text, judged by its first 2,048 bytes."""
    if not os.path.isfile(path):
        return False
    with fopen(path, "rb") as file:
        return not _is_text(file.read(2048))


def is_text(fp_: Any, blocksize: int = 512) -> bool:
    """Return whether a file, given by path or open, is text, judged by its first `blocksize` bytes."""
    if hasattr(fp_, "read"):
        return _is_text(fp_.read(blocksize))
    try:
        with fopen(fp_, "rb") as file:
            return _is_text(file.read(blocksize))
    except OSError:
        return False


def _is_text(data: bytes) -> bool:
    """Return whether bytes have no NUL, and are UTF-8 (apart from a cut last character) or mostly ASCII."""
    if not data or b"\0" in data:
        return not data
    # The last character may be incomplete.
    for end in range(len(data), max(len(data) - 4, 0), -1):
        with contextlib.suppress(UnicodeDecodeError):
            data[:end].decode()
            return True
    others = data.translate(None, bytes(range(32, 127)) + b"\n\r\t\f\b")
    return len(others) / len(data) <= _MOST_OTHERS


@contextlib.contextmanager
def set_umask(mask: int | None) -> Iterator[None]:
    """Set the umask of this process for a `with` block; concurrent blocks wait until it ends."""
    if mask is None:
        yield
        return
    with _umask_lock:
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

    Raise FileLockError if the lock file still exists after `timeout` seconds, or is a directory.
    """
    began = time.time() if time_start is None else time_start
    lock = lock_fn or os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.w")
    if os.path.isdir(lock):
        raise FileLockError(f"{lock} is a directory, not a file", began)
    while True:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            break
        except FileExistsError:
            if time.time() - began >= timeout:
                raise FileLockError(
                    f"{lock} has existed for over {timeout} s; remove it if no program uses {path}", began
                ) from None
            time.sleep(sleep)
    try:
        yield
    finally:
        safe_rm(lock)


@contextlib.contextmanager
def flopen(path: str, mode: str = "r", **kwargs: Any) -> Iterator[IO[Any]]:
    """Open a file, with a shared lock (flock), for the body of a `with` block."""
    import fcntl  # Imported lazily: few plugins lock files.

    with fopen(path, mode, **kwargs) as file:
        fcntl.flock(file.fileno(), fcntl.LOCK_SH)
        yield file


@contextlib.contextmanager
def fpopen(path: str, *args: Any, **kwargs: Any) -> Iterator[IO[Any]]:
    """Open a file for a `with` block, and set its owner and mode (`uid`, `gid`, `mode`)."""
    owner = kwargs.pop("uid", -1), kwargs.pop("gid", -1)
    mode = kwargs.pop("mode", None)
    with fopen(path, *args, **kwargs) as file:
        if owner != (-1, -1):
            os.fchown(file.fileno(), *owner)
        if mode is not None:
            os.fchmod(file.fileno(), mode)
        yield file


def safe_walk(
    top: str,
    topdown: bool = True,
    onerror: Callable[[OSError], Any] | None = None,
    followlinks: bool = True,
    _seen: frozenset[tuple[int, int]] = frozenset(),
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Walk a directory like `os.walk`, following links but never entering a directory within itself."""
    try:
        entries = sorted(os.listdir(top))
        status = os.stat(top)
    except OSError as exc:
        if onerror is not None:
            onerror(exc)
        return
    here = (status.st_dev, status.st_ino)
    if followlinks and here in _seen:
        return
    folders = [name for name in entries if os.path.isdir(os.path.join(top, name))]
    names = [name for name in entries if name not in folders]
    if topdown:
        yield top, folders, names
    for name in folders:
        path = os.path.join(top, name)
        if followlinks or not os.path.islink(path):
            yield from safe_walk(path, topdown, onerror, followlinks, _seen | {here})
    if not topdown:
        yield top, folders, names


def recursive_copy(source: str, dest: str) -> None:
    """Copy the contents of a directory into another one, whose other files are kept."""
    # Imported lazily: few plugins copy directories.
    import shutil

    shutil.copytree(source, dest, dirs_exist_ok=True)


def rename(src: str, dst: str) -> None:
    """Rename a file, replacing an existing target; raise MinionError if that fails."""
    try:
        os.replace(src, dst)
    except OSError as exc:
        raise MinionError(f"Error: Unable to rename '{src}' to '{dst}': {exc}") from exc


def process_read_exception(exc: OSError, path: str, ignore: Any = None) -> None:
    """Raise CommandExecutionError with a readable text for a read error, unless its errno is in `ignore`."""
    ignored = [ignore] if isinstance(ignore, int) else list(ignore or ())
    if exc.errno in ignored:
        return
    if exc.errno == errno.ENOENT:
        raise CommandExecutionError(f"{path} does not exist")
    if exc.errno == errno.EACCES:
        raise CommandExecutionError(f"Permission denied reading from {path}")
    raise CommandExecutionError(f"Error {exc.errno} encountered reading from {path}: {exc.strerror}")


def guess_archive_type(name: str) -> str | None:
    """Return the type of an archive (tar, zip, rar) by its name, or None if unknown."""
    lowered = name.lower()
    for kind, endings in _ARCHIVES.items():
        if lowered.endswith(endings):
            return kind
    return None


def st_mode_to_octal(mode: int) -> str:
    """Return the permissions of `mode` as text with four octal digits."""
    return f"{mode & 0o7777:04o}"


def human_size_to_bytes(human_size: str) -> int:
    """Return a size such as `50M` in bytes; raise ValueError for other texts."""
    found = re.fullmatch(r"(\d+)([KMGTP]?)", str(human_size))
    if found is None:
        raise ValueError(f"{human_size!r} is not a size: write digits, then K, M, G, T, P or nothing")
    factor: int = 1024 ** _SIZES.index(found[2] or "B")
    return int(found[1]) * factor


def case_insensitive_filesystem(path: str | None = None) -> bool:
    """Return whether the file system does not distinguish upper and lower case."""
    with tempfile.TemporaryDirectory(dir=path) as directory, fopen(os.path.join(directory, "tmp"), "w"):
        return os.path.exists(os.path.join(directory, "TMP"))


def is_fcntl_available(check_sunos: bool = False) -> bool:
    """Return True, because files can be locked on all supported systems."""
    return True


def safe_filename_leaf(file_basename: str) -> str:
    """Return a file name with slashes and characters invalid on Windows percent-encoded."""
    return re.sub(r'[/\\:*?"<>|]', lambda found: f"%{ord(found[0]):X}", file_basename)


def remove(path: str) -> None:
    """Remove a file; ignore errors."""
    safe_rm(path)


def makedirs(path: str, **stock: Any) -> None:
    """Create a directory and its parents."""
    os.makedirs(path, exist_ok=True)


def normalize_mode(mode: Any) -> Any:
    """Return a mode as text with four octal digits; None for None."""
    from salt_g.process import disk  # Imported lazily: few plugins compare modes.

    return disk.mode_text(mode)


def get_umask() -> int:
    """Return the umask of this process."""
    return disk.current_umask()


def backup_minion(path: str, bkroot: str) -> None:
    """Copy a file to its path below `bkroot`, with the time in its name; the copy keeps mode and owner."""
    stamp = datetime.datetime.now().strftime("%a_%b_%d_%H:%M:%S_%f_%Y")
    dest = f"{os.path.join(bkroot, path.lstrip(os.sep))}_{stamp}"
    os.makedirs(os.path.dirname(dest), exist_ok=True)
    shutil.copy2(path, dest)
    stat = os.stat(path)
    os.chown(dest, stat.st_uid, stat.st_gid)


def safe_filepath(file_path_name: str, dir_sep: str | None = None) -> str:
    """Return a path with the characters that are special on some system percent-encoded in each name."""
    separator = dir_sep or os.sep
    return separator.join(safe_filename_leaf(name) for name in file_path_name.split(separator))


def get_encoding(path: str) -> str:
    """Return the encoding of a text file; raise CommandExecutionError if it cannot be detected."""
    with open(path, "rb") as file:
        data = file.read()
    for mark, encoding in _ENCODING_MARKS.items():
        if data.startswith(mark):
            return encoding
    for encoding in ("ascii", "utf-8"):
        with contextlib.suppress(UnicodeDecodeError):
            data.decode(encoding)
            return encoding
    raise CommandExecutionError("Could not detect file encoding")
