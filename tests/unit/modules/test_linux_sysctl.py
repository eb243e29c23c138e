import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import linux_sysctl


@pytest.fixture
def kernel(call_context, monkeypatch, installed):
    values = {"vm.swappiness": "60", "net.ipv4.ip_local_port_range": "1\t2"}
    installed("sysctl")
    monkeypatch.setattr(linux_sysctl.os.path, "exists", lambda path: "nosuch" not in str(path))

    def run_all(argv, **options):
        name, _, value = argv[-1].partition("=")
        if "-w" in argv:
            values[name] = value
        out = f"{name} = {value}" if "-w" in argv else values.get(name, "")
        return {"pid": 1, "retcode": 0, "stdout": out, "stderr": ""}

    call_context(functions={"cmd.run_all": run_all}, grains={"kernel": "Linux"})
    return values


def test_a_value_is_kept_in_the_file_and_set_now(kernel, tmp_path):
    config = tmp_path / "sysctl.conf"
    config.write_text("# mine\nvm.swappiness=60\n")

    assert linux_sysctl.persist("vm.swappiness", 20, str(config)) == "Updated"

    assert config.read_text() == "# mine\nvm.swappiness = 20\n"
    assert kernel["vm.swappiness"] == "20"
    assert linux_sysctl.persist("vm.swappiness", 20, str(config)) == "Already set"


def test_values_differing_only_in_spaces_are_equal(kernel, tmp_path):
    config = tmp_path / "sysctl.conf"
    config.write_text("net.ipv4.ip_local_port_range = 1 2\n")

    assert linux_sysctl.persist("net.ipv4.ip_local_port_range", "1  2", str(config)) == "Already set"


def test_a_missing_file_is_begun(kernel, tmp_path):
    linux_sysctl.persist("vm.swappiness", 1, str(tmp_path / "d" / "99.conf"))

    text = (tmp_path / "d" / "99.conf").read_text()
    assert text == "#\n# Kernel sysctl configuration\n#\nvm.swappiness = 1\n"


def test_an_unknown_setting_is_an_error(kernel):
    with pytest.raises(CommandExecutionError, match="sysctl vm.nosuch does not exist"):
        linux_sysctl.assign("vm.nosuch", 1)
