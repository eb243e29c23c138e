"""States of files and directories of a host.

Begin with `managed.py`. These files compare the host with the wanted state; each comparison is one round
trip.
"""

from salt_g.resources.ssh.states.file.accumulated import accumulated
from salt_g.resources.ssh.states.file.copies import keyvalue, patch, serialize
from salt_g.resources.ssh.states.file.directory import directory
from salt_g.resources.ssh.states.file.edits import (
    append,
    blockreplace,
    comment,
    line,
    prepend,
    replace,
    uncomment,
)
from salt_g.resources.ssh.states.file.hardlink import hardlink
from salt_g.resources.ssh.states.file.managed import managed
from salt_g.resources.ssh.states.file.nodes import absent, exists, missing, touch
from salt_g.resources.ssh.states.file.recurse import copy, recurse
from salt_g.resources.ssh.states.file.symlink import symlink
from salt_g.resources.ssh.states.file.tidied import tidied

__all__ = [
    "absent",
    "accumulated",
    "append",
    "blockreplace",
    "comment",
    "copy",
    "directory",
    "exists",
    "hardlink",
    "keyvalue",
    "line",
    "managed",
    "missing",
    "patch",
    "prepend",
    "recurse",
    "replace",
    "serialize",
    "symlink",
    "tidied",
    "touch",
    "uncomment",
]
