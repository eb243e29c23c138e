"""Mapping of a file server tree to paths on the minion's disk (`file.recurse`).

Shapes: destinations are absolute paths, sources `salt://` URLs with their environment.
Errors: CommandExecutionError when no source is a directory.
Source: stock docs of `file.recurse`; conformance case `file/recurse`.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from salt_g.api import advise_missing, services
from salt_g.data.path_patterns import Patterns, is_included
from salt_g.errors import CommandExecutionError
from salt_g.formats import salturl
from salt_g.states.file.contents import text_list

#: Maximum number of missing sources that advice is given on.
_MOST_ADVISED = 3


class Selection(NamedTuple):
    """Filter for the wanted part of a tree."""

    include_pat: Patterns
    exclude_pat: Patterns
    maxdepth: int | None
    keep_symlinks: bool
    include_empty: bool

    def takes(self, relative: str) -> bool:
        """Return whether a path below the source is wanted."""
        if os.pardir in relative.split("/"):
            return False
        if self.maxdepth is not None and relative.strip("/").count("/") > self.maxdepth:
            return False
        return is_included(relative, self.include_pat, self.exclude_pat)


class Tree(NamedTuple):
    """Wanted tree: {path: URL}, directories, {link: target}."""

    files: dict[str, str]
    directories: set[str]
    links: dict[str, str]

    def kept(self) -> set[str]:
        """Return the paths that `clean` leaves alone."""
        return {*self.files, *self.links, *self.directories}

    def all_directories(self) -> set[str]:
        """Return the directories, and all parent directories of directories, files and links."""
        found: set[str] = set()
        for path in (*self.directories, *map(os.path.dirname, (*self.files, *self.links))):
            while path not in found:
                found.add(path)
                path = os.path.dirname(path)
        return found

    def is_occupied(self, path: str) -> bool:
        """Return whether the tree already has a file or link at the path or above it."""
        while path not in self.files and path not in self.links:
            path, below = os.path.dirname(path), path
            if path == below:
                return False
        return True


def existing_sources(source: Any, saltenv: str) -> list[str]:
    """Return the sources that are directories on the file server."""
    sources = [url.rstrip("/") for url in text_list(source)]
    for url in sources:
        if not salturl.is_salt_url(url):
            raise CommandExecutionError(f"Invalid source '{url}' (must be a salt:// URI)")
    found = [url for url in sources if _is_directory(url, saltenv)]
    if not found:
        for url in sources[:_MOST_ADVISED]:
            advise_missing(url, saltenv)
        raise CommandExecutionError("none of the specified sources were found")
    return found


def wanted_tree(name: str, sources: list[str], saltenv: str, selection: Selection) -> Tree:
    """Return the wanted tree below `name`; the first source that has a path takes precedence."""
    tree = Tree({}, set(), {})
    for url in sources:
        parts = salturl.parse(url)
        root = parts.path.rstrip("/") + "/"
        _add(tree, name, root, parts.saltenv or saltenv, selection)
    return tree


def _add(tree: Tree, name: str, root: str, saltenv: str, selection: Selection) -> None:
    files = services().files
    # Directories of earlier sources, which files and links of this one do not replace.
    taken = tree.all_directories()
    links = _below(files.list_symlinks(saltenv, root), root) if selection.keep_symlinks else {}
    directories = {
        path.removeprefix(root): None for path in files.list_dirs(saltenv, root) if path.startswith(root)
    }
    # The source's top directory is treated like its subdirectories, empty or not.
    possibly_empty = [os.curdir, *directories] if selection.include_empty else []
    for path in files.list_files(saltenv, root):
        relative = path.removeprefix(root)
        # The link itself brings everything below it.
        if path.startswith(root) and not _through_link(relative, links) and selection.takes(relative):
            dest = os.path.join(name, relative)
            if dest not in taken and not tree.is_occupied(dest):
                tree.files[dest] = salturl.create(path, saltenv)
                tree.directories.add(os.path.dirname(dest))
    for relative in possibly_empty:
        dest = os.path.join(name, relative)
        if selection.takes(relative) and not _through_link(relative, links) and not tree.is_occupied(dest):
            tree.directories.add(dest)
    added = {
        os.path.join(name, relative): relative
        for relative in links
        if selection.takes(relative) and os.path.join(name, relative) not in taken
    }
    made = Tree(tree.files, tree.directories, {**tree.links, **added}).all_directories()
    for dest, relative in added.items():
        aim = os.path.normpath(os.path.join(name, _last_aim(relative, links)))
        # A directory may be left out because it is empty, or be a file of an earlier source.
        is_lost = (aim in made) is not (os.path.relpath(aim, name) in directories)
        if not tree.is_occupied(dest) and not is_lost:
            tree.links[dest] = links[relative]


def _last_aim(relative: str, links: dict[str, str]) -> str:
    """Return the path that a link resolves to through other links of the same source."""
    for _ in links:
        if relative not in links:
            break
        relative = os.path.normpath(os.path.join(os.path.dirname(relative), links[relative]))
    return relative


def _below(links: dict[str, str], root: str) -> dict[str, str]:
    return {path.removeprefix(root): target for path, target in links.items() if path.startswith(root)}


def _through_link(relative: str, links: dict[str, str]) -> bool:
    return any(relative == link or relative.startswith(link + "/") for link in links)


def _is_directory(url: str, saltenv: str) -> bool:
    parts = salturl.parse(url)
    return parts.path in services().files.list_dirs(parts.saltenv or saltenv)
