"""High data: the declared states of SLS files, and the changes that SLS files make to each other's states.

Shapes: users give and see one mapping, {state ID: body}, in which stock keeps the changes beside the IDs
under the keys `__extend__` (a list of {state ID: body}) and `__exclude__` (a list of SLS patterns, {"sls":
pattern} and {"id": state ID}). `HighData.of` and `HighData.as_mapping` convert it; salt-g's own code uses
the record, with a field for each part. Bodies are not checked here:
`verify_high` reports malformed ones.
Errors: MalformedChanges.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from salt_g.shapes import Arguments

#: Item of a state's argument list: a mapping, usually with one argument, or a function name.
StateArgument = Arguments | str
#: Body of an ID: {module: [state argument, ...], "__sls__": SLS, "__env__": saltenv,
#: "__sls_included_from__": [SLS, ...]}. A mapping, because users may add other keys that begin with `__`, and
#: because `state.show_sls` shows the keys in the order in which they were written.
Declaration = dict[str, list[StateArgument] | str]
#: {state ID: body} as users write it: a body is a `Declaration` once `verify_high` has found no fault in it.
Declarations = dict[Any, object]
#: Changes of states: {state ID: body}, whose arguments are merged into those of the state.
Extension = Mapping[Any, Any]
#: Rendered SLS as its author wrote it: {state ID: body}, `include`, `extend` and `exclude`.
SlsData = dict[Any, Any]

_EXTEND = "__extend__"
_EXCLUDE = "__exclude__"


class MalformedChanges(ValueError):
    """`__extend__` or `__exclude__` in a user's mapping that cannot be read; `key` is which."""

    def __init__(self, key: str, fault: str) -> None:
        super().__init__(f"{key} {fault}")
        self.key = key
        self.fault = fault


class HighData(NamedTuple):
    """Declared states, extensions of states and exclusions, not applied yet.

    The layers of the compiler change `declarations` in place, so high data has one owner at a time.
    `positions` are those of `__extend__` and `__exclude__` among the keys of the user's mapping, in order.
    """

    declarations: Declarations
    extensions: tuple[Extension, ...] = ()
    exclusions: tuple[object, ...] = ()
    positions: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, mapping: Mapping[Any, Any]) -> "HighData":
        """Build high data from a user's mapping, which is not modified; the bodies are shared.

        Raise MalformedChanges if one of the two keys has another value than described above.
        """
        # Popped from a copy instead of looking at each key, because large trees have many thousands of IDs.
        declarations = dict(mapping)
        extensions, exclusions = declarations.pop(_EXTEND, []), declarations.pop(_EXCLUDE, [])
        if not (isinstance(extensions, list) and all(map(_is_extension, extensions))):
            raise MalformedChanges(_EXTEND, "is not a list of dictionaries of IDs")
        if not isinstance(exclusions, list):
            raise MalformedChanges(_EXCLUDE, "is not formed as a list")
        keys = mapping if len(declarations) < len(mapping) else ()
        positions = ((key, position) for position, key in enumerate(keys) if key in (_EXTEND, _EXCLUDE))
        return cls(declarations, tuple(extensions), tuple(exclusions), tuple(positions))

    @property
    def is_empty(self) -> bool:
        """Whether nothing is declared, extended or excluded."""
        return not self.declarations and not self.positions

    def as_mapping(self) -> dict[Any, Any]:
        """Return the mapping that users see and caches keep; the bodies are shared."""
        if not self.positions:
            return dict(self.declarations)
        keys = list(self.declarations)
        for key, position in self.positions:
            keys.insert(position, key)
        changes = {_EXTEND: list(self.extensions), _EXCLUDE: list(self.exclusions)}
        return {key: changes[key] if key in changes else self.declarations[key] for key in keys}

    def with_extensions(self, more: Iterable[Extension]) -> "HighData":
        """Return this high data with more extensions."""
        return self._with_key(_EXTEND)._replace(extensions=(*self.extensions, *more))

    def with_exclusions(self, more: Iterable[object]) -> "HighData":
        """Return this high data with more exclusions."""
        return self._with_key(_EXCLUDE)._replace(exclusions=(*self.exclusions, *more))

    def with_changes_of(self, other: "HighData") -> "HighData":
        """Return this high data with the extensions and exclusions of other high data."""
        keys = dict(other.positions)
        extended = self.with_extensions(other.extensions) if _EXTEND in keys else self
        return extended.with_exclusions(other.exclusions) if _EXCLUDE in keys else extended

    def _with_key(self, key: str) -> "HighData":
        """Return this high data with a key at the end of its mapping, unless it has the key."""
        if key in dict(self.positions):
            return self
        position = len(self.declarations) + len(self.positions)
        return self._replace(positions=(*self.positions, (key, position)))


def _is_extension(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(body, Mapping) for body in value.values())
