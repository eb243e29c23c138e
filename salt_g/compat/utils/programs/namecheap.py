"""Stock's `salt.utils.namecheap`: requests to Namecheap with the settings `namecheap.*`."""

import xml.dom.minidom
from collections.abc import Mapping
from typing import Any

from salt_g import api
from salt_g.errors import CommandExecutionError


def get_opts(command: str) -> dict[str, Any]:
    """Return the fields of a request: the account from the settings, and the command."""
    names = {"ApiUser": "name", "ApiKey": "key", "UserName": "user", "ClientIp": "client_ip"}
    fields = {field: _setting(name) for field, name in names.items()}
    return {**fields, "Command": command}


def post_request(opts: Mapping[str, Any]) -> Any:
    """Send fields by POST and return the answer's element `ApiResponse`, or raise CommandExecutionError."""
    return _request("POST", data=dict(opts))


def get_request(opts: Mapping[str, Any]) -> Any:
    """Send fields by GET and return the answer's element `ApiResponse`, or raise CommandExecutionError."""
    return _request("GET", params=dict(opts))


def xml_to_dict(xml: Any) -> Any:
    """Return an element as a dict of its attributes and children or, if it has neither, as a value.

    The value comes from its text (see `string_to_value`); it is {} for an element without text.
    """
    if xml.nodeType == xml.TEXT_NODE:
        return xml.data.strip()
    texts = [child.data.strip() for child in xml.childNodes if child.nodeType == child.TEXT_NODE]
    found = atts_to_dict(xml)
    for child in xml.childNodes:
        if child.nodeType != child.ELEMENT_NODE:
            continue
        value = xml_to_dict(child)
        if child.tagName not in found:
            found[child.tagName] = value
            continue
        if not isinstance(found[child.tagName], list):
            found[child.tagName] = [found[child.tagName]]
        found[child.tagName].append(value)
    text = "".join(texts)
    return found or (string_to_value(text) if text else {})


def atts_to_dict(xml: Any) -> dict[str, Any]:
    """Return the attributes of an element, with values converted by `string_to_value`."""
    return {name: string_to_value(value) for name, value in (xml.attributes or {}).items()}


def string_to_value(value: str) -> Any:
    """Return a text converted to a boolean or number if it is one, else unchanged."""
    if value.lower() in ("true", "false"):
        return value.lower() == "true"
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value


def _setting(name: str) -> Any:
    return api.call("config.get", f"namecheap.{name}")


def _request(method: str, **how: Any) -> Any:
    answer = api.call("http.query", _setting("url"), method=method, text=True, decode=False, **how)
    if "error" in answer:
        raise CommandExecutionError(f"Namecheap did not answer: {answer['error']}")
    document = xml.dom.minidom.parseString(str(answer.get("text") or answer.get("body")))
    found = document.getElementsByTagName("ApiResponse")[0]
    if found.getAttribute("Status") == "ERROR":
        reasons = [xml_to_dict(error) for error in found.getElementsByTagName("Error")]
        raise CommandExecutionError(f"Namecheap refused the request: {reasons}")
    return found


__all__ = ["atts_to_dict", "get_opts", "get_request", "post_request", "string_to_value", "xml_to_dict"]
