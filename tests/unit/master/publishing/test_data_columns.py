"""Columns, which give the same answers as a look at each minion, and follow every change."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from salt_g.errors import StoreError
from salt_g.master.publishing.data_columns import FEW, KEPT, DataColumns
from salt_g.master.publishing.target_resolution import TargetResolution
from salt_g.master.settings import TargetSettings

IDS = frozenset(f"m{number}" for number in range(6))
WORDS = st.sampled_from(["a", "b", "a:b", "1", "*", "", "x", "X", "None", "True"])
VALUES = st.recursive(
    WORDS | st.sampled_from([1, True, None, 1.0]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
DATA = st.dictionaries(WORDS | st.just(1), VALUES, max_size=4)
PATHS = st.lists(WORDS, min_size=1, max_size=4).map(":".join)


class Data:
    """Data of minions that reports its changes."""

    def __init__(self, known):
        self.known, self.reads, self._changed = dict(known), 0, lambda id: None

    def watch(self, changed):
        self._changed = changed

    def get(self, id):
        self.reads += 1
        found = self.known.get(id)
        if isinstance(found, Exception):
            raise found
        return found

    def put(self, id, known):
        self.known[id] = known
        self._changed(id)

    def reread(self):
        self._changed(None)


class Keys:
    def __init__(self, ids=IDS):
        self.ids = ids

    def accepted(self):
        return self.ids


def resolutions(data, keys=None):
    """Return two resolutions: one with columns, and one that looks at each minion."""
    keys = keys or Keys()
    columns = DataColumns(data)
    settings = TargetSettings({"ours": "G@os:Debian or m5"})
    return TargetResolution(settings, keys, data, columns=columns), TargetResolution(settings, keys, data)


@settings(max_examples=200)
@given(
    st.dictionaries(st.sampled_from(sorted(IDS)), st.tuples(DATA, DATA)),
    PATHS,
    st.sampled_from(["grain", "grain_pcre", "pillar", "pillar_pcre", "pillar_exact"]),
    st.booleans(),
)
def test_a_column_answers_as_looking_at_each_minion_does(known, path, tgt_type, greedy):
    quick, plain = resolutions(Data(known))

    assert quick.resolve(path, tgt_type, greedy=greedy) == plain.resolve(path, tgt_type, greedy=greedy)


@settings(max_examples=100)
@given(
    st.lists(st.tuples(st.sampled_from(sorted(IDS)), st.none() | st.tuples(DATA, DATA)), max_size=8), PATHS
)
def test_a_column_follows_each_change(changes, path):
    data = Data({"m1": ({"a": "b"}, {})})
    quick, plain = resolutions(data)
    for id, known in changes:
        quick.resolve(path, "grain")
        data.put(id, known)

    assert quick.resolve(path, "grain") == plain.resolve(path, "grain")


COMPOUND = [
    "G@os:Debian",
    "not G@os:Debian",
    "G@os:Debian and not m1",
    "m* and I@role:web or L@m3,m4",
    "( P@os:(Deb|Alp).* or E@m[45] ) and not ( N@ours and I@role:db )",
    "T@ssh:* or G@os:Alpine",
    "M@m1 and G@os:Debian",
    "S@10.0.0.0/8 or J@role:w.b",
    "R@%web or m2",
    "G@os:Debian and",
]


@pytest.mark.parametrize("greedy", [True, False])
@pytest.mark.parametrize("tgt", COMPOUND)
def test_an_expression_is_chosen_criterion_by_criterion(tgt, greedy):
    known = {
        "m1": ({"os": "Debian", "ipv4": ["10.1.1.1"]}, {"role": "web"}),
        "m2": ({"os": "Alpine"}, {"role": "db"}),
        "m3": ({"os": "Debian"}, {"role": "db"}),
        "m4": ({}, {}),
    }
    quick, plain = resolutions(Data(known))

    assert quick.resolve(tgt, "compound", greedy=greedy) == plain.resolve(tgt, "compound", greedy=greedy)


def test_the_second_target_over_a_grain_reads_no_minion():
    data = Data({id: ({"os": "Debian"}, {}) for id in IDS})
    quick, _ = resolutions(data)
    quick.resolve("os:Debian", "grain")
    data.reads = 0

    assert quick.resolve("os:Deb*", "grain").minions == sorted(IDS)
    assert quick.resolve("os:Alpine", "grain_pcre").minions == []
    assert data.reads == 0


def test_keys_that_come_and_go_are_followed():
    data, keys = Data({id: ({"os": "Debian"}, {}) for id in [*IDS, "new"]}), Keys()
    quick, _ = resolutions(data, keys)
    quick.resolve("os:Debian", "grain")

    keys.ids = frozenset(["m1", "new"])

    assert quick.resolve("os:Debian", "grain").minions == ["m1", "new"]
    keys.ids = IDS
    assert quick.resolve("os:Debian", "grain").minions == sorted(IDS)


def test_data_that_could_not_be_read_is_read_later():
    data = Data({id: ({"os": "Debian"}, {}) for id in IDS} | {"m3": StoreError("m3", "away")})
    quick, _ = resolutions(data)
    with pytest.raises(StoreError):
        quick.resolve("os:Debian", "grain")

    data.known["m3"] = ({"os": "Debian"}, {})

    assert quick.resolve("os:Debian", "grain").minions == sorted(IDS)


def test_a_change_while_data_is_read_is_taken_up():
    data = Data({id: ({"os": "Debian"}, {}) for id in IDS})
    quick, _ = resolutions(data)
    read = data.get

    def get(id):
        known = read(id)
        if id == "m3" and known[0]["os"] == "Debian":
            # Another greenlet stores new data meanwhile.
            data.put("m3", ({"os": "Alpine"}, {}))
        return known

    data.get = get

    assert quick.resolve("os:Alpine", "grain").minions == ["m3"]


def test_all_is_read_again_after_another_program_wrote():
    data = Data({id: ({"os": "Debian"}, {}) for id in IDS})
    quick, _ = resolutions(data)
    quick.resolve("os:Debian", "grain")

    data.known["m1"] = ({"os": "Alpine"}, {})
    data.reread()

    assert quick.resolve("os:Alpine", "grain").minions == ["m1"]


def test_as_many_values_as_minions_make_no_column():
    ids = frozenset(f"m{number}" for number in range(2 * FEW))
    data = Data({id: ({"fqdn": id}, {}) for id in ids})
    columns = DataColumns(data)

    for _ in range(2):
        assert columns.matching("fqdn:m7", "grain", ids, delimiter=":") is None
        assert len(columns) == 0
    quick = TargetResolution(TargetSettings({}), Keys(ids), data, columns=columns)
    assert quick.resolve("fqdn:m7", "grain").minions == ["m7"]


def test_only_the_columns_asked_for_last_are_kept():
    data = Data({id: ({"os": "Debian"}, {}) for id in IDS})
    columns = DataColumns(data)

    for number in range(2 * KEPT):
        assert columns.matching(f"grain{number}:x", "grain", IDS, delimiter=":") == IDS - data.known.keys()

    assert len(columns) == KEPT


def test_long_values_are_distinguished():
    data = Data({"m1": ({"flags": "x" * 5000 + "a"}, {}), "m2": ({"flags": "x" * 5000 + "b"}, {})})
    columns = DataColumns(data)

    assert columns.matching("flags:*b", "grain", frozenset(("m1", "m2")), delimiter=":") == {"m2"}
