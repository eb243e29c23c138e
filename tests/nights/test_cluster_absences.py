"""Connections of minions, which the night of a cluster reads from their logs."""

from tests.nights.cluster_absences import Connection, connections, evidence, missed_by_design

LOG = """\
100.000 signed in as n0
100.500 minion n0 is ready for jobs of master 127.0.0.1:1
130.000 master 127.0.0.1:1: no connection to its publisher for 2 s
131.000 master 127.0.0.1:2: it did not answer within 5 s; trying the next one
  a line of a traceback
260.000 minion n0 is ready for jobs of master 127.0.0.1:3
"""
FOUND = [Connection("127.0.0.1:1", 100.5, 128.0), Connection("127.0.0.1:3", 260.0)]


def test_a_connection_lasts_until_its_minion_knows_that_it_is_lost():
    assert connections(LOG) == FOUND
    assert connections("") == []


def test_a_job_is_missed_by_design_without_a_connection_in_the_time_in_which_it_is_given_again():
    moments = {moment: missed_by_design(FOUND, moment) for moment in (110.0, 150.0, 199.0, 201.0, 300.0)}

    assert moments == {110.0: False, 150.0: True, 199.0: True, 201.0: False, 300.0: False}


def test_a_job_of_a_minion_that_was_connected_is_given_again_for_longer():
    late = [FOUND[0], FOUND[1]._replace(since=310.0)]

    assert not missed_by_design(FOUND, 127.0)
    assert missed_by_design(late, 127.0)
    assert missed_by_design(FOUND, 129.0)


def test_the_connections_near_a_job_are_shown_in_seconds_after_it():
    assert evidence(FOUND, 150.0) == "127.0.0.1:1 -49.5 to -22.0, 127.0.0.1:3 +110.0 to the end"
    assert evidence([], 150.0) == "no connection near"
