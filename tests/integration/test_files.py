"""Files and users' plugins through the real command."""

import os
import stat


def test_files_are_cached_privately_and_found_again(salt_g):
    salt_g.write({"d/f.txt": "content\n"})

    cached = salt_g("cp.cache_file", "salt://d/f.txt").value

    assert cached == str(salt_g.root / "cache/files/base/d/f.txt")
    assert stat.S_IMODE(os.stat(cached).st_mode) == 0o600
    assert salt_g("cp.is_cached", "salt://d/f.txt").value == cached
    assert salt_g("cp.cache_file", "salt://nope").value is False


def test_nothing_outside_of_the_roots_is_served(salt_g):
    (salt_g.root / "secret").write_text("s")

    assert salt_g("cp.get_file_str", "salt://../secret").value is False
    assert salt_g("cp.get_file_str", "salt://secret?saltenv=../..").value is False


def test_a_users_module_works_after_it_was_synced_and_goes_with_its_file(salt_g):
    salt_g.write({"_modules/mine.py": "def hello():\n    return __salt__['test.echo'](__grains__['id'])\n"})

    assert salt_g("saltutil.sync_modules").value == ["modules.mine"]
    assert salt_g("mine.hello").value == "m1"
    assert salt_g("saltutil.sync_all").value["modules"] == []

    (salt_g.states / "_modules/mine.py").unlink()
    salt_g("saltutil.sync_all")
    assert salt_g("mine.hello", as_json=False).code != 0


def test_a_download_that_fails_says_why(salt_g):
    failed = salt_g("cp.cache_file", "http://127.0.0.1:1/file", as_json=False)

    assert failed.code != 0
    assert "Connection refused reading http://127.0.0.1:" in failed.err


def test_pushing_needs_a_master(salt_g):
    failed = salt_g("cp.push", "/etc/hostname", as_json=False)

    assert "this minion has no master" in failed.err
