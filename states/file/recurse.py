"""Directory trees of the file server on the minion's disk.

Source: stock docs of `file.recurse`; conformance case `file/recurse`.
"""

from __future__ import annotations

import os
from typing import Any

from salt_g.api import call, opts, services
from salt_g.data.path_patterns import Patterns
from salt_g.errors import CommandExecutionError
from salt_g.process.disk import mode_text
from salt_g.shapes import StateReturn
from salt_g.states._outcome import changed, failed, outcome, would_change
from salt_g.states.file.checks import named_user, owner_problem, saltenv
from salt_g.states.file.cleaning import kept_paths, remember_kept, remove_strays, strays
from salt_g.states.file.directory import directory
from salt_g.states.file.managed import managed
from salt_g.states.file.symlink import symlink
from salt_g.states.file.tree import Selection, Tree, existing_sources, wanted_tree

Name = str | int | None


def recurse(
    name: str, source: Any, keep_source: bool = True, clean: bool = False, require: Any = None,
    user: Name = None, group: Name = None, dir_mode: Any = None, file_mode: Any = None,
    sym_mode: Any = None, template: str | None = None, context: Any = None, replace: bool = True,
    defaults: Any = None, include_empty: bool = False, backup: str = "", include_pat: Patterns = None,
    exclude_pat: Patterns = None, maxdepth: int | None = None, keep_symlinks: bool = False,
    force_symlinks: bool = False, win_owner: Any = None, win_perms: Any = None, win_deny_perms: Any = None,
    win_inheritance: bool = True, merge: bool = False, **kwargs: Any,
) -> StateReturn:  # fmt: skip
    """Copy a directory of the file server (`salt://…`, or the first of a list, with `merge` all of them).

    Files are managed as by `file.managed` with `file_mode` (`keep`: the source's) and the same arguments,
    directories with `dir_mode`. `include_pat`, `exclude_pat` (wildcards, or `E@` and a regular expression)
    and `maxdepth` select files; `include_empty` includes empty directories, `keep_symlinks` keeps links as
    links, `clean` removes everything else.

    Example::

        /srv/www:
          file.recurse:
            - source: salt://www
            - file_mode: '0644'
            - clean: True
    """
    name = os.path.expanduser(name)
    user = named_user(kwargs, user)
    if problem := _problem(name, user, group, has_mode="mode" in kwargs):
        return failed(name, problem)
    try:
        sources = existing_sources(source, saltenv())
    except CommandExecutionError as exc:
        return failed(name, f"Recurse failed: {exc}")
    if not os.path.isdir(name) and os.path.exists(name):
        return failed(name, f"The path {name} exists and is not a directory")
    owner = {"user": user, "group": group}
    if not opts["test"] and not os.path.isdir(name):
        call("file.makedirs_perms", name=name, mode=mode_text(dir_mode), **owner)
    selection = Selection(include_pat, exclude_pat, maxdepth, keep_symlinks, include_empty)
    tree = wanted_tree(name, sources if merge else sources[:1], saltenv(), selection)
    remember_kept(name, tree.kept())
    total = _Total(name)
    passed = {key: value for key, value in kwargs.items() if key not in ("mode", "makedirs", "env")}
    files = {"keep_source": keep_source, "template": template, "context": context, "defaults": defaults}
    _put(
        tree, total, clean, directories={"dir_mode": dir_mode, **owner},
        files={**passed, **files, "backup": backup, "mode": file_mode, "replace": replace, **owner},
        links={"force": force_symlinks, "mode": sym_mode, **owner},
    )  # fmt: skip
    if clean:
        total.clean(strays(name, tree.kept() | kept_paths(name, require), exclude_pat))
    return total.summary()


def _problem(name: str, user: Name, group: Name, *, has_mode: bool) -> str:
    """Return the problem with the arguments, or '' if there is none."""
    if has_mode:
        return "'mode' is not allowed in 'file.recurse'. Please use 'file_mode' and 'dir_mode'."
    problem = owner_problem(user, group)
    if not problem and not os.path.isabs(name):
        problem = f"Specified file {name} is not an absolute path"
    return problem


def _put(
    tree: Tree,
    total: _Total,
    clean: bool,
    *,
    directories: dict[str, Any],
    files: dict[str, Any],
    links: dict[str, Any],
) -> None:
    """Create files, directories and links; the mappings are the arguments of the states that create them."""
    for path in sorted(tree.directories):
        if not (clean and _clear_path(path, total, for_file=False)):
            total.add(path, directory(path, makedirs=True, **directories))
    with services().files.announced(tree.files.values(), saltenv()):
        for path, url in tree.files.items():
            if not (clean and files["replace"] and _clear_path(path, total, for_file=True)):
                total.add(path, managed(path, source=url, makedirs=True, **files))
    for path, target in _linked_last(tree.links):
        total.add(path, symlink(path, target, makedirs=True, **links))


class _Total:
    """Merged result of all parts."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._result: bool | None = True
        self._changes: dict[str, Any] = {}
        self._comments: dict[str, list[str]] = {}

    def add(self, path: str, ret: StateReturn) -> None:
        """Add the result of one path: failure outranks would-change, which outranks success."""
        if ret["result"] is False or self._result is True:
            self._result = ret["result"]
        if ret["result"] is not True and ret["comment"]:
            self._comments.setdefault(path, []).append(ret["comment"])
        if ret["changes"]:
            self._changes[path] = ret["changes"]

    def clean(self, found: list[str]) -> None:
        """Remove unmanaged paths, or list them in test mode."""
        if opts["test"] and found:
            self._result = None if self._result else self._result
            self._comments.setdefault("removed", []).extend(found)
        elif found:
            removed, problems = remove_strays(found)
            if removed:
                self._changes["removed"] = removed
            for path, problem in problems.items():
                self._result = False
                self._comments.setdefault(path, []).append(problem)

    def summary(self) -> StateReturn:
        """Return the merged result."""
        parts = ["\n#### {} ####\n{}".format(path, "\n".join(said)) for path, said in self._comments.items()]
        comment = "\n".join(parts).strip() or f"Recursively updated {self._name}"
        if not self._changes and self._result:
            comment = f"The directory {self._name} is in the correct state"
        return outcome(self._name, self._result, comment, self._changes)


def _clear_path(path: str, total: _Total, *, for_file: bool) -> bool:
    """Remove a path of the wrong type; return whether test mode stops here."""
    if not os.path.exists(path) or os.path.isdir(path) is not for_file:
        return False
    if opts["test"]:
        said = f"Replacing directory {path} with a file" if for_file else f"Replacing {path} with a directory"
        total.add(path, would_change(path, said))
        return True
    call("file.remove", path)
    said = "Replaced directory with a new file" if for_file else "Replaced file with a directory"
    total.add(path, changed(path, "", {"diff": said}))
    return False


def _linked_last(links: dict[str, str]) -> list[tuple[str, str]]:
    """Return links sorted so that links to other links come last."""
    ordered: list[tuple[str, str]] = []
    waiting = dict(links)
    while waiting:
        ready = [path for path in waiting if _aim(path, waiting[path]) not in waiting] or list(waiting)
        ordered += [(path, waiting.pop(path)) for path in sorted(ready)]
    return ordered


def _aim(path: str, target: str) -> str:
    return os.path.normpath(os.path.join(os.path.dirname(path), target))
