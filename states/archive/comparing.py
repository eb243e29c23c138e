"""Comparison of an archive with its destination: fetch, list, look for missing paths."""

from __future__ import annotations

import errno
import os
import stat
import urllib.parse
from collections.abc import Callable
from typing import Any

import salt_g.states.archive.sums as sums
from salt_g import api, safe_files
from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError
from salt_g.states.archive.checks import strip_components
from salt_g.states.archive.extraction import Extraction, ExtractionEnded, refuse


def fetch(job: Extraction) -> None:
    """Fetch the archive to this machine and find its hashes; raises ExtractionEnded."""
    if job.source_hash:
        job.source_sum = call(
            "file.get_source_sum",
            source=job.source,
            source_hash=job.source_hash,
            source_hash_name=job.source_hash_name,
            saltenv=job.saltenv,
            source_hash_sig=job.source_hash_sig,
            **job.verify,
        )
    if job.skip_files_list_verify:
        _check_same_sum(job)
    job.cached = job.source if job.is_local else _cached(job)
    if job.signature:
        _check_signature(job)
    job.known_sum = sums.remembered(job.cached)
    if job.source_hash and job.source_hash_update and not job.skip_verify:
        job.current_sum = sums.current(job.cached)


def list_contents(job: Extraction) -> None:
    """List the archive and check that unpacking it here is permitted; raises ExtractionEnded."""
    if job.archive_format == "zip" and not job.password and _is_encrypted(job):
        raise refuse(
            f"Archive {job.display} is password-protected, but no password was specified. Please set the "
            "'password' argument."
        )
    try:
        job.contents = call(
            "archive.list",
            job.cached,
            archive_format=job.archive_format,
            options=job.list_options,
            strip_components=strip_components(job),
            verbose=True,
        )
    except CommandExecutionError as exc:
        raise refuse(_workarounds(job, str(exc))) from exc
    loose = len(job.contents["top_level_dirs"]) > 1 or job.contents["top_level_files"]
    if job.enforce_toplevel and loose:
        raise refuse(
            "Archive does not have a single top-level directory. To allow this archive to be extracted, set "
            f"'enforce_toplevel' to False. To avoid a '{job.archive_format}-bomb' it may also be advisable "
            "to set a top-level directory by adding it to the 'name' value (for example, setting 'name' to "
            f"{job.path('some_dir')} instead of {job.name})."
        )
    if job.clean and job.clean_parent:
        raise refuse("Only one of 'clean' and 'clean_parent' can be set to True")


def find_missing(job: Extraction) -> bool:
    """Return whether any path of the archive is missing or of another type; remove the latter if allowed."""
    is_missing, wrong = False, []
    kinds: tuple[tuple[str, Callable[[int], bool]], ...] = (
        ("dirs", stat.S_ISDIR),
        ("files", lambda mode: not stat.S_ISLNK(mode) and not stat.S_ISDIR(mode)),
        ("links", stat.S_ISLNK),
    )
    for kind, is_right in kinds:
        for member in job.contents[kind]:
            mode = _mode(job.path(member).rstrip("/"))
            if mode is None:
                is_missing = True
            elif not is_right(mode):
                wrong.append(member)
    if wrong:
        _replace_wrong(job, wrong)
    return is_missing or bool(wrong)


def sum_has_changed(job: Extraction) -> bool:
    """Return whether the archive's hash differs from the one unpacked last (`source_hash_update`)."""
    return job.current_sum is not None and job.known_sum is not None and job.current_sum != job.known_sum


def remove(path: str) -> str:
    """Remove a file or directory tree; return the error, '' on success."""
    try:
        safe_files.remove(path)
    except FileNotFoundError:
        return ""
    except OSError as exc:
        return str(exc)
    return ""


def _check_same_sum(job: Extraction) -> None:
    if job.is_local:
        cached = job.source
    else:
        parsed = urllib.parse.urlparse(job.source)
        place = (opts["cachedir"], "extrn_files", job.saltenv, parsed.netloc, parsed.path.lstrip("/"))
        cached = call("cp.is_cached", job.source, saltenv=job.saltenv) or os.path.join(*place)
    known = sums.remembered(cached)
    if job.source_sum and known and known["hsum"] == job.source_sum["hsum"]:
        raise ExtractionEnded(
            None if opts.get("test") else True,
            f"Archive {job.display} existing source sum is the same as the expected one and "
            "skip_files_list_verify argument was set to True. Extraction is not needed",
        )


