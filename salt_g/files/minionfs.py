"""Files pushed by minions (`cp.push`), served to all minions: `<mountpoint>/<minion id>/<path>`.

These files come from peers, so the rules are stricter than for files of the operator: no links, no `top.sls`,
no minions whose ids begin with `_` or `.` (such as `_modules`).
Settings: `minionfs_env`, `minionfs_mountpoint`, `minionfs_whitelist`, `minionfs_blacklist`.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from salt_g.files.atomic_write import TEMPORARY
from salt_g.files.roots import FoundFile, Listing, Listings, Roots, RootsRules
from salt_g.formats import salturl
from salt_g.regex.name_patterns import is_exposed
from salt_g.shapes import Opts


def folder_of(cachedir: str, id: str) -> str:
    """Return the folder of a minion's pushed files."""
    return os.path.join(cachedir, "minions", id, "files")


class MinionFs:
    """The backend `minionfs`."""

    name = "minionfs"

    def __init__(
        self,
        cachedir: str,
        rules: RootsRules,
        *,
        env: str = "base",
        mountpoint: str = "",
        is_shown: Callable[[str], bool] = lambda id: True,
        list_age: float = 20,
    ) -> None:
        self._cachedir = cachedir
        self._rules = rules._replace(follow_links=False, ignore_links=True)
        self._env = env
        self._mountpoint = mountpoint.strip("/")
        self._is_shown = is_shown
        self._listings = Listings(lambda saltenv: self._listed(), list_age)

    @classmethod
    def from_opts(cls, opts: Opts, rules: RootsRules) -> MinionFs:
        """Return the backend configured by the settings."""
        shown, hidden = opts.get("minionfs_whitelist") or [], opts.get("minionfs_blacklist") or []
        age = opts.get("fileserver_list_cache_time")
        return cls(
            str(opts["cachedir"]),
            rules,
            env=str(opts.get("minionfs_env") or "base"),
            mountpoint=str(opts.get("minionfs_mountpoint") or "").removeprefix(salturl.PREFIX),
            is_shown=lambda id: is_exposed(id, shown, hidden),
            list_age=20.0 if age is None else float(age),
        )

    def envs(self) -> list[str]:
        """Return the only environment."""
        return [self._env]

    def find(self, path: str, saltenv: str) -> FoundFile | None:
        """Return a pushed file, or None when it is missing or must not be served."""
        if saltenv != self._env or not _may_serve(path):
            return None
        prefix = f"{self._mountpoint}/" if self._mountpoint else ""
        if not path.startswith(prefix):
            return None
        id, _, pushed = path[len(prefix) :].partition("/")
        if not pushed or not self._may_show(id):
            return None
        found = self._pushed_by(id).find(pushed, id)
        return found and FoundFile(found.path, f"{prefix}{id}/{found.relative}", self.name)

    def listing(self, saltenv: str) -> Listing:
        """Return the listing of all pushed files."""
        return self._listings.get(saltenv) if saltenv == self._env else Listing()

    def forget_listings(self, saltenv: str | None = None) -> list[str]:
        """Discard cached listings; return the environments whose listings were discarded."""
        return self._listings.forget(saltenv)

    def _listed(self) -> Listing:
        files: list[str] = []
        directories: list[str] = []
        for id in self._ids():
            listing = self._pushed_by(id).scan(id)
            prefix = f"{self._mountpoint}/{id}" if self._mountpoint else id
            files += [f"{prefix}/{path}" for path in listing.files]
            directories += [f"{prefix}/{path}" for path in listing.directories]
        return Listing(tuple(sorted(filter(_may_serve, files))), tuple(sorted(directories)))

    def _ids(self) -> list[str]:
        try:
            names = sorted(os.listdir(os.path.join(self._cachedir, "minions")))
        except FileNotFoundError:
            return []
        return [name for name in names if self._may_show(name)]

    def _may_show(self, id: str) -> bool:
        # A minion called `_modules` must not distribute code to others.
        return bool(id) and id[0] not in "_." and self._is_shown(id)

    def _pushed_by(self, id: str) -> Roots:
        return Roots({id: [folder_of(self._cachedir, id)]}, self._rules)


def _may_serve(path: str) -> bool:
    """Return whether a pushed file may be served: not a top file, not an incomplete upload."""
    name = os.path.basename(path)
    return name != "top.sls" and not name.startswith(TEMPORARY)
