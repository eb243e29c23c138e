"""Patched files and directories.

Source: stock docs of `file.patch`; conformance case `file/patch`.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from typing import Any, NamedTuple

from salt_g.api import call, current, opts, use
from salt_g.errors import CommandExecutionError
from salt_g.formats import salturl
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, failed, outcome, would_change
from salt_g.states.file.checks import saltenv as current_saltenv
from salt_g.states.file.contents import ContentRefused
from salt_g.states.file.managed import managed

_FORBIDDEN = ("-N", "--forward", "-r", "--reject-file", "-o", "--output")
_RETIRED = ("hash", "dry_run_first")
#: Indentation of the program's output in a comment, in columns.
_INDENT = 14


def patch(
    name: str, source: Any = None, source_hash: Any = None, source_hash_name: str | None = None,
    skip_verify: bool = False, template: str | None = None, context: dict[str, Any] | None = None,
    defaults: dict[str, Any] | None = None, options: str = "", reject_file: str | None = None,
    strip: int | None = None, saltenv: str | None = None, **kwargs: Any,
) -> StateReturn:  # fmt: skip
    """Ensure that a patch is applied to a file or directory; an already applied patch is detected.

    The patch is a source as in `file.managed`. `strip` is the number of leading directories to remove from
    the paths in the patch, if the target is a directory; `options` are passed to the program `patch`.
    Rejected hunks are written to `reject_file`, and the target is not changed.

    Example::

        /opt/app/app.py:
          file.patch:
            - source: salt://app.patch
    """
    warnings = [
        f"The '{old}' argument is no longer used and has been ignored." for old in _RETIRED if old in kwargs
    ]
    extra: dict[str, Any] = {"warnings": warnings} if warnings else {}
    try:
        name = _checked_target(name)
        _check_reject_file(reject_file)
        words, strip = _checked_options(options, strip)
        url, environment, ignored = _chosen(source, source_hash, saltenv)
    except (ContentRefused, CommandExecutionError) as exc:
        return failed(name, str(exc), **extra)
    if ignored:
        extra["warnings"] = [
            *warnings,
            "Ignoring 'saltenv' option in favor of saltenv included in the source URL.",
        ]
    with _temporary_files(3) as (patch_file, rejects, output):
        fetched = _fetched(
            patch_file, environment, source=url, source_hash=source_hash, source_hash_name=source_hash_name,
            skip_verify=skip_verify, template=template, context=context, defaults=defaults,
        )  # fmt: skip
        # In test mode an earlier state that has not run may create the patch; the dry run then has no input.
        if not fetched["result"] and not opts["test"]:
            return {**fetched, "name": name}
        strip_option = [f"-p{strip}"] if strip is not None and os.path.isdir(name) else []
        job = _Job(name, patch_file, words, strip_option, reject_file, rejects, output)
        return {**job.result(), **extra}  # type: ignore[typeddict-item]


class _Job(NamedTuple):
    """One patch and its target file or directory; `strip` is `-pN` for the paths in the patch."""

    name: str
    patch_file: str
    words: list[str]
    strip: list[str]
    reject_file: str | None
    temporary_rejects: str
    output: str

    def result(self) -> StateReturn:
        """Apply the patch to a scratch copy first, then to the target."""
        rejects = self.reject_file or self.temporary_rejects
        trial = self._run(self.patch_file, ["-N", "-r", rejects, "-o", self.output, *self.strip])
        if trial["retcode"] != 0:
            return self._refused(trial, rejects)
        if opts["test"]:
            return would_change(self.name, "The patch would be applied", trial)
        done = self._run(self.patch_file, self.strip)
        if done["retcode"] == 0:
            return outcome(self.name, True, "Patch successfully applied", done)
        return failed(self.name, "Failed to apply patch", done)

    def _refused(self, trial: dict[str, Any], rejects: str) -> StateReturn:
        if not os.path.exists(rejects) or not os.path.getsize(rejects):
            return failed(self.name, trial["stderr"])
        reverse = self._run(rejects, ["-R", "-f"], dry_run=True)
        if trial["retcode"] == 2 and trial["stderr"]:
            return failed(self.name, trial["stderr"])
        if reverse["retcode"] == 0:
            return as_wanted(self.name, "Patch was already applied")
        said = "Patch would not apply cleanly, no changes made. Results of dry-run are below."
        if self.reject_file is None:
            said += " Run state again using the reject_file option to save rejects to a persistent file."
        return failed(self.name, f"{said}\n\n{_shown(trial)}")

    def _run(self, patch_file: str, more: list[str], *, dry_run: bool = False) -> dict[str, Any]:
        done: dict[str, Any] = call(
            "file.patch", self.name, patch_file, options=[*self.words, *more], dry_run=dry_run
        )
        return done


def _checked_target(name: str) -> str:
    if not shutil.which("patch"):
        raise ContentRefused("patch executable not found on minion")
    if not name:
        raise ContentRefused("A file/directory to be patched is required")
    name = os.path.expanduser(name)
    if not os.path.isabs(name):
        raise ContentRefused(f"{name} is not an absolute path")
    if not os.path.exists(name):
        raise ContentRefused(f"{name} does not exist")
    return name


def _check_reject_file(reject_file: str | None) -> None:
    if reject_file is None:
        return
    if not os.path.isabs(reject_file):
        raise ContentRefused(f"'{reject_file}' is not an absolute path")
    if not os.path.isdir(os.path.dirname(reject_file)):
        raise ContentRefused(
            f"Parent directory for reject_file '{reject_file}' either does not exist, or is not a directory"
        )


def _checked_options(options: str, strip: int | None) -> tuple[list[str], int | None]:
    """Return the extra options and the number of `-p`; raises ContentRefused for reserved options."""
    words: list[str] = []
    forbidden: list[str] = []
    given = iter(shlex.split(options))
    for word in given:
        forbidden += [option for option in _FORBIDDEN if word.startswith(option)][:1]
        if word.startswith("-p"):
            strip = _number(word[2:], "-p")
        elif word.startswith("--strip"):
            strip = _number(word.partition("=")[2] or next(given, ""), "-strip")
        else:
            words.append(word)
    if forbidden:
        raise ContentRefused(f"The following CLI options are not allowed: {', '.join(forbidden)}")
    return words, strip


def _number(text: str, option: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ContentRefused(
            f"Invalid format for '{option}' CLI option. Consider using the 'strip' option for this state."
        ) from None


def _chosen(source: Any, source_hash: Any, saltenv: str | None) -> tuple[str, str, bool]:
    """Return the URL of the patch, its environment, and whether the URL names one other than `saltenv`."""
    url: str = call("file.source_list", source, source_hash, current_saltenv())[0]
    if saltenv is None or not salturl.is_salt_url(url):
        return url, current_saltenv(), False
    own = salturl.parse(url).saltenv
    if own:
        return url, current_saltenv(), own != saltenv
    return url, saltenv, False


def _fetched(patch_file: str, environment: str, **source: Any) -> StateReturn:
    """Fetch the patch into a file; also in test mode, since the dry run needs it."""
    with use(current().replace(saltenv=environment).with_opts(test=False)):
        return managed(patch_file, **source)


@contextlib.contextmanager
def _temporary_files(count: int) -> Iterator[list[str]]:
    paths = []
    for _ in range(count):
        descriptor, path = tempfile.mkstemp()
        os.close(descriptor)
        paths.append(path)
    try:
        yield paths
    finally:
        for path in paths:
            with contextlib.suppress(FileNotFoundError):
                os.remove(path)


def _shown(done: dict[str, Any]) -> str:
    """Return the program's result as text: JSON, or in the layout of the outputter `nested`."""
    if opts.get("output") == "json":
        return json.dumps(done, indent=4)
    pad = " " * _INDENT
    lines = [f"{pad}----------"]
    for key, value in sorted(done.items()):
        lines += [f"{pad}{key}:", *(f"{pad}    {line}" for line in str(value).splitlines())]
    return "\n".join(lines)
