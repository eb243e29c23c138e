"""The second half of managing a file: setting its content, owner, mode, attributes and context.

`sources.py` is the first half: it finds the content.

Shapes: a state return goes in (or None or {}) and comes out with `changes`, `comment`, `result`.
Source: stock docs of `file.managed`; conformance cases `file/managed-*`.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from salt_g import api, safe_files
from salt_g.api import opts, services
from salt_g.errors import CommandExecutionError
from salt_g.formats import salturl
from salt_g.formats.urls import is_remote, local_part
from salt_g.modules.file.backups import backup_root
from salt_g.modules.file.content import Content, Difference, Ignoring, difference
from salt_g.modules.file.directories import makedirs as make_parents
from salt_g.modules.file.hashes import get_hash
from salt_g.modules.file.moving import touch
from salt_g.modules.file.permissions import Ownership, set_ownership
from salt_g.modules.file.selinux import SelinuxParams
from salt_g.modules.file.signatures import check_signature
from salt_g.modules.file.sources import discard
from salt_g.modules.file.stats import permissions_text
from salt_g.process.disk import current_umask, mode_text, replacing
from salt_g.process.old_versions import ON_MINION, keep_old_version

Ret = dict[str, Any]


class _DesiredFile(NamedTuple):
    """Desired state of the file at `name`; `content` None keeps it, or creates an empty file."""

    name: str
    content: Content | None
    owner: Ownership
    attrs: str | None
    context: SelinuxParams
    source: str
    verify: dict[str, str]
    signature: dict[str, Any] | None
    ignoring: Ignoring
    backup: str
    makedirs: bool
    dir_mode: str | None
    show_changes: bool
    follow_symlinks: bool
    new_file_diff: bool


class _Failed(Exception):
    """Failure to manage the file; the text is the comment of the result."""


def manage_file(
    name: str, sfn: str, ret: Ret | None, source: str | None, source_sum: dict[str, str] | None, user: Any,
    group: Any, mode: Any, attrs: str | None, saltenv: str, backup: str, makedirs: bool = False,
    template: str | None = None, show_changes: bool = True, contents: Any = None, dir_mode: Any = None,
    follow_symlinks: bool = True, skip_verify: bool = False, keep_mode: bool = False,
    encoding: str | None = None, encoding_errors: str = "strict", seuser: str | None = None,
    serole: str | None = None, setype: str | None = None, serange: str | None = None,
    verify_ssl: bool = True, use_etag: bool = False, signature: Any = None, source_hash_sig: Any = None,
    signed_by_any: Any = None, signed_by_all: Any = None, keyring: str | None = None,
    gnupghome: str | None = None, ignore_ordering: bool = False, ignore_whitespace: bool = False,
    ignore_comment_characters: Any = None, new_file_diff: bool = False, sig_backend: str = "gpg",
    **kwargs: Any,
) -> Ret:  # fmt: skip
    """Write content (`contents`, the file `sfn`, or `source`), then set owner, mode and context.

    `sfn` is a local file, '' to fetch `source`; `source_sum` is the hash of `source`, {"hash_type", "hsum"}.
    The other arguments are those of the state `file.managed`. Returns the state return: `ret` completed, or a
    new one if `ret` is {} or None.

    Example::

        salt-g file.manage_file /etc/motd /tmp/motd '{}' salt://motd '{}' root root 755 None base ''
    """
    ret = ret or {"name": name, "changes": {}, "comment": "", "result": True}
    if source and not sfn:
        sfn = services().files.cache_file(source, saltenv, verify_ssl=verify_ssl, use_etag=use_etag)
        if not sfn:
            return _error(ret, f"Source file '{source}' not found")
    if source and keep_mode:
        mode = mode_of_source(source, saltenv) or mode
    verified = source and not (template or skip_verify or use_etag or salturl.is_salt_url(source))
    desired = _DesiredFile(
        name=os.path.expanduser(name),
        content=_content(sfn, contents, encoding, encoding_errors),
        owner=Ownership(user, group, mode_text(mode)),
        attrs=attrs,
        context=SelinuxParams(seuser, serole, setype, serange),
        source=source or "",
        verify=dict(source_sum or {}) if verified else {},
        signature=signature and {
            "signature": signature, "saltenv": saltenv, "verify_ssl": verify_ssl, "backend": sig_backend,
            "signed_by_any": signed_by_any, "signed_by_all": signed_by_all, "keyring": keyring,
            "gnupghome": gnupghome,
        },
        ignoring=Ignoring.from_arguments(ignore_ordering, ignore_whitespace, ignore_comment_characters),
        backup=backup or opts.get("backup_mode") or "",
        makedirs=makedirs,
        dir_mode=mode_text(dir_mode),
        show_changes=show_changes,
        follow_symlinks=follow_symlinks,
        new_file_diff=new_file_diff,
    )  # fmt: skip
    try:
        return _managed(desired, ret)
    finally:
        discard(sfn)


def mode_of_source(source: str, saltenv: str) -> str | None:
    """Return the mode of a `salt://` or local source (`mode: keep`), or None if unknown."""
    if is_remote(source):
        return None
    found = services().files.stat_file(local_part(source), saltenv)
    return None if found is None else permissions_text(found)


def _managed(desired: _DesiredFile, ret: Ret) -> Ret:
    """Create or update the file, unless another user could redirect its path."""
    try:
        safe_files.check(desired.name, follow=desired.follow_symlinks)
        manage = _update if os.path.isfile(desired.name) or os.path.islink(desired.name) else _create
        return manage(desired, ret)
    except (safe_files.UntrustedPath, _Failed) as exc:
        return _error(ret, str(exc))


def _update(desired: _DesiredFile, ret: Ret) -> Ret:
    """Update an existing file."""
    link = os.path.islink(desired.name)
    target = safe_files.resolved(desired.name) if link and desired.follow_symlinks else desired.name
    counts = False
    replaces_link = link and not desired.follow_symlinks
    if desired.content is not None and (replaces_link or not _is_current(desired, target)):
        _verify(desired, new=False)
        shown = _link_replaced(desired) if replaces_link else _shown(desired, Content(path=target))
        counts = shown.counts
        ret["changes"]["diff"] = shown.text
        _place(desired.content, desired, target)
    ret = set_ownership(
        desired.name,
        ret,
        desired.owner,
        desired.attrs,
        desired.context,
        follow_symlinks=desired.follow_symlinks,
    )
    if ret["changes"]:
        ret["comment"] = _joined(f"File {desired.name} updated", ret)
        return _with_skip(ret, desired, counts)
    if ret["result"]:
        ret["comment"] = f"File {desired.name} is in the correct state"
    return ret


def _create(desired: _DesiredFile, ret: Ret) -> Ret:
    """Create a missing file."""
    _verify(desired, new=True)
    _make_parents(desired)
    # The umask applies to a mode that was not requested.
    final = desired.owner.mode or mode_text(oct(0o666 & ~current_umask()))
    if desired.content is None:
        if not opts["test"] and not touch(desired.name):
            return _error(ret, f"Empty file {desired.name} not created")
        ret["changes"]["new"] = f"file {desired.name} created"
        ret["comment"] = "Empty file"
    else:
        ret["changes"]["diff"] = (
            _shown(desired, Content(data=b"")).text if desired.new_file_diff else "New file"
        )
        _place(desired.content, desired, desired.name, new_mode=_initial_mode(desired))
    owner = desired.owner._replace(mode=final)
    ret = set_ownership(desired.name, ret, owner, desired.attrs, desired.context)
    if opts["test"]:
        ret["comment"] = f"File {desired.name} not updated"
    elif not ret["comment"]:
        ret["comment"] = f"File {desired.name} updated"
    return _with_skip(ret, desired, not desired.ignoring)


def _initial_mode(desired: _DesiredFile) -> int | None:
    """Return the mode of a new file before the requested mode is set and shown as a change.

    Stock shows the mode of a new file if one was requested, or if it came from a source.
    """
    return 0o600 if desired.source or desired.owner.mode is not None else None


def _is_current(desired: _DesiredFile, path: str) -> bool:
    """Return whether the file has the desired content; compare with the user's hash if there is one."""
    if desired.verify:
        return get_hash(path, desired.verify["hash_type"]) == desired.verify["hsum"].lower()
    assert desired.content is not None
    return desired.content.is_in(path)


