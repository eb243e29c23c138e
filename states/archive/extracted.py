"""`archive.extracted`.

Source: stock's `archive.extracted`; conformance case `states/archive`.
"""

from __future__ import annotations

from typing import Any

import salt_g.states.archive.checks as checks
import salt_g.states.archive.comparing as comparing
import salt_g.states.archive.sums as sums
import salt_g.states.archive.unpacking as unpacking
from salt_g import api
from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states.archive.extraction import Extraction, ExtractionEnded


def extracted(
    name: str, source: Any, source_hash: Any = None, source_hash_name: str | None = None,
    source_hash_update: bool = False, skip_files_list_verify: bool = False, skip_verify: bool = False,
    password: str | None = None, options: Any = None, list_options: str | None = None,
    force: bool = False, overwrite: bool = False, clean: bool = False, clean_parent: bool = False,
    user: str | None = None, group: str | None = None, if_missing: str | None = None,
    trim_output: Any = False, use_cmd_unzip: bool | None = None, extract_perms: bool = True,
    enforce_toplevel: bool = True, enforce_ownership_on: str | None = None,
    archive_format: str | None = None, use_etag: bool = False, signature: Any = None,
    source_hash_sig: Any = None, signed_by_any: Any = None, signed_by_all: Any = None,
    keyring: str | None = None, gnupghome: str | None = None, sig_backend: str = "gpg", **kwargs: Any,
) -> StateReturn:  # fmt: skip
    """Ensure that the contents of an archive are unpacked in a directory.

    name
        The directory, as an absolute path; it is created if missing.
    source
        Path or URL of the archive, or a list from which the first existing one is used.
    source_hash, source_hash_name, skip_verify
        The hash of the archive, as in `file.managed`.
    source_hash_update, skip_files_list_verify
        Unpack again if the archive has changed, even if all its files exist; skip the check of the files if
        its hash is unchanged.
    archive_format, options, list_options
        tar, zip or rar, by default as the file extension says; options for unzip, or for tar, which then
        unpacks instead of Python; a command that decompresses a tar archive for listing, if Python cannot.
    password, use_cmd_unzip, extract_perms
        For zip archives: the password; whether to unpack with the program unzip; whether to set file modes.
    enforce_toplevel, if_missing
        Refuse an archive whose top level is not one directory (True); do nothing if this path exists.
    user, group, enforce_ownership_on
        Owners of the unpacked files, or only of one path below `name`.
    clean, clean_parent
        Remove the top-level entries of the archive, or the whole directory, before unpacking.
    overwrite, force
        Unpack even if everything exists; remove existing paths whose type differs from that in the archive (a
        file instead of a directory).
    trim_output, keep_source
        Maximum number of files to report, True means 100; keep the fetched archive (True).
    signature, source_hash_sig, signed_by_any, signed_by_all, keyring, gnupghome, sig_backend
        Signatures of the archive and of the file with its hash: paths or URLs, or True for inline ones; the
        others are arguments of `gpg.verify`, or of the `verify` function of another `sig_backend`.

    For zip and rar archives, other arguments are passed to `archive.unzip`, `archive.cmd_unzip` or
    `archive.unrar` (`excludes`, `template`, `runas`).

    Example::

        salt-g state.single archive.extracted /opt source=salt://tool.tar.gz
    """
    job = _job(locals())
    try:
        checks.check(job)
        comparing.fetch(job)
        comparing.list_contents(job)
        return _run(job)
    except ExtractionEnded as end:
        return job.ends(end.result, end.comment)
    except CommandExecutionError as exc:
        return job.ends(False, str(exc))


def _job(arguments: dict[str, Any]) -> Extraction:
    """Return the Extraction for the arguments of `extracted`."""
    verify = ("signed_by_any", "signed_by_all", "keyring", "gnupghome", "sig_backend")
    further = api.own_arguments(arguments["kwargs"])
    warnings = []
    if "keep_source" in further and "keep" in further:
        warnings.append(
            "Both 'keep_source' and 'keep' were used. Since these both do the same thing, 'keep' was ignored."
        )
    keep = further.pop("keep", True)
    return Extraction(
        **{key: value for key, value in arguments.items() if key not in (*verify, "kwargs")},
        keep_source=bool(further.pop("keep_source", keep)),
        verify={key: arguments[key] for key in verify},
        further=further,
        asked=arguments["name"],
        saltenv=api.current().saltenv,
        warnings=warnings,
    )


def _run(job: Extraction) -> StateReturn:
    is_missing = comparing.find_missing(job)
    has_changed = not is_missing and not job.overwrite and comparing.sum_has_changed(job)
    reason = ", due to source_hash update" if has_changed else ""
    reason = ", due to absence of one or more files/dirs" if is_missing else reason
    if not (is_missing or has_changed or job.overwrite):
        _remember(job)
        return _with_owners(job, True, "All files in archive are already present")
    _check_hash(job)
    if opts.get("test"):
        cleaning = ", after cleaning destination path(s)" if job.clean else ""
        return job.ends(None, f"Archive {job.display} would be extracted to {job.name}{cleaning}{reason}")
    files = unpacking.unpack(job)
    if not files:
        return _with_owners(job, False, f"No files were extracted from {job.display}")
    _remember(job)
    job.changes["extracted_files"] = files
    trimmed = f". Output was trimmed to {job.trim_output} number of lines" if job.trim_output else ""
    return _with_owners(job, True, f"{job.display} extracted to {job.name}{reason}{trimmed}")


def _check_hash(job: Extraction) -> None:
    if not job.is_local or not job.source_hash or job.skip_verify:
        return
    if not call("file.check_hash", job.source, job.source_sum["hsum"]):
        wanted = job.source_sum["hsum"]
        raise ExtractionEnded(False, f"{job.display} does not match the desired source_hash {wanted}")


def _remember(job: Extraction) -> None:
    """Store the hash of the archive for the next `source_hash_update`; destinations are not told apart."""
    if job.current_sum and not opts.get("test"):
        sums.remember(job.cached, job.current_sum)


def _with_owners(job: Extraction, result: bool, comment: str) -> StateReturn:
    """Set the owners of existing files, remove the cached archive unless it is to be kept, and end."""
    missing, refused = unpacking.set_owners(job)
    ends: bool | None = result
    if opts.get("test") and job.changes.get("updated ownership"):
        ends = None
        comment += ". Ownership would be updated on one or more files/directories."
    if missing:
        ends = ends if job.if_missing else False
        comment += _listed("the following paths were missing", missing)
    if refused:
        ends = False
        comment += _listed("Salt was unable to change ownership on the following paths", refused)
    if not job.is_local and not job.keep_source:
        made = api.current().table("states")["file.not_cached"](job.source, saltenv=job.saltenv)
        if not made["result"]:
            job.warnings.append(made["comment"])
    return job.ends(ends, comment)


def _listed(what: str, paths: list[str]) -> str:
    lines = "".join(f"\n- {path}" for path in paths)
    return f"\n\nWhile trying to enforce user/group ownership, {what}:\n{lines}"
