"""Bounds of patterns, YAML and templates, from any source; they delay no other peer (property 21)."""

import pytest

from tests.support.peers import Peer, publish, run
from tests.support.tickers import ticking

#: Limit of the median response time of another peer meanwhile (s).
USUAL = 0.5
#: Patterns whose cost doubles with each character.
EXPLOSIVE = ["(a+)+$", "(a|aa)+$", r"(\w\w|\w)+!", "(.*,)*x", "(.*a){20}", "a?" * 40 + "a" * 40]
BOMB = "\n".join(["a0: &a0 x", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10))])


@pytest.mark.parametrize("pattern", EXPLOSIVE)
def test_patterns_of_users_end(shared_master, pattern):
    Peer(shared_master, "a" * 60 + "b", 0).sign_in()

    with ticking(shared_master) as ticker:
        for tgt, tgt_type in (
            (pattern, "pcre"),
            (f"E@{pattern}", "compound"),
            (f"id:{pattern}", "grain_pcre"),
        ):
            reply = publish(shared_master, "test.ping", tgt=tgt, tgt_type=tgt_type)
            # A minion with unknown grains may match any target that tests them.
            assert tgt_type == "grain_pcre" or not reply.get("minions")

    assert ticker.slowest < 10 and ticker.usual < USUAL


@pytest.mark.parametrize("pattern", EXPLOSIVE)
def test_patterns_of_minions_end(shared_master, pattern):
    peer = Peer(shared_master, "a" * 60 + "b", 0).sign_in()
    peer.ask({"cmd": "_mine", "data": {"f": 1}})

    with ticking(shared_master) as ticker:
        for tgt_type in ("pcre", "grain_pcre", "pillar_pcre"):
            tgt = pattern if tgt_type == "pcre" else f"id:{pattern}"
            assert peer.ask({"cmd": "_mine_get", "tgt": tgt, "fun": "f", "tgt_type": tgt_type}) in ({}, "")

    assert ticker.slowest < 10 and ticker.usual < USUAL


@pytest.fixture(scope="module")
def two_pillars(fleet):
    """Return a master whose pillar is `bad.sls` for one minion and a good one for another."""
    master = fleet[0]()
    (master.root / "pillar" / "top.sls").write_text("base:\n  bad: [bad]\n  good: [good]\n")
    (master.root / "pillar" / "good.sls").write_text("is: good\n")
    return master


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        "a: &a [*a]\n",
        "a: {{ range(10**9) | list }}",
        "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
        "a: {{ 'x' * 10**10 }}",
        "a: {{ 9 ** (9 ** 9) }}",
        "{% for a in range(90000) %}{% for b in range(90000) %}xxxxxxxxxx{% endfor %}{% endfor %}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "[" * 5000,
        "include:\n  - bad\n",
    ],
    ids=["aliases", "self", "list", "loops", "text", "number", "output", "recursion", "depth", "include"],
)
def test_a_pillar_without_end_ends(two_pillars, text):
    (two_pillars.root / "pillar" / "bad.sls").write_text(text)

    with ticking(two_pillars) as ticker:
        shown = run(two_pillars, "run", "pillar.show_pillar", "bad", "--out=json")
        good = run(two_pillars, "run", "pillar.show_pillar", "good", "--out=json")

    assert '"is": "good"' in good.out
    assert len(shown.out) < 1_000_000
    assert two_pillars.is_running()
    assert ticker.usual < USUAL and ticker.slowest < 10, ticker.slowest


def test_includes_have_a_depth(start_master):
    master = start_master()
    (master.root / "pillar" / "top.sls").write_text("base:\n  m1: [s0]\n")
    for number in range(300):
        (master.root / "pillar" / f"s{number}.sls").write_text(f"include: [s{number + 1}]\nk{number}: 1\n")

    shown = run(master, "run", "pillar.show_pillar", "m1", "--out=json")

    assert "levels deep" in shown.out
