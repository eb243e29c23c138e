"""Content of stores after writes in any order: equal to that of a plain dict."""

import tempfile

from hypothesis import given, settings
from hypothesis import strategies as st

from salt_g.cache.banks import Banks
from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.jobs import Jobs, Saved

JIDS = st.sampled_from(["20260102030405678901", "20260102030405678902"])
IDS = st.sampled_from(["m1", "m2", "m3"])
VALUES = st.integers(0, 3)
BANKS = st.sampled_from(["a", "a/b", "c"])
STEPS = st.one_of(
    st.tuples(st.just("return"), JIDS, IDS, VALUES),
    st.tuples(st.just("load"), JIDS, VALUES),
    st.tuples(st.just("expected"), JIDS, st.lists(IDS, max_size=3)),
    st.tuples(st.just("store"), BANKS, IDS, VALUES),
    st.tuples(st.just("flush"), BANKS, IDS),
    st.tuples(st.just("flush bank"), BANKS),
    st.tuples(st.just("wait")),
)


class Model:
    """Expected content of the store, in dicts; `do` returns the expected result of a write."""

    def __init__(self):
        self.returns, self.loads, self.expected, self.entries = {}, {}, {}, {}

    def do(self, step):
        kind, *args = step
        if kind == "return":
            place, value = tuple(args[:2]), args[2]
            before = self.returns.setdefault(place, (value, step))
            if before[1] is step:
                return Saved.FIRST
            return Saved.REPEATED if before[0] == value else Saved.DIFFERENT
        if kind == "load":
            self.loads[args[0]] = {"fun": "f", "arg": [args[1]]}
        elif kind == "expected":
            self.expected.setdefault(args[0], set()).update(args[1])
        elif kind == "store":
            self.entries[tuple(args[:2])] = args[2]
        elif kind == "flush":
            return int(self.entries.pop(tuple(args), None) is not None)
        elif kind == "flush bank":
            gone = [p for p in self.entries if p[0] == args[0] or p[0].startswith(args[0] + "/")]
            for place in gone:
                del self.entries[place]
            return len(gone)
        return None


def _write(jobs, banks, step):
    kind, *args = step
    if kind == "return":
        jid, id, value = args
        return jobs.save_return({"jid": jid, "id": id, "return": value})
    if kind == "load":
        return jobs.save_load(args[0], {"fun": "f", "arg": [args[1]]})
    if kind == "expected":
        return jobs.save_minions(*args)
    if kind == "store":
        return banks.store(*args)
    return banks.flush(*args)


def _held(jobs, banks):
    jids = ["20260102030405678901", "20260102030405678902"]
    returns = {(jid, id): data["return"] for jid in jids for id, data in jobs.get_jid(jid).items()}
    loads = {jid: load for jid, load, _ in jobs.walk()}
    expected = {jid: set(jobs.get_expected(jid)) for jid in jids}
    entries = {(bank, id): value for bank in ("a", "a/b", "c") for id, value in banks.list_all(bank).items()}
    return returns, loads, {jid: ids for jid, ids in expected.items() if ids}, entries


@settings(max_examples=60)
@given(st.lists(STEPS, max_size=40))
def test_any_order_of_writes_ends_as_in_a_dict(steps):
    # Equal steps are different writes: the model distinguishes them by identity.
    steps = [(*step,) for step in steps]
    model, result = Model(), []
    with tempfile.TemporaryDirectory() as directory:
        with EmbeddedStore(directory) as store:
            jobs, banks = Jobs(store), Banks(store)
            for step in steps:
                if step[0] == "wait":
                    [future.result(10) for _, future in result]
                else:
                    result.append((model.do(step), _write(jobs, banks, step)))
            answers = [(expected, future.result(10)) for expected, future in result]
        with EmbeddedStore(directory) as store:
            held = _held(Jobs(store), Banks(store))

    assert [answer for _, answer in answers] == [expected for expected, _ in answers]
    assert held == (
        {place: value for place, (value, _) in model.returns.items()},
        model.loads,
        {jid: ids for jid, ids in model.expected.items() if ids},
        model.entries,
    )
