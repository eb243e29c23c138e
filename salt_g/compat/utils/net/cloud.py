"""Stock's `salt.utils.cloud`: the functions that need no cloud drivers."""

import ipaddress
import re

from salt_g.compat.exceptions import SaltException
from salt_g.compat.refusal import refuse


class SaltCloudException(SaltException):
    """Raised when a cloud refuses a request."""


def is_public_ip(ip: str) -> bool:
    """Return whether an address is not in a private network."""
    return not ipaddress.ip_address(ip.strip("[]")).is_private


def check_name(name: str, safe_chars: str) -> None:
    """Raise SaltCloudException if a name has characters outside of a class such as `a-z0-9._-`."""
    if re.search(f"[^{safe_chars}]", name):
        reason = "contains characters not supported by this cloud provider"
        raise SaltCloudException(f"{name} {reason}. Valid characters are: {safe_chars}")


_ADVICE = "cloud drivers are not loaded; create machines with the tools of the cloud"
accept_key = refuse("salt.utils.cloud.accept_key", _ADVICE)
fire_event = refuse("salt.utils.cloud.fire_event", _ADVICE)
gen_keys = refuse("salt.utils.cloud.gen_keys", _ADVICE)
minion_config = refuse("salt.utils.cloud.minion_config", _ADVICE)
check_auth = refuse("salt.utils.cloud.check_auth", _ADVICE)
os_script = refuse("salt.utils.cloud.os_script", _ADVICE)
salt_config_to_yaml = refuse("salt.utils.cloud.salt_config_to_yaml", _ADVICE)
ssh_usernames = refuse("salt.utils.cloud.ssh_usernames", _ADVICE)
userdata_template = refuse("salt.utils.cloud.userdata_template", _ADVICE)
wait_for_fun = refuse("salt.utils.cloud.wait_for_fun", _ADVICE)
wait_for_port = refuse("salt.utils.cloud.wait_for_port", _ADVICE)
wait_for_ip = refuse("salt.utils.cloud.wait_for_ip", _ADVICE)

__all__ = ["SaltCloudException", "accept_key", "fire_event", "gen_keys", "is_public_ip", "userdata_template"]
__all__ += ["minion_config", "os_script", "salt_config_to_yaml", "wait_for_ip"]
__all__ += ["check_auth", "check_name", "ssh_usernames", "wait_for_fun", "wait_for_port"]
