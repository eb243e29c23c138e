"""Pillar that a master compiles for this minion.

Why its own file: it is one of two ways to pillar; the other (`compiler.py`) compiles here. Both look the
same to `services().pillars`.
Shapes: the load of `_pillar`; the pillar as the master made it, problems under `_errors`.
Errors: PillarError when the master sends something else; what `Asking.ask_pillar` raises passes through.
Source: wire specification, section 8.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from typing import Any

from salt_g.daemon_services import Asking
from salt_g.data.nested import DELIMITER, merge_recursive, traverse
from salt_g.errors import PillarError
from salt_g.process.disk import make_private_directory, write_whole
from salt_g.shapes import Grains, Opts

log = logging.getLogger(__name__)


class RemotePillar:
    """Asks a master for pillar; implements `services.PillarCompiler`."""

    def __init__(self, channel: Asking, opts: Opts, grains: Grains) -> None:
        self._channel = channel
        self._opts = opts
        self._grains = grains

    def compile(
        self,
        *,
        saltenv: str | None = None,
        pillarenv: str | None = None,
        override: Mapping[str, Any] | None = None,
        ext: Mapping[str, Any] | None = None,
        roots: Mapping[str, Sequence[str]] | None = None,
        earlier: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return pillar compiled anew by the master; problems stand under `_errors`.

        `roots` is for the machine that compiles and refused here; `earlier` is not sent.
        """
        if roots is not None:
            raise PillarError(["roots of pillar cannot be chosen from a minion: its master has them"])
        load: dict[str, Any] = {
            "cmd": "_pillar",
            "id": self._opts["id"],
            "grains": dict(self._grains),
            "saltenv": saltenv or self._opts.get("saltenv"),
            "pillarenv": pillarenv or self._opts.get("pillarenv"),
            "pillar_override": dict(override or {}),
            "extra_minion_data": passed_on(self._opts),
            "ver": "2",
        }
        if ext:
            load["ext"] = dict(ext)
        pillar = self._channel.ask_pillar(load)
        if not isinstance(pillar, dict):
            raise PillarError([f"the master sent {type(pillar).__name__} in place of pillar"])
        if self._opts.get("minion_pillar_cache") and not override and not ext:
            keep_copy(pillar, self._opts, str(load["saltenv"] or "base"))
        return pillar


def passed_on(opts: Opts) -> dict[str, Any]:
    """Return the settings that `pass_to_ext_pillars` names (`a:b` for nested ones), nested as they are."""
    wanted = opts.get("pass_to_ext_pillars") or []
    if not isinstance(wanted, list):
        log.error("the setting 'pass_to_ext_pillars' is not a list of names; no setting is sent with pillar")
        return {}
    passed: dict[str, Any] = {}
    missing = object()
    for path in wanted:
        value = traverse(opts, str(path), missing)
        if value is not missing:
            passed = merge_recursive(passed, _nested(str(path).split(DELIMITER), value), merge_lists=True)
    return passed


def keep_copy(pillar: Mapping[str, Any], opts: Opts, saltenv: str) -> None:
    """Leave pillar in the cache directory as a tree that a call without a master can use.

    The tree is `pillar/top.sls` and `pillar/cache.sls`, readable by the owner only. It is plain
    YAML: what looks like a template in a value is a value.
    """
    from salt_g.formats.yaml_dump import dump  # late: ruamel is slow to import, and few keep copies

    directory = os.path.join(str(opts["cachedir"]), "pillar")
    make_private_directory(directory)
    trees = {"top": {saltenv: {opts["id"]: ["cache"]}}, "cache": dict(pillar)}
    for name, tree in trees.items():
        write_whole(os.path.join(directory, f"{name}.sls"), f"#!yaml\n{dump(tree)}")


def _nested(parts: Sequence[str], value: Any) -> dict[str, Any]:
    for part in reversed(parts):
        value = {part: value}
    return dict(value)
