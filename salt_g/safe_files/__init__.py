"""Safe access to files in directories that other users can write to.

A path is walked component by component on descriptors, so replacing a directory by a link meanwhile has
no effect. Root follows a link only if it belongs to root or to the owner of the path's final target. In a
directory that another user can write to, root does not change the owner, mode or content of a file with
several hard links. Begin with `links.py` (the rules), then `entries.py` (one file or directory) and
`trees.py` (directory trees).
Errors: UntrustedPath (a PermissionError) describes what was refused, where, and the remedy; other failures
are the OSError that the plain call would raise, with the requested path.
"""

from __future__ import annotations

from salt_g.safe_files.entries import (
    announce_change,
    change_mode,
    change_owner,
    change_times,
    copy_file,
    link,
    make_directories,
    make_directory,
    make_node,
    move,
    open_file,
    opener,
    remove_directory,
    remove_file,
    rename,
    symlink,
    temporary_file,
)
from salt_g.safe_files.links import (
    DirectoryEntry,
    UntrustedPath,
    check,
    check_for_program,
    keeps_files,
    located,
    real_path,
    resolved,
)
from salt_g.safe_files.trees import copy_into, copy_tree, give_tree, remove, remove_tree, walk

__all__ = [
    "DirectoryEntry",
    "UntrustedPath",
    "announce_change",
    "change_mode",
    "change_owner",
    "change_times",
    "check",
    "check_for_program",
    "copy_file",
    "copy_into",
    "copy_tree",
    "give_tree",
    "keeps_files",
    "link",
    "located",
    "make_directories",
    "make_directory",
    "make_node",
    "move",
    "open_file",
    "opener",
    "real_path",
    "remove",
    "remove_directory",
    "remove_file",
    "remove_tree",
    "rename",
    "resolved",
    "symlink",
    "temporary_file",
    "walk",
]
