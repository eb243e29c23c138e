from salt_g.modules.mysql.querying import statements


def test_a_file_is_taken_apart_at_its_semicolons():
    text = """
    -- a comment; here
    INSERT INTO t VALUES ('a;b', "c\\";d", `e;`); # and; there
    /* one; more */ SELECT 1 -- end
    ;
    /*!40101 SET x = 1 */;
    unfinished
    """

    assert [" ".join(statement.split()) for statement in statements(text)] == [
        'INSERT INTO t VALUES (\'a;b\', "c\\";d", `e;`)',
        "SELECT 1",
        "/*!40101 SET x = 1 */",
    ]
