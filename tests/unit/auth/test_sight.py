"""Jobs, calls and minions visible to a user."""

import pytest

from salt_g.auth.sight import Sight

WEB = {"web*": ["test.*"]}
IDS = {"web*": frozenset(("web1", "web2")), "db*": frozenset(("db1",))}


def sight(*grants):
    return Sight("ann", grants, lambda target: IDS.get(target, frozenset()))


@pytest.mark.parametrize(
    ("grants", "fun", "ids"),
    [
        ([[".*"]], "", None),
        ([[".*"]], "grains.items", None),
        ([["test.*"]], "grains.items", frozenset()),
        ([[{"*": ["test.*"]}]], "", None),
        ([[WEB]], "", {"web1", "web2"}),
        ([[WEB]], "grains.items", frozenset()),
        ([[WEB, {"db*": [".*"]}]], "grains.items", {"db1"}),
        ([["@runner", "@wheel"]], "", frozenset()),
        ([[{"web*": []}]], "", frozenset()),
        ([[".*"], [WEB]], "test.ping", {"web1", "web2"}),
        ([[WEB], [{"db*": [".*"]}]], "", frozenset()),
        ([[]], "", frozenset()),
    ],
)
def test_minions_are_seen_where_something_may_be_run(grants, fun, ids):
    assert sight(*grants).ids(fun) == ids


def test_own_jobs_are_seen_within_the_limits_of_a_token():
    assert sight([]).may_see_job("ann", "cmd.run", [], ["m1"])
    assert not sight([], ["test.*"]).may_see_job("ann", "cmd.run", [], ["m1"])
    assert not sight(["test.*"]).may_see_job("bob", "cmd.run", [], ["m1"])


def test_a_token_never_widens_what_its_user_may():
    assert not sight(["test.*"], [".*"]).may_run("cmd.run", ["m1"])
    assert not sight([".*"], ["test.*"]).may_run("cmd.run", ["m1"])
    assert sight([".*"], ["test.*"]).may_run("test.ping", ["m1"])
    assert not sight(["@wheel"], ["@runner"]).may_call("wheel", "key.list_all")


def test_everything_is_seen_with_a_permission_for_it():
    assert sight(["@events"]).is_full
    assert sight(["@events"]).may_see_job("bob", "cmd.run", [], ["m1"])
    assert not sight([WEB]).is_full
    assert sight(["@wheel"]).sees_keys


def test_a_login_named_root_is_not_the_hosts_root():
    limited = Sight("root", [["test.*"]], lambda target: frozenset())

    assert not limited.may_see_job("root", "cmd.run", [], ["m1"])
    assert not limited.may_see_call("root", "wheel", "key.accept")
    assert limited.may_see_job("root", "test.ping", [], ["m1"])
