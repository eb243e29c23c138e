"""Settings of network cards: rings, interrupt coalescing, offloads, flow control.

Shapes: numbers are ints; `show_features` has {feature: {"on", "fixed"}}.
Source: ethtool(8).
"""

from __future__ import annotations

import logging
from typing import Any

from salt_g.api import own_arguments
from salt_g.errors import CommandExecutionError
from salt_g.modules._programs import run
from salt_g.modules._required import hint
from salt_g.process.command import which

log = logging.getLogger(__name__)

_NOT_SUPPORTED = "Not supported"
_NOT_IMPLEMENTED = "Not implemented"
_RINGS = ("rx", "rx_mini", "rx_jumbo", "tx")
#: Coalescing parameters. `rx_frames_irg` is a misspelling that results keep.
_COALESCE = (
    *("rx_usecs", "rx_frames", "rx_usecs_irq", "rx_frames_irq", "tx_usecs", "tx_frames", "tx_usecs_irq"),
    *("tx_frames_irq", "stats_block_usecs", "adaptive_rx", "adaptive_tx", "pkt_rate_low", "rx_usecs_low"),
    *("rx_frames_low", "tx_usecs_low", "tx_frames_low", "pkt_rate_high", "rx_usecs_high", "rx_frames_high"),
    *("tx_usecs_high", "tx_frames_high", "sample_interval"),
)
_SHOWN_AS = {"rx_frames_irq": "rx_frames_irg"}
#: {our name: (name in the list of features, option)}.
_OFFLOADS = {
    "scatter_gather": ("scatter-gather", "sg"),
    "tcp_segmentation_offload": ("tcp-segmentation-offload", "tso"),
    "udp_fragmentation_offload": ("udp-fragmentation-offload", "ufo"),
    "generic_segmentation_offload": ("generic-segmentation-offload", "gso"),
}
_PAUSE = ("autoneg", "rx", "tx")
_FEATURES = ("rx", "tx", "sg", "tso", "ufo", "gso", "gro", "lro", "rxvlan", "txvlan", "ntuple", "rxhash")


def __virtual__() -> bool | tuple[bool, str]:
    if which("ethtool"):
        return True
    return False, "The ethtool module could not be loaded: there is no ethtool in the path." + hint("ethtool")


def show_ring(devname: str) -> Any:
    """Return the sizes of a card's rings and their limits (`rx`, `rx_max`, ...), or `Not supported`.

    Example::

        salt-g ethtool.show_ring eth0
    """
    lines = _shown("-g", devname)
    if lines is None:
        log.error("Ring parameters not supported on %s", devname)
        return _NOT_SUPPORTED
    limits, _, sizes = "\n".join(lines).partition("Current hardware settings:")
    found = {}
    for text, suffix in ((limits, "_max"), (sizes, "")):
        values = _values(text.splitlines())
        found.update({f"{ring}{suffix}": _number(values.get(ring, "")) for ring in _RINGS})
    return found


def show_coalesce(devname: str) -> Any:
    """Return a card's parameters of interrupt coalescing, or `Not supported`; unsupported ones are 0.

    Example::

        salt-g ethtool.show_coalesce eth0
    """
    lines = _shown("-c", devname)
    if lines is None:
        log.error("Interrupt coalescing not supported on %s", devname)
        return _NOT_SUPPORTED
    values = _values(lines)
    values["adaptive_rx"], _, values["adaptive_tx"] = values.get("adaptive_rx", "").partition("TX:")
    # ethtool prints `rx-frame-low` for the parameter that its option and its manual call `rx-frames-low`.
    values.update({name.replace("_frame_", "_frames_"): value for name, value in values.items()})
    return {_SHOWN_AS.get(name, name): _number(values.get(name, "")) for name in _COALESCE}


def show_driver(devname: str) -> Any:
    """Return the driver of a card and its address on the bus, or `Not implemented`.

    Example::

        salt-g ethtool.show_driver eth0
    """
    lines = _shown("-i", devname)
    if lines is None:
        log.error("Driver information not implemented on %s", devname)
        return _NOT_IMPLEMENTED
    values = _values(lines)
    return {"driver": values.get("driver", ""), "bus_info": values.get("bus_info", "")}


def show_offload(devname: str) -> dict[str, str]:
    """Return {offload: on or off} of a card.

    Example::

        salt-g ethtool.show_offload eth0
    """
    features = show_features(devname)
    is_on = {name: features.get(feature, {}).get("on") for name, (feature, _) in _OFFLOADS.items()}
    return {name: "on" if value else "off" for name, value in is_on.items()}


