"""Wishes and the tags that replies name."""

from salt_g.client.link import TagFilter, followed_tags

JID = "20260102030405678901"


def test_a_tag_is_wanted_when_any_subscription_matches_it():
    wishes = TagFilter()
    wishes.add(f"salt/job/{JID}")
    wishes.add("*/start", "fnmatch")

    assert wishes.want(f"salt/job/{JID}/ret/a")
    assert wishes.want("salt/minion/x/start")
    assert not wishes.want("salt/auth")


def test_wishes_are_bounded_and_the_oldest_goes_first():
    wishes = TagFilter(most=2)
    for tag in ("a", "b", "c"):
        wishes.add(tag)

    assert (len(wishes), wishes.want("a"), wishes.want("c")) == (2, False, True)


def test_a_removed_subscription_does_not_count():
    wishes = TagFilter()
    wishes.add("a")
    wishes.remove("a")
    wishes.remove("never there")

    assert not wishes.want("a")


def test_the_job_that_a_reply_names_is_followed():
    assert followed_tags({"enc": "clear", "load": {"jid": JID, "minions": []}}) == [f"salt/job/{JID}"]
    assert followed_tags({"tag": f"salt/run/{JID}", "jid": JID}) == [f"salt/run/{JID}"]
    assert followed_tags({"tag": f"salt/batch/{JID}", "jid": JID}) == [f"salt/batch/{JID}", f"salt/job/{JID}"]
    assert followed_tags({"load": {"jid": None}}) == followed_tags("") == followed_tags({}) == []
