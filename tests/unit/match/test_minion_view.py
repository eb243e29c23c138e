"""A minion as seen by matchers: unknown data matches nothing, unless the minion itself decides."""

from salt_g.match.matchers import matches
from salt_g.match.minion_view import MinionView


def test_a_minion_without_data_matches_by_its_id_only():
    minion = MinionView("web1")

    assert matches("web*", "glob", minion)
    assert not matches("os:X", "grain", minion)
    assert not matches("N@web", "compound", minion)
    assert minion.data("any") is None


def test_a_minion_that_the_master_does_not_know_may_match_any_data():
    minion = MinionView("web1", is_unknown=True)

    assert matches("os:X", "grain", minion) and matches("role:web", "pillar", minion)
    assert not matches("db*", "glob", minion)


def test_pillar_may_be_compared_as_a_whole_only():
    loose = MinionView("web1", pillar={"role": "web"})

    assert matches("role:w*", "pillar", loose)
    assert not matches("role:w*", "pillar", loose._replace(exact_pillar=True))
    assert matches("role:web", "pillar", loose._replace(exact_pillar=True))
