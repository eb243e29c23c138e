"""Options of `salt-g ssh`: stock's names, and the settings they override."""

import pytest

from salt_g.cli.ssh.ssh_options import build_parser, overrides


def parsed(*words):
    return build_parser().split(list(words))


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        (["-i"], {"ignore_host_keys": True}),
        (["--no-host-keys"], {"no_host_keys": True}),
        (["--user=u", "--passwd=p", "--priv=k", "--priv-passwd=q"],
         {"ssh_user": "u", "ssh_passwd": "p", "ssh_priv": "k", "ssh_priv_passwd": "q"}),
        (["--sudo", "--identities-only"], {"ssh_sudo": True, "ssh_identities_only": True}),
        (["--roster=scan", "--roster-file", "f", "--scan-ports=22,23", "--scan-timeout=0.5"],
         {"roster": "scan", "roster_file": "f", "ssh_scan_ports": "22,23", "ssh_scan_timeout": 0.5}),
        (["--ssh-option=A=b", "--ssh-option", "C=d"], {"ssh_options": ["A=b", "C=d"]}),
        (["--disable-keepalive", "--keepalive-interval=5"],
         {"ssh_keepalive": False, "ssh_keepalive_interval": 5}),
        (["--max-procs=7", "--remote-port-forwards=1:a:2"],
         {"ssh_max_procs": 7, "ssh_remote_port_forwards": "1:a:2"}),
        ([], {}),
    ],
)  # fmt: skip
def test_options_override_settings(words, settings):
    options, rest = parsed("web*", *words, "test.ping")

    assert overrides(options) == {**settings, "__cli": "salt-ssh"}
    assert rest == ["web*", "test.ping"]


@pytest.mark.parametrize(
    "words",
    [["-w"], ["-W"], ["-t"], ["--thin"], ["--relenv"], ["--refresh"], ["--extra-filerefs=salt://x"],
     ["--thin-extra-modules=a"], ["--python3-bin", "/usr/bin/python3"]],
)  # fmt: skip
def test_options_about_python_on_hosts_are_accepted(words):
    assert overrides(parsed("*", "test.ping", *words)[0]) == {"__cli": "salt-ssh"}


@pytest.mark.parametrize(
    ("word", "tgt_type"),
    [("-E", "pcre"), ("-L", "list"), ("-C", "compound"), ("-S", "ipcidr"), ("-N", "nodegroup")],
)
def test_targets_have_the_letters_of_salt(word, tgt_type):
    assert parsed(word, "x", "test.ping")[0].tgt_type == tgt_type


def test_a_saltfile_names_options_as_stock_does():
    options = vars(build_parser().split(["*", "test.ping"])[0])

    names = (
        "extra_filerefs ignore_host_keys min_extra_mods no_host_keys python2_bin python3_bin rand_thin_dir"
        " raw_shell refresh_cache regen_thin relenv roster roster_file ssh_askpass ssh_identities_only"
        " ssh_keepalive ssh_keepalive_count_max ssh_keepalive_interval ssh_key_deploy ssh_list_hosts"
        " ssh_max_procs ssh_options ssh_passwd ssh_priv ssh_priv_passwd ssh_remote_port_forwards"
        " ssh_run_pre_flight ssh_scan_ports ssh_scan_timeout ssh_sudo ssh_update_roster ssh_user ssh_wipe"
        " static thin_exclude_saltexts thin_extra_mods verbose"
    )
    assert set(names.split()) <= options.keys()
