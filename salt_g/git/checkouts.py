"""Checkouts of a repository's commits, one folder each, for code that reads whole trees.

A commit never changes, so its folder is either complete or missing, and a fetch does not disturb its readers.
Folders unused for an hour are removed when another one is created.
"""

from __future__ import annotations

import os
import shutil
import time
from contextlib import suppress

from salt_g.git.repository import Repository
from salt_g.process.disk import make_private_directory

#: Time after which an unused folder is removed (s), longer than any reader needs the folder.
UNUSED = 3600.0


class Checkouts:
    """Checkouts of one repository: folders `trees/<commit>` in its directory, with the files in `files`."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._top = os.path.join(repository.directory, "trees")

    def folder(self, commit: str) -> str:
        """Return the folder of a commit, creating it if missing."""
        folder = os.path.join(self._top, commit)
        try:
            os.utime(folder)
        except FileNotFoundError:
            self._make(commit, folder)
            self._remove_unused()
        return folder

    def _make(self, commit: str, folder: str) -> None:
        temporary = f"{folder}.{os.urandom(8).hex()}"
        make_private_directory(temporary)
        try:
            self._repository.extract_all(commit, os.path.join(temporary, "files"))
            os.rename(temporary, folder)
        except OSError:
            # Another process was faster; the same commit has the same files.
            if not os.path.isdir(folder):
                raise
        finally:
            shutil.rmtree(temporary, ignore_errors=True)

    def _remove_unused(self) -> None:
        border = time.time() - UNUSED
        for entry in os.scandir(self._top):
            with suppress(FileNotFoundError):
                if entry.stat(follow_symlinks=False).st_mtime < border:
                    shutil.rmtree(entry.path, ignore_errors=True)
