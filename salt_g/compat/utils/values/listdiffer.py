"""Stock's `salt.utils.listdiffer`: comparison of two lists of mappings that a key identifies."""

from collections.abc import Mapping, Sequence
from typing import Any

from salt_g.compat.utils.values.dictdiffer import RecursiveDictDiffer, recursive_diff

_Entry = Mapping[Any, Any]


class ListDictDiffer:
    """Comparison of two lists of mappings; `diffs` lists {value of the key: differences}."""

    NONE_VALUE = RecursiveDictDiffer.NONE_VALUE

    def __init__(self, current_list: Sequence[_Entry], next_list: Sequence[_Entry], key: Any) -> None:
        self._key = key
        self._old = {entry[key]: entry for entry in current_list}
        self._new = {entry[key]: entry for entry in next_list}
        self._current, self._next = current_list, next_list
        self._differing = {
            name: self._differ(name)
            for name, new in self._new.items()
            if name in self._old and self._old[name] != new
        }

    @property
    def current_list(self) -> Sequence[_Entry]:
        """Old list."""
        return self._current

    @property
    def new_list(self) -> Sequence[_Entry]:
        """New list."""
        return self._next

    @property
    def intersect(self) -> list[dict[Any, Any]]:
        """Entries that are in both lists, with their old and new form."""
        return [
            {self._key: name, "old": self._old[name], "new": new}
            for name, new in self._new.items()
            if name in self._old
        ]

    @property
    def added(self) -> list[_Entry]:
        """Entries of the new list only."""
        return [new for name, new in self._new.items() if name not in self._old]

    @property
    def removed(self) -> list[_Entry]:
        """Entries of the old list only."""
        return [old for name, old in self._old.items() if name not in self._new]

    @property
    def diffs(self) -> list[dict[Any, Any]]:
        """Differences of changed, added and removed entries."""
        none = self.NONE_VALUE
        found = [{name: differ.diffs} for name, differ in self._differing.items()]
        found += [
            {entry[self._key]: {key: {"new": value, "old": none} for key, value in entry.items()}}
            for entry in self.added
        ]
        return found + [
            {entry[self._key]: {key: {"new": none, "old": value} for key, value in entry.items()}}
            for entry in self.removed
        ]

    @property
    def new_values(self) -> list[Any]:
        """New values of changed entries, and added entries."""
        changed = [{**differ.new_values, self._key: name} for name, differ in self._differing.items()]
        return [*changed, *self.added]

    @property
    def old_values(self) -> list[Any]:
        """Old values of changed entries, and removed entries."""
        changed = [{**differ.old_values, self._key: name} for name, differ in self._differing.items()]
        return [*changed, *self.removed]

    def changed(self, selection: str = "all") -> list[str]:
        """Return the paths of changed values, `KEY.ENTRY.PATH`; `selection`: `all` or `intersect`."""
        if selection not in ("all", "intersect"):
            raise ValueError(f"selection must be 'all' or 'intersect', not {selection!r}")
        found = []
        for name, differ in self._differing.items():
            differ.ignore_unset_values = False
            found += [f"{self._key}.{name}.{path}" for path in differ.changed()]
        if selection == "all":
            found += [
                f"{self._key}.{entry[self._key]}.{key}"
                for entry in (*self.added, *self.removed)
                for key in sorted(entry, key=str)
                if key != self._key
            ]
        return found

    def remove_diff(self, diff_key: Any = None, diff_list: str = "intersect") -> None:
        """Remove a key from all entries of one kind: `intersect`, `added` or `removed`."""
        if diff_list == "intersect":
            for name in self._old.keys() & self._new.keys():
                for entries in (self._old, self._new):
                    entries[name] = {key: value for key, value in entries[name].items() if key != diff_key}
                self._differing.pop(name, None)
                if self._old[name] != self._new[name]:
                    self._differing[name] = self._differ(name)
        entries, others = (self._new, self._old) if diff_list == "added" else (self._old, self._new)
        for name in entries.keys() - others.keys() if diff_list in ("added", "removed") else ():
            entries[name] = {key: value for key, value in entries[name].items() if key != diff_key}

    def _differ(self, name: Any) -> RecursiveDictDiffer:
        return recursive_diff(self._old[name], self._new[name], ignore_missing_keys=False)

    @property
    def changes_str(self) -> str:
        """Differences as text."""
        lines = []
        for name, differ in self._differing.items():
            lines += [f"identified by {self._key} {name}:", *differ.changes_str.split("\n")]
        for entries, what in ((self.removed, "removed"), (self.added, "added")):
            for entry in entries:
                lines += [f"identified by {self._key} {entry[self._key]}:", f"will be {what}"]
        return "".join(f"\t{line}\n" for line in lines)

    @property
    def changes_str2(self) -> str:
        """Differences as text, a block for each entry."""
        lines = []
        for name, differ in self._differing.items():
            lines.append(f"  {self._key}={name} (updated):")
            lines += [f"    {line}" for line in differ.changes_str.split("\n")]
        lines += [f"  {self._key}={entry[self._key]} (removed)" for entry in self.removed]
        lines += [f"  {self._key}={entry[self._key]} (added): {entry}" for entry in self.added]
        return "\n".join(lines)


def list_diff(list_a: Sequence[_Entry], list_b: Sequence[_Entry], key: Any) -> ListDictDiffer:
    """Return the comparison of two lists whose entries are identified by the value of `key`."""
    return ListDictDiffer(list_a, list_b, key)


__all__ = ["ListDictDiffer", "list_diff"]
