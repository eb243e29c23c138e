"""Real root directories: commands, files and states inside a chroot."""

import os

from tests.support.file_trees import snapshot

SLS = """
/etc/app:
  file.directory:
    - user: app
    - group: staff
    - mode: '0750'
/etc/app/conf:
  file.managed:
    - source: salt://conf.jinja
    - template: jinja
    - user: app
    - mode: '0640'
/etc/current:
  file.symlink:
    - target: /etc/app/conf
/etc/old:
  file.absent: []
shown:
  cmd.run:
    - name: cat /etc/current
    - onchanges:
      - file: /etc/app/conf
"""
CONF = "id={{ grains.id }} os={{ grains.os }} says={{ salt['cmd.run']('cat /etc/passwd').split(':')[0] }}\n"


def test_commands_run_below_the_root_as_its_users(inside, image):
    call = inside({"image": {"root": str(image)}})

    who = call("image", "cmd.run", "id -u; id -g; pwd; echo $HOME", "runas=app", "group=staff", "cwd=/srv")

    assert (
        call("image", "cmd.run", "cat /etc/os-release").value == (image / "etc/os-release").read_text()[:-1]
    )
    assert who.value == "1234\n50\n/srv\n/srv"
    assert call("image", "cmd.retcode", "ls /").value == 127
    assert "User 'nobody' is not available" in call("image", "cmd.run", "id", "runas=nobody").value
    assert call("image", "grains.get", "os").value == "Tiny"


def test_files_are_those_below_the_root_even_where_links_lead_out(inside, image, tmp_path):
    call = inside({"image": {"root": str(image)}})

    call("image", "file.write", "/etc/motd", "hello")
    escaped = call("image", "file.write", "/out/note", "hello")

    assert (image / "etc/motd").read_text() == "hello\n"
    assert call("image", "file.read", "/etc/motd").value == "hello\n"
    assert call("image", "file.find", "/etc", "name=mo*").value == ["/etc/motd"]
    assert call("image", "file.file_exists", "/etc/hostname").value is False
    assert escaped.code == 1
    assert not os.listdir(tmp_path / "outside")


def test_states_converge_a_root_and_report_its_own_paths(inside, image):
    call = inside({"image": {"root": str(image)}})
    call.write({"web.sls": SLS, "conf.jinja": CONF})
    (image / "etc/old").write_text("x")

    planned = call("image", "state.apply", "web", "test=True")
    first = call("image", "state.apply", "web")
    second = call("image", "state.apply", "web")

    assert (image / "etc/app/conf").read_text() == "id=image os=Tiny says=root\n"
    assert os.readlink(image / "etc/current") == "/etc/app/conf"
    assert not (image / "etc/old").exists()
    found = os.stat(image / "etc/app/conf")
    assert (found.st_uid, oct(found.st_mode & 0o777)) == (1234, "0o640")
    assert {one["result"] for one in planned.value.values()} == {None}
    assert {one["result"] for one in first.value.values()} == {True}
    assert first.value["cmd_|-shown_|-cat /etc/current_|-run"]["changes"]["stdout"] == CONF_WAS
    assert [one["changes"] for one in second.value.values()] == [{}] * 5
    assert str(image) not in f"{planned.value}{first.value}{second.value}"


CONF_WAS = "id=image os=Tiny says=root"


def test_files_below_a_root_are_as_they_were_after_an_undo(inside, image, tmp_path):
    (image / "etc/old").write_text("x")
    call = inside({"image": {"root": str(image)}})
    call.write({"web.sls": SLS, "conf.jinja": CONF})
    before = snapshot(image)

    applied = call("image", "state.apply", "web", state_undo=True)
    undone = call("image", "state.undo", "last", state_undo=True)

    assert applied.code == 0, applied.value
    assert snapshot(image) == before, undone
    assert sorted(undone.value["restored"]) == ["/etc/app", "/etc/app/conf", "/etc/current", "/etc/old"]
    assert [one["fun"] for one in undone.value["not_reversible"]] == ["cmd.run"]
