"""Stock's `salt.cache`: persistent data in banks of keys, as files on this machine.

Shapes: a bank is a path such as `minions/web1`; a key's value is any data that msgpack supports.
"""

import os
import shutil
from collections.abc import Mapping
from typing import Any

from salt_g.compat.exceptions import SaltCacheError
from salt_g.process import disk


class Cache:
    """Banks below `cachedir`, in stock's layout: `<bank>/<key>.p`."""

    def __init__(self, opts: Mapping[str, Any], cachedir: str | None = None, **stock: Any) -> None:
        self.opts = opts
        self.cachedir = cachedir or str(opts["cachedir"])

    def store(self, bank: str, key: str, data: Any, expires: int | None = None) -> None:
        """Store a value."""
        import msgpack

        path = self._path(bank, key)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        disk.write_whole(path, msgpack.packb(data))

    def fetch(self, bank: str, key: str) -> Any:
        """Return a value, {} if there is none."""
        import msgpack

        try:
            with open(self._path(bank, key), "rb") as file:
                return msgpack.unpackb(file.read(), strict_map_key=False)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as exc:
            raise SaltCacheError(f"cannot read {key!r} of the bank {bank!r}: {exc}") from exc

    def cache(self, bank: str, key: str, fun: Any, loop_fun: Any = None, **kwargs: Any) -> Any:
        """Return a value; if missing, compute it with `fun` and store it."""
        data = self.fetch(bank, key)
        if not data:
            data = fun(**kwargs)
            self.store(bank, key, data)
        return data

    def updated(self, bank: str, key: str) -> int | None:
        """Return the time when a value was stored, in seconds since 1970; None if there is none."""
        path = self._path(bank, key)
        return int(os.path.getmtime(path)) if os.path.isfile(path) else None

    def flush(self, bank: str, key: str | None = None) -> None:
        """Delete a value or a whole bank."""
        if key is None:
            shutil.rmtree(os.path.join(self.cachedir, bank), ignore_errors=True)
        elif os.path.isfile(path := self._path(bank, key)):
            os.unlink(path)

    def list(self, bank: str) -> list[str]:
        """Return the keys and banks in a bank."""
        directory = os.path.join(self.cachedir, bank)
        names = sorted(os.listdir(directory)) if os.path.isdir(directory) else []
        return [name.removesuffix(".p") for name in names]

    def contains(self, bank: str, key: str | None = None) -> bool:
        """Return whether a bank, or a key in it, exists."""
        if key is None:
            return os.path.isdir(os.path.join(self.cachedir, bank))
        return os.path.isfile(self._path(bank, key))

    def _path(self, bank: str, key: str) -> str:
        return os.path.join(self.cachedir, bank, f"{key}.p")


def factory(opts: Mapping[str, Any], **stock: Any) -> Cache:
    """Return a cache with these settings."""
    return Cache(opts, **stock)


__all__ = ["Cache", "factory"]
