"""Options of `salt-g key`, and the single action they request.

The options are those of stock's `salt-key`, which uses `-l` for the list, so the log level has no short form.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, NamedTuple

from salt_g.cli.options import (
    LOG_LEVELS,
    OUTPUT_SETTINGS,
    OptionParser,
    add_authentication,
    add_config,
    add_hard_crash,
    add_output,
    add_saltfile,
    add_versions_report,
    given,
)

if TYPE_CHECKING:
    from salt_g.shapes import OptsDraft

#: Options that override the setting of the same name.
_DIRECT = (*OUTPUT_SETTINGS, "hard_crash", "key_logfile", "log_level", "log_level_logfile", "user")
#: Actions in order of precedence if several are given; without any, the action is `list_all`.
_ACTIONS = (
    *("gen_keys", "gen_signature", "list", "list_all", "print", "print_all", "accept", "accept_all"),
    *("reject", "reject_all", "delete", "delete_all", "finger", "finger_all"),
)
#: Options that users mean when they type these words, such as subcommands of other programs.
_VERBS = {"accept": "-a", "delete": "-d", "reject": "-r", "finger": "-f", "print": "-p", "show": "-p"}
_VERBS |= {"list": "-L", "ls": "-L", "remove": "-d", "rm": "-d", "add": "-a"}
#: Prefixes of the values of `-l`.
_STATUSES = ("acc", "pre", "un", "rej", "den", "all")
#: Key sizes that peers accept (bits).
_SMALLEST_KEY, _LARGEST_KEY = 2048, 8192

_EPILOG = """\
examples:
  salt-g key -L
  salt-g key -l denied
  salt-g key -a 'web*'
  salt-g key -d old1 -y
  salt-g key -f web1
  salt-g key --gen-keys web2 --gen-keys-dir /root/keys
  salt-g key invite --help              how new hosts join without comparing keys

exit codes: 0 success, even if no key matches; 1 failure; 64 wrong usage or settings
"""


class Action(NamedTuple):
    """Requested action (`accept`, `list`, ...) and its keys (a glob, or a value of `-l`)."""

    name: str
    match: str


def build_parser() -> OptionParser:
    """Return the parser of `salt-g key`; completion scripts are generated from it too."""
    parser = OptionParser(
        prog="salt-g key",
        usage="%(prog)s [options]",
        description="List, accept, reject and delete the keys of minions.",
        epilog=_EPILOG,
    )
    add_config(parser)
    add_saltfile(parser)
    _add_actions(parser)
    _add_which(parser)
    _add_how(parser)
    _add_generating(parser)
    add_authentication(parser, taken=("-a",))
    add_output(parser)
    _add_logging(parser)
    return parser


def _add_actions(parser: argparse.ArgumentParser) -> None:
    add_versions_report(parser)
    group = parser.add_argument_group("actions (without any: list all keys)")
    group.add_argument(
        "-l", "--list", metavar="ARG", default="",
        help="list the keys of a state: pre, un, unaccepted; acc, accepted; rej, rejected; den, denied; all",
    )  # fmt: skip
    for letter, verb in (("a", "accept"), ("r", "reject"), ("d", "delete"), ("p", "print"), ("f", "finger")):
        what = "fingerprints of" if verb == "finger" else verb
        group.add_argument(f"-{letter}", f"--{verb}", metavar="GLOB", default="", help=f"{what} these keys")
        group.add_argument(
            f"-{letter.upper()}", f"--{verb}-all", action="store_true", help=f"{what} all {_WHICH[verb]}keys"
        )
    group.add_argument("-L", "--list-all", action="store_true", help="list all keys")


#: Description of the keys that each `-all` option covers.
_WHICH = {"accept": "pending ", "reject": "pending ", "delete": "", "print": "", "finger": ""}


def _add_which(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("keys in addition to pending ones")
    group.add_argument("--include-all", action="store_true", help="rejected or accepted keys too")
    group.add_argument("--include-accepted", action="store_true", help="accepted keys, when rejecting")
    group.add_argument("--include-rejected", action="store_true", help="rejected keys, when accepting")
    group.add_argument("--include-denied", action="store_true", help="denied ones")


def _add_how(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("behaviour")
    group.add_argument("-y", "--yes", action="store_true", help="ask nothing")
    group.add_argument("-q", "--quiet", action="store_true", help="leave out explanations and error texts")
    group.add_argument("-u", "--user", metavar="USER", help="user to run as, and owner of the keys")
    group.add_argument(
        "--rotate-aes-key", metavar="BOOL", default="True",
        help="rotate the AES key when keys are deleted or rejected (default: True)",
    )  # fmt: skip
    group.add_argument(
        "--preserve-minions", metavar="BOOL", default="False",
        help="keep cached data of minions whose keys are deleted (default: False)",
    )  # fmt: skip
    add_hard_crash(group)


def _add_generating(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("making keys")
    group.add_argument("--gen-keys", metavar="NAME", default="", help="generate a key pair with this name")
    group.add_argument("--gen-keys-dir", metavar="DIR", default=".", help="directory for it (default: .)")
    group.add_argument("--keysize", metavar="BITS", type=int, default=2048, help="key size (default: 2048)")
    group.add_argument("--gen-signature", action="store_true", help="sign the master's public key")
    group.add_argument("--priv", metavar="FILE", default="", help="private key to sign with")
    group.add_argument("--pub", metavar="FILE", default="", help="public key to sign")
    group.add_argument(
        "--signature-path", metavar="DIR", default="", help="directory to write the signature to"
    )
    group.add_argument("--auto-create", action="store_true", help="generate the signing key if there is none")


def _add_logging(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("logging options")
    group.add_argument("--log-level", choices=LOG_LEVELS, metavar="LEVEL", help="level of the console log")
    group.add_argument("--log-file", "--key-logfile", dest="key_logfile", metavar="FILE", help="log file")
    group.add_argument(
        "--log-file-level", dest="log_level_logfile", choices=LOG_LEVELS, metavar="LEVEL", help="its level"
    )


def first_argument(parser: argparse.ArgumentParser, words: list[str]) -> int:
    """Return the index of the first word that is neither an option nor an option's value."""
    takes_next = False
    for place, word in enumerate(words):
        if not takes_next and not word.startswith("-"):
            return place
        action = parser._option_string_actions.get(word)
        takes_next = not takes_next and action is not None and action.nargs is None
    return len(words)


