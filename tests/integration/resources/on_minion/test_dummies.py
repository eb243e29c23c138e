"""Dummy resources through a real minion of a real master."""

import json
import re

SLS = """
vim:
  pkg.installed: []
samba:
  service.running: []
{{ grains.id }}:
  test.nop: []
"""


def test_dummies_are_targeted_and_answer_like_minions(two_dummies):
    assert two_dummies.salt("*", "test.ping").minions == {"m1": True, "d-01": True, "d-02": True}
    assert two_dummies.salt("d-*", "test.ping").minions == {"d-01": True, "d-02": True}
    assert two_dummies.salt("d-01", "test.ping").minions == {"d-01": True}
    assert two_dummies.salt("m1", "test.ping").minions == {"m1": True}
    assert two_dummies.salt("-C", "T@dummy and not T@dummy:d-01", "test.ping").minions == {"d-02": True}
    assert two_dummies.salt("-G", "resource_id:d-02", "test.ping").minions == {"d-02": True}
    assert two_dummies.salt("-L", "d-01,m1", "test.ping").minions == {"d-01": True, "m1": True}
    assert two_dummies.salt("m1", "grains.get", "salt_resources").minions == {
        "m1": {"dummy": ["d-01", "d-02"]}
    }


def test_an_unsupported_function_is_refused_and_several_functions_are_answered(two_dummies):
    refused = two_dummies.salt("d-01", "cmd.run", "id")
    several = two_dummies.salt("d-01", "test.ping,service.get_all", ",")

    assert refused.code == 1
    assert refused.minions["d-01"].startswith(
        "Function 'cmd.run' is not supported for resource type 'dummy'. It offers: "
    )
    assert several.minions == {"d-01": {"test.ping": True, "service.get_all": ["apache", "ntp", "samba"]}}


def test_states_run_in_the_place_of_a_dummy_and_the_minions_own_beside_it(manage):
    manage.write({"web.sls": SLS, "own.sls": "own:\n  test.nop: []\n"})
    manage.write(
        {"top.sls": json.dumps({"base": {"T@dummy": [{"match": "compound"}, "web"], "m1": ["own"]}})}
    )
    manage({"dummy": {"resource_ids": ["d-01", "d-02"]}})
    manage.until_answered("d-01", "test.ping")

    test_run = manage.salt("d-01", "state.apply", "web", "test=True")
    first = manage.salt("*", "state.highstate")
    second = manage.salt("d-02", "state.highstate")

    results = {tag.split("_|-")[1]: one["result"] for tag, one in test_run.minions["d-01"].items()}
    assert results == {"vim": None, "samba": None, "d-01": True}
    assert first.code == 0
    assert sorted(first.minions) == ["d-01", "d-02", "m1"]
    assert list(first.minions["m1"]) == ["test_|-own_|-own_|-nop"]
    vim = first.minions["d-02"]["pkg_|-vim_|-vim_|-installed"]
    assert vim["changes"] == {"vim": {"old": "", "new": "1.0"}}
    assert not any(one["changes"] for one in second.minions["d-02"].values())


def test_a_state_that_the_type_cannot_do_fails_alone_and_says_what_is_missing(two_dummies, daemon_root):
    path = daemon_root / "never"
    two_dummies.write(
        {
            "mixed.sls": f"{path}:\n  file.managed: []\n"
            "root:\n  user.present: []\n"
            "fine:\n  test.nop:\n    - unless: 'true'\n"
            "good:\n  test.nop: []\n"
        }
    )

    applied = two_dummies.salt("d-01", "state.apply", "mixed")

    found = {
        tag.split("_|-")[1]: (one["result"], one["comment"]) for tag, one in applied.minions["d-01"].items()
    }
    assert applied.code == 1
    assert found.pop("good")[0] is True
    assert found.pop(str(path)) == (
        False,
        "State 'file.managed' cannot run on resource type 'dummy': it works on the managing minion itself;"
        " the type offers pkg, service, test.",
    )
    assert re.match(
        r"State 'user.present' cannot run on resource type 'dummy': it needs user\.\w+.*;"
        r" the type offers pkg, service, test\.$",
        found["root"][1],
    )
    assert found["fine"][0] is False
    assert found["fine"][1].startswith("Function 'cmd.retcode' is not supported for resource type 'dummy'.")
    assert not path.exists()


def test_a_missing_sls_and_a_top_file_for_others_are_failures(two_dummies):
    missing = two_dummies.salt("d-01", "state.apply", "nosuch")
    unmatched = two_dummies.salt("d-01", "state.highstate")

    assert missing.code == 1
    assert missing.minions["d-01"] == ["No matching sls found for 'nosuch' in env 'base'"]
    assert unmatched.code == 1
    (entry,) = unmatched.minions["d-01"].values()
    assert entry["name"] == "states"
    assert entry["comment"] == "No Top file or master_tops data matches found for resource 'd-01'."


def test_a_resource_gone_from_pillar_is_removed_and_minion_only_functions_run_on_the_minion(manage):
    minion = manage({"dummy": {"resource_ids": ["d-01", "d-02", "we ird", 42]}})
    manage.until_answered("d-01", "test.ping")

    house = manage.salt("*", "saltutil.running")
    number = manage.salt("42", "test.ping")
    manage.give({"dummy": {"resource_ids": ["d-02"]}})
    manage.salt("m1", "saltutil.refresh_pillar", "wait=True")
    manage.wait_for(minion, "1 resources of 1 types")
    manage.until_answered("d-02", "test.ping")

    assert house.minions == {"m1": []}
    assert number.minions == {"42": True}
    assert "resource at resources:dummy:resource_ids[2] ignored" in minion.log()
    assert manage.salt("d-01", "test.ping").code != 0
    assert manage.salt("m1", "grains.get", "salt_resources").minions == {"m1": {"dummy": ["d-02"]}}


