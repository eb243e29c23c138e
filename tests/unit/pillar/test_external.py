"""External pillars: their calls, merging and permitted failures."""

import pytest

from salt_g import api
from salt_g.loader.dunders import CurrentEnv, CurrentOpts

TREE = {"base/top.sls": "base:\n  '*':\n    - p\n", "base/p.sls": "x: tree\nd: {a: 1}\nseen: <pillar>"}


def test_external_pillars_merge_over_the_tree(compile_pillar):
    pillar = compile_pillar(
        TREE,
        opts={"ext_pillar": [{"cmd_yaml": "echo %s"}, {"cmd_json": "echo"}]},
        functions={
            "cmd.run_stdout": lambda command, python_shell: f"x: {command}\nd: {{b: 2}}",
            "cmd.run": lambda command: '{"j": [1]}',
        },
    )

    assert pillar == {"x": "echo web1", "d": {"a": 1, "b": 2}, "seen": [], "j": [1]}


def test_external_pillars_may_come_first(compile_pillar):
    pillar = compile_pillar(
        TREE,
        opts={"ext_pillar": [{"cmd_json": "echo"}], "ext_pillar_first": True},
        functions={"cmd.run": lambda command: '{"x": "ext", "e": 1}'},
    )

    assert pillar == {"x": "tree", "e": 1, "d": {"a": 1}, "seen": ["e", "x"]}


def test_a_command_that_fails_is_not_the_exit_code_of_the_call(compile_pillar):
    def failing(command):
        api.current().scratch["retcode"] = 1
        return ""

    compile_pillar(TREE, opts={"ext_pillar": [{"cmd_json": "x"}]}, functions={"cmd.run": failing})

    assert "retcode" not in api.current().scratch


def test_unknown_and_unreadable_ones_are_left_out(compile_pillar):
    pillar = compile_pillar(
        TREE,
        opts={"ext_pillar": [{"cmd_json": "x"}, {"nosuchext": 1}]},
        functions={"cmd.run": lambda command: "nojson"},
    )

    assert "_errors" not in pillar


def test_a_users_plugin_gets_arguments_by_their_shape(compile_pillar):
    def plugin(minion_id, pillar, *args, **kwargs):
        return {minion_id: [*args, kwargs]}

    for arguments, seen in (({"k": 1}, [{"k": 1}]), ([1, 2], [1, 2, {}]), ("t", ["t", {}])):
        pillar = compile_pillar(
            {}, opts={"ext_pillar": [{"mine": arguments}]}, tables={"pillar": {"mine.ext_pillar": plugin}}
        )
        assert pillar == {"web1": seen}


def test_values_that_follow_the_call_become_their_present_content(compile_pillar):
    def plugin(minion_id, pillar, argument):
        return {"opts": CurrentOpts(), "nested": [{"facts": api.grains}], "env": CurrentEnv()}

    pillar = compile_pillar(
        {},
        grains={"os": "Debian"},
        opts={"ext_pillar": [{"mine": 1}], "own": "setting"},
        tables={"pillar": {"mine.ext_pillar": plugin}},
    )

    assert type(pillar["opts"]) is dict and pillar["opts"]["own"] == "setting"
    assert pillar["nested"] == [{"facts": {"os": "Debian"}}] and type(pillar["nested"][0]["facts"]) is dict
    assert type(pillar["env"]) is str


@pytest.mark.parametrize("error", [RuntimeError("no database"), SystemExit("no database")])
def test_one_that_raises_is_an_error(compile_pillar, error):
    def plugin(minion_id, pillar, argument):
        raise error

    pillar = compile_pillar(
        TREE, opts={"ext_pillar": [{"mine": 1}]}, tables={"pillar": {"mine.ext_pillar": plugin}}
    )

    assert pillar["x"] == "tree"
    assert pillar["_errors"] == ["Failed to load ext_pillar mine: no database"]


def test_a_malformed_setting_is_an_error(compile_pillar):
    assert compile_pillar({}, opts={"ext_pillar": ["x"]})["_errors"] == [
        'The "ext_pillar" option is malformed'
    ]


def test_one_on_demand_has_to_be_allowed(compile_pillar):
    functions = {"cmd.run": lambda command: '{"j": 1}'}
    allowed = {"on_demand_ext_pillar": ["cmd_json"]}

    assert compile_pillar({}, functions=functions, ext={"cmd_json": "x"}) == {}
    assert compile_pillar({}, functions=functions, ext={"cmd_json": "x"}, opts=allowed) == {"j": 1}


def test_nodegroups_lists_the_groups_of_the_minion(compile_pillar):
    pillar = compile_pillar(
        {}, opts={"ext_pillar": [{"nodegroups": "groups"}], "nodegroups": {"w": "web*", "d": "db*"}}
    )

    assert pillar == {"groups": ["w"]}


def test_csv_gives_the_row_of_the_minion(compile_pillar, tmp_path):
    (tmp_path / "t.csv").write_text("id,role\ndb1,db\nweb1,web\n")

    pillar = compile_pillar(
        {}, opts={"ext_pillar": [{"csv": {"path": f"{tmp_path}/t.csv", "namespace": "row"}}]}
    )

    assert pillar == {"row": {"id": "web1", "role": "web"}}


def test_file_tree_nests_contents_and_the_host_wins(compile_pillar, tmp_path):
    for name, content in {
        "nodegroups/w/a/b": "group\n",
        "nodegroups/w/c": "c\n",
        "hosts/web1/a/b": "host\n",
    }.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    (tmp_path / "tree/hosts/web1/bin").write_bytes(b"\xff\x00")

    pillar = compile_pillar(
        {},
        opts={
            "ext_pillar": [{"file_tree": {"root_dir": f"{tmp_path}/tree", "keep_newline": ["c"]}}],
            "nodegroups": {"w": "web*"},
        },
    )

    assert pillar == {"a": {"b": "host"}, "c": "c\n", "bin": b"\xff\x00"}


@pytest.mark.parametrize(
    "listed",
    [
        [{"master file:///x": [{"verify": {"signers": "/s", "allow_rollback": True}}]}],
        [{"master file:///x": {"verify": False}}],
        {"master file:///x": [{"verify": False}]},
    ],
)
def test_a_minion_does_not_choose_the_signers_of_a_repository(listed, compile_pillar, caplog):
    compile_pillar({}, opts={"on_demand_ext_pillar": ["git"]}, ext={"git": listed})

    assert "the option verify is allowed only in the master's settings" in caplog.text
