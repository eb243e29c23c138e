"""Copies of files from the file server (`cp.get_file`, `cp.cache_file`, …) and to the master (`cp.push`).

Begin with `cache.py` (into the cache) and `download.py` (to a given path); `contents.py` lists the files of
the server.
"""

from salt_g.modules.cp.cache import (
    cache_dest,
    cache_dir,
    cache_file,
    cache_file_ssh,
    cache_files,
    cache_local_file,
    cache_master,
    is_cached,
)
from salt_g.modules.cp.contents import (
    envs,
    hash_file,
    hash_file_ssh,
    list_master,
    list_master_dirs,
    list_master_symlinks,
    list_minion,
    list_states,
    stat_file,
)
from salt_g.modules.cp.download import get_dir, get_file, get_file_str, get_template, get_url
from salt_g.modules.cp.salt_cp import recv, recv_chunked
from salt_g.modules.cp.upload import push, push_dir

__all__ = [
    "cache_dest",
    "cache_dir",
    "cache_file",
    "cache_file_ssh",
    "cache_files",
    "cache_local_file",
    "cache_master",
    "envs",
    "get_dir",
    "get_file",
    "get_file_str",
    "get_template",
    "get_url",
    "hash_file",
    "hash_file_ssh",
    "is_cached",
    "list_master",
    "list_master_dirs",
    "list_master_symlinks",
    "list_minion",
    "list_states",
    "push",
    "push_dir",
    "recv",
    "recv_chunked",
    "stat_file",
]
