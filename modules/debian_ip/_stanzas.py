"""Parser and renderer of the interfaces(5) format.

Shapes: an `Interface` has {family: Family} (`inet`, `inet6`); options of a family are
{name as in the file: [values]}, in the order of the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

#: The order in which options are written; others follow by name.
_ORDER = (
    *("autoconf", "privext", "dhcp", "hwaddress", "vlan-raw-device", "address", "netmask", "broadcast"),
    *("metric", "gateway", "pointopoint", "scope", "hostname", "media", "leasehours", "leasetime"),
    *("vendor", "client", "bootfile", "server", "mode", "endpoint", "dstaddr", "local", "ttl", "mtu"),
    *("provider", "unit", "options", "bond-master", "dns-nameservers", "dns-search", "wireless-mode"),
    *("wpa-ap-scan", "wpa-conf", "wpa-driver", "wpa-group", "wpa-key-mgmt", "wpa-pairwise", "wpa-proto"),
    *("wpa-psk", "wpa-roam", "wpa-ssid", "accept_ra", "up", "down", "pre-up", "post-up", "pre-down"),
    "post-down",
)
_PLACE = {name: place for place, name in enumerate(_ORDER)}
FAMILIES = ("inet", "inet6")


class Family(NamedTuple):
    """One `iface` paragraph."""

    method: str
    options: dict[str, list[str]]


class Interface:
    """All definitions of one interface."""

    def __init__(self, *, is_auto: bool = False, is_hotplug: bool = False) -> None:
        self.is_auto = is_auto
        self.is_hotplug = is_hotplug
        self.families: dict[str, Family] = {}

    def lines(self, name: str) -> list[str]:
        """Return the lines of the definition, without line ends."""
        found = [f"auto {name}"] if self.is_auto else []
        found += [f"allow-hotplug {name}"] if self.is_hotplug else []
        for family in FAMILIES:
            if family in self.families:
                found += _paragraph(name, family, self.families[family])
        return found


def read(text: str) -> dict[str, Interface]:
    """Return the interfaces defined in a file; those without an `iface` line are left out."""
    found: dict[str, Interface] = {}
    options: dict[str, list[str]] = {}
    for words in _statements(text):
        if words[0] == "iface" and len(words) > 3:
            options = {}
            found.setdefault(words[1], Interface()).families[words[2]] = Family(words[3], options)
        elif words[0] in ("auto", "allow-auto", "allow-hotplug"):
            for name in words[1:]:
                interface = found.setdefault(name, Interface())
                interface.is_hotplug |= words[0] == "allow-hotplug"
                interface.is_auto |= words[0] != "allow-hotplug"
            options = {}
        elif _begins(words[0]):
            options = {}
        else:
            options.setdefault(words[0], []).append(" ".join(words[1:]))
    return {name: interface for name, interface in found.items() if interface.families}


def replace(text: str, name: str, lines: list[str]) -> str:
    """Return the text of a file with the definition of one interface replaced; the rest is unchanged."""
    kept: list[str] = []
    place: int | None = None
    is_inside = False
    for line in text.splitlines():
        words = line.split()
        is_statement = bool(words) and not words[0].startswith("#")
        is_dropped = is_inside and is_statement
        if is_statement and _begins(words[0]):
            is_inside = words[0] == "iface" and words[1:2] == [name]
            left = "" if is_inside else _without_name(line, words, name)
            place = len(kept) if left != line and place is None else place
            line, is_dropped = left, not left
        if not is_dropped:
            kept.append(line)
    place = len(kept) if place is None else place
    return "".join(f"{line}\n" for line in [*kept[:place], *lines, *kept[place:]])


def _begins(word: str) -> bool:
    """Return whether a word begins a paragraph rather than an option in one."""
    return word in ("iface", "auto", "mapping", "rename", "no-auto-down", "no-scripts") or word.startswith(
        ("allow-", "source")
    )


def _without_name(line: str, words: list[str], name: str) -> str:
    """Return a line of names without one of them, or '' if none is left."""
    if words[0] not in ("auto", "allow-auto", "allow-hotplug") or name not in words[1:]:
        return line
    left = [word for word in words[1:] if word != name]
    return " ".join([words[0], *left]) if left else ""


def _statements(text: str) -> Iterator[list[str]]:
    for line in text.replace("\\\n", " ").splitlines():
        words = line.split()
        if words and not words[0].startswith("#"):
            yield words


def _paragraph(name: str, family: str, paragraph: Family) -> list[str]:
    ordered = sorted(paragraph.options, key=lambda option: (_PLACE.get(option, len(_PLACE)), option))
    options = [f"    {option} {value}" for option in ordered for value in paragraph.options[option]]
    return [f"iface {name} {family} {paragraph.method}", *options]
