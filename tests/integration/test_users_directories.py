"""Safety of root in directories of other users, through the real command."""

import os
import pathlib
import pwd
import shutil
import subprocess
import tarfile
import tempfile
import zipfile

import pytest

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="makes files of several users")

NOBODY = pwd.getpwnam("nobody")


@pytest.fixture
def open_path():
    """Yield a directory that is open to all users, which pytest's own are not."""
    path = pathlib.Path(tempfile.mkdtemp(prefix="sg-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


@pytest.fixture
def home(open_path):
    """Return a directory of the user nobody, closed to other users."""
    home = open_path / "home"
    home.mkdir()
    os.chown(home, NOBODY.pw_uid, NOBODY.pw_gid)
    return home


def users_link(path, target):
    os.symlink(target, path)
    os.lchown(path, NOBODY.pw_uid, NOBODY.pw_gid)


def test_a_script_of_root_does_not_run_from_where_a_user_can_change_it(salt_g, home):
    salt_g.write({"where.sh": '#!/bin/sh\necho "$0 $PWD"\n'})

    done = salt_g("cmd.script", "salt://where.sh", f"cwd={home}").value

    script, where = done["stdout"].split()
    assert where == str(home)
    assert not script.startswith(str(home))
    assert os.listdir(home) == []


def test_a_script_of_the_directorys_user_runs_from_there(salt_g, home):
    salt_g.write({"where.sh": '#!/bin/sh\necho "$0 $(id -un) $(stat -c %U:%a "$0")"\n'})

    done = salt_g("cmd.script", "salt://where.sh", f"cwd={home}", "runas=nobody").value

    script, user, owner = done["stdout"].split()
    assert os.path.dirname(script) == str(home)
    assert (user, owner) == ("nobody", "nobody:500")
    assert os.listdir(home) == []


def test_a_directory_behind_a_users_link_is_not_a_place_for_a_script(salt_g, home, tmp_path):
    (tmp_path / "etc").mkdir()
    users_link(home / "link", tmp_path / "etc")
    salt_g.write({"where.sh": "#!/bin/sh\necho ran\n"})

    done = salt_g("cmd.script", "salt://where.sh", f"cwd={home}/link", "runas=nobody")

    assert done.code != 0
    assert "belongs to 'nobody' and leads to a target owned by 'root'" in done.out + done.err


def refusals(done):
    """Return the ids of the states that failed with one sentence about a path that root does not trust."""
    return {
        key.split("_|-")[1]
        for key, ret in done.value.items()
        if ret["result"] is False
        and ("belongs to 'nobody' and leads to" in ret["comment"] or "hard links" in ret["comment"])
        and "Traceback" not in ret["comment"]
    }


STATES = """
kept:
  file.managed:
    - name: {home}/kept
    - contents: x
    - user: nobody
taken:
  file.managed:
    - name: {home}/link/shadow
    - contents: x
    - user: nobody
tree:
  file.directory:
    - name: {home}
    - user: nobody
    - recurse: [user]
line:
  file.append:
    - name: {home}/file
    - text: x
"""


def test_the_comment_of_a_state_is_one_sentence_about_the_link(salt_g, home, tmp_path):
    etc = tmp_path / "etc"
    etc.mkdir()
    (etc / "shadow").write_text("secret")
    users_link(home / "link", etc)
    users_link(home / "file", etc / "shadow")
    salt_g.write({"home.sls": STATES.format(home=home)})

    done = salt_g("state.apply", "home")

    comments = {key.split("_|-")[1]: ret for key, ret in done.value.items()}
    assert [comments[name]["result"] for name in ("kept", "tree")] == [True, True]
    for name, link in (("taken", "link"), ("line", "file")):
        assert comments[name]["result"] is False
        assert f"the link {home}/{link} belongs to 'nobody'" in comments[name]["comment"]
        assert "Traceback" not in comments[name]["comment"]
    assert (etc / "shadow").read_text() == "secret"
    assert (etc / "shadow").stat().st_uid == etc.stat().st_uid == 0


SOURCES = """
managed:
  file.managed:
    - {{name: {home}/managed, source: {home}/link/shadow, user: nobody, mode: "0644"}}
rendered:
  file.managed:
    - {{name: {home}/rendered, source: "file://{home}/file", template: jinja, user: nobody}}
appended:
  file.append:
    - {{name: {home}/own, source: {home}/link/shadow}}
prepended:
  file.prepend:
    - {{name: {home}/own, sources: ["file://{home}/file"]}}
unpacked:
  archive.extracted:
    - {{name: {home}/unpacked, source: {home}/link/shadow.tar, user: nobody, enforce_toplevel: false}}
"""


def test_the_target_of_a_users_link_is_not_a_source(salt_g, home, tmp_path):
    etc = tmp_path / "etc"
    etc.mkdir()
    (etc / "shadow").write_text("secret\n")
    with tarfile.open(etc / "shadow.tar", "w") as archive:
        archive.add(etc / "shadow", "shadow")
    users_link(home / "link", etc)
    users_link(home / "file", etc / "shadow")
    (home / "own").write_text("own\n")
    salt_g.write({"home.sls": SOURCES.format(home=home)})

    done = salt_g("state.apply", "home")

    assert refusals(done) == {"managed", "rendered", "appended", "prepended", "unpacked"}, done.value
    assert sorted(os.listdir(home)) == ["file", "link", "own"]
    assert (home / "own").read_text() == "own\n"


PROGRAMS = """
cloned:
  git.latest:
    - {{name: {work}/repository, target: {home}/link/cloned}}
detached:
  git.detached:
    - {{name: {work}/repository, target: {home}/link/detached, rev: HEAD}}
initialized:
  git.present:
    - name: {home}/link/initialized
unpacked:
  archive.extracted:
    - {{name: {home}/link, source: "salt://some.tar", options: v, enforce_toplevel: false}}
through:
  archive.extracted:
    - {{name: {home}, source: "salt://some.tar", options: v, enforce_toplevel: false}}
new:
  archive.extracted:
    - {{name: {home}/link/new, source: "salt://some.tar", enforce_toplevel: false}}
unzipped:
  archive.extracted:
    - {{name: {home}/link, source: "salt://some.zip", use_cmd_unzip: true, enforce_toplevel: false}}
listed:
  acl.present:
    - {{name: {home}/hard, acl_type: user, acl_name: nobody, perms: rw}}
tree:
  acl.present:
    - {{name: {home}, acl_type: user, acl_name: nobody, perms: rw, recurse: true}}
"""


@pytest.mark.skipif(
    None in map(shutil.which, ("git", "unzip", "setfacl")), reason="git, unzip or setfacl is not installed"
)
def test_programs_are_started_for_nothing_behind_a_users_link(salt_g, home, tmp_path):
    etc = tmp_path / "etc"
    etc.mkdir()
    (etc / "shadow").write_text("secret")
    before = os.stat(etc / "shadow")
    users_link(home / "link", etc)
    # A kernel may let users make these themselves (fs.protected_hardlinks).
    os.link(etc / "shadow", home / "hard")
    (tmp_path / "file").write_text("new")
    with tarfile.open(salt_g.states / "some.tar", "w") as archive:
        archive.add(tmp_path / "file", "link/evil")
    with zipfile.ZipFile(salt_g.states / "some.zip", "w") as archive:
        archive.write(tmp_path / "file", "evil")
    repository = tmp_path / "repository"
    subprocess.run(["git", "init", "-q", repository], check=True)
    who = ["-c", "user.name=x", "-c", "user.email=x@example"]
    subprocess.run(["git", *who, "-C", repository, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    salt_g.write({"home.sls": PROGRAMS.format(home=home, work=tmp_path)})

    done = salt_g("state.apply", "home")

    names = {"cloned", "detached", "initialized", "unpacked", "through", "new", "unzipped", "listed", "tree"}
    assert refusals(done) == names
    assert os.listdir(etc) == ["shadow"]
    assert os.stat(etc / "shadow").st_mode == before.st_mode


@pytest.mark.parametrize(
    "words",
    [
        ["archive.tar", "xf", "{tar}", "dest={home}/link"],
        ["archive.tar", "cf", "{home}/file", "{tar}"],
        ["archive.cmd_unzip", "{tar}", "{home}/link"],
        ["git.init", "{home}/link/repository"],
        ["git.archive", "{work}", "{home}/file", "overwrite=True"],
        ["rsync.rsync", "{work}", "{home}/link"],
        ["cp.cache_local_file", "{home}/file"],
        ["file.chattr", "{home}/file", "operator=add", "attributes=d"],
    ],
    ids=lambda words: f"{words[0]} {words[1]}",
)
def test_functions_that_start_programs_follow_no_users_link(salt_g, home, tmp_path, words):
    etc = tmp_path / "etc"
    etc.mkdir()
    (etc / "shadow").write_text("secret")
    users_link(home / "link", etc)
    users_link(home / "file", etc / "shadow")
    places = {"tar": tmp_path / "some.tar", "home": home, "work": tmp_path}
    with tarfile.open(places["tar"], "w") as archive:
        archive.add(etc / "shadow", "evil")

    done = salt_g(*(word.format(**places) for word in words))

    assert "belongs to 'nobody' and leads to a target owned by 'root'" in done.out + done.err
    assert done.code != 0
    assert os.listdir(etc) == ["shadow"]
    assert (etc / "shadow").read_text() == "secret"


SWAPPED = """
rules:
  file.managed:
    - name: {work}/rules
    - source: salt://rules
    - tmp_dir: {home}
    - check_cmd: {work}/check
"""


def test_a_user_does_not_replace_a_file_that_was_just_checked(salt_g, home, tmp_path):
    check = tmp_path / "check"
    # In the moment of the check, the user of the directory does what is possible there.
    swap = f"cd {home} && for f in $(ls); do rm -f $f; echo evil > $f; done"
    check.write_text(f"#!/bin/sh\nsetpriv --reuid={NOBODY.pw_uid} --clear-groups sh -c '{swap}'\n")
    check.chmod(0o755)
    salt_g.write({"rules.sls": SWAPPED.format(home=home, work=tmp_path), "rules": "good\n"})

    done = salt_g("state.apply", "rules")

    assert done.code == 0, done.out
    assert (tmp_path / "rules").read_text() == "good\n"
    assert os.listdir(home) == []


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="hashes with ssh-keygen")
def test_known_hosts_are_edited_without_a_file_of_ours_beside_them(salt_g, home, tmp_path):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / "key")], check=True)
    key = (tmp_path / "key.pub").read_text().split()[1]
    ssh = home / ".ssh"
    ssh.mkdir()
    (ssh / "known_hosts").write_text(f"one.example ssh-ed25519 {key}\ntwo.example ssh-ed25519 {key}\n")
    for path in (ssh, ssh / "known_hosts"):
        os.chown(path, NOBODY.pw_uid, NOBODY.pw_gid)

    removed = salt_g("ssh.rm_known_host", "hostname=one.example", f"config={ssh}/known_hosts").value
    hashed = salt_g("ssh.hash_known_hosts", f"config={ssh}/known_hosts").value

    assert (removed["status"], hashed["status"]) == ("removed", "updated")
    assert f"{ssh}/known_hosts" in removed["comment"]
    text = (ssh / "known_hosts").read_text()
    assert text.startswith("|1|") and len(text.splitlines()) == 1
    assert (ssh / "known_hosts").stat().st_uid == NOBODY.pw_uid


def test_keys_are_written_into_no_directory_behind_a_users_link(salt_g, home, tmp_path):
    etc = tmp_path / "etc"
    etc.mkdir()
    users_link(home / ".ssh", etc)

    key = "AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl"

    done = salt_g("ssh.set_auth_key", "nobody", key, "enc=ssh-ed25519", f"config={home}/.ssh/authorized_keys")

    assert done.code != 0 or done.value == "fail"
    assert os.listdir(etc) == []
