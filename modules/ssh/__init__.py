"""SSH keys of hosts and users, and the authorized_keys and known_hosts files (`ssh`).

`authorized.py` edits authorized_keys, `known.py` known_hosts, `keyfiles.py` reads keys.
"""

from typing import Any

from salt_g.modules._required import hint
from salt_g.modules.ssh.authorized import (
    auth_keys,
    check_key,
    check_key_file,
    rm_auth_key,
    rm_auth_key_from_file,
    set_auth_key,
    set_auth_key_from_file,
)
from salt_g.modules.ssh.keyfiles import host_keys, key_is_encrypted, user_keys
from salt_g.modules.ssh.known import (
    check_known_host,
    get_known_host_entries,
    hash_known_hosts,
    recv_known_host_entries,
    rm_known_host,
    set_known_host,
)
from salt_g.process import command

__all__ = [
    "auth_keys",
    "check_key",
    "check_key_file",
    "check_known_host",
    "get_known_host_entries",
    "hash_known_hosts",
    "host_keys",
    "key_is_encrypted",
    "recv_known_host_entries",
    "rm_auth_key",
    "rm_auth_key_from_file",
    "rm_known_host",
    "set_auth_key",
    "set_auth_key_from_file",
    "set_known_host",
    "user_keys",
]


def __virtual__() -> Any:
    """Load only if the program ssh is installed."""
    return True if command.which("ssh") else (False, "The module requires the ssh binary." + hint("ssh"))
