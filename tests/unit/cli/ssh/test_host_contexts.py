"""Functions of a roster host, without any request to it."""

import importlib

import pytest

from salt_g import api, config
from salt_g.cli.ssh import host_contexts
from salt_g.cli.ssh.host_contexts import HostContexts
from salt_g.errors import NotOffered


@pytest.fixture
def functions(tmp_path):
    """Yield functions of a host, in a call on it."""
    (tmp_path / "states").mkdir()
    (tmp_path / "states" / "web.sls").write_text("")
    settings = {"root_dir": str(tmp_path), "file_roots": {"base": [str(tmp_path / "states")]}}
    opts = config.load("master", str(tmp_path), settings, asks_for_id=False).opts
    contexts = HostContexts(opts, {"web1": {"host": "127.0.0.1"}}, {})
    known = api.Deferred(lambda: {"os": "Debian", "roles": ["web"]})
    with api.use(contexts.of("web1").replace(grains=known)) as running:
        yield running.table("modules")
    contexts.close()


def test_grains_of_a_host_can_be_asked_as_on_a_minion(functions):
    assert functions["grains.filter_by"]({"Debian": {"pkg": "vim"}}, "os") == {"pkg": "vim"}
    assert functions["grains.has_value"]("roles")


def test_files_of_the_master_can_be_listed(functions):
    assert functions["cp.list_states"]() == ["web"]
    assert functions["cp.envs"]() == ["base"]
    assert functions["cp.list_master_symlinks"]() == {}


def test_a_text_can_be_logged_on_this_machine(functions, caplog):
    assert functions["log.warning"]("as asked")

    assert "as asked" in caplog.text


def test_functions_that_would_act_on_this_machine_are_not_there(functions):
    names = ("saltutil.sync_all", "mount.active", "cp.push")

    assert [name for name in names if name in functions] == []


def test_disks_of_a_host_are_asked_by_its_commands(functions, monkeypatch):
    real, listing = type(functions).get, "Filesystem 1K-blocks Used Free Use Mount\n/dev/sda1 100 40 60 40% /"
    answers = {"cmd.run": lambda *args, **kwargs: listing}
    monkeypatch.setattr(
        type(functions),
        "get",
        lambda self, name, default=None: answers.get(name) or real(self, name, default),
    )

    assert functions["disk.usage"]()["/"]["used"] == "40"
    assert functions["disk.percent"]("/") == "40%"
    assert "disk.wipe" not in functions


def test_functions_that_compute_are_there(functions):
    assert functions["netaddress.cidr_netmask"]("192.0.2.0/24") == "255.255.255.0"


def test_certificates_of_a_host_need_a_library_here(functions, monkeypatch):
    assert "x509.read_certificate" in functions and "ssh_pki.certificate_managed_wrapper" in functions

    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr(type(functions), "get", lambda self, name, default=None: default)

    with pytest.raises(NotOffered, match=r"pip install 'salt-g\[x509\]'"):
        functions["x509.read_certificate"]


def test_each_function_that_acts_beyond_a_host_is_where_the_table_says():
    for module, owner, method in host_contexts._OF_MASTER.values():
        found = importlib.import_module(f"salt_g.cli.ssh.{module}")

        assert callable(getattr(getattr(found, owner), method))
