"""Stock's `salt.utils.dictdiffer`: differences of two mappings."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

#: Values of one difference: (old, new).
_Pair = tuple[Any, Any]


class DictDiffer:
    """Comparison of two mappings: keys added, removed, changed or unchanged."""

    def __init__(self, current_dict: Mapping[Any, Any], past_dict: Mapping[Any, Any]) -> None:
        self.current_dict, self.past_dict = current_dict, past_dict
        self.set_current, self.set_past = set(current_dict), set(past_dict)
        self.intersect = self.set_current & self.set_past

    def same(self) -> bool:
        """Return whether the mappings are equal."""
        return self.current_dict == self.past_dict

    def added(self) -> Any:
        """Return the keys only in the current mapping."""
        return self.set_current - self.intersect

    def removed(self) -> Any:
        """Return the keys only in the past mapping."""
        return self.set_past - self.intersect

    def changed(self) -> Any:
        """Return the keys of both mappings whose values differ."""
        return {key for key in self.intersect if self.past_dict[key] != self.current_dict[key]}

    def unchanged(self) -> Any:
        """Return the keys of both mappings whose values are equal."""
        return {key for key in self.intersect if self.past_dict[key] == self.current_dict[key]}


class RecursiveDictDiffer(DictDiffer):
    """Comparison of two mappings at every depth; paths are joined by dots.

    `diffs` is {key: {"old", "new"}}, nested like the data. With `ignore_missing_keys` a key that the current
    mapping lacks is not a difference. With `ignore_unset_values`, `changed` omits added and removed keys.
    Lists whose entries all have one of the keys `list_dict_matchers` are compared entry by entry.
    """

    NONE_VALUE = "<_null_>"

    def __init__(
        self,
        past_dict: Mapping[Any, Any],
        current_dict: Mapping[Any, Any],
        ignore_missing_keys: bool = True,
        list_dict_matchers: Any = None,
    ) -> None:
        super().__init__(current_dict, past_dict)
        self.ignore_unset_values = True
        self._matchers = tuple(list_dict_matchers or ())
        self._diffs = self._differences(past_dict, current_dict, ignore_missing_keys)

    @property
    def diffs(self) -> dict[Any, Any]:
        """Differences, nested like the data."""
        return self._diffs

    @property
    def new_values(self) -> dict[Any, Any]:
        """New values of all differences, nested."""
        return self._values("new", self._diffs)

    @property
    def old_values(self) -> dict[Any, Any]:
        """Old values of all differences, nested."""
        return self._values("old", self._diffs)

    @property
    def changes_str(self) -> str:
        """Differences as lines of text."""
        return "\n".join(self._lines(self._diffs, ""))

    def added(self, separator: str = ".", include_nested: bool = False) -> list[str]:
        """Return the paths of new keys, with `include_nested` also of the keys below them."""
        return self._one_sided(separator, include_nested, lambda old, new: (new, old))

    def removed(self, separator: str = ".", include_nested: bool = False) -> list[str]:
        """Return the paths of removed keys, with `include_nested` also of the keys below them."""
        return self._one_sided(separator, include_nested, lambda old, new: (old, new))

    def changed(self, separator: str = ".") -> list[str]:
        """Return the paths of changed values."""
        unset = () if not self.ignore_unset_values else (self.NONE_VALUE,)
        return sorted(self._paths(separator, lambda old, new: old not in unset and new not in unset))

    def unchanged(self, separator: str = ".") -> list[str]:
        """Return the paths of equal values."""
        return sorted(_equal(self.past_dict, self.current_dict, separator))

    def _one_sided(
        self, separator: str, include_nested: bool, sides: Callable[[Any, Any], _Pair]
    ) -> list[str]:
        """Return the paths of keys on one side only; `sides` returns (value of this side, other value)."""
        found: list[tuple[str, ...]] = []
        for path, pair in self._leaves(self._diffs, ()):
            here, other = sides(*pair)
            if other == self.NONE_VALUE:
                found += [path, *(_below(path, here) if include_nested else ())]
            elif isinstance(here, Mapping):
                # A value was replaced by a mapping, or a mapping by a value.
                keys = [(*path, str(key)) for key in here]
                found += _below(path, here) if include_nested else keys
        return sorted(separator.join(path) for path in found)

    def _differences(self, old: Mapping[Any, Any], new: Mapping[Any, Any], lenient: bool) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for key in [*new, *(key for key in old if key not in new and not lenient)]:
            before, now = self._by_name(old.get(key, self.NONE_VALUE), new.get(key, self.NONE_VALUE))
            if isinstance(before, Mapping) and isinstance(now, Mapping):
                below = self._differences(before, now, lenient)
                if below:
                    found[key] = below
            elif before != now:
                found[key] = {"new": now, "old": before}
        return found

    def _by_name(self, before: Any, now: Any) -> _Pair:
        """Return two lists of mappings as {value of a matcher: mapping}; return other values unchanged."""
        if isinstance(before, list) and isinstance(now, list):
            entries = [*before, *now]
            for name in self._matchers:
                if entries and all(isinstance(entry, Mapping) and name in entry for entry in entries):
                    return {one[name]: one for one in before}, {one[name]: one for one in now}
        return before, now

    def _leaves(
        self, diffs: Mapping[Any, Any], path: tuple[str, ...]
    ) -> Iterator[tuple[tuple[str, ...], _Pair]]:
        for key, value in diffs.items():
            if set(value) == {"new", "old"}:
                yield (*path, str(key)), (value["old"], value["new"])
            else:
                yield from self._leaves(value, (*path, str(key)))

    def _paths(self, separator: str, fits: Callable[[Any, Any], bool]) -> Iterator[str]:
        return (separator.join(path) for path, pair in self._leaves(self._diffs, ()) if fits(*pair))

    def _values(self, side: str, diffs: Mapping[Any, Any]) -> dict[Any, Any]:
        return {
            key: value[side] if set(value) == {"new", "old"} else self._values(side, value)
            for key, value in diffs.items()
        }

    def _lines(self, diffs: Mapping[Any, Any], indent: str) -> Iterator[str]:
        for key in sorted(diffs):
            value = diffs[key]
            if set(value) == {"new", "old"}:
                yield f"{indent}{key} from {self._shown(value['old'])} to {self._shown(value['new'])}"
            else:
                yield f"{indent}{key}:"
                yield from self._lines(value, f"{indent}  ")

    def _shown(self, value: Any) -> str:
        if value == self.NONE_VALUE:
            return "nothing"
        if isinstance(value, list):
            return f"'{', '.join(map(str, value))}'"
        return f"'{value}'" if isinstance(value, str) else str(value)


def _below(path: tuple[str, ...], value: Any) -> Iterator[tuple[str, ...]]:
    """Yield the paths of all keys below a value."""
    for key, each in value.items() if isinstance(value, Mapping) else ():
        yield (*path, str(key))
        yield from _below((*path, str(key)), each)


def _equal(old: Mapping[Any, Any], new: Mapping[Any, Any], separator: str, path: str = "") -> Iterator[str]:
    """Yield the paths of equal values; a mapping that is equal as a whole yields only its own path."""
    for key in old.keys() & new.keys():
        before, now = old[key], new[key]
        here = f"{path}{separator}{key}" if path else str(key)
        if before == now:
            yield here
        elif isinstance(before, Mapping) and isinstance(now, Mapping):
            yield from _equal(before, now, separator, here)


def diff(current_dict: Mapping[Any, Any], past_dict: Mapping[Any, Any]) -> DictDiffer:
    """Return the comparison of the outermost keys."""
    return DictDiffer(current_dict, past_dict)


def recursive_diff(
    past_dict: Mapping[Any, Any],
    current_dict: Mapping[Any, Any],
    ignore_missing_keys: bool = True,
    list_dict_matchers: Any = None,
) -> RecursiveDictDiffer:
    """Return the comparison at every depth."""
    return RecursiveDictDiffer(past_dict, current_dict, ignore_missing_keys, list_dict_matchers)


def deep_diff(old: Any, new: Any, ignore: Any = None) -> dict[str, Any]:
    """Return the differences as {"old", "new"}, or {} for equal data; keys in `ignore` are left out."""
    before, now = _reduced(old, new, set(ignore or ()))
    return {name: value for name, value in (("old", before), ("new", now)) if value}


def _reduced(old: Mapping[Any, Any], new: Mapping[Any, Any], ignored: set[Any]) -> _Pair:
    before, now = {}, {}
    for key in [*old, *(key for key in new if key not in old)]:
        if key in ignored or (key in old and key in new and old[key] == new[key]):
            continue
        if isinstance(old.get(key), Mapping) and isinstance(new.get(key), Mapping):
            one, other = _reduced(old[key], new[key], ignored)
            before.update({key: one} if one else {})
            now.update({key: other} if other else {})
            continue
        before.update({key: old[key]} if key in old else {})
        now.update({key: new[key]} if key in new else {})
    return before, now


__all__ = ["DictDiffer", "RecursiveDictDiffer", "deep_diff", "diff", "recursive_diff"]
