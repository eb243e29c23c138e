"""Code names of Salt's releases, and their numbers.

Source: releases of Salt are named after the chemical elements in order; from 3000 on each has one number.
"""

from __future__ import annotations

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
#: Code names of the releases from `_FIRST_BY_NUMBER` on, in order.
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


def releases() -> dict[str, tuple[int, ...]]:
    """Return {code name in lower case: numbers of the release}, the oldest first."""
    numbered = enumerate(_NUMBERED.split(), _FIRST_BY_NUMBER)
    return {**_BY_YEAR, **{name: (number,) for number, name in numbered}}
