"""Commands of `nft`, and their results."""

from __future__ import annotations

from typing import Any

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules._programs import run

#: The program's word for each family that users write.
_FAMILIES = {
    "ipv4": "ip",
    "ip4": "ip",
    "ip": "ip",
    "ipv6": "ip6",
    "ip6": "ip6",
    "inet": "inet",
    "arp": "arp",
    "bridge": "bridge",
    "netdev": "netdev",
}
FAMILIES = tuple(dict.fromkeys(_FAMILIES.values()))

#: {"result": bool, "comment": text}
Answer = dict[str, Any]


def family_word(family: str) -> str:
    """Return nft's name of a family."""
    if family not in _FAMILIES:
        raise InvocationError(f"nftables has no family {family!r}. Valid: {', '.join(_FAMILIES)}")
    return _FAMILIES[family]


def run_nft(*words: str) -> str:
    """Return the program's output; raise CommandExecutionError with its message if it fails."""
    done = run(["nft", *words])
    if done["retcode"] != 0:
        raise CommandExecutionError(f"nft failed: {done['stderr'] or done['stdout']}")
    return done["stdout"]


def answer(result: bool, comment: str) -> Answer:
    """Return a result dict."""
    return {"result": result, "comment": comment}


def changed(words: list[str], good: str, bad: str) -> Answer:
    """Run a command that makes a change; return its result, with the program's message on failure."""
    done = run(["nft", *words])
    if done["retcode"] == 0:
        return answer(True, good)
    return answer(False, f"{bad}\n{done['stderr']}".strip())
