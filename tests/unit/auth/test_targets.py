"""Targets of permissions: data reported by minions themselves does not count."""

from salt_g.auth.targets import PermissionTargets

GROUPS = {"web": "L@web1,web2", "deb": "G@os:Debian", "both": ["N@web", "or", "N@deb"]}


def targets(calls):
    def resolve(target, tgt_type, greedy):
        calls.append((target, tgt_type, greedy))
        return frozenset({"web1"})

    return PermissionTargets(GROUPS, resolve)


def test_ids_and_nodegroups_of_ids_are_resolved():
    calls = []

    assert targets(calls).ids("web*") == {"web1"}
    assert targets(calls).ids("N@web") == {"web1"}
    assert calls == [("web*", "compound", True), ("N@web", "compound", True)]


def test_grains_bring_no_minion_into_a_permission_or_out_of_one():
    calls = []

    for target in (
        "G@os:Debian",
        "web* and not G@os:Debian",
        "(P@os:D.*)",
        "S@10.0.0.0/8",
        "N@both",
        "G;@a;b",
        "Gx@osxDebian",
        "web* and not Px@osxD.*",
        "R@%all",
        "D@key:value",
        "not G@os:Debian",
    ):
        assert targets(calls).ids(target) == frozenset()
    assert calls == []


def test_minions_without_pillar_are_left_out_where_pillar_decides():
    calls = []

    targets(calls).ids("I@role:web")

    assert calls == [("I@role:web", "compound", False)]


def test_a_missing_group_has_no_members():
    assert targets([]).ids("N@nope") == frozenset()
