"""External pillar `file_tree`: contents of files, nested like their directories.

Shapes: `<root>/hosts/<id>/a/b` becomes {"a": {"b": content}}; `<root>/nodegroups/<group>/` applies to all
minions of a group, and the host's own files take precedence.
"""

from __future__ import annotations

import fnmatch
import functools
import logging
import os
from typing import Any

from salt_g import api
from salt_g.data.nested import merge_recursive
from salt_g.match.service import this_minion
from salt_g.pillar.sources.nodegroups import groups_of
from salt_g.shapes import PillarDict

log = logging.getLogger(__name__)


def file_tree(
    minion_id: str,
    pillar: PillarDict,
    root_dir: str | None = None,
    follow_dir_links: bool = False,
    debug: bool = False,
    keep_newline: bool | list[str] = False,
    render_default: str | None = None,
    renderer_blacklist: list[str] | None = None,
    renderer_whitelist: list[str] | None = None,
    template: bool = False,
) -> PillarDict:
    """Return the contents of the minion's files.

    A relative `root_dir` is looked up below each root of the pillar environment;
    `keep_newline` keeps the final newline of all files or of those matching its globs;
    `template` renders each file with `render_default`.
    """
    if not isinstance(keep_newline, (bool, list)):
        log.error("file_tree: keep_newline is neither a bool nor a list of globs")
        return {}
    reader = _Reader(follow_dir_links, keep_newline, (render_default or "jinja") if template else "")
    groups = groups_of(this_minion(minion_id))
    found = [
        reader.read(os.path.join(root, *below))
        for root in _roots(root_dir)
        for below in (*(("nodegroups", group) for group in groups), ("hosts", minion_id))
    ]
    return functools.reduce(merge_recursive, found, {})


def _roots(root_dir: str | None) -> list[str]:
    if not root_dir:
        log.error("file_tree: no root_dir specified")
        return []
    if os.path.isabs(root_dir):
        return [root_dir]
    env_roots = (api.opts.get("pillar_roots") or {}).get(api.opts.get("pillarenv"))
    if not env_roots:
        log.error("file_tree: root_dir %r is relative but pillarenv has no roots", root_dir)
        return []
    return list(dict.fromkeys(os.path.normpath(os.path.join(root, root_dir)) for root in env_roots))


class _Reader:
    """Reader that loads a directory tree as nested mappings."""

    def __init__(self, follow_links: bool, keep_newline: bool | list[str], pipe: str) -> None:
        self._follow_links = follow_links
        self._keep_newline = keep_newline
        self._pipe = pipe

    def read(self, top: str) -> PillarDict:
        return self._directory(top, "") if os.path.isdir(top) else {}

    def _directory(self, top: str, relative: str) -> PillarDict:
        found: PillarDict = {}
        with os.scandir(os.path.join(top, relative)) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                inner = os.path.join(relative, entry.name)
                if entry.is_dir(follow_symlinks=self._follow_links):
                    found[entry.name] = self._directory(top, inner)
                elif entry.is_file():
                    found[entry.name] = self._file(entry.path, inner)
        return found

    def _file(self, path: str, relative: str) -> Any:
        with open(path, "rb") as file:
            content = file.read()
        if content.endswith(b"\n") and not self._keeps_newline(relative):
            content = content[:-1]
        try:
            text = content.decode()
        except UnicodeDecodeError:
            return content
        return api.services().render.render_text(text, pipe=self._pipe) if self._pipe else text

    def _keeps_newline(self, relative: str) -> bool:
        if isinstance(self._keep_newline, bool):
            return self._keep_newline
        return any(fnmatch.fnmatchcase(relative, glob) for glob in self._keep_newline)
