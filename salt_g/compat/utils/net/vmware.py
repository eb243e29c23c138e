"""Stock's `salt.utils.vmware`: access to vSphere, which salt-g does not have."""

from typing import Any

from salt_g.compat.refusal import refuse


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    if name.startswith("HAS_"):
        return False
    return refuse(f"salt.utils.vmware.{name}", "use an extension with its own access (saltext.vcf)")
