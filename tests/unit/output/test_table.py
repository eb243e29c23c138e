from salt_g import output

ROWS = [{"name": "eth0", "is_up": True}, {"name": "lo", "is_up": False}]


def test_rows_are_under_titles_made_of_their_keys():
    assert output.render("table", {"m1": {"out": ROWS}}, {"out.table.rows_key": "out"}) == (
        "    ----------------\n"
        "    | Is Up | Name |\n"
        "    ----------------\n"
        "    |  True | eth0 |\n"
        "    ----------------\n"
        "    | False |  lo  |\n"
        "    ----------------"
    )


def test_long_cells_are_wrapped_at_spaces():
    text = output.render("table", [["a long text"]], {"out.table.width": 7})

    assert text.splitlines()[1:-1] == ["    | a long |", "    |  text  |"]


def test_rows_of_several_types_show_nothing():
    assert output.render("table", [["a"], "b"], {}) == ""


def test_columns_can_be_justified_and_rules_left_out():
    opts = {"out.table.justify": "left", "out.table.separate_rows": False, "out.table.has_header": False}

    assert output.render("table", [["a", "bb"], ["ccc", "d"]], opts) == "    | a   | bb |\n    | ccc | d  |"
