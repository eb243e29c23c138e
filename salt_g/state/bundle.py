"""Bundles for `state.pkg`: precompiled chunks and the files that they need.

Shapes: a gzipped tar with `lowstate.json` (list of chunks), optional `pillar.json` and `roster_grains.json`,
and a folder of files for each saltenv.
Errors: CompileError when the chunks are an error report. `open_bundle` returns None for a bundle that is
missing, has a different digest, is not a valid archive or would write outside its folder.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import logging
import os
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from salt_g import api
from salt_g.api import CallContext
from salt_g.errors import CommandExecutionError, CompileError, InvocationError
from salt_g.formats.tarball import unpack
from salt_g.shapes import GrainsDict, LowChunk, PillarDict

if TYPE_CHECKING:
    from salt_g.services.protocols import FileAccess, Rendering

log = logging.getLogger(__name__)

#: Factory of the access to files and rendering for other settings.
Access = Callable[[Mapping[str, Any]], "tuple[FileAccess, Rendering]"]


@dataclasses.dataclass(frozen=True)
class StateBundle(contextlib.AbstractContextManager["StateBundle"]):
    """Unpacked bundle; the folder is removed on leaving its `with` block."""

    root: str

    def chunks(self) -> list[LowChunk]:
        """Return the chunks; raise CompileError if the bundle holds messages of a failed compile instead."""
        low = self._json("lowstate.json")
        if not isinstance(low, list) or any(not isinstance(chunk, dict) for chunk in low):
            raise CompileError(
                low if isinstance(low, list) else [f"{self.root}: lowstate.json does not contain a list"]
            )
        return low

    def pillar(self) -> PillarDict | None:
        """Return the pillar to merge over the minion's own pillar, or None if the bundle has none."""
        pillar: PillarDict | None = self._json("pillar.json")
        return pillar

    def grains(self) -> GrainsDict | None:
        """Return the grains that replace the minion's grains, or None if the bundle has none."""
        grains: GrainsDict | None = self._json("roster_grains.json")
        return grains

    def file_roots(self) -> dict[str, list[str]]:
        """Return {saltenv: [folder]} of the packed files."""
        return {entry.name: [entry.path] for entry in os.scandir(self.root) if entry.is_dir()}

    def context(self, access: Access | None) -> CallContext:
        """Return the context of the running call with the bundle's files, pillar and grains.

        `access` returns files and rendering for other settings; raise CommandExecutionError if it is None.
        """
        if access is None:
            raise CommandExecutionError("cannot run bundles here: this state engine cannot read their files")
        context = api.current().with_opts(file_roots=self.file_roots(), file_client="local")
        files, rendering = access(context.opts)
        services = context.services.replace(files=lambda: files, render=lambda: rendering)
        parts: dict[str, Any] = {"services": services}
        if (grains := self.grains()) is not None:
            parts["grains"] = grains
        if (pillar := self.pillar()) is not None:
            parts["pillar"] = services.pillars.compile(override=pillar)
        return context.replace(**parts)

    def _json(self, name: str) -> Any:
        try:
            with open(os.path.join(self.root, name), encoding="utf-8") as file:
                return json.load(file)
        except FileNotFoundError:
            return None

    def __exit__(self, *exc: object) -> None:
        shutil.rmtree(self.root, ignore_errors=True)


def open_bundle(path: str, digest: str, hash_type: str) -> StateBundle | None:
    """Verify and unpack a bundle; return None if it is missing, invalid or has another digest.

    Raises InvocationError for an unknown hash type.
    """
    if not os.path.isfile(path) or _digest(path, hash_type) != digest:
        log.error("bundle %s is missing, or its %s digest is not %s", path, hash_type, digest)
        return None
    bundle = StateBundle(tempfile.mkdtemp(prefix="salt-g-bundle-"))
    try:
        with tarfile.open(path, "r:gz") as archive:
            unpack(archive, bundle.root)
    except tarfile.TarError as exc:
        log.error("cannot unpack bundle %s: %s", path, exc)
        bundle.__exit__()
        return None
    except OSError:
        bundle.__exit__()
        raise
    return bundle


def _digest(path: str, hash_type: str) -> str:
    try:
        digest = hashlib.new(hash_type)
    except ValueError:
        raise InvocationError(f"unknown hash type {hash_type!r} for a bundle") from None
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
