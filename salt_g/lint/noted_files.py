"""File client for lint, which reads files in place and records every look-up."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from salt_g.files.client import PillarClient
from salt_g.formats import salturl
from salt_g.lint.uses import LISTING, Uses


class NotedFiles(PillarClient):
    """Files of `file_roots`, read in place."""

    def __init__(self, opts: Mapping[str, Any], uses: Uses) -> None:
        super().__init__({**opts, "pillar_roots": opts.get("file_roots") or {}})
        self._uses = uses

    def cache_file(self, url: str, saltenv: str = "base", **options: Any) -> str:
        """Return the path of the file itself, or '' when it does not exist."""
        if salturl.is_salt_url(url):
            self._uses.note(os.path.normpath(salturl.parse(url).path))
        return super().cache_file(url, saltenv, **options)

    def list_files(self, saltenv: str = "base", prefix: str = "") -> list[str]:
        """Return the paths of all files of an environment."""
        self._uses.note(LISTING)
        return super().list_files(saltenv, prefix)

    def list_dirs(self, saltenv: str = "base", prefix: str = "") -> list[str]:
        """Return the paths of all directories of an environment."""
        self._uses.note(LISTING)
        return super().list_dirs(saltenv, prefix)

    def list_states(self, saltenv: str = "base") -> list[str]:
        """Return the names of all SLS of an environment, ignoring hidden files.

        Editors put dangling links such as `.#web.sls` next to the files that they have open.
        """
        self._uses.note(LISTING)
        return [sls for sls in super().list_states(saltenv) if "" not in sls.split(".")]

    def paths(self, saltenv: str) -> frozenset[str]:
        """Return all paths of files and directories, and '' for the root, without recording a look-up."""
        listing = self._server.listing(saltenv)
        return frozenset((*listing.files, *listing.directories, ""))
