"""Copies of the master's files on the host, fetched by the managing minion.

Begin with `files.py`, which copies to a given path; `cache.py` keeps copies in a directory of the host,
`contents.py` lists the files of the server.
"""

from salt_g.resources.ssh.modules.cp.cache import (
    cache_dest,
    cache_dir,
    cache_file,
    cache_files,
    cache_master,
    convert_cache_path,
    is_cached,
    list_minion,
)
from salt_g.resources.ssh.modules.cp.contents import hash_file, list_master, list_master_dirs
from salt_g.resources.ssh.modules.cp.files import get_dir, get_file, get_file_str, get_template, get_url

__all__ = [
    "cache_dest",
    "cache_dir",
    "cache_file",
    "cache_files",
    "cache_master",
    "convert_cache_path",
    "get_dir",
    "get_file",
    "get_file_str",
    "get_template",
    "get_url",
    "hash_file",
    "is_cached",
    "list_master",
    "list_master_dirs",
    "list_minion",
]
