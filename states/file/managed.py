"""`file.managed`: files with a wanted content, owner and mode.

This file reads the arguments and builds the result. The content comes from `contents.py`; the execution
module's `file.get_managed`, `file.check_managed_changes` and `file.manage_file` do the work on the disk.
Source: stock docs of `file.managed`; conformance cases `file/managed-*`.
"""

from __future__ import annotations

import contextlib
import logging
import os
from typing import Any

from salt_g import safe_files
from salt_g.api import call, opts, services
from salt_g.errors import SaltGError
from salt_g.process.disk import mode_text
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, failed
from salt_g.states.file.accumulated import accumulated_texts
from salt_g.states.file.checkcmd import file_to_check, mod_run_check_cmd
from salt_g.states.file.checks import link_problem, named_user, owner_problem, saltenv
from salt_g.states.file.contents import ContentRefused, wanted_contents
from salt_g.states.file.params import ManagedParams

log = logging.getLogger(__name__)

_TO_BE_CHANGED = (
    "The file {} is set to be changed\n"
    "Note: No changes made, actual changes may\nbe different due to other states."
)
#: Arguments passed on unchanged, by the function that takes them.
_VERIFYING = (
    "verify_ssl", "source_hash_sig", "signed_by_any", "signed_by_all", "keyring", "gnupghome", "sig_backend"
)  # fmt: skip
_IGNORING = ("ignore_ordering", "ignore_whitespace", "ignore_comment_characters", "new_file_diff")
_PLACING = (
    "makedirs", "template", "show_changes", "contents", "dir_mode", "follow_symlinks", "skip_verify",
    "encoding", "encoding_errors", "use_etag", "signature",
)  # fmt: skip


def managed(
    name: str, source: Any = None, source_hash: Any = "", source_hash_name: str | None = None,
    keep_source: bool = True, user: str | int | None = None, group: str | int | None = None,
    mode: Any = None, attrs: str | None = None, template: str | None = None, makedirs: bool = False,
    dir_mode: Any = None, context: Any = None, replace: bool = True, defaults: Any = None, backup: str = "",
    show_changes: bool = True, create: bool = True, contents: Any = None, tmp_dir: str | None = None,
    tmp_ext: str = "", contents_pillar: Any = None, contents_grains: Any = None,
    contents_newline: bool = True, contents_delimiter: str = ":", encoding: str | None = None,
    encoding_errors: str = "strict", allow_empty: bool = True, follow_symlinks: bool = True,
    check_cmd: Any = None, skip_verify: bool = False, selinux: dict[str, str] | None = None,
    win_owner: Any = None, win_perms: Any = None, win_deny_perms: Any = None, win_inheritance: bool = True,
    win_perms_reset: bool = False, verify_ssl: bool = True, use_etag: bool = False, signature: Any = None,
    source_hash_sig: Any = None, signed_by_any: Any = None, signed_by_all: Any = None,
    keyring: str | None = None, gnupghome: str | None = None, ignore_ordering: bool = False,
    ignore_whitespace: bool = False, ignore_comment_characters: Any = None, new_file_diff: bool = False,
    sig_backend: str = "gpg", **kwargs: Any,
) -> StateReturn:  # fmt: skip
    """Ensure that a file has the content of a source, or given contents, an owner and a mode.

    Content: `source` (a URL, a path, or a list from which the first existing one is used; `source_hash`
    verifies it), or one of `contents`, `contents_pillar`, `contents_grains`; `template` renders it with
    `context` over `defaults`. Without any of them, only owner and mode are set. `mode` is a text of octal
    digits or `keep` (the source's mode). `replace: False` never changes the content of an existing file,
    `create: False` creates no file. `check_cmd` is a command that must accept the new file, passed as its
    last argument; `tmp_dir` and `tmp_ext` are the directory and suffix of its temporary name.
    `backup: minion` keeps old versions. `signature` and `source_hash_sig` are detached signatures (paths or
    URLs) of the source and of its hash file, or True for an inline signature; `sig_backend` verifies them. If
    all differences are of kinds named by `ignore_ordering`, `ignore_whitespace` or
    `ignore_comment_characters`, the file is updated, but states that require or watch it are not run.
    `new_file_diff` reports the content of a new file. The `win_…` arguments are accepted for SLS files shared
    with Windows.

    Example::

        /etc/motd:
          file.managed:
            - source: salt://motd.jinja
            - template: jinja
            - mode: '0644'
    """
    args = ManagedParams(**{**locals(), "name": os.path.expanduser(name)})
    warnings = [
        "The 'file_mode' argument will be ignored.  Please use 'mode' instead to set file permissions."
    ]
    ret = _managed(args)
    return {**ret, "warnings": warnings} if "file_mode" in kwargs else ret