def _cached(job: Extraction) -> str:
    if opts.get("test"):
        returned = "would be cached (if necessary) and checked to discover if extraction is needed"
        raise ExtractionEnded(None, f"Archive {job.display} {returned}")
    made = api.current().table("states")["file.cached"](
        job.source,
        source_hash=job.source_hash or "",
        source_hash_name=job.source_hash_name,
        skip_verify=job.skip_verify,
        saltenv=job.saltenv,
        use_etag=job.use_etag,
    )
    if not made["result"]:
        raise refuse(made["comment"])
    return str(call("cp.is_cached", job.source, saltenv=job.saltenv))


def _check_signature(job: Extraction) -> None:
    signatures = [job.signature] if isinstance(job.signature, str) else job.signature
    cached = (
        None if job.signature is True else [call("cp.cache_file", one, job.saltenv) for one in signatures]
    )
    verify = {key: value for key, value in job.verify.items() if key != "sig_backend"}
    signature = cached[0] if cached and isinstance(job.signature, str) else cached
    verdict = call(f"{job.verify['sig_backend']}.verify", filename=job.cached, signature=signature, **verify)
    if verdict["res"] is not True:
        # A corrected archive or signature would not be fetched while the faulty one is cached.
        if not job.is_local:
            for url in (job.source, *([] if job.signature is True else signatures)):
                api.current().table("states")["file.not_cached"](url, saltenv=job.saltenv)
        text = f"The file's signature could not be verified: {verdict['message']}"
        raise refuse(f"Failed verifying the source file's signature: {text}")


def _is_encrypted(job: Extraction) -> bool:
    try:
        return bool(call("archive.is_encrypted", job.cached, saltenv=job.saltenv))
    except CommandExecutionError:
        # Not a zip file: listing it produces an error with advice.
        return False


def _workarounds(job: Extraction, problem: str) -> str:
    needed = [] if job.if_missing else ["'if_missing' must be set"]
    if not job.enforce_ownership_on and (job.user or job.group):
        needed.append("Ownership cannot be managed without setting 'enforce_ownership_on'.")
    if not needed:
        return problem
    advice = "The following workarounds must be used for this state to proceed"
    if job.archive_format == "tar":
        advice = (
            "If the source archive is a tar archive compressed using a compression type not natively "
            "supported by the tar command, then setting the 'list_options' argument may allow the "
            "contents to be listed. Otherwise, if Salt is unable to determine the files/directories in "
            "the archive, the following workaround(s) would need to be used for this state to proceed"
        )
    lines = "".join(f"\n- {line}" for line in needed)
    return (
        f"{problem}\n\n{advice} (assuming the source file is a valid {job.archive_format} archive):\n{lines}"
    )


def _mode(path: str) -> int | None:
    """Return the mode of a path, or None if it does not exist."""
    try:
        return os.lstat(path).st_mode
    except OSError as exc:
        if exc.errno in (errno.ENOENT, errno.ENOTDIR):
            return None
        raise refuse(str(exc)) from exc


def _replace_wrong(job: Extraction, wrong: list[str]) -> None:
    """Remove the paths of the wrong type with `force`; with `clean` leave that to unpacking.

    Raises ExtractionEnded if neither is set, and in test mode with `clean` or `clean_parent`.
    """
    listed = "\n\n" + "\n".join(f"- {member}" for member in wrong)
    problem = (
        f"The below paths (relative to {job.name}) exist, but are the incorrect type (file instead of "
        "directory, symlink instead of file, etc.)."
    )
    if opts.get("test") and job.clean:
        returned = "the destination paths would be cleared and the archive would be extracted."
        raise ExtractionEnded(None, f"{problem} Since the 'clean' option is enabled, {returned}{listed}")
    if opts.get("test") and job.clean_parent:
        returned = (
            "the destination parent directory would be removed first and then re-created and the archive"
        )
        raise ExtractionEnded(
            None, f"{problem} Since the 'clean_parent' option is enabled, {returned} would be extracted"
        )
    if job.clean:
        return
    if not job.force:
        returned = "Note that this will remove these paths before extracting."
        raise refuse(f"{problem} To proceed with extraction, set 'force' to True. {returned}{listed}")
    paths = [job.path(member).rstrip("/") for member in wrong]
    if opts.get("test"):
        return
    problems: list[Any] = [text for text in map(remove, paths) if text]
    job.changes["removed"] = [path for path in paths if not os.path.lexists(path)]
    if problems:
        title = (
            "One or more paths existed by were the incorrect type (i.e. file instead of directory or "
            "vice-versa), but could not be removed. The following errors were observed:\n"
        )
        raise refuse(title + "".join(f"\n- {problem}" for problem in problems))
