"""Real access lists, mail aliases, log rotation and queued jobs, in separate places."""

import subprocess

import pytest


def test_access_lists_of_a_tree(salt_g, tmp_path, need):
    need("getfacl", "setfacl")
    tree = tmp_path / "tree"
    (tree / "sub").mkdir(parents=True)
    (tree / "sub" / "file").touch()
    who = ("acl_type=user", "acl_name=nobody")

    assert salt_g.state("acl.present", tree, *who, "perms=rx", test=True)["result"] is None
    made = salt_g.state("acl.present", tree, *who, "perms=rwX", "recurse=True")
    assert made["comment"] == "Applied new permissions for nobody"
    assert salt_g.state("acl.present", tree, *who, "perms=rwX", "recurse=True")["changes"] == {}
    entry = salt_g("acl.getfacl", tree / "sub" / "file").value[str(tree / "sub" / "file")]["user"][1]
    assert entry["nobody"]["octal"] == 6
    assert salt_g.state("acl.absent", tree, *who, "recurse=True")["comment"] == "Removing permissions"
    assert salt_g.state("acl.absent", tree, *who)["comment"] == "Permissions are in the desired state"


def test_permissions_of_several_users(salt_g, tmp_path, need):
    need("getfacl", "setfacl")
    who = ("acl_type=user", "acl_names=[nobody, daemon]")

    given = salt_g.state("acl.list_present", tmp_path, *who, "perms=rx")

    assert given["comment"] == "Applied new permissions for nobody, daemon"
    assert salt_g.state("acl.list_present", tmp_path, *who, "perms=rx")["changes"] == {}
    assert salt_g.state("acl.list_absent", tmp_path, *who)["comment"] == "Removing permissions"
    again = salt_g.state("acl.list_absent", tmp_path, *who)
    assert again["comment"] == "Permissions are in the desired state"


def test_mail_is_redirected_to_another_user(salt_g, tmp_path):
    file = tmp_path / "aliases"
    file.write_text("postmaster: root\n")
    settings = {"aliases.file": str(file)}

    made = salt_g.state("alias.present", "root", "target=[a@b, c@d]", **settings)

    assert made["changes"] == {"alias": "root"}
    assert salt_g.state("alias.present", "root", "target=[a@b, c@d]", **settings)["changes"] == {}
    assert file.read_text() == "postmaster: root\nroot: a@b, c@d\n"
    assert salt_g.state("alias.absent", "root", **settings)["changes"] == {"alias": "root"}


def test_logs_are_kept_as_long_as_wanted(salt_g, tmp_path, need):
    need("logrotate")
    conf, log = tmp_path / "logrotate.conf", tmp_path / "app.log"
    log.write_text("line\n")
    conf.write_text(f"weekly\nrotate 4\n{log} {{\n    daily\n}}\n")
    inner = (f"key={log}", "value=rotate", "setting=2", f"conf_file={conf}")

    assert salt_g.state("logrotate.set", "x", *inner)["changes"] == {"old": False, "new": 2}
    assert salt_g.state("logrotate.set", "x", *inner)["changes"] == {}
    whole = ("key=rotate", "value=9", f"conf_file={conf}")
    assert salt_g.state("logrotate.set", "x", *whole)["changes"] == {"old": 4, "new": 9}
    checked = subprocess.run(["logrotate", "-d", conf], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


@pytest.fixture
def queue(need):
    """Remove this test's jobs from the queue."""
    need("at", "atq", root=True)
    before = set(subprocess.run(["atq"], capture_output=True, text=True, check=True).stdout.splitlines())
    yield
    after = subprocess.run(["atq"], capture_output=True, text=True, check=True).stdout.splitlines()
    for line in set(after) - before:
        subprocess.run(["at", "-d", line.split()[0]], check=True)


def test_a_job_waits_for_its_time(salt_g, queue):
    how = ("job=/bin/true", "timespec=10:11 2035-03-04", "tag=sgtest", "unique_tag=True")

    queued = salt_g.state("at.present", "x", *how)

    assert queued["changes"]["date"] == "2035-03-04"
    assert salt_g.state("at.present", "x", *how)["comment"] == "atleast one job with tag sgtest exists."
    assert salt_g("at.jobcheck", "tag=sgtest", "hour=10").value["jobs"][0]["user"] == "root"
    assert salt_g.state("at.absent", "x", "tag=sgtest")["comment"] == "removed 1 job(s)"
    assert salt_g("at.at", "rubbish", "/bin/true").value == {"jobs": [], "error": "invalid timespec"}


@pytest.fixture
def question(need):
    """Yield the name of a package with its own debconf answers, which are deleted at the end."""
    need("debconf-get-selections", "debconf-communicate", root=True)
    yield "sgtestpkg"
    subprocess.run(["debconf-communicate", "sgtestpkg"], input="PURGE\n", capture_output=True, text=True)


def test_answers_for_a_package_are_set(salt_g, question):
    how = 'data={"sgtestpkg/question": {"type": "string", "value": "hello"}}'

    assert salt_g.state("debconf.set", question, how, test=True)["result"] is None
    assert salt_g.state("debconf.set", question, how)["changes"] == {"sgtestpkg/question": "hello"}
    assert salt_g.state("debconf.set", question, how)["changes"] == {}
    assert ["sgtestpkg/question", "string", "hello"] in salt_g("debconf.show", question).value


@pytest.fixture
def group(need):
    """Yield the name of a group of alternatives, which is removed at the end."""
    need("update-alternatives", root=True)
    yield "sgtestgroup"
    subprocess.run(["update-alternatives", "--remove-all", "sgtestgroup"], capture_output=True)


def test_a_name_stands_for_one_of_several_programs(salt_g, group, tmp_path):
    link = tmp_path / "sgtestgroup"

    for path, priority in (("/bin/true", 5), ("/bin/false", 9)):
        how = (f"link={link}", f"path={path}", f"priority={priority}")
        assert salt_g.state("alternatives.install", group, *how)["changes"]["path"] == path
        assert salt_g.state("alternatives.install", group, *how)["changes"] == {}
    assert salt_g("alternatives.show_current", group).value == "/bin/false"
    assert salt_g.state("alternatives.set", group, "path=/bin/true")["result"] is True
    assert salt_g("alternatives.show_current", group).value == "/bin/true"
    assert salt_g.state("alternatives.remove", group, "path=/bin/true")["result"] is True
