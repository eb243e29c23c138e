"""Unified diffs of two files."""

from __future__ import annotations

import os

from salt_g.api import opts, services
from salt_g.errors import CommandExecutionError, SaltGError
from salt_g.modules.file.content import HIDDEN, OBFUSCATED, Content, Ignoring, shown_difference


def get_diff(
    file1: str,
    file2: str,
    saltenv: str = "base",
    show_filenames: bool = True,
    show_changes: bool = True,
    template: bool = False,
    source_hash_file1: str | None = None,
    source_hash_file2: str | None = None,
    ignore_ordering: bool = False,
    ignore_whitespace: bool = False,
    ignore_comment_characters: str | list[str] | None = None,
) -> str | tuple[bool, str]:
    """Return a unified diff of two files (paths or URLs), or '' when they are the same.

    With any of the `ignore_…` options the result is (whether the rest differs, diff). With `template`, the
    setting `obfuscate_templates` hides the diff.

    Example::

        salt-g file.get_diff /etc/hosts /etc/hosts.bak
    """
    hashes = (source_hash_file1, source_hash_file2)
    paths = [_local(url, saltenv, wanted) for url, wanted in zip((file1, file2), hashes, strict=True)]
    if "" in paths:
        raise CommandExecutionError("Failed to cache one or more files")
    ignoring = Ignoring.from_arguments(ignore_ordering, ignore_whitespace, ignore_comment_characters)
    old, new = (Content(path=path) for path in paths)
    try:
        if new.is_in(old.path):
            return (False, "") if ignoring else ""
        if template and opts.get("obfuscate_templates"):
            return OBFUSCATED
        if not show_changes:
            return HIDDEN
        names = (paths[0], paths[1]) if show_filenames else ("", "")
        found = shown_difference(old, new, ignoring, names=names)
    except OSError as exc:
        raise CommandExecutionError(f"Failed to read {exc.filename}: {exc.strerror}") from exc
    return (found.counts, found.text) if ignoring else found.text


def _local(url: str, saltenv: str, wanted_hash: str | None) -> str:
    if os.path.isabs(url) and os.path.exists(url):
        return url
    try:
        return services().files.cache_file(url, saltenv, source_hash=wanted_hash)
    except (SaltGError, OSError):
        return ""
