"""States of npm, with recorded output of npm 9."""

import json

import pytest

from salt_g.modules import npm as npm_module
from salt_g.states import npm

TREE = {
    "dependencies": {
        "a": {"version": "1.0"},
        "@s/b": {"version": "2.0"},
        "g": {"from": "git://x/g.git", "version": "3"},
    }
}


@pytest.fixture
def node(call_context):
    def make(*, test=False, retcode=0, stderr=""):
        ran = []

        def run_all(argv, **options):
            ran.append((argv, options))
            if argv[1] == "list":
                return {"pid": 1, "retcode": 0, "stdout": json.dumps(TREE), "stderr": ""}
            text = 'npm notice\n{\n "added": 1\n}\n' if argv[1] == "install" else "/c/a-1.0.tgz"
            return {"pid": 1, "retcode": retcode, "stdout": text, "stderr": stderr}

        names = ("install", "uninstall", "cache_clean", "cache_list", "cache_path")
        functions = {f"npm.{name}": getattr(npm_module, name) for name in names}
        call_context(
            functions={"cmd.run_all": run_all, "npm.list": npm_module.list_, **functions}, opts={"test": test}
        )
        return ran

    return make


def test_packages_in_the_wanted_version_are_left_alone(node):
    node()

    result = npm.installed("x", pkgs=["a@1.0", "@s/b", "git://x/g.git"])

    assert result["result"] is True
    assert result["changes"] == {}
    assert result["comment"] == (
        "Package(s) 'a@1.0, @s/b, git://x/g.git' satisfied by a@1.0, @s/b@2.0, git://x/g.git@3"
    )


def test_missing_packages_are_installed_in_one_run(node):
    ran = node()

    result = npm.installed("x", pkgs=["a@2.0", "@s/b"], dir="/srv", registry="http://r/")

    assert result["changes"] == {"old": [], "new": ["a@2.0"]}
    assert result["comment"] == "Package(s) 'a@2.0' successfully installed"
    words, options = ran[-1]
    assert words == ["npm", "install", "--json", "--silent", "--registry=http://r/", "a@2.0", "@s/b"]
    assert options["cwd"] == "/srv"


def test_test_mode_reports_what_would_be_installed(node):
    node(test=True)

    result = npm.installed("new")

    assert result["result"] is None
    assert result["comment"] == "NPM package(s) 'new' are set to be installed"


def test_a_failure_is_reported_with_npm_s_words(node):
    node(retcode=1, stderr="E404")

    assert npm.installed("new")["comment"] == "Error installing 'new': E404"


def test_removing_and_emptying_the_cache(node):
    ran = node()

    assert npm.removed("nosuch")["comment"] == "Package 'nosuch' is not installed"
    assert npm.removed("a")["changes"] == {"a": "Removed"}
    assert ran[-1][0] == ["npm", "uninstall", "a", "--global"]
    assert npm.cache_cleaned(force=True)["comment"] == "Cached packages successfully removed"
    assert ran[-1][0] == ["npm", "cache", "clean", "--force"]


def test_a_directory_is_made_ready(node):
    node()

    assert npm.bootstrap("/srv/app")["changes"] == {"/srv/app": "Bootstrapped"}
    assert npm_module.install(dir="/srv/app") == {"added": 1}
