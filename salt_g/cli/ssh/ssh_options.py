"""Options of `salt-g ssh` and the settings they override.

The options are those of stock's salt-ssh. Options about the Python that stock installs on hosts are accepted,
but have no effect.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from salt_g.cli.options import (
    LOG_SETTINGS,
    OUTPUT_SETTINGS,
    OptionParser,
    add_config,
    add_hard_crash,
    add_logging,
    add_output,
    add_output_diff,
    add_reading,
    add_saltfile,
    add_versions_report,
    given,
)
from salt_g.cli.target_options import add_targets

if TYPE_CHECKING:
    from salt_g.shapes import OptsDraft

#: Options that override the setting of the same name.
_DIRECT = (
    *OUTPUT_SETTINGS,
    *LOG_SETTINGS,
    *("hard_crash", "roster", "roster_file", "state_output_diff", "ssh_max_procs"),
    *("ssh_identities_only", "ignore_host_keys", "ssh_keepalive", "ssh_keepalive_count_max"),
    *("ssh_keepalive_interval", "no_host_keys", "ssh_options", "ssh_passwd", "ssh_priv"),
    *("ssh_priv_passwd", "ssh_remote_port_forwards", "ssh_run_pre_flight", "ssh_scan_ports"),
    *("ssh_scan_timeout", "ssh_sudo", "ssh_update_roster", "ssh_user"),
)
#: Options for deploying Python, which have no effect: (names, takes a value, stock's name of the value).
_WITHOUT_EFFECT: tuple[tuple[tuple[str, ...], bool, str], ...] = (
    (("--refresh", "--refresh-cache"), False, "refresh_cache"),
    (("--extra-filerefs",), True, "extra_filerefs"),
    (("--min-extra-modules",), True, "min_extra_mods"),
    (("--thin-extra-modules",), True, "thin_extra_mods"),
    (("--thin-exclude-saltexts",), False, "thin_exclude_saltexts"),
    (("-w", "--wipe"), False, "ssh_wipe"),
    (("-W", "--rand-thin-dir"), False, "rand_thin_dir"),
    (("-t", "--regen-thin", "--thin"), False, "regen_thin"),
    (("--relenv",), False, "relenv"),
    (("--python2-bin",), True, "python2_bin"),
    (("--python3-bin",), True, "python3_bin"),
)
_EPILOG = """\
examples:
  salt-g ssh '*' test.ping
  salt-g ssh 'web*' state.apply nginx test=True
  salt-g ssh -L web1,web2 -r 'uptime'
  salt-g ssh --roster=ansible --roster-file=hosts.ini -N web cmd.run 'df -h /'
  salt-g ssh web1 --key-deploy --askpass test.ping