def show_features(devname: str) -> dict[str, dict[str, bool]]:
    """Return {feature: {"on", "fixed"}} of a card; a fixed one cannot be changed.

    Example::

        salt-g ethtool.show_features eth0
    """
    found = {}
    for line in _shown("-k", devname) or []:
        name, colon, value = line.strip().partition(": ")
        if colon and value:
            found[name] = {"on": value.startswith("on"), "fixed": "fixed" in value}
    return found


def show_pause(devname: str) -> dict[str, bool]:
    """Return {setting: bool} of a card's flow control, or {} if the card has none.

    Example::

        salt-g ethtool.show_pause eth0
    """
    pairs = (line.partition(":") for line in _shown("-a", devname) or [])
    return {name.strip(): value.strip() == "on" for name, _, value in pairs if value.strip()}


def set_ring(devname: str, **kwargs: Any) -> Any:
    """Change the sizes of a card's rings (`rx`, `rx_mini`, `rx_jumbo`, `tx`); return the new sizes.

    Example::

        salt-g ethtool.set_ring eth0 rx=512
    """
    _change("-G", devname, _RINGS, kwargs)
    return show_ring(devname)


def set_coalesce(devname: str, **kwargs: Any) -> Any:
    """Change parameters of interrupt coalescing; return the new values.

    `adaptive_rx` and `adaptive_tx` are on or off, the others (as in `ethtool.show_coalesce`) are numbers.

    Example::

        salt-g ethtool.set_coalesce eth0 adaptive_rx=on
    """
    _change("-C", devname, _COALESCE, kwargs)
    return show_coalesce(devname)


def set_offload(devname: str, **kwargs: Any) -> dict[str, str]:
    """Change offloads of a card (as in `ethtool.show_offload`); return the new settings.

    Example::

        salt-g ethtool.set_offload eth0 tcp_segmentation_offload=on
    """
    wanted = {_OFFLOADS[name][1]: value for name, value in kwargs.items() if name in _OFFLOADS}
    _change("-K", devname, _FEATURES, wanted)
    return show_offload(devname)


def set_feature(devname: str, **kwargs: Any) -> str:
    """Change features of a card; return the program's output.

    `rx`, `tx`, `sg`, `tso`, `ufo`, `gso`, `gro`, `lro`, `rxvlan`, `txvlan`, `ntuple` and `rxhash` are on or
    off. Raises CommandExecutionError without any of them.

    Example::

        salt-g ethtool.set_feature eth0 sg=off
    """
    return _asked("-K", devname, _FEATURES, kwargs)


def set_pause(devname: str, **kwargs: Any) -> list[str]:
    """Change flow control (`autoneg`, `rx`, `tx`: on or off); return the program's output lines.

    Raises CommandExecutionError without any of them.

    Example::

        salt-g ethtool.set_pause eth0 autoneg=off rx=off tx=off
    """
    return _asked("-A", devname, _PAUSE, kwargs).splitlines()


def _shown(option: str, devname: str) -> list[str] | None:
    """Return ethtool's output lines for an option, or None if the card does not support it."""
    done = run(["ethtool", option, devname])
    return None if done["retcode"] else done["stdout"].splitlines()


def _values(lines: list[str]) -> dict[str, str]:
    """Return {name: value} of lines `Name: value`; names are in lower case, with underscores."""
    pairs = (line.partition(":") for line in lines)
    return {
        name.strip().lower().replace(" ", "_").replace("-", "_"): value.strip() for name, _, value in pairs
    }


def _number(value: str) -> int:
    text = value.strip()
    return int(text) if text.isdigit() else int(text == "on")


def _change(option: str, devname: str, known: tuple[str, ...], given: dict[str, Any]) -> None:
    """Change parameters of a card; raise CommandExecutionError if ethtool fails."""
    words = _words(known, given)
    if not words:
        return
    done = run(["ethtool", option, devname, *words])
    # Versions of ethtool without netlink fail when a card has these values already.
    if done["retcode"] and "unmodified, ignoring" not in done["stderr"]:
        raise CommandExecutionError(f"ethtool {option} {devname}: {done['stderr'] or done['stdout']}")


def _asked(option: str, devname: str, known: tuple[str, ...], given: dict[str, Any]) -> str:
    words = _words(known, own_arguments(given))
    if not words:
        raise CommandExecutionError(f"None of the valid parameters were provided: {list(known)}")
    return run(["ethtool", option, devname, *words], redirect_stderr=True)["stdout"]


def _words(known: tuple[str, ...], given: dict[str, Any]) -> list[str]:
    pairs = ((name.replace("_", "-"), given[name]) for name in known if name in given)
    return [word for name, value in pairs for word in (name, _word(value))]


def _word(value: Any) -> str:
    """Return a value as text for the program; YAML turns on and off into booleans."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
