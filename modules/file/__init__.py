"""Files and directories: read, write, edit, find, copy, compare and manage them.

Begin with `manage_file.py`, the work of the state `file.managed`; then `permissions.py` for owners and modes
and `replacing.py` for edits.
"""

from salt_g.modules.file.attributes import chattr, lsattr
from salt_g.modules.file.backups import (
    delete_backup,
    list_backup,
    list_backups,
    list_backups_dir,
    remove_backup,
    restore_backup,
)
from salt_g.modules.file.blocks import blockreplace
from salt_g.modules.file.comments import comment, comment_line, uncomment
from salt_g.modules.file.comparing import check_file_meta, check_managed, check_managed_changes
from salt_g.modules.file.directories import makedirs, makedirs_perms, mkdir, rmdir
from salt_g.modules.file.file_diff import get_diff
from salt_g.modules.file.find import find
from salt_g.modules.file.hashes import check_hash, get_hash, get_sum
from salt_g.modules.file.lines import line
from salt_g.modules.file.links import is_hardlink, is_link, link, readlink, symlink
from salt_g.modules.file.manage_file import manage_file
from salt_g.modules.file.moving import copy, move, remove, rename, touch
from salt_g.modules.file.nodes import mknod, mknod_blkdev, mknod_chrdev, mknod_fifo
from salt_g.modules.file.open_files import open_files
from salt_g.modules.file.owners import (
    chgrp,
    chown,
    get_gid,
    get_group,
    get_uid,
    get_user,
    gid_to_group,
    group_to_gid,
    lchown,
    uid_to_user,
    user_to_uid,
)
from salt_g.modules.file.patching import patch
from salt_g.modules.file.paths import (
    basename,
    dirname,
    diskusage,
    join,
    normpath,
    pardir,
    path_exists_glob,
    readdir,
)
from salt_g.modules.file.permissions import check_perms
from salt_g.modules.file.replacing import replace
from salt_g.modules.file.searching import contains, contains_glob, contains_regex, grep, search
from salt_g.modules.file.sed import psed, sed, sed_contains
from salt_g.modules.file.selinux import get_selinux_context, restorecon, set_selinux_context
from salt_g.modules.file.source_sums import extract_hash, get_source_sum
from salt_g.modules.file.sources import apply_template_on_contents, get_managed, source_list
from salt_g.modules.file.stats import (
    access,
    directory_exists,
    file_exists,
    get_devmm,
    get_mode,
    is_blkdev,
    is_chrdev,
    is_fifo,
    lstat,
    set_mode,
    stats,
    statvfs,
)
from salt_g.modules.file.text import append, prepend, read, seek_read, seek_write, truncate, write

__all__ = [
    "access",
    "append",
    "apply_template_on_contents",
    "basename",
    "blockreplace",
    "chattr",
    "check_file_meta",
    "check_hash",
    "check_managed",
    "check_managed_changes",
    "check_perms",
    "chgrp",
    "chown",
    "comment",
    "comment_line",
    "contains",
    "contains_glob",
    "contains_regex",
    "copy",
    "delete_backup",
    "directory_exists",
    "dirname",
    "diskusage",
    "extract_hash",
    "file_exists",
    "find",
    "get_devmm",
    "get_diff",
    "get_gid",
    "get_group",
    "get_hash",
    "get_managed",
    "get_mode",
    "get_selinux_context",
    "get_source_sum",
    "get_sum",
    "get_uid",
    "get_user",
    "gid_to_group",
    "grep",
    "group_to_gid",
    "is_blkdev",
    "is_chrdev",
    "is_fifo",
    "is_hardlink",
    "is_link",
    "join",
    "lchown",
    "line",
    "link",
    "list_backup",
    "list_backups",
    "list_backups_dir",
    "lsattr",
    "lstat",
    "makedirs",
    "makedirs_perms",
    "manage_file",
    "mkdir",
    "mknod",
    "mknod_blkdev",
    "mknod_chrdev",
    "mknod_fifo",
    "move",
    "normpath",
    "open_files",
    "pardir",
    "patch",
    "path_exists_glob",
    "prepend",
    "psed",
    "read",
    "readdir",
    "readlink",
    "remove",
    "remove_backup",
    "rename",
    "replace",
    "restore_backup",
    "restorecon",
    "rmdir",
    "search",
    "sed",
    "sed_contains",
    "seek_read",
    "seek_write",
    "set_mode",
    "set_selinux_context",
    "source_list",
    "stats",
    "statvfs",
    "symlink",
    "touch",
    "truncate",
    "uid_to_user",
    "uncomment",
    "user_to_uid",
    "write",
]
