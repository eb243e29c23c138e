"""Stock's `salt.utils.xmlutil`: XML as data, and documents changed from data.

Shapes: an entry of a mapping has `path` (in the data, `a:b:{name}`), `xpath` (`os/boot[@id='$name']`,
`os/boot[$name]` by position), and optional functions `get`, `set`, `del`, `convert` and `equals`.
"""

import re
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from salt_g.compat.utils.values.data import get_value

Parents = dict[Element, Element]

_FILTERED = re.compile(r"(?P<tag>[^\[]+)\[(?:@(?P<key>[^=]+)='(?P<value>[^']*)'|(?P<place>\d+))\]")
_MISSING = object()


def to_dict(xmltree: Element, attr: bool = False) -> Any:
    """Return an element as a dict of its children by name; children with the same name become a list.

    With `attr` the dict includes the attributes; an element with neither children nor attributes is its text.
    Without `attr`, a root without children is {name: text}, and so are repeated children after the first.
    """
    if not len(xmltree):
        text = xmltree.text
        if not attr:
            return {_name(xmltree): text}
        return {**xmltree.attrib, **({_name(xmltree): text} if text else {})} if xmltree.attrib else text
    found: dict[str, Any] = dict(xmltree.attrib) if attr else {}
    for child in xmltree:
        name = _name(child)
        is_plain = not len(child) and not attr
        if name not in found or (attr and name in xmltree.attrib):
            found[name] = child.text if is_plain else to_dict(child, attr)
        else:
            before = found[name] if isinstance(found[name], list) else [found[name]]
            found[name] = [*before, to_dict(child, attr)]
    return found


def get_xml_node(node: Element, xpath: str) -> Element:
    """Return the node at a simple path; create missing nodes."""
    for step in xpath.split("/"):
        if step == ".":
            continue
        node = _child(node, step)
    return node


def set_node_text(node: Element, value: Any) -> None:
    """Set the text of a node."""
    node.text = str(value)


def clean_node(parent_map: Parents, node: Element, ignored: Sequence[str] | None = None) -> bool:
    """Remove a node without text, children or attributes other than `ignored` ones, then its empty parents.

    Return whether the node was removed.
    """
    is_bare = not len(node) and not (node.text or "").strip() and not set(node.attrib) - set(ignored or ())
    parent = parent_map.get(node)
    if not is_bare or parent is None or node not in list(parent):
        return False
    parent.remove(node)
    clean_node(parent_map, parent)
    return True


def del_text(parent_map: Parents, node: Element) -> None:
    """Remove the text of a node, and the node itself if it is then empty."""
    node.text = None
    clean_node(parent_map, node)


def del_attribute(attribute: str, ignored: Sequence[str] | None = None) -> Callable[[Parents, Element], None]:
    """Return a function that removes an attribute, and the node itself if it is then empty."""

    def remove(parent_map: Parents, node: Element) -> None:
        if attribute in node.attrib:
            del node.attrib[attribute]
            clean_node(parent_map, node, ignored)

    return remove


def attribute(
    path: str,
    xpath: str,
    attr_name: str,
    ignored: Sequence[str] | None = None,
    convert: Callable[[Any], Any] | None = None,
) -> dict[str, Any]:
    """Return a mapping entry for an attribute."""
    entry: dict[str, Any] = {
        "path": path,
        "xpath": xpath,
        "get": lambda node: node.get(attr_name),
        "set": lambda node, value: node.set(attr_name, str(value)),
        "del": del_attribute(attr_name, ignored),
    }
    return {**entry, "convert": convert} if convert else entry


def int_attribute(
    path: str, xpath: str, attr_name: str, ignored: Sequence[str] | None = None
) -> dict[str, Any]:
    """Return a mapping entry for an attribute that is a number."""
    entry = attribute(path, xpath, attr_name, ignored)
    return {**entry, "get": lambda node: int(node.get(attr_name)) if node.get(attr_name) else None}