def test_a_thousand_dummies_all_answer(manage):
    ids = [f"d-{number:04d}" for number in range(1000)]
    manage({"dummy": {"resource_ids": ids}})
    manage.until_answered("d-0999", "test.ping")

    everyone = manage.salt("-C", "T@dummy", "test.ping")

    assert everyone.code == 0
    assert everyone.minions == dict.fromkeys(ids, True)


def test_state_runs_of_one_manager_are_shown_as_one_block_when_asked_for(two_dummies):
    two_dummies.write({"web.sls": SLS})

    block = two_dummies.salt("*", "state.apply", "web", "--resources-block", as_json=False)
    each = two_dummies.salt("-C", "T@dummy", "state.single", "test.nop", "x", "--resources-block")

    assert block.out.startswith("m1:\n")
    assert block.out.count("Summary for m1") == 1
    assert "ID: d-01 vim" in block.out
    assert "ID: d-02 samba" in block.out
    assert list(each.minions["m1"]) == ["test_|-d-01 x_|-d-01 x_|-nop", "test_|-d-02 x_|-d-02 x_|-nop"]


def test_a_call_through_the_master_reaches_resources_and_the_minions_own_is_reported(two_dummies, salt_g):
    two_dummies.write({"web.sls": SLS})
    words = ("call", "-c", str(two_dummies.minion.config_dir), "--out=json", "-r")

    pinged = salt_g.run(*words, "test.ping")
    applied = salt_g.run(*words, "--tgt", "d-*", "state.apply", "web")

    assert pinged.value == {"m1": True, "d-01": True, "d-02": True}
    assert (applied.code, list(applied.value)) == (0, ["d-01", "d-02"])


def test_returners_get_the_returns_of_resources_under_their_ids(manage, daemon_root):
    manage.write(
        {
            "_returners/tofile.py": "def returner(ret):\n"
            f"    with open({str(daemon_root)!r} + '/returned', 'a') as file:\n"
            "        file.write(f\"{ret['id']} {ret['fun']} {ret['return']}\\n\")\n"
        }
    )
    manage({"dummy": {"resource_ids": ["d-01"]}})
    manage.until_answered("d-01", "test.ping")
    manage.salt("m1", "saltutil.sync_all")

    manage.salt("d-01", "service.status", "ntp", "--return", "tofile")

    assert (daemon_root / "returned").read_text() == "d-01 service.status True\n"


def test_pillar_is_made_for_single_resources_and_for_nobody_else(manage):
    manage({"dummy": {"resource_ids": ["d-01", "d-02"]}})
    manage.until_answered("-C", "T@dummy", "test.ping")
    pillar = manage.master.root / "pillar"
    top = json.loads(json.dumps({"m1": ["m1"], "*": ["all"], "T@dummy": ["dummies"], "d-02": ["second"]}))
    (pillar / "top.sls").write_text(json.dumps({"base": top}))
    (pillar / "all.sls").write_text("who: {{ grains.id }}\n")
    (pillar / "dummies.sls").write_text("me: {{ grains.id }} {{ grains.dummy_grain_1 }}\nteam: blue\n")
    (pillar / "second.sls").write_text("secret: x\n")
    manage.write({"web.sls": "{{ pillar.me }} of {{ pillar.who }}:\n  test.nop: []\n"})

    shown = manage.salt("-C", "T@dummy", "pillar.items", "unmask=True").minions
    applied = manage.salt("-C", "T@dummy", "state.apply", "web").minions
    before = manage.salt("d-02", "pillar.get", "secret", "unmask=True").minions
    manage.salt("m1", "saltutil.refresh_pillar", "wait=True")
    manage.until_answered("-I", "team:blue", "test.ping")

    assert {id: [got["who"], got["me"], got.get("secret")] for id, got in shown.items()} == {
        "d-01": ["m1", "d-01 one", None],
        "d-02": ["m1", "d-02 one", "x"],
    }
    assert {id: list(run) for id, run in applied.items()} == {
        id: [f"test_|-{id} one of m1_|-{id} one of m1_|-nop"] for id in ("d-01", "d-02")
    }
    assert before == {"d-02": ""}
    assert manage.salt("-I", "team:blue", "test.ping").minions == {"d-01": True, "d-02": True}
    assert manage.salt("-I", "secret:x", "test.ping").minions == {"d-02": True}
    assert manage.salt("d-*", "pillar.get", "secret", "unmask=True").minions == {"d-01": "", "d-02": "x"}
    assert "team" not in manage.salt("m1", "pillar.items", "unmask=True").minions["m1"]


def test_services_of_a_dummy_are_as_they_were_after_an_undo(manage):
    manage.write({"web.sls": SLS})
    manage({"dummy": {"resource_ids": ["d-01", "d-02"]}}, state_undo=True)
    manage.until_answered("d-01", "test.ping")
    applied = manage.salt("d-*", "state.apply", "web")
    assert applied.code == 0, applied

    foreseen = manage.salt("d-01", "state.undo", "last", "test=True").minions["d-01"]
    undone = manage.salt("d-01", "state.undo", "last").minions["d-01"]

    assert foreseen["comment"].startswith("0 paths would go back, 1 service would go back, not reversible: ")
    assert undone["services"] == ["samba"]
    assert [one["fun"] for one in undone["not_reversible"]] == ["pkg.installed"]
    assert manage.salt("d-*", "service.status", "samba").minions == {"d-01": False, "d-02": True}
    assert (
        "All recorded state runs have been undone"
        in manage.salt("d-01", "state.undo", "last").minions["d-01"]
    )
    assert "No state run is recorded here" in manage.salt("m1", "state.undo", "last").minions["m1"]
