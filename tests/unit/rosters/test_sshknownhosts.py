import pytest

from salt_g.errors import RosterError
from salt_g.rosters.sshknownhosts import parsed, targets

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHk"


def test_each_name_is_a_host_and_may_have_a_port():
    lines = [f"web1,192.0.2.7 {KEY} root@web1\n", f"[web2]:2222,[2001:db8::1]:22 {KEY}\n", f"web1 {KEY}\n"]

    assert parsed(lines) == {
        "web1": {"host": "web1"},
        "192.0.2.7": {"host": "192.0.2.7"},
        "web2": {"host": "web2", "port": "2222"},
        "2001:db8::1": {"host": "2001:db8::1", "port": "22"},
    }


@pytest.mark.parametrize("line", [
    "", "\n", "# web1 key\n", f"@cert-authority *.example.com {KEY}\n", f"@revoked web1 {KEY}\n",
    f"|1|F1E1KeoE/eEWhi10WpGv4OdiO6Y=|3988QV0VE8wmZL7suNrYQLITLCg= {KEY}\n", f"*.example.com {KEY}\n",
    f"!bad.example.com {KEY}\n", "web1\n", "web1 ssh-ed25519\n",
])  # fmt: skip
def test_other_lines_name_no_host(line):
    assert parsed([line]) == {}


def test_the_file_of_the_settings_is_read_over_the_defaults(call_context, tmp_path):
    path = tmp_path / "known"
    path.write_text(f"web1,db1 {KEY}\n")
    call_context(opts={"ssh_known_hosts_file": str(path), "roster_defaults": {"user": "op"}})

    assert targets("web*") == {"web1": {"host": "web1", "user": "op"}}


def test_a_missing_file_is_named(call_context, tmp_path):
    call_context(opts={"ssh_known_hosts_file": str(tmp_path / "none")})

    with pytest.raises(RosterError, match=r"the file .*none of the roster sshknownhosts cannot be read"):
        targets("*")
