"""Releases of Salt by code name, compared with the one that this minion implements.

Portable formulas use it (`salt_version.less_than('Sodium')`).

Source: releases of Salt are named after the chemical elements in order; from 3000 on each has one number.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import grains
from salt_g.errors import CommandExecutionError

#: {code name: release} of the releases numbered by year.
_BY_YEAR = {
    "hydrogen": (2014, 1),
    "helium": (2014, 7),
    "lithium": (2015, 5),
    "beryllium": (2015, 8),
    "boron": (2016, 3),
    "carbon": (2016, 11),
    "nitrogen": (2017, 7),
    "oxygen": (2018, 3),
    "fluorine": (2019, 2),
}
#: The first release not numbered by year.
_FIRST_BY_NUMBER = 3000
#: Names of the releases from there on.
_NUMBERED = """
    neon sodium magnesium aluminium silicon phosphorus sulfur chlorine argon potassium calcium scandium
    titanium vanadium chromium manganese iron cobalt nickel copper zinc gallium germanium arsenic
    selenium bromine krypton rubidium strontium yttrium zirconium niobium molybdenum technetium
    ruthenium rhodium palladium silver cadmium indium tin antimony tellurium iodine xenon cesium barium
    lanthanum cerium praseodymium neodymium promethium samarium europium gadolinium terbium dysprosium
    holmium erbium thulium ytterbium lutetium hafnium tantalum tungsten rhenium osmium iridium platinum
    gold mercury thallium lead bismuth polonium astatine radon francium radium actinium thorium
    protactinium uranium neptunium plutonium americium curium berkelium californium einsteinium fermium
    mendelevium nobelium lawrencium rutherfordium dubnium seaborgium bohrium hassium meitnerium
    darmstadtium roentgenium copernicium nihonium flerovium moscovium livermorium tennessine oganesson
"""


def get_release_number(name: Any) -> str | None:
    """Return the number of a release, or None for an unknown name.

    Example::

        salt-g salt_version.get_release_number Sodium
    """
    found = _release(name)
    return ".".join(map(str, found)) if found else None


def equal(name: Any) -> bool:
    """Return whether the release that this minion implements has this name.

    Example::

        salt-g salt_version.equal Argon
    """
    return _release(name) == _ours()


def greater_than(name: Any) -> bool:
    """Return whether the release that this minion implements is newer; False for an unknown name.

    Example::

        salt-g salt_version.greater_than Sodium
    """
    found = _release(name)
    return found is not None and _ours() > found


def less_than(name: Any) -> bool:
    """Return whether the release that this minion implements is older; False for an unknown name.

    Example::

        salt-g salt_version.less_than Potassium
    """
    found = _release(name)
    return found is not None and _ours() < found


def _ours() -> tuple[int, ...]:
    return (int(grains["saltversioninfo"][0]),)


def _release(name: Any) -> tuple[int, ...] | None:
    """Return the release of a name as numbers, ignoring case."""
    if not isinstance(name, str):
        raise CommandExecutionError("'name' argument must be a string")
    lowered = name.lower()
    if lowered in _BY_YEAR:
        return _BY_YEAR[lowered]
    numbered = _NUMBERED.split()
    return (_FIRST_BY_NUMBER + numbered.index(lowered),) if lowered in numbered else None
