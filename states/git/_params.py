"""Parameters of `git.latest`."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class LatestParams:
    """Checked arguments; `login` is (user, password) for https."""

    name: str
    target: str
    rev: str
    branch: str | None
    update_head: bool
    force_checkout: bool
    force_clone: bool
    force_fetch: bool
    force_reset: bool | str
    submodules: bool
    bare: bool
    mirror: bool
    remote: str
    sync_tags: bool
    depth: int | None
    login: tuple[str | None, str | None]
    refspecs: list[str]
