from salt_g.cli.setup import config


def test_settings_are_shown_with_their_origin(tmp_path, capsys):
    (tmp_path / "minion").write_text("id: web1\ngitfs_password: hunter2\n")

    code = config.main(["-c", str(tmp_path), "--changed", "id", "gitfs_password", "test"])

    assert code == 0
    assert capsys.readouterr().out == (
        f'id: "web1"  # {tmp_path}/minion:1\ngitfs_password: "**********"  # {tmp_path}/minion:2\n'
    )


def test_an_unknown_name_is_reported_with_the_nearest(tmp_path, capsys):
    (tmp_path / "minion").write_text("id: web1\n")

    code = config.main(["-c", str(tmp_path), "file_root"])

    assert code == 64
    assert capsys.readouterr().err == "no such setting: 'file_root'; nearest: 'file_roots'\n"


def test_a_config_that_cannot_be_used_is_reported(tmp_path, capsys):
    (tmp_path / "master").write_text("a: b: c\n")

    code = config.main(["-c", str(tmp_path), "--role", "master"])

    assert code == 64
    assert "master:1: not YAML" in capsys.readouterr().err


def test_settings_with_which_a_master_does_not_start_are_reported(tmp_path, capsys):
    (tmp_path / "master").write_text("change_freezes: [{name: xmas}]\n")

    code = config.main(["-c", str(tmp_path), "--role", "master"])

    assert code == 64
    assert "master:1: change_freezes: number 1 needs name" in capsys.readouterr().err


def test_output_without_names_is_yaml(tmp_path, capsys):
    from salt_g.formats import yaml_load

    (tmp_path / "minion").write_text("id: web1\n")
    config.main(["-c", str(tmp_path)])

    shown = yaml_load.load(capsys.readouterr().out)

    assert shown["id"] == "web1"
    assert shown["hash_type"] == "sha256"
