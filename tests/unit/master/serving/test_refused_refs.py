"""Events about branches whose advance signed trees refuse."""

from salt_g.event.bus import Bus
from salt_g.git.verified_refs import RefusedRef
from salt_g.master.serving.refused_refs import RefusedRefs

ONE = RefusedRef("states", "branch/master", "c1", "c0", "it has no signature")


def test_each_refused_commit_is_one_event():
    seen = []
    bus = Bus()
    bus.fire_payload = seen.append
    refused = RefusedRefs(bus)

    for now in ([ONE], [ONE], [], [ONE._replace(commit="c2")], [ONE._replace(commit="c2")]):
        refused.report("gitfs", now)
    refused.report("git_pillar", [ONE])

    assert [(tag, data["commit"]) for tag, data in seen] == [
        ("salt/fileserver/gitfs/refused", "c1"),
        ("salt/fileserver/gitfs/refused", "c2"),
        ("salt/fileserver/git_pillar/refused", "c1"),
    ]
    assert seen[0].data == {"backend": "gitfs", **ONE._asdict()}