def change_xml(doc: Element, data: Any, mapping: Iterable[Mapping[str, Any]]) -> bool:
    """Change a document to match the data (None removes); return whether anything changed.

    For mapping entries with `{name}` in their path, nodes whose key is no longer in the data are removed.
    """
    changed = False
    for entry in mapping:
        found = [
            value for value in get_value(data, entry["path"], _MISSING) if value["value"] is not _MISSING
        ]
        for value in found:
            changed = _changed(doc, entry, value) or changed
        if "{" in entry["path"] and _is_given(data, entry["path"].partition("{")[0].rstrip(":")):
            changed = _removed_others(doc, entry, found) or changed
    return changed


def _is_given(data: Any, path: str) -> bool:
    return bool(get_value(data, path, _MISSING)[0]["value"] is not _MISSING) if path else True


def _removed_others(doc: Element, entry: Mapping[str, Any], found: Sequence[Mapping[str, Any]]) -> bool:
    """Remove the nodes that match an entry's path but no value of the data; return whether there were any."""
    template = re.sub(r"\[\$\w+\]|\[@[\w:]+='\$\w+'\]", "", entry["xpath"])
    kept = {id(node) for value in found if (node := _find(doc, _xpath(entry["xpath"], value))) is not None}
    parents = {child: parent for parent in doc.iter() for child in parent}
    others = [node for node in doc.findall(template) if id(node) not in kept]
    for node in others:
        entry.get("del", del_text)(parents, node)
    return bool(others)


def _find(doc: Element, xpath: str) -> Element | None:
    return doc.find(xpath)


def strip_spaces(node: Element) -> Element:
    """Strip the texts of a node and of all nodes below it; return the node."""
    for each in node.iter():
        each.text = each.text.strip() if each.text else each.text
        each.tail = each.tail.strip() if each.tail else each.tail
    return node


def element_to_str(node: Element) -> str:
    """Return a node serialized as text."""
    return ElementTree.tostring(node, encoding="unicode")


def _name(node: Element) -> str:
    """Return the name of a node without its namespace."""
    return node.tag.rpartition("}")[2]


def _child(node: Element, step: str) -> Element:
    found = _FILTERED.fullmatch(step)
    if found is None:
        present = node.find(step)
        return ElementTree.SubElement(node, step) if present is None else present
    tag = found["tag"]
    if found["key"]:
        chosen = (child for child in node.findall(tag) if child.get(found["key"]) == found["value"])
        present = next(chosen, None)
        return (
            ElementTree.SubElement(node, tag, {found["key"]: found["value"]}) if present is None else present
        )
    while len(node.findall(tag)) < int(found["place"]):
        ElementTree.SubElement(node, tag)
    return node.findall(tag)[int(found["place"]) - 1]


def _xpath(template: str, found: Mapping[str, Any]) -> str:
    """Return the path of the node for one value, made by filling the value's keys into `template`."""
    keys = {name: key for name, key in found.items() if name != "value"}
    # XPath positions begin at 1.
    places = {name: key + 1 if isinstance(key, int) else key for name, key in keys.items()}
    xpath = re.sub(r"\[\$(\w+)\]", lambda match: f"[{places.get(match[1], match[0])}]", template)
    return string.Template(xpath).safe_substitute({name: str(key) for name, key in keys.items()})


def _changed(doc: Element, entry: Mapping[str, Any], found: Mapping[str, Any]) -> bool:
    value, xpath = found["value"], _xpath(entry["xpath"], found)
    if isinstance(value, (Mapping, list)):
        # A node cannot have this value; other entries describe its content.
        return False
    read = entry.get("get", lambda each: each.text)
    if value is None:
        present = _find(doc, xpath)
        if present is None:
            return False
        parents = {child: parent for parent in doc.iter() for child in parent}
        before = element_to_str(doc)
        entry.get("del", del_text)(parents, present)
        return element_to_str(doc) != before
    node = get_xml_node(doc, xpath)
    wanted = entry["convert"](value) if "convert" in entry else value
    present_value = read(node)
    if present_value == wanted or ("equals" in entry and entry["equals"](present_value, wanted)):
        return False
    entry.get("set", set_node_text)(node, wanted)
    return True


__all__ = ["attribute", "change_xml", "clean_node", "del_attribute", "del_text", "element_to_str"]
__all__ += ["get_xml_node", "int_attribute", "set_node_text", "strip_spaces", "to_dict"]
