"""Values and attributes in XML files.

Shapes: an element is the first one at a path of ElementTree (`.//server[@id='3']`). If there is none,
functions return False.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from salt_g.errors import CommandExecutionError

if TYPE_CHECKING:
    from xml.etree import ElementTree

log = logging.getLogger(__name__)


def get_value(file: str, element: str) -> Any:
    """Return the text of an element.

    Example::

        salt-g xml.get_value /tmp/test.xml './/element'
    """
    _, found = _find(file, element)
    return False if found is None else found.text


def set_value(file: str, element: str, value: Any) -> bool:
    """Set the text of an element.

    Example::

        salt-g xml.set_value /tmp/test.xml './/element' 'new value'
    """
    tree, found = _find(file, element)
    if found is None:
        return False
    found.text = str(value)
    tree.write(file)
    return True


def get_attribute(file: str, element: str) -> Any:
    """Return the attributes of an element.

    Example::

        salt-g xml.get_attribute /tmp/test.xml ".//element[@id='3']"
    """
    _, found = _find(file, element)
    return False if found is None else dict(found.attrib)


def set_attribute(file: str, element: str, key: str, value: Any) -> bool:
    """Set one attribute of an element.

    Example::

        salt-g xml.set_attribute /tmp/test.xml ".//element[@id='3']" editedby gal
    """
    tree, found = _find(file, element)
    if found is None:
        return False
    found.set(key, str(value))
    tree.write(file)
    return True


def _find(
    file: str, element: str
) -> tuple[ElementTree.ElementTree[ElementTree.Element], ElementTree.Element | None]:
    from xml.etree import ElementTree  # Imported lazily: few calls need it

    try:
        tree = ElementTree.parse(file)
        found = tree.find(element)
    except (OSError, ElementTree.ParseError, SyntaxError) as exc:
        raise CommandExecutionError(f"{file}, {element}: {exc}") from exc
    if found is None:
        log.error("Unable to find element matching %s in %s", element, file)
    return tree, found
