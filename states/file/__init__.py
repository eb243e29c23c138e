"""States of files and directories.

Begin with `managed.py`. The execution module `file` does the work on the disk; these files compare the
current with the wanted state and build the result.
"""

from salt_g.states.file.absent import absent, exists, missing
from salt_g.states.file.accumulated import accumulated
from salt_g.states.file.append import append, prepend
from salt_g.states.file.cached import cached, not_cached
from salt_g.states.file.checkcmd import mod_run_check_cmd
from salt_g.states.file.comments import comment, uncomment
from salt_g.states.file.copying import copy, rename
from salt_g.states.file.decode import decode
from salt_g.states.file.directory import directory
from salt_g.states.file.edit import blockreplace, line, replace
from salt_g.states.file.hardlink import hardlink
from salt_g.states.file.keyvalue import keyvalue
from salt_g.states.file.managed import managed
from salt_g.states.file.nodes import mknod
from salt_g.states.file.patch import patch
from salt_g.states.file.recurse import recurse
from salt_g.states.file.retention import retention_schedule
from salt_g.states.file.serialize import serialize
from salt_g.states.file.symlink import symlink
from salt_g.states.file.tidied import pruned, tidied
from salt_g.states.file.touch import touch
from salt_g.states.file.unsupported import mod_beacon, shortcut

__all__ = [
    "absent",
    "accumulated",
    "append",
    "blockreplace",
    "cached",
    "comment",
    "copy",
    "decode",
    "directory",
    "exists",
    "hardlink",
    "keyvalue",
    "line",
    "managed",
    "missing",
    "mknod",
    "mod_beacon",
    "mod_run_check_cmd",
    "not_cached",
    "patch",
    "prepend",
    "pruned",
    "recurse",
    "rename",
    "replace",
    "retention_schedule",
    "serialize",
    "shortcut",
    "symlink",
    "tidied",
    "touch",
    "uncomment",
]
