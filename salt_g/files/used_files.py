"""File server that records which `salt://` files are used, and can check their contents.

A plan of a state run needs the digest of each file that was used.
Shapes: {URL: hex digest, "" for a missing file}, and {"URL (link)": target} for a link that is used as a
link; a URL contains the environment unless it is `base`.
Errors: FileServerError for a file that is not as expected; errors of the file server propagate.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import IO, TYPE_CHECKING

from salt_g.errors import FileServerError
from salt_g.formats import salturl

if TYPE_CHECKING:
    from salt_g.files.protocols import FileSource, Listed


class UsedFiles:
    """Wrapper of a file server; `used` grows with each file that is read."""

    def __init__(self, server: FileSource, expected: Mapping[str, str] | None = None) -> None:
        self._server = server
        self._expected = expected
        self.used: dict[str, str] = {}

    def envs(self) -> list[str]:
        """Return the file environments."""
        return self._server.envs()

    def listing(self, saltenv: str) -> Listed:
        """Return the listing of an environment."""
        return self._server.listing(saltenv)

    def refresh(self, path: str, saltenv: str, dest: str) -> bool:
        """Update `dest`, a private copy of a file; return False when the file does not exist."""
        found = self._server.refresh(path, saltenv, dest)
        self._note(path, saltenv, self._server.hash_file(path, saltenv))
        return found

    def write(self, path: str, saltenv: str, file: IO[bytes], *, gzip: int | None = None) -> bool:
        """Write the content of a file into `file`; return False when it does not exist."""
        self._note(path, saltenv, self._server.hash_file(path, saltenv))
        return self._server.write(path, saltenv, file, gzip=gzip)

    def hash_file(self, path: str, saltenv: str) -> dict[str, str]:
        """Return {'hsum': hex digest, 'hash_type': name}, or {} when the file does not exist."""
        found = self._server.hash_file(path, saltenv)
        self._note(path, saltenv, found)
        return found

    def stat_file(self, path: str, saltenv: str) -> os.stat_result | None:
        """Return the status of a file, or None when it does not exist."""
        return self._server.stat_file(path, saltenv)

    def note_links(self, links: Mapping[str, str], saltenv: str) -> None:
        """Record links {path: target} that are used as links, because digests do not show their targets."""
        for path, target in links.items():
            self._note_url(f"{_url(path, saltenv)} (link)", target)

    def _note(self, path: str, saltenv: str, found: Mapping[str, str]) -> None:
        self._note_url(_url(path, saltenv), found.get("hsum", ""))

    def _note_url(self, url: str, digest: str) -> None:
        self.used[url] = digest
        if self._expected is None:
            return
        if url not in self._expected:
            raise FileServerError(f"{url} is not among the files of the plan")
        if self._expected[url] != digest:
            raise FileServerError(f"{url} has changed since the plan was checked")


def _url(path: str, saltenv: str) -> str:
    return salturl.create(path, "" if saltenv == "base" else saltenv)