exit codes: 0 nothing failed, 20 something failed on a host, 1 an error before that,
64 invalid options or settings. A target that matches no host is reported on standard error.
"""


def build_parser() -> OptionParser:
    """Return the parser of `salt-g ssh`; completion scripts are generated from it too."""
    parser = OptionParser(
        prog="salt-g ssh",
        usage="%(prog)s [options] TARGET FUNCTION [ARGUMENT ...]",
        description="Run an execution function, states or a shell command on hosts without a minion, by SSH.",
        epilog=_EPILOG,
    )
    add_config(parser)
    add_saltfile(parser)
    _add_what(parser)
    add_targets(parser)
    _add_roster(parser)
    _add_authentication(parser)
    _add_connection(parser)
    _add_without_effect(parser)
    add_output(parser)
    add_logging(parser)
    return parser


def _add_what(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("actions")
    add_versions_report(group)
    group.add_argument(
        "-r", "--raw", "--raw-shell", dest="raw_shell", action="store_true", help="run a shell command"
    )
    group.add_argument(
        "-H", "--hosts", dest="ssh_list_hosts", action="store_true", help="list the hosts of the roster"
    )
    group.add_argument("--jid", metavar="JID", default="", help="job id to use")
    group.add_argument(
        "-s", "--static", action="store_true", help="print all returns together, once all have arrived"
    )
    group.add_argument(
        "--metadata", dest="print_metadata", action="store_true", help="print jid, fun and retcode too"
    )
    group.add_argument("-v", "--verbose", action="store_true", help="print the job id")
    group.add_argument(
        "--max-procs", dest="ssh_max_procs", type=int, metavar="N", help="hosts to work on at once (25)"
    )
    add_reading(group)
    add_output_diff(group)
    add_hard_crash(group)


def _add_roster(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("roster options")
    group.add_argument(
        "--roster",
        metavar="NAME",
        help="roster: flat (the default), ansible, cache, dir, scan, sshconfig, ...",
    )
    group.add_argument("--roster-file", metavar="FILE", help="file of the roster (default: roster in -c DIR)")
    group.add_argument(
        "--update-roster",
        dest="ssh_update_roster",
        action="store_true",
        default=None,
        help="write a host given as user@host:port into the roster",
    )
    group.add_argument(
        "--scan-ports", dest="ssh_scan_ports", metavar="PORTS", help="ports that the roster scan tries"
    )
    group.add_argument(
        "--scan-timeout",
        dest="ssh_scan_timeout",
        type=float,
        metavar="S",
        help="time limit per port of the roster scan",
    )


def _add_authentication(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("authentication (hosts whose roster says otherwise keep that)")

    def flag(*names: str, dest: str, text: str) -> None:
        group.add_argument(*names, dest=dest, action="store_true", default=None, help=text)

    group.add_argument("--user", dest="ssh_user", metavar="NAME", help="user on the hosts (root)")
    group.add_argument("--priv", dest="ssh_priv", metavar="FILE", help="private key")
    group.add_argument("--priv-passwd", dest="ssh_priv_passwd", metavar="TEXT", help="its passphrase")
    group.add_argument("--passwd", dest="ssh_passwd", metavar="TEXT", help="password of the user")
    group.add_argument(
        "--askpass", dest="ssh_askpass", action="store_true", help="ask for the password on the terminal"
    )
    flag("--sudo", dest="ssh_sudo", text="work as root with sudo")
    group.add_argument(
        "--key-deploy",
        dest="ssh_key_deploy",
        action="store_true",
        help="add the public key to authorized_keys of each host that does not know it",
    )
    flag("--identities-only", dest="ssh_identities_only", text="do not offer the agent's keys")
    flag("-i", "--ignore-host-keys", dest="ignore_host_keys", text="accept and remember unknown host keys")
    flag("--no-host-keys", dest="no_host_keys", text="do not check host keys")


def _add_connection(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("connection options")
    group.add_argument(
        "--ssh-option",
        dest="ssh_options",
        action="append",
        metavar="NAME=VALUE",
        help="like -o of ssh (repeatable)",
    )
    group.add_argument(
        "--remote-port-forwards",
        dest="ssh_remote_port_forwards",
        metavar="LIST",
        help="like -R of ssh, separated by commas",
    )
    group.add_argument(
        "--disable-keepalive",
        dest="ssh_keepalive",
        action="store_false",
        default=None,
        help="do not send probes",
    )
    group.add_argument(
        "--keepalive-interval",
        dest="ssh_keepalive_interval",
        type=int,
        metavar="S",
        help="seconds between probes (60)",
    )
    group.add_argument(
        "--keepalive-count-max",
        dest="ssh_keepalive_count_max",
        type=int,
        metavar="N",
        help="unanswered probes that end a connection (3)",
    )
    group.add_argument(
        "--pre-flight",
        dest="ssh_run_pre_flight",
        action="store_true",
        default=None,
        help="run the script ssh_pre_flight of the roster even if it has already run on the host",
    )


def _add_without_effect(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("accepted without effect: hosts need no Python, and get none")
    for names, takes_value, dest in _WITHOUT_EFFECT:
        how: dict[str, Any] = {"metavar": "X"} if takes_value else {"action": "store_true"}
        group.add_argument(*names, dest=dest, help=argparse.SUPPRESS if takes_value else "no effect", **how)


def overrides(options: argparse.Namespace) -> OptsDraft:
    """Return the settings given on the command line."""
    return {**given(options, *_DIRECT), "__cli": "salt-ssh"}