def _managed(args: ManagedParams) -> StateReturn:
    try:
        args = _with_contents(args)
        if not args.create and not os.path.isfile(args.name):
            return as_wanted(args.name, f"File {args.name} is not present and is not set for creation")
        _check_target(args)
        if not _is_checked_later(args) and (problem := link_problem(args.name, follow=args.follow_symlinks)):
            return failed(args.name, problem)
    except ContentRefused as exc:
        return failed(args.name, str(exc))
    except SaltGError as exc:
        return failed(args.name, f"Unable to manage file: {exc}")
    if os.path.exists(args.name) and (not args.replace or _has_given_hash(args)):
        return _with_permissions(args)
    args = args.but(context=_with_accumulator(args))
    try:
        return _planned(args) if opts["test"] else _applied(args)
    except (SaltGError, OSError, UnicodeError) as exc:
        return failed(args.name, f"Unable to manage file: {exc}")


def _with_contents(args: ManagedParams) -> ManagedParams:
    """Return the parameters with the mode normalized and the contents built; raises ContentRefused."""
    if not args.name:
        raise ContentRefused("Destination file name is required")
    if args.context is not None and not isinstance(args.context, dict):
        raise ContentRefused("Context must be formed as a dict")
    if args.defaults and not isinstance(args.defaults, dict):
        raise ContentRefused("Defaults must be formed as a dict")
    keep_mode = isinstance(args.mode, str) and args.mode.lower() == "keep"
    given = [args.contents, args.contents_pillar, args.contents_grains]
    has_contents = any(value is not None for value in given)
    if args.source and has_contents:
        raise ContentRefused(
            "'source' cannot be used in combination with 'contents', 'contents_pillar', or 'contents_grains'"
        )
    if keep_mode and has_contents:
        raise ContentRefused(
            "Mode preservation cannot be used in combination with 'contents', 'contents_pillar', or "
            "'contents_grains'"
        )
    return args.but(
        contents=wanted_contents(args, saltenv()),
        user=named_user(args.kwargs, args.user),
        mode=None if keep_mode else mode_text(args.mode),
        keep_mode=keep_mode,
        replace=args.replace and bool(args.source or has_contents),
    )


def _check_target(args: ManagedParams) -> None:
    if problem := owner_problem(args.user, args.group):
        raise ContentRefused(problem)
    if not os.path.isabs(args.name):
        raise ContentRefused(f"Specified file {args.name} is not an absolute path")
    if os.path.isdir(args.name):
        raise ContentRefused(f"Specified target {args.name} is a directory")


def _is_checked_later(args: ManagedParams) -> bool:
    """Return whether `file.manage_file`, which refuses untrusted links, is the first to use the path."""
    return args.replace and not (opts["test"] or args.check_cmd or args.source_hash)


def _has_given_hash(args: ManagedParams) -> bool:
    """Return whether the file already has the hash `source_hash`, so that no download is needed."""
    if (
        args.contents is not None
        or args.template
        or args.skip_verify
        or not (args.source and args.source_hash)
    ):
        return False
    try:
        source, source_hash = call("file.source_list", args.source, args.source_hash, saltenv())
        if not source_hash or "://" not in source or source.startswith(("salt://", "file://")):
            return False
        wanted = call(
            "file.get_source_sum", args.name, source, source_hash, args.source_hash_name, saltenv(),
            **args.pick(_VERIFYING),
        )  # fmt: skip
        return bool(call("file.get_hash", args.name, wanted["hash_type"]) == wanted["hsum"])
    except (SaltGError, OSError) as exc:
        log.error("%s: cannot compare with source_hash: %s", args.name, exc)
        return False


def _with_permissions(args: ManagedParams) -> StateReturn:
    """Keep the content of a file; set owner, mode, attributes and SELinux context."""
    ret, before = call(
        "file.check_perms", args.name, _blank(args), args.user, args.group, args.mode, args.attrs,
        args.follow_symlinks, **args.selinux_parts(),
    )  # fmt: skip
    if opts["test"]:
        ret["comment"] = f"File {args.name} not updated"
        if args.mode and args.mode != before["lmode"]:
            ret["comment"] = (
                f"File {args.name} will be updated with permissions {args.mode} from its current state of "
                f"{before['lmode']}"
            )
    elif not ret["changes"] and ret["result"]:
        ret["comment"] = f"File {args.name} exists with proper permissions. No changes made."
    done: StateReturn = ret
    return done


