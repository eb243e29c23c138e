"""Pillar that a master compiles for this minion.

It has the same interface as the local `compiler.py`, for `services().pillars`.
Shapes: the request is the load of `_pillar`, the reply the pillar compiled by the master, with errors under
`_errors`.
Errors: PillarError for `roots` and for any other reply; exceptions of `Asking.ask_pillar` propagate.
Source: wire specification, section 8.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from typing import Any

from salt_g.data.nested import DELIMITER, merge_recursive, traverse
from salt_g.errors import PillarError
from salt_g.process import secret_hiding
from salt_g.process.disk import make_private_directory, write_whole
from salt_g.services.daemons import Asking
from salt_g.shapes import Grains, Opts, OptsDraft, PillarDict
from salt_g.shapes.loads import PillarLoad

log = logging.getLogger(__name__)


class RemotePillar:
    """Client for a master's pillar; implements `services.protocols.PillarCompiler`."""

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
    ) -> PillarDict:
        """Request newly compiled pillar from the master; errors are stored under `_errors`.

        `roots` is refused, because it applies to the machine that compiles; `earlier` is not sent.
        """
        if roots is not None:
            raise PillarError(["a minion cannot choose pillar roots: they belong to its master"])
        load: PillarLoad = {
            "cmd": "_pillar",
            "id": self._opts["id"],
            "grains": dict(self._grains),
            "saltenv": saltenv or self._opts.get("saltenv"),
            "pillarenv": pillarenv or self._opts.get("pillarenv"),
            "pillar_override": dict(override or {}),
            "extra_minion_data": ext_pillar_settings(self._opts),
            "secrets": True,
            "ver": "2",
        }
        if ext:
            load["ext"] = dict(ext)
        pillar = self._channel.ask_pillar(load)
        if not isinstance(pillar, dict):
            raise PillarError([f"the master sent {type(pillar).__name__} instead of pillar"])
        if self._opts.get("minion_pillar_cache") and not override and not ext:
            write_copy(pillar, self._opts, str(load["saltenv"] or "base"))
        secret_hiding.learn_from(pillar)
        if patterns := self._opts.get("pillar_secrets"):
            from salt_g.pillar.secret_paths import secrets_in  # Imported lazily: only for secrets.

            secret_hiding.add(secrets_in(pillar, patterns))
        return pillar


def ext_pillar_settings(opts: Opts) -> OptsDraft:
    """Return the settings named by `pass_to_ext_pillars` (`a:b` for nested ones), keeping their nesting."""
    wanted = opts.get("pass_to_ext_pillars") or []
    if not isinstance(wanted, list):
        log.error("the setting 'pass_to_ext_pillars' is not a list of names; no setting is sent with pillar")
        return {}
    passed: OptsDraft = {}
    missing = object()
    for path in wanted:
        value = traverse(opts, str(path), missing)
        if value is not missing:
            passed = merge_recursive(passed, _nested(str(path).split(DELIMITER), value), merge_lists=True)
    return passed


def write_copy(pillar: Mapping[str, Any], opts: Opts, saltenv: str) -> None:
    """Write pillar to the cache directory as a tree for masterless calls.

    The tree is `pillar/top.sls` and `pillar/cache.sls`, readable by the owner only. It is plain YAML:
    template syntax inside a value is not rendered.
    """
    from salt_g.formats.yaml_dump import dump  # Imported lazily: slow import, rarely used.

    directory = os.path.join(str(opts["cachedir"]), "pillar")
    make_private_directory(directory)
    trees = {"top": {saltenv: {opts["id"]: ["cache"]}}, "cache": dict(pillar)}
    for name, tree in trees.items():
        write_whole(os.path.join(directory, f"{name}.sls"), f"#!yaml\n{dump(tree)}")


def _nested(parts: Sequence[str], value: Any) -> OptsDraft:
    for part in reversed(parts):
        value = {part: value}
    return dict(value)
