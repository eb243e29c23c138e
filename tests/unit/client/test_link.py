"""Tag filters, and tags named by replies."""

from salt_g.client.link import TagFilter, followed_tags

JID = "20260102030405678901"


def test_a_tag_is_wanted_when_any_subscription_matches_it():
    tag_filter = TagFilter()
    tag_filter.add(f"salt/job/{JID}")
    tag_filter.add("*/start", "fnmatch")

    assert tag_filter.want(f"salt/job/{JID}/ret/a")
    assert tag_filter.want("salt/minion/x/start")
    assert not tag_filter.want("salt/auth")


def test_subscriptions_are_bounded_and_the_oldest_goes_first():
    tag_filter = TagFilter(most=2)
    for tag in ("a", "b", "c"):
        tag_filter.add(tag)

    assert (len(tag_filter), tag_filter.want("a"), tag_filter.want("c")) == (2, False, True)


def test_a_removed_subscription_does_not_count():
    tag_filter = TagFilter()
    tag_filter.add("a")
    tag_filter.remove("a")
    tag_filter.remove("never there")

    assert not tag_filter.want("a")


def test_the_job_that_a_reply_names_is_followed():
    assert followed_tags({"enc": "clear", "load": {"jid": JID, "minions": []}}) == [f"salt/job/{JID}"]
    assert followed_tags({"tag": f"salt/run/{JID}", "jid": JID}) == [f"salt/run/{JID}"]
    assert followed_tags({"tag": f"salt/batch/{JID}", "jid": JID}) == [f"salt/batch/{JID}", f"salt/job/{JID}"]
    assert followed_tags({"load": {"jid": None}}) == followed_tags("") == followed_tags({}) == []
