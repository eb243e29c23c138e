"""Small modules of `salt.utils`; results as stock's 3008."""

import os

import pytest
import yaml as pyyaml

from salt_g.compat import fileserver
from salt_g.compat.renderers.yaml import get_yaml_loader
from salt_g.compat.utils.calls import jinja, yamlencoding
from salt_g.compat.utils.host import kinds, mount, package, ssh, timeout, xdg
from salt_g.compat.utils.net import smtp
from salt_g.errors import CommandExecutionError

KEY = "-----BEGIN RSA PRIVATE KEY-----\n{}AAAA\n"


def test_a_private_key_says_whether_it_has_a_passphrase(tmp_path):
    path = tmp_path / "key"

    path.write_text(KEY.format("Proc-Type: 4,ENCRYPTED\n"))
    assert ssh.key_is_encrypted(str(path))
    path.write_text(KEY.format(""))
    assert not ssh.key_is_encrypted(str(path))
    path.write_text("ssh-rsa AAAA")
    with pytest.raises(CommandExecutionError, match="is not a private key"):
        ssh.key_is_encrypted(str(path))


def test_something_is_waited_for():
    values = iter((0, None, "there"))

    assert timeout.wait_for(lambda add: next(values), 9, step=0.001, func_args=[1]) == "there"
    assert timeout.wait_for(lambda: False, timeout=0, default="late") == "late"


def test_data_about_mounts_are_kept(tmp_path):
    opts = {"cachedir": str(tmp_path)}

    assert mount.read_cache(opts) == {}
    assert mount.write_cache({"/mnt": ["a"]}, opts)
    assert mount.read_cache(opts) == {"/mnt": ["a"]}
    assert not mount.write_cache({}, {"cachedir": str(tmp_path / "none")})


def test_filters_are_functions():
    assert yamlencoding.yaml_dquote('a "b"') == '"a \\"b\\""'
    assert yamlencoding.yaml_squote("it's") == "'it''s'"
    assert [yamlencoding.yaml_encode(value) for value in (True, "x", 3)] == ["true", '"x"', "3"]
    with pytest.raises(TypeError):
        yamlencoding.yaml_encode([1])
    assert jinja.regex_replace("lets replace", "l(.)ts", "\\1") == "e replace"
    assert (jinja.lst_avg([1, 3]), jinja.unique([1, 1, 2]), jinja.quote("a b")) == (2.0, [1, 2], "'a b'")
    with pytest.raises(AttributeError):
        jinja.no_such_filter  # noqa: B018 - the access raises


def test_names_about_the_running_program(monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", "/config")

    assert (package.bundled(), package.pkg_type(), xdg.xdg_config_dir()) == (False, None, "/config/salt")
    assert kinds.APPL_KINDS["minion"] == kinds.applKinds.minion == 1


def test_mail_is_not_sent_in_clear_instead_of_encrypted():
    with pytest.raises(CommandExecutionError, match="encrypt the content"):
        smtp.send({"smtp.gpgowner": "root"}, {})


def test_a_loader_for_pyyaml():
    assert list(pyyaml.load("b: 1\na: 2", Loader=get_yaml_loader(""))) == ["b", "a"]


def test_backends_share_locks(tmp_path):
    lock = str(tmp_path / "x.w")

    assert [fileserver._lock_cache(lock), fileserver._lock_cache(lock)] == [True, False]
    fileserver._unlock_cache(lock)
    assert not os.path.exists(lock)