def _verify(desired: _DesiredFile, *, new: bool) -> None:
    """Check a source against its hash and its signature; raise _Failed."""
    path = desired.content.path if desired.content else ""
    if desired.verify and path:
        kind, wanted = desired.verify["hash_type"], desired.verify["hsum"].lower()
        actual = get_hash(path, kind)
        if actual != wanted:
            raise _Failed(_mismatch(desired, kind, wanted, actual, new))
    if desired.signature and path:
        try:
            check_signature(path, **desired.signature)
        except CommandExecutionError as exc:
            raise _Failed(f"Failed checking new file's signature: {exc}") from exc


def _mismatch(desired: _DesiredFile, kind: str, wanted: str, actual: str, new: bool) -> str:
    subject = desired.name if new else desired.source
    said = f"Specified {kind} checksum for {subject} ({wanted}) does not match actual checksum ({actual})"
    if new:
        return said
    return (
        f"{said}. If the 'source_hash' value refers to a remote file with multiple possible matches, then it "
        "may be necessary to set 'source_hash_name'."
    )


def _shown(desired: _DesiredFile, old: Content) -> Difference:
    assert desired.content is not None
    return difference(old, desired.content, desired.ignoring, show=desired.show_changes)


def _link_replaced(desired: _DesiredFile) -> Difference:
    """Return the difference between a file and the target of the link that it replaces."""
    if os.path.isfile(desired.name) and not _is_current(desired, desired.name):
        return _shown(desired, Content(path=desired.name))
    return Difference("Replace symbolic link with regular file", True)


