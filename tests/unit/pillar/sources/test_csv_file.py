"""The row of a minion in a table."""

import pytest

from salt_g.pillar.sources.csv_file import csv


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('id,role,note\nm1,web,"a, b"\nm2,db,\nm1,later,\n', encoding="utf-8")
    return str(path)


def test_the_first_row_of_the_minion_counts(table):
    assert csv("m1", {}, table) == {"id": "m1", "role": "web", "note": "a, b"}


def test_a_minion_without_a_row_has_nothing(table):
    assert csv("m", {}, table) == {}
    assert csv("m", {}, table, namespace="row") == {}


def test_another_column_may_hold_the_id_and_the_row_stand_below_a_key(table):
    assert csv("db", {}, table, idkey="role", namespace="row") == {
        "row": {"id": "m2", "role": "db", "note": ""}
    }


def test_names_of_columns_may_be_given_with_names_for_the_rest(table):
    assert csv("m1", {}, table, fieldnames=["id"], restkey="more") == {"id": "m1", "more": ["web", "a, b"]}
    assert csv("m2", {}, table, fieldnames=["id", "a", "b", "c"], restval="-")["c"] == "-"
