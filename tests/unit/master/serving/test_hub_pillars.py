"""Pillar compiled on the hub of this process."""

from salt_g.master.serving.hub_pillars import HubPillars, PillarRequest


def test_each_minion_gets_its_own_values_from_shared_files(tmp_path):
    (tmp_path / "top.sls").write_text("base: {'*': [same, own]}\n")
    (tmp_path / "same.sls").write_text("same: {list: [1, 2]}\n")
    (tmp_path / "own.sls").write_text("id: {{ grains.id }}\n")
    roots = {"base": [str(tmp_path)]}
    pillars = HubPillars({"id": "master", "cachedir": str(tmp_path / "cache"), "pillar_roots": roots})

    for number in range(4):
        got = pillars.compiled(PillarRequest(f"m{number}", {"id": f"m{number}"}))

        assert got == {"same": {"list": [1, 2]}, "id": f"m{number}"}
        got["same"]["list"].append("changed")


def test_the_load_of_a_minion_never_names_another_id():
    wanted = PillarRequest.from_load("m1", {"grains": {"id": "other"}, "pillar_override": None})

    assert wanted.grains == {"id": "m1"}
    assert wanted.is_plain
