"""Positions of words in indented text."""

from salt_g.formats import indented_blocks

TEXT = "web:\n  pkg.installed:\n    - name: nginx-light\n    - pkgs: [nginx]\n# x\n  y\nb:\n  nginx\n"
LINES = TEXT.splitlines()


def test_a_whole_word_is_preferred_to_a_part():
    assert indented_blocks.line_with(LINES, "nginx") == (4, 14)
    assert indented_blocks.line_with(LINES, "ngin") == (3, 13)
    assert indented_blocks.line_with(LINES, "nginx", start=5) == (8, 3)
    assert indented_blocks.line_with(LINES, "nginx", start=5, end=7) == (0, 0)


def test_a_block_ends_before_the_next_line_that_is_not_further_inside():
    assert indented_blocks.block_end(LINES, 1) == 6
    assert indented_blocks.block_end(LINES, 3) == 3
    assert indented_blocks.block_end(["a:", "- 1", "- 2", "b:"], 1) == 3
    assert indented_blocks.block_end(["- 1", "- 2"], 1) == 1
    assert indented_blocks.block_end(LINES, 0) == indented_blocks.block_end(LINES, 99) == len(LINES)


def test_each_word_is_in_the_block_of_the_one_before():
    lines = "aa:\n  test.nop:\n    - name: aa\n    - require:\n      - test: aa\nb: aa".splitlines()

    assert indented_blocks.narrowed(lines, 1, ("aa",)) == (3, 13)
    assert indented_blocks.narrowed(lines, 1, ("require", "aa")) == (5, 15)
    assert indented_blocks.narrowed(lines, 1, ("require", "nosuch", "")) == (4, 7)
    assert indented_blocks.narrowed(lines, 1, ("req", "b")) == (1, 1)


def test_without_a_line_the_whole_text_is_looked_through():
    assert indented_blocks.narrowed(LINES, 0, ("y",)) == (6, 3)
    assert indented_blocks.narrowed(LINES, 0, ("nosuch",)) == (0, 0)


def test_a_column_is_that_of_the_text():
    assert [indented_blocks.first_column(LINES, line) for line in (2, 0, 99)] == [3, 0, 0]
