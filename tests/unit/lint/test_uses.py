"""Names used by compiles."""

from salt_g.lint.uses import Uses, of_pillar


def test_an_inner_block_counts_for_the_outer_one():
    uses = Uses()
    with uses.collecting() as outer:
        uses.note("a")
        with uses.collecting() as inner:
            uses.note("b", of_pillar("c"))
        uses.note("d")
    uses.note("nobody collects this")

    assert inner == {"b", "pillar:c"}
    assert outer == {"a", "b", "pillar:c", "d"}