def problem(options: argparse.Namespace, words: list[str]) -> str:
    """Return the error in a combination of individually valid options, or '' if there is none."""
    if options.list and not options.list.startswith(_STATUSES):
        return f"'{options.list}' is not a valid argument to '--list'"
    if options.keysize < _SMALLEST_KEY:
        return f"The minimum value for keysize is {_SMALLEST_KEY}"
    if options.keysize > _LARGEST_KEY:
        return f"The maximum value for keysize is {_LARGEST_KEY}"
    if options.delete_all and words:
        return "Delete all takes no arguments. Use -d to delete specified keys"
    # Stock's and our own instructions say `-F master`, although -F accepts no argument.
    if words and not (options.list or options.list_all or options.finger_all):
        # A second id after `-a` would be ignored silently.
        known = _VERBS.get(words[0])
        return f"unexpected argument: {words[0]}; {_usage(known, words[1:])}"
    return ""


def _usage(option: str | None, ids: list[str]) -> str:
    if option is None:
        return "use an option (-L, -a ID, -d ID) or `invite`"
    return (
        f"perhaps you meant: salt-g key {' '.join([option, *(ids[:1] or ['ID'] if option != '-L' else [])])}"
    )


def action_of(options: argparse.Namespace) -> Action:
    """Return the requested action; the default is `list_all`."""
    name = next((name for name in _ACTIONS if getattr(options, name)), "list_all")
    if name == "list_all":
        return Action("list", "all")
    if name.endswith("_all"):
        return Action(name[: -len("_all")], "*")
    value = getattr(options, name)
    return Action(name, value if isinstance(value, str) else "")


def included(options: argparse.Namespace, verb: str) -> tuple[str, ...]:
    """Return the key states, besides pending, to which accepting or rejecting also applies."""
    accepted = verb == "reject" and (options.include_all or options.include_accepted)
    rejected = verb == "accept" and (options.include_all or options.include_rejected)
    wanted = (("accepted", accepted), ("rejected", rejected), ("denied", options.include_denied))
    return tuple(word for word, is_wanted in wanted if is_wanted)


def overrides(options: argparse.Namespace) -> OptsDraft:
    """Return the settings given on the command line."""
    return {**given(options, *_DIRECT), "__cli": "salt-key"}


def is_true(word: str) -> bool:
    """Return the value of a BOOL option; anything but `false`, `no`, `0` and `off` is true."""
    return word.lower() not in ("false", "no", "0", "off")