def _with_accumulator(args: ManagedParams) -> dict[str, Any]:
    texts = accumulated_texts(args.name)
    return {**(args.context or {}), **({"accumulator": texts} if texts else {})}


def _planned(args: ManagedParams) -> StateReturn:
    """Return the test mode result."""
    ret = _blank(args)
    answer = call(
        "file.check_managed_changes", args.name, args.source, args.source_hash, args.source_hash_name,
        args.user, args.group, args.mode, args.attrs, args.template, args.context, args.defaults, saltenv(),
        args.encoded(), args.skip_verify, args.keep_mode, follow_symlinks=args.follow_symlinks,
        **args.selinux_parts(), **args.pick(_VERIFYING + _IGNORING), **args.kwargs,
    )  # fmt: skip
    counts, changes = answer if isinstance(answer, tuple) else (True, answer)
    if isinstance(changes, str):
        return failed(args.name, changes)
    if not changes:
        return as_wanted(args.name, f"The file {args.name} is in the correct state")
    if "diff" in changes and not args.show_changes:
        changes["diff"] = "<show_changes=False>"
    ret.update(result=None, changes=changes, comment=_TO_BE_CHANGED.format(args.name))
    if args.ignores() and not counts:
        ret["skip_req"] = True
    done: StateReturn = ret  # type: ignore[assignment]
    return done


def _applied(args: ManagedParams) -> StateReturn:
    """Apply the wanted content, owner and mode to the file."""
    source, source_hash = call("file.source_list", args.source, args.source_hash, saltenv())
    path, wanted_sum, complaint = call(
        "file.get_managed", args.name, args.template, source, source_hash, args.source_hash_name, args.user,
        args.group, args.mode, args.attrs, saltenv(), args.context, args.defaults, args.skip_verify,
        use_etag=args.use_etag, **args.pick(_VERIFYING), **args.kwargs,
    )  # fmt: skip
    if complaint and args.contents is None:
        return failed(args.name, f"Unable to manage file: {complaint}")
    try:
        if not args.check_cmd:
            return _placed(args, args.name, path, source, wanted_sum)
        return _placed_when_accepted(args, path, source, wanted_sum)
    finally:
        if not args.keep_source and source:
            _forget(path or services().files.is_cached(source, saltenv()))


def _placed_when_accepted(
    args: ManagedParams, path: str, source: str, wanted_sum: dict[str, str]
) -> StateReturn:
    """Check the new file with `check_cmd` under a temporary name, then move it into place."""
    temporary = file_to_check(args.tmp_ext, args.tmp_dir)
    try:
        try:
            if os.path.isfile(args.name):
                call("file.copy", args.name, temporary)
            tried = _placed(args, temporary, path, source, wanted_sum)
        except (SaltGError, OSError) as exc:
            return failed(args.name, f"Unable to check_cmd file: {exc}")
        # Without source and contents the new file is empty, so there is no diff to report.
        accepted = temporary if path or args.contents is not None else path
        if not tried["changes"]:
            return _placed(args, args.name, accepted, source, {})
        verdict = mod_run_check_cmd(args.check_cmd, temporary)
        if isinstance(verdict, dict):
            return {**_blank(args), **verdict}  # type: ignore[typeddict-item]
        return _placed(args, args.name, accepted, source, {})
    finally:
        with contextlib.suppress(FileNotFoundError):
            safe_files.remove_file(temporary)


def _placed(
    args: ManagedParams, name: str, path: str, source: str, wanted_sum: dict[str, str]
) -> StateReturn:
    ret: StateReturn = call(
        "file.manage_file", name, path, {**_blank(args), "name": args.name}, source, wanted_sum, args.user,
        args.group, args.mode, args.attrs, saltenv(), args.backup, keep_mode=args.keep_mode,
        **args.selinux_parts(), **args.pick(_PLACING + _VERIFYING + _IGNORING),
    )  # fmt: skip
    return ret


def _forget(path: str) -> None:
    """Remove a cached source; never remove a local file."""
    if path.startswith(os.path.join(opts["cachedir"], "")):
        with contextlib.suppress(OSError):
            safe_files.remove_file(path)


def _blank(args: ManagedParams) -> dict[str, Any]:
    return {"changes": {}, "comment": "", "name": args.name, "result": True}
