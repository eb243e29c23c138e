"""The stanza format of repositories: `.sources` files with one field per line (`Types: deb`)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from salt_g.modules.aptpkg._source import Source, read_bool

_FIELD = re.compile(r"([^\s:#]+):[ \t]*(.*(?:\n[ \t].*)*)")
#: {field: attribute of Source} of the fields with several words.
_LISTS = {
    "Types": "types",
    "URIs": "uris",
    "Suites": "suites",
    "Components": "comps",
    "Architectures": "architectures",
}
#: {option of a line: field} where capitalizing the option's words does not give the field's name.
_FIELDS = {"lang": "Languages", "target": "Targets", "pdiffs": "PDiffs"}


def fields_of(options: Mapping[str, str]) -> dict[str, str]:
    """Return the options of a line as fields of a stanza: `{"by-hash": "yes"}` -> `{"By-Hash": "yes"}`."""
    return {
        _FIELDS.get(name.lower()) or name.title(): value.replace(",", " ") for name, value in options.items()
    }


def split(text: str) -> list[str]:
    """Return the stanzas of a file's text, each with its comments."""
    return [part.strip("\n") + "\n" for part in re.split(r"\n[ \t]*\n", text) if part.strip()]


def join(parts: list[str]) -> str:
    """Return the text of a file with these stanzas."""
    return "\n".join(parts)


def parse(stanza: str) -> Source | None:
    """Return the entry of a stanza, or None if it lacks a type, URI or suite."""
    lines = stanza.splitlines()
    comments = [line for line in lines if line.startswith("#")]
    text = "\n".join(line for line in lines if not line.startswith("#"))
    fields = {name.lower(): value.strip() for name, value in _FIELD.findall(text)}
    lists = {attribute: fields.pop(name.lower(), "").split() for name, attribute in _LISTS.items()}
    if not (lists["types"] and lists["uris"] and lists["suites"]):
        return None
    trusted = fields.pop("trusted", None)
    spelled = {name.lower(): name for name, _ in _FIELD.findall(text)}
    return Source(
        **lists,
        signedby=fields.pop("signed-by", ""),
        trusted=None if trusted is None else read_bool(trusted),
        disabled=not read_bool(fields.pop("enabled", "yes")),
        comment="\n".join(comments),
        options={spelled[name]: value for name, value in fields.items()},
    )


def render(source: Source) -> str:
    """Return the text of an entry's stanza, with its line ends."""
    fields = {name: " ".join(getattr(source, attribute)) for name, attribute in _LISTS.items()}
    fields["Signed-By"] = source.signedby
    fields["Trusted"] = {True: "yes", False: "no", None: ""}[source.trusted]
    fields["Enabled"] = "no" if source.disabled else ""
    lines = [line if line.startswith("#") else f"#{line}" for line in source.comment.splitlines()]
    lines += [f"{name}: {value}" for name, value in {**fields, **source.options}.items() if value]
    return "\n".join(lines) + "\n"
