from salt_g.state.plan.differences import of_lows, of_maps, of_outcomes, refusal
from salt_g.state.plan.document import chunk_of
from tests.support.planned_states import DIFF, LOW, TAG, would


def present(digests, ret, tag=TAG, low=LOW):
    return chunk_of(digests, tag, low, ret)


def test_a_chunk_with_other_changes_is_named_with_both(make, digests):
    document = make({TAG: would({"diff": DIFF})})

    assert list(of_outcomes(document, [present(digests, would({"diff": DIFF}))])) == []
    more = would({"diff": DIFF + "+c\n"})
    assert list(of_outcomes(document, [present(digests, more)])) == ["/x planned +1 -1, now +2 -1"]
    others = would({"diff": DIFF.replace("+B", "+C")})
    assert list(of_outcomes(document, [present(digests, others)])) == [
        "/x planned +1 -1, now +1 -1 (other lines)"
    ]


def test_an_edited_file_has_the_time_of_its_edit(make, digests, tmp_path):
    path = tmp_path / "x"
    tag = f"file_|-x_|-{path}_|-managed"
    document = make({tag: would({"diff": DIFF})}, lows={tag: LOW})
    document["made"] -= 10
    path.write_text("x")

    (line,) = of_outcomes(document, [present(digests, would({}, result=True), tag)])

    assert line.startswith(f"{path} planned +1 -1, now nothing (edited ")


def test_chunks_that_came_or_went_are_named(make, digests):
    document = make({TAG: would()})
    other = "cmd_|-run_|-true_|-run"

    assert list(of_outcomes(document, [present(digests, would({"cmd": "true"}), other)])) == [
        "cmd.run true is not in the plan, now new: /x".replace("new: /x", "cmd: true"),
        "/x planned changes, now it does not run",
    ]
    key = digests.of(TAG)
    assert list(of_lows(document, {key: (digests.of(LOW), "/x")})) == []
    assert list(of_lows(document, {key: ("other", "/x"), "new": ("d", "cmd.run true")})) == [
        "/x has other arguments than planned",
        "cmd.run true is not in the plan",
    ]
    assert list(of_lows(document, {})) == ["/x is in the plan but no longer in the states"]


def test_entries_that_differ_are_named():
    found = of_maps({"a": "1", "b": "1", "c": "1"}, {"b": "2", "c": "1", "d": "1"}, "pillar ")

    assert list(found) == ["pillar a is gone", "pillar b has changed", "pillar d is new"]


def test_the_sentence_counts_states_and_names_ten_differences(make):
    document = make({TAG: would()})

    assert str(refusal(document, ["x"], 1)) == "web7: not applied, 1 of 1 differ: x"
    assert str(refusal(document, ["pillar a is new"], 0)) == (
        "web7: not applied, it is not as planned: pillar a is new"
    )
    assert str(refusal(document, [str(n) for n in range(12)], 12)).endswith("; 9; and 2 more")
