"""Changes that managing a file would make, computed without making them.

Shapes: changes are {"newfile": path} for a new file, else any of "sum", "diff", "user", "group", "mode",
"attrs", "selinux". With one of the `ignore_…` options the result is (whether the rest differs, changes).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from salt_g import api, safe_files
from salt_g.errors import CommandExecutionError
from salt_g.modules.file.attributes import differing_attributes
from salt_g.modules.file.content import Content, Difference, Ignoring, difference
from salt_g.modules.file.manage_file import mode_of_source
from salt_g.modules.file.permissions import Ownership
from salt_g.modules.file.selinux import SelinuxParams, context_parts
from salt_g.modules.file.sources import discard, get_managed, source_list
from salt_g.modules.file.stats import stat_result
from salt_g.process.disk import mode_text

Changes = dict[str, Any]


def check_managed(
    name: str, source: Any, source_hash: Any, source_hash_name: str | None, user: Any, group: Any,
    mode: Any, attrs: str | None, template: str | None, context: Any, defaults: Any, saltenv: str,
    contents: Any = None, skip_verify: bool = False, seuser: str | None = None, serole: str | None = None,
    setype: str | None = None, serange: str | None = None, follow_symlinks: bool = False, **kwargs: Any,
) -> tuple[bool | None, str]:  # fmt: skip
    """Return (None, pending changes), (True, '… correct state') or (False, error).

    Example::

        salt-g file.check_managed /etc/motd salt://motd '' None root root 644 None jinja None None base
    """
    changes = check_managed_changes(
        name, source, source_hash, source_hash_name, user, group, mode, attrs, template, context, defaults,
        saltenv, contents, skip_verify, seuser=seuser, serole=serole, setype=setype, serange=serange,
        follow_symlinks=follow_symlinks, **kwargs,
    )  # fmt: skip
    if isinstance(changes, tuple):
        return changes
    if not changes:
        return True, f"The file {name} is in the correct state"
    listed = "".join(f"{key}: {value}\n" for key, value in changes.items())
    return None, "The following values are set to be changed:\n" + listed


def check_managed_changes(
    name: str, source: Any, source_hash: Any, source_hash_name: str | None, user: Any, group: Any,
    mode: Any, attrs: str | None, template: str | None, context: Any, defaults: Any, saltenv: str,
    contents: Any = None, skip_verify: bool = False, keep_mode: bool = False, seuser: str | None = None,
    serole: str | None = None, setype: str | None = None, serange: str | None = None,
    verify_ssl: bool = True, follow_symlinks: bool = False, ignore_ordering: bool = False,
    ignore_whitespace: bool = False, ignore_comment_characters: Any = None, new_file_diff: bool = False,
    **kwargs: Any,
) -> Any:  # fmt: skip
    """Return the pending changes; (False, error) if the source is unavailable.

    Example::

        salt-g file.check_managed_changes /etc/motd salt://motd '' '' root root 644 '' jinja '' '' base
    """
    source, source_hash = source_list(source, source_hash, saltenv)
    path = ""
    wanted: dict[str, str] = {}
    if contents is None:
        path, wanted, complaint = get_managed(
            name, template, source, source_hash, source_hash_name, user, group, mode, attrs, saltenv, context,
            defaults, skip_verify, verify_ssl=verify_ssl, **kwargs,
        )  # fmt: skip
        if complaint:
            discard(path)
            return False, complaint
        if source and keep_mode:
            mode = mode_of_source(source, saltenv) or mode
    try:
        return check_file_meta(
            name, path, source, wanted, user, group, mode, attrs, saltenv, contents, seuser, serole, setype,
            serange, verify_ssl, follow_symlinks, ignore_ordering, ignore_whitespace,
            ignore_comment_characters, new_file_diff,
        )  # fmt: skip
    finally:
        discard(path)


def check_file_meta(
    name: str, sfn: str | None, source: Any, source_sum: Any, user: Any, group: Any, mode: Any,
    attrs: str | None, saltenv: str, contents: Any = None, seuser: str | None = None,
    serole: str | None = None, setype: str | None = None, serange: str | None = None, verify_ssl: bool = True,
    follow_symlinks: bool = False, ignore_ordering: bool = False, ignore_whitespace: bool = False,
    ignore_comment_characters: Any = None, new_file_diff: bool = False,
) -> Any:  # fmt: skip
    """Return the differences of a file from the content (`sfn` or `contents`), owner, mode and context.

    Without `sfn`, `source` is fetched if the file's hash is not `source_sum` ({hash_type, hsum}); if
    the source cannot be fetched, the change is `sum`.

    Example::

        salt-g file.check_file_meta /etc/motd /tmp/motd salt://motd '{}' root root 755 None base
    """
    ignoring = Ignoring.from_arguments(ignore_ordering, ignore_whitespace, ignore_comment_characters)
    try:
        found = stat_result(name, follow_symlinks)
    except CommandExecutionError:
        found = None
    if found is None and not new_file_diff:
        return (True, {"newfile": name}) if ignoring else {"newfile": name}
    changes: Changes = {}
    if found is not None and not sfn and source and contents is None:
        sfn = _fetched_if_other(name, str(source), source_sum, saltenv, verify_ssl=verify_ssl)
        if sfn is None:
            changes["sum"] = "Checksum differs"
    change = _content_change(name if found else "", sfn or "", contents, ignoring)
    if change.text:
        changes["diff"] = change.text
    if found is not None:
        changes.update(Ownership(user, group, mode_text(mode)).differing(found))
        if attrs and any(differing_attributes(name, attrs)):
            changes["attrs"] = attrs
        changes.update(_context_change(name, SelinuxParams(seuser, serole, setype, serange)))
    return (change.counts, changes) if ignoring else changes


def _fetched_if_other(
    name: str, source: str, source_sum: Any, saltenv: str, *, verify_ssl: bool
) -> str | None:
    """Return the path of the fetched source if the file's hash differs, else ''; None if fetching failed."""
    wanted = source_sum if isinstance(source_sum, Mapping) else {}
    if not wanted.get("hsum") or not os.path.isfile(name):
        return ""
    kind = str(wanted.get("hash_type") or "sha256")
    if api.call("file.get_hash", name, kind) == wanted["hsum"]:
        return ""
    found = api.call("cp.cache_file", source, saltenv, source_hash=wanted["hsum"], verify_ssl=verify_ssl)
    return str(found) if found else None


def _content_change(name: str, path: str, contents: Any, ignoring: Ignoring) -> Difference:
    if contents is not None:
        new = Content(data=contents if isinstance(contents, bytes) else str(contents).encode())
    elif path:
        new = Content(path=path)
    else:
        return Difference()
    old = Content(path=safe_files.resolved(name)) if name else Content(data=b"")
    try:
        if name and new.is_in(old.path):
            return Difference()
        return difference(old, new, ignoring)
    except OSError as exc:
        return Difference(f"Failed to read {exc.filename}: {exc.strerror}", True)


def _context_change(name: str, desired: SelinuxParams) -> Changes:
    if not desired:
        return {}
    current = context_parts(name)
    if current is None:
        return {"selinux": "Failed to get selinux attributes"}
    wrong = desired.differing(current)
    return {"selinux": wrong} if wrong else {}
