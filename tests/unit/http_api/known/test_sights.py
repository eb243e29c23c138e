"""Visibility for users, as requested from the master."""

from salt_g.http_api.known.sights import sight_of


def test_targets_of_permissions_are_resolved_once(parts, master):
    master.answers["permission_ids"] = ["web1"]
    rights = {"user": "ann", "permissions": [{"web*": ["test.*"]}]}
    sight = sight_of(parts, rights, "::1")

    assert sight.ids() == sight.ids("test.ping") == {"web1"}
    assert sum(load["cmd"] == "permission_ids" for load, _ in master.requests) == 1


def test_limits_of_a_token_count_beside_the_rights_of_its_user(parts):
    rights = {"user": "ann", "permissions": [".*"], "limits": ["test.*"]}

    assert not sight_of(parts, rights, "::1").may_run("cmd.run", ["m1"])
    assert not sight_of(parts, {**rights, "limits": []}, "::1").may_run("test.ping", ["m1"])
