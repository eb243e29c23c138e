"""Completions at the cursor: functions, arguments, requisites, SLS, files, keys of pillar and grains.

Shapes: the input is a document, its place and a position; the result is a CompletionList of the protocol,
which contains no pillar values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import salt_g.language_server.sls_place as roles
from salt_g.language_server.cursor import JinjaPlace, YamlPlace, jinja_place, yaml_place
from salt_g.language_server.documents import Document, Position, index_of_unit, lines_in, span
from salt_g.language_server.function_docs import documentation
from salt_g.language_server.overlay import TreeFile
from salt_g.language_server.project import Project
from salt_g.language_server.sls_place import SlsPlace, sls_place

#: Maximum number of items per response; a truncated response makes the editor ask again on each key stroke.
MAX_ITEMS = 300
#: Kinds of completion items in the protocol.
FUNCTION, FIELD, MODULE, PROPERTY, FILE, REFERENCE = 3, 5, 9, 10, 17, 18
_SALT_URL = "salt://"


class Suggestion(NamedTuple):
    """Completion item; `insert`, or the label if that is '', replaces the typed prefix."""

    label: str
    kind: int
    detail: str = ""
    insert: str = ""


class Completion:
    """Provider of completions in the files of a project."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def at(self, document: Document, place: TreeFile | None, position: Position) -> dict[str, Any]:
        """Return the completions for a position."""
        prefix, offers = self._offers(document, place, position)
        fitting: dict[str, Suggestion] = {}
        for offer in offers:
            if offer.label.lower().startswith(prefix.lower()):
                fitting.setdefault(offer.label, offer)
        line = document.line(position.line)
        end = index_of_unit(line, position.character)
        where = span(line, position.line, max(end - len(prefix), 0), end)
        shown = list(fitting.values())[:MAX_ITEMS]
        items = [_item(offer, number, where) for number, offer in enumerate(shown)]
        return {"isIncomplete": len(fitting) > len(shown), "items": items}

    def _offers(
        self, document: Document, place: TreeFile | None, position: Position
    ) -> tuple[str, Iterable[Suggestion]]:
        """Return the typed prefix of a name, and the suggestions for it."""
        if found := jinja_place(document.before(position)):
            return found.prefix, self._in_jinja(found, place)
        lines = lines_in(document.text)
        column = index_of_unit(document.line(position.line), position.character)
        before = document.line(position.line)[:column]
        if _SALT_URL in before and place is not None:
            prefix = before.rpartition(_SALT_URL)[2]
            return prefix, self._files(place.saltenv)
        is_comment = before.lstrip().startswith("#")
        if place is None or not document.path.endswith(".sls") or is_comment or before.endswith(":"):
            return "", ()
        yaml = yaml_place(lines, position.line, column)
        return yaml.prefix, self._in_yaml(yaml, place, lines)

    def _in_jinja(self, found: JinjaPlace, place: TreeFile | None) -> Iterator[Suggestion]:
        context = self._project.lint.context
        if found.kind == "function":
            yield from (Suggestion(name, FUNCTION) for name in sorted(context.functions.names))
        elif found.kind == "template":
            yield from self._files(place.saltenv if place else "base")
        else:
            values: Any = context.pillar if found.kind == "pillar" else dict(context.grains)
            for key in found.path:
                values = values.get(key) if isinstance(values, Mapping) else None
            for key in values if isinstance(values, Mapping) else ():
                yield Suggestion(str(key), FIELD, f"{found.kind}: {kind_of(values[key])}")

    def _in_yaml(self, yaml: YamlPlace, place: TreeFile, lines: list[str]) -> Iterator[Suggestion]:
        if place.relative == self._project.top():
            if len(yaml.keys) == 2 and yaml.is_item:
                yield from self._sls(place)
            return
        if place.setting == "pillar_roots":
            if yaml.keys == ("include",):
                yield from self._pillar_sls(place)
            return
        found = sls_place(yaml, lines)
        if found.role == roles.FUNCTION:
            yield from self._state_functions()
        elif found.role == roles.ARGUMENT:
            yield from self._arguments(found)
        elif found.role in (roles.REQUISITE, roles.REFERENCE):
            yield from self._references(found, self._project.sls_of(place))
        elif found.role == roles.SLS:
            yield from self._sls(place)
        elif found.role == roles.ID:
            yield from (
                Suggestion(word, PROPERTY, insert=f"{word}:") for word in ("include", "extend", "exclude")
            )

    def _state_functions(self) -> Iterator[Suggestion]:
        names = sorted(self._project.lint.context.states.names)
        yield from (Suggestion(name, FUNCTION, insert=f"{name}:") for name in names)

    def _arguments(self, found: SlsPlace) -> Iterator[Suggestion]:
        states = self._project.lint.context.states
        module = f"{found.function.partition('.')[0]}."
        if found.function not in states.names:
            # In a list below `pkg:`, the item being typed may also be the function.
            for name in sorted(states.names):
                if name.startswith(module):
                    yield Suggestion(name.removeprefix(module), FUNCTION, name)
        described = documentation(states, found.function)
        if described is not None:
            for name, default in described.parameters.items():
                detail = "required" if default is None else f"default: {default}"
                yield Suggestion(name, PROPERTY, f"{found.function}, {detail}", f"{name}: ")
        for name in roles.COMMON_ARGUMENTS:
            is_list = name in roles.REQUISITE_KEYS
            yield Suggestion(name, PROPERTY, "of every state", f"{name}:" if is_list else f"{name}: ")

    def _references(self, found: SlsPlace, sls: str) -> Iterator[Suggestion]:
        """Yield suggestions for references to states, beginning with states of the same SLS."""
        known = sorted(self._project.states.all(), key=lambda state: state.sls != sls)
        for state in known:
            for name in dict.fromkeys((state.state_id, state.name)):
                detail = f"{state.fun} in {state.sls}"
                if found.role == roles.REFERENCE and found.key in ("", state.module):
                    # Without a key, the reference is an ID below `extend`.
                    yield Suggestion(name, REFERENCE, detail, "" if found.key else f"{name}:")
                elif found.role == roles.REQUISITE:
                    yield Suggestion(f"{state.module}: {name}", REFERENCE, detail)
        if found.role == roles.REQUISITE:
            yield Suggestion("sls", MODULE, "all states of an SLS", "sls: ")
            yield from (
                Suggestion(state.state_id, REFERENCE, f"{state.fun} in {state.sls}") for state in known
            )

    def _sls(self, place: TreeFile) -> Iterator[Suggestion]:
        own = self._project.sls_of(place)
        for sls in self._project.lint.context.files.list_states(place.saltenv):
            if sls != own:
                yield Suggestion(sls, MODULE)
        is_init = place.relative.endswith("/init.sls")
        parent = own if is_init else own.rpartition(".")[0]
        for sls in self._project.lint.context.files.list_states(place.saltenv):
            if parent and sls.startswith(f"{parent}.") and sls != own:
                yield Suggestion(f".{sls.removeprefix(f'{parent}.')}", MODULE, sls)

    def _pillar_sls(self, place: TreeFile) -> Iterator[Suggestion]:
        yield from (
            Suggestion(sls, MODULE) for sls in self._project.pillar_client().list_states(place.saltenv)
        )

    def _files(self, saltenv: str) -> Iterator[Suggestion]:
        yield from (Suggestion(path, FILE) for path in self._project.lint.context.files.list_files(saltenv))


def kind_of(value: Any) -> str:
    """Describe a value by its type, and its keys or length, without showing the value."""
    if isinstance(value, Mapping):
        keys = ", ".join(map(str, list(value)[:8]))
        return f"a mapping with {keys}" if value else "an empty mapping"
    if isinstance(value, (list, tuple)):
        return f"a list of {len(value)}"
    if isinstance(value, bool):
        return "a boolean"
    return "a number" if isinstance(value, (int, float)) else "nothing" if value is None else "a text"


def _item(offer: Suggestion, number: int, where: Mapping[str, Any]) -> dict[str, Any]:
    item = {
        "label": offer.label,
        "kind": offer.kind,
        "sortText": f"{number:05}",
        "filterText": offer.label,
        "textEdit": {"range": where, "newText": offer.insert or offer.label},
    }
    return {**item, "detail": offer.detail} if offer.detail else item
