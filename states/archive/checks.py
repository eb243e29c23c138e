"""Checks of the arguments of `archive.extracted`, made before anything is fetched."""

from __future__ import annotations

import os
import re
import urllib.parse
from typing import Any

from salt_g import safe_files
from salt_g.api import call, has
from salt_g.formats import archivename
from salt_g.states.archive.extraction import Extraction, ExtractionEnded, refuse

FORMATS = ("tar", "rar", "zip")
#: Number of files listed with `trim_output: True`.
TRIMMED = 100


def check(job: Extraction) -> None:
    """Check all arguments and normalize those with several forms; raises ExtractionEnded."""
    if job.skip_files_list_verify and job.skip_verify:
        raise refuse('Only one of "skip_files_list_verify" and "skip_verify" can be set to True')
    _check_paths(job)
    if job.if_missing is not None and os.path.exists(job.if_missing):
        raise ExtractionEnded(True, f"Path {job.if_missing} exists")
    _find_owner(job)
    if job.source_hash_update and not job.source_hash:
        job.warnings.append(
            "The 'source_hash_update' argument is ignored when 'source_hash' is not also specified."
        )
    backend = job.verify["sig_backend"]
    if (job.signature or job.source_hash_sig) and not has(f"{backend}.verify"):
        raise refuse(f"Cannot verify signatures because the {backend} module was not loaded")
    _find_source(job)
    _find_format(job)
    _check_options(job)
    _settle_trim(job)


def strip_components(job: Extraction) -> int | None:
    """Return the number of directories that tar strips from each name."""
    if job.archive_format != "tar" or not job.options:
        return None
    found = re.search(r"--strip(?:-components)?(?:\s+|=)[\"']?(\d+)", job.options)
    return int(found.group(1)) if found else None


def _check_paths(job: Extraction) -> None:
    if not isinstance(job.name, str) or not os.path.isabs(job.name):
        raise refuse(f"{job.name} is not an absolute path")
    job.name = job.name.rstrip("/")
    if os.path.isfile(job.name):
        raise refuse(f"{job.name} exists and is not a directory")
    job.name += "/"
    for argument in ("if_missing", "enforce_ownership_on"):
        value = getattr(job, argument)
        if value is not None and not (isinstance(value, str) and os.path.isabs(value)):
            raise refuse(f"Value for '{argument}' is not an absolute path")
    inside = job.enforce_ownership_on
    if inside is not None and os.path.relpath(inside, job.name).startswith("../"):
        raise refuse(f"Value for 'enforce_ownership_on' must be within {job.name}")


def _find_owner(job: Extraction) -> None:
    if job.user:
        job.uid = _number(call("file.user_to_uid", job.user), f"User {job.user} does not exist")
    if job.group:
        job.gid = _number(call("file.group_to_gid", job.group), f"Group {job.group} does not exist")


def _number(number: Any, problem: str) -> int:
    if number == "":
        raise refuse(problem)
    return int(number)


def _find_source(job: Extraction) -> None:
    source = call("file.source_list", job.source, job.source_hash, job.saltenv)[0]
    if not source:
        raise refuse(f'Invalid source "{job.source}"')
    parsed = urllib.parse.urlparse(source)
    job.source, job.is_local = source, parsed.scheme in ("", "file")
    if job.is_local:
        job.source = safe_files.resolved(os.path.expanduser(os.path.join(parsed.netloc, parsed.path)))
        if not os.path.isfile(job.source):
            raise refuse(f"Source file '{job.display}' does not exist")


def _find_format(job: Extraction) -> None:
    known = ", ".join(FORMATS)
    if not job.archive_format:
        parsed = urllib.parse.urlparse(job.source)
        job.archive_format = archivename.format_of(os.path.join(parsed.netloc, parsed.path).rstrip("/"))
        if job.archive_format is None:
            raise refuse(
                "Could not guess archive_format from the value of the 'source' argument. Please set this "
                f"archive_format to one of the following: {known}"
            )
    job.archive_format = str(job.archive_format).lower()
    if job.archive_format not in FORMATS:
        raise refuse(
            f"Invalid archive_format '{job.archive_format}'. Either set it to a supported value ({known}) or "
            "remove this argument and the archive format will be guessed based on file extension."
        )


def _check_options(job: Extraction) -> None:
    job.options = None if job.options is None else str(job.options)
    if job.archive_format == "zip":
        _check_zip(job)
    elif job.password:
        raise refuse("The 'password' argument is only supported for zip archives")
    if job.archive_format == "rar" and job.options:
        raise refuse("The 'options' argument is only compatible with the following archive formats: tar, zip")


def _check_zip(job: Extraction) -> None:
    if job.options:
        if job.use_cmd_unzip is False:
            raise refuse(
                "'use_cmd_unzip' cannot be set to False if CLI options are being specified (via the "
                "'options' argument). Either remove 'use_cmd_unzip', or set it to True."
            )
        job.use_cmd_unzip = True
    if job.password and job.use_cmd_unzip:
        job.warnings.append(
            "Using a password in combination with setting 'use_cmd_unzip' to True is considered insecure. "
            "It is recommended to remove the 'use_cmd_unzip' argument (or set it to False) and allow Salt to "
            "extract the archive using Python's built-in ZIP file support."
        )


def _settle_trim(job: Extraction) -> None:
    if job.trim_output is True:
        job.trim_output = TRIMMED
    elif job.trim_output:
        try:
            job.trim_output = int(job.trim_output)
        except (TypeError, ValueError):
            raise refuse("Invalid value for trim_output, must be True/False or an integer") from None