def _place(content: Content, desired: _DesiredFile, path: str, new_mode: int | None = None) -> None:
    """Write the content atomically; the old file is kept if the disk is full. Raises _Failed."""
    try:
        if desired.backup in ON_MINION and os.path.exists(path):
            keep_old_version(path, backup_root())
        with replacing(path, new_mode=new_mode) as file:
            content.write_to(file)
    except OSError as exc:
        raise _Failed(f"Failed to commit change: {exc}") from exc


def _make_parents(desired: _DesiredFile) -> None:
    if os.path.isdir(os.path.dirname(desired.name)):
        return
    if not desired.makedirs:
        parent = os.path.dirname(desired.name)
        api.advise(f"the directory {parent} does not exist: makedirs: True creates it, or require its state")
        raise _Failed("Parent directory not present")
    mode = desired.dir_mode if desired.dir_mode is not None else directory_mode(desired.owner.mode)
    make_parents(desired.name, user=desired.owner.user, group=desired.owner.group, mode=mode)


def directory_mode(mode: str | None) -> str | None:
    """Return the mode of a file's directory: the file's mode, plus search permission where it grants any."""
    if mode is None:
        return None
    return "".join(digit if digit == "0" else str(int(digit) | 1) for digit in mode[-3:])


def _content(path: str, contents: Any, encoding: str | None, errors: str) -> Content | None:
    if contents is None:
        return Content(path=path) if path else None
    if isinstance(contents, bytes):
        return Content(data=contents)
    return Content(data=str(contents).encode(encoding or "utf-8", errors if encoding else "strict"))


def _with_skip(ret: Ret, desired: _DesiredFile, counts: bool) -> Ret:
    """Mark a change that the user ignores, so that watching states do not react."""
    if desired.ignoring and ret["changes"] and not counts:
        ret["skip_req"] = True
    return ret


def _joined(said: str, ret: Ret) -> str:
    return said if ret["result"] is not False else f"{said}; {ret['comment']}".rstrip("; ")


def _error(ret: Ret, comment: str) -> Ret:
    ret["result"] = False
    ret["comment"] = comment
    return ret
