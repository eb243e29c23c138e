"""Filters that convert between data and text: YAML, JSON, XML, Python, and quoting for YAML.

For data that contains an undefined value, most filters return an undefined value with the same message. Text
already marked safe (`Markup`) is not escaped again.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from jinja2.environment import TemplateModule
from jinja2.exceptions import TemplateRuntimeError
from markupsafe import Markup

from salt_g.errors import YamlError
from salt_g.formats.yaml_load import load
from salt_g.render.jinja.undefined import strict

#: Wide enough to prevent folding of text.
_NO_FOLDING = 2**31 - 1
#: Replacements made by `tojson` for characters that are special in HTML.
_HTML = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "'": "\\u0027"})


def to_yaml(value: Any, flow_style: bool = True) -> Markup:
    """Return the value as YAML without a final newline, keys sorted."""
    return Markup(_dump(value, default_flow_style=flow_style).strip().removesuffix("\n..."))


def to_json(value: Any, sort_keys: bool = True, indent: int | None = None) -> Markup:
    """Return the value as JSON, keeping Unicode characters."""
    return Markup(json.dumps(value, sort_keys=sort_keys, indent=indent, ensure_ascii=False).strip())


def to_safe_json(value: Any, indent: int | None = None, **options: Any) -> str:
    """Return the value as ASCII JSON that is safe in HTML; keys keep the order of the mapping."""
    options.setdefault("ensure_ascii", True)
    if indent is not None:
        options["indent"] = indent
    return json.dumps(value, **options).translate(_HTML)


def to_python(value: Any) -> Markup:
    """Return the value as a Python literal."""
    import pprint

    return Markup(pprint.pformat(value).strip())


def to_xml(value: Any) -> Markup:
    """Return nested mappings and lists as an XML document.

    Scalars of a mapping become attributes, nested mappings and lists become elements.
    """
    from xml.dom import minidom
    from xml.etree import ElementTree

    root = _xml_element(_xml_pairs(value), None)
    return Markup(minidom.parseString(ElementTree.tostring(root)).toprettyxml(indent=" "))


def _xml_element(pairs: Iterable[Any], parent: Any) -> Any:
    """Append the elements of these (tag, content) pairs to the parent; return the last one."""
    from xml.etree.ElementTree import Element, SubElement

    element = None
    for tag, content in pairs:
        if isinstance(content, list):
            for item in content:
                _xml_element([(tag, item)], parent)
            continue
        element = Element(tag) if parent is None else SubElement(parent, tag)
        if isinstance(content, (str, int, float)):
            element.text = str(content)
        else:
            _fill_xml(element, content)
    return element


def _fill_xml(element: Any, content: Any) -> None:
    pairs = _xml_pairs(content)
    below = [pair for pair in pairs if isinstance(pair[1], (dict, list))]
    if isinstance(content, dict):
        element.attrib = {key: str(item) for key, item in pairs if not isinstance(item, (dict, list))}
    _xml_element(below, element)


def _xml_pairs(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, (list, tuple)):
        return list(value) if isinstance(value[0], str) else []
    raise TemplateRuntimeError("Value is not a dict or list. Cannot render as XML")


def sls_params(value: Any, flow_style: bool = False) -> Markup:
    """Return a mapping as the YAML list of a state's arguments."""
    return to_yaml([{key: item} for key, item in value.items()], flow_style)


def load_yaml(value: Any) -> Any:
    """Return the data of YAML text (or of an imported template's text)."""
    text = str(value) if isinstance(value, TemplateModule) else value
    if not isinstance(text, (str, bytes)):
        raise TemplateRuntimeError(f"Unable to load yaml from {value}")
    try:
        data = load(text)
    except YamlError as exc:
        raise _unreadable(value, f"Encountered error loading yaml: {exc}", exc.line) from exc
    return _with_text(data) if "!!binary" in str(text) else data


def _unreadable(value: Any, message: str, line: int) -> TemplateRuntimeError:
    """Return the error for text that cannot be loaded; its attribute `data` is (file name or '', line)."""
    error = TemplateRuntimeError(message)
    name = value.__name__ if isinstance(value, TemplateModule) else ""
    error.data = (name, line)  # type: ignore[attr-defined]
    return error


def _with_text(data: Any) -> Any:
    """Return the data with UTF-8 bytes decoded to text, for use in templates."""
    if isinstance(data, dict):
        return {_with_text(key): _with_text(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_with_text(item) for item in data]
    if not isinstance(data, bytes):
        return data
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def load_json(value: Any) -> Any:
    """Return the data of JSON text (or of an imported template's text)."""
    text = str(value) if isinstance(value, TemplateModule) else value
    try:
        return json.loads(text)
    except (ValueError, TypeError) as exc:
        raise _unreadable(value, f"Unable to load json from {text}", getattr(exc, "lineno", 0)) from exc


def load_text(value: Any) -> Any:
    """Return the text (or that of an imported template)."""
    return str(value) if isinstance(value, TemplateModule) else value


def yaml_dquote(value: Any) -> str:
    """Return the text in YAML's double quotes, on one line and in ASCII."""
    quoted = _dump(str(value), default_style='"', width=_NO_FOLDING, allow_unicode=False)
    return quoted.rstrip("\n")


def yaml_squote(value: Any) -> str:
    """Return the text in YAML's single quotes, where a line end is written as an empty line."""
    doubled = str(value).replace("'", "''")
    return "'" + re.sub(r"\n+", lambda ends: ends[0] + "\n", doubled) + "'"


def yaml_encode(value: Any) -> str:
    """Return a scalar in YAML syntax: text in double quotes, bytes in base64; raise TypeError for others."""
    if isinstance(value, str):
        return yaml_dquote(value)
    if isinstance(value, bytes):
        return base64.encodebytes(value).decode("ascii")
    if isinstance(value, (dict, list, tuple, set, frozenset)):
        raise TypeError(f"yaml_encode() only works with YAML scalar data; failed for {type(value)}")
    text = _dump(value).removesuffix("\n").removesuffix("\n...")
    if text == "NULL":
        # The dumper writes NULL for objects that it cannot represent; for a single value that is an error.
        raise TypeError(f"cannot represent an object: {value!r}")
    return text


def _dump(value: Any, **layout: Any) -> str:
    # Imported lazily: libyaml's wrapper costs every state run 10 ms, and few templates write YAML.
    from salt_g.formats.yaml_dump import dump

    return dump(value, **layout)


FILTERS: dict[str, Callable[..., Any]] = {
    "yaml": strict(to_yaml),
    "json": strict(to_json),
    "tojson": strict(to_safe_json),
    "python": strict(to_python),
    "xml": strict(to_xml),
    "dict_to_sls_yaml_params": strict(sls_params),
    "load_yaml": strict(load_yaml),
    "load_json": strict(load_json),
    "load_text": strict(load_text),
    "yaml_dquote": yaml_dquote,
    "yaml_squote": yaml_squote,
    "yaml_encode": yaml_encode,
}
