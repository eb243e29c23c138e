"""Unpacking of an archive: clear the destination, run the tool of its format, set owners."""

from __future__ import annotations

import os
import shlex
import tarfile
from typing import Any

from salt_g import api, safe_files
from salt_g.api import call, opts
from salt_g.formats import tarball
from salt_g.process import command
from salt_g.states.archive.comparing import remove
from salt_g.states.archive.extraction import Extraction, ExtractionEnded, refuse


def unpack(job: Extraction) -> list[str]:
    """Unpack the archive; return the members' names or the program's output lines. Raises ExtractionEnded."""
    _clear(job)
    made_directory = not os.path.isdir(job.name)
    if made_directory:
        made = _state("file.directory")(job.name, user=job.user, makedirs=True)
        if made["result"] is False:
            raise refuse(made["comment"])
    try:
        files = _by_format(job)
    except ExtractionEnded:
        if made_directory and not os.listdir(job.name):
            safe_files.remove_directory(job.name)
        raise
    if files and made_directory:
        job.changes["directories_created"] = [job.name]
    return files


def set_owners(job: Extraction) -> tuple[list[str], list[str]]:
    """Set user and group; return (missing paths, paths that could not be changed)."""
    missing: list[str] = []
    refused: list[str] = []
    if not job.user and not job.group:
        return missing, refused
    for path in _owned(job):
        if not os.path.lexists(path):
            missing += [] if opts.get("test") else [path]
        elif os.path.isdir(path) and not os.path.islink(path):
            _own_directory(job, path, refused)
        else:
            _own_file(job, path, refused)
    return missing, refused


def _state(name: str) -> Any:
    return api.current().table("states")[name]


def _clear(job: Extraction) -> None:
    """Remove existing files as `clean` and `clean_parent` ask."""
    if job.clean_parent:
        problem = remove(job.name.rstrip("/"))
        if problem:
            title = f"Unable to remove the directory {job.name}. The following errors were observed:"
            raise refuse(f"{title}\n\n- {problem}")
        job.changes["removed"] = f"Directory {job.name} was removed prior to the extraction"
    if job.clean:
        members = job.contents["top_level_dirs"] + job.contents["top_level_files"]
        there = [path for path in map(job.path, members) if os.path.lexists(path.rstrip("/"))]
        problems = [text for text in (remove(path.rstrip("/")) for path in there) if text]
        if there:
            job.changes.setdefault("removed", []).extend(there)
        if problems:
            title = "One or more paths could not be cleaned. The following errors were observed:"
            raise refuse(f"{title}\n" + "".join(f"\n- {problem}" for problem in problems))


def _by_format(job: Extraction) -> list[str]:
    if job.archive_format == "rar" or job.options is not None or job.use_cmd_unzip:
        _check_places(job)
    if job.archive_format == "zip":
        return _unzip(job)
    if job.archive_format == "rar":
        return list(call("archive.unrar", job.cached, job.name, trim_output=job.trim_output, **job.further))
    files = _untar(job) if job.options is None else _untar_with_options(job)
    return files[: job.trim_output] if job.trim_output else files


def _check_places(job: Extraction) -> None:
    """End the state if a member's path contains an untrusted link, which tar or unzip would follow."""
    try:
        for kind in ("dirs", "files", "links"):
            for member in job.contents.get(kind, ()):
                safe_files.check_for_program(job.path(member))
    except safe_files.UntrustedPath as exc:
        raise refuse(str(exc)) from exc


def _unzip(job: Extraction) -> list[str]:
    options = {
        "options": job.options,
        "trim_output": job.trim_output,
        "password": job.password,
        **job.further,
    }
    if job.use_cmd_unzip:
        return list(call("archive.cmd_unzip", job.cached, job.name, **options))
    return list(call("archive.unzip", job.cached, job.name, extract_perms=job.extract_perms, **options))


def _untar(job: Extraction) -> list[str]:
    try:
        with tarfile.open(job.cached) as archive:
            tarball.unpack(archive, job.name)
            return archive.getnames()
    except tarfile.ReadError:
        raise refuse(
            "Failed to read from tar archive using Python's native tar file support. If archive is "
            "compressed using something other than gzip or bzip2, the 'options' argument may be required "
            "to pass the correct options to the tar command in order to extract the archive."
        ) from None
    except tarfile.TarError as exc:
        raise refuse(f"{job.display} cannot be extracted to {job.name}: {exc}") from exc


def _untar_with_options(job: Extraction) -> list[str]:
    if command.which("tar") is None:
        raise refuse("tar command not available, it might not be installed on minion")
    words = [word for word in shlex.split(job.options) if word not in ("v", "-v", "--verbose")]
    short = "xv"
    if words and not words[0].startswith("-"):
        short += words.pop(0).replace("x", "").replace("f", "")
    argv = ["tar", short, *words, "-f", job.cached]
    done = call("cmd.run_all", argv, cwd=job.name, python_shell=False)
    if done["retcode"] != 0:
        job.changes.update(done)
        raise ExtractionEnded(False, "")
    return done["stdout"].splitlines() or ["no tar output so far"]


def _owned(job: Extraction) -> list[str]:
    if job.enforce_ownership_on:
        return [job.enforce_ownership_on]
    return [
        job.path(member)
        for kind in ("dirs", "files", "links")
        for member in job.contents[f"top_level_{kind}"]
    ]


def _own_directory(job: Extraction, path: str, refused: list[str]) -> None:
    wanted = {key: getattr(job, key) for key in ("user", "group") if getattr(job, key)}
    made = _state("file.directory")(path, recurse=list(wanted), **wanted)
    if made.get("changes"):
        job.changes["updated ownership"] = True
    if made["result"] is False:
        refused.append(path)


def _own_file(job: Extraction, path: str, refused: list[str]) -> None:
    now = os.lstat(path)
    if job.uid in (-1, now.st_uid) and job.gid in (-1, now.st_gid):
        return
    try:
        if not opts.get("test"):
            safe_files.change_owner(path, job.uid, job.gid, follow=False)
    except OSError:
        refused.append(path)
    else:
        job.changes["updated ownership"] = True
