"""`salt-g key`: list, accept, reject and delete the keys of minions (stock's `salt-key`).

The steps: arguments, settings, key backend, matching keys, confirmation, change.
Source: texts, order and exit codes are stock's.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TextIO

from salt_g.cli import client_settings, exit_codes, saltfile
from salt_g.cli.key import key_options
from salt_g.cli.key.key_options import Action
from salt_g.cli.stdio import notices
from salt_g.client.keys.backends import FileBackend, KeyBackend, KeyOptions, MasterBackend, running_master
from salt_g.errors import ConfigError, SaltGError
from salt_g.keys.admission import ACCEPTED, DENIED, PENDING, REJECTED
from salt_g.keys.listing import Listing

if TYPE_CHECKING:
    from salt_g.shapes import OptsDraft

#: Key state that each `--include-` option adds, in display order.
_STATES = {"unaccepted": PENDING, "accepted": ACCEPTED, "rejected": REJECTED, "denied": DENIED}
_CHANGES = ("accept", "reject", "delete")
#: State of a key after each change.
_AFTER = {"accept": ACCEPTED, "reject": REJECTED}


def main(words: list[str]) -> int:
    """Run the command; return the exit code."""
    parser = key_options.build_parser()
    at = key_options.first_argument(parser, words)
    if words[at : at + 1] == ["invite"]:
        from salt_g.cli.key import key_invite

        return key_invite.main(words[:at] + words[at + 1 :])
    options, rest = saltfile.split(parser, words, "salt-key")
    if problem := key_options.problem(options, rest):
        parser.error(problem)
    try:
        return _Command(options, _settings(options)).run(key_options.action_of(options))
    except (SaltGError, OSError) as exc:
        from salt_g.cli.error_report import fail

        is_shown = options.hard_crash or isinstance(exc, (ConfigError, BrokenPipeError))
        if options.quiet and not is_shown:
            return exit_codes.FAILED
        return fail("salt-g key", exc, crashes=options.hard_crash)


def _settings(options: argparse.Namespace) -> OptsDraft:
    from salt_g import config
    from salt_g.process import privileges
    from salt_g.telemetry import log

    client_settings.check_directory(options.config_dir)
    overrides = key_options.overrides(options)
    settings = config.load("master", options.config_dir, overrides, asks_for_id=False)
    opts = settings.opts
    if options.gen_keys:
        opts["pki_dir"] = options.gen_keys_dir
    log.set_up({**opts, "log_file": opts["key_logfile"]})
    settings.log_files()
    privileges.become(opts["user"])
    return opts


class _Command:
    """Invocation of `salt-g key`, with the options, settings and data that all steps need."""

    def __init__(self, options: argparse.Namespace, opts: OptsDraft) -> None:
        self._options = options
        self._opts = opts
        self._notices = notices(opts)

    def run(self, action: Action) -> int:
        """Carry out the requested action; return the exit code."""
        if action.name in ("gen_keys", "gen_signature"):
            return self._generate(action)
        if action.name in _CHANGES:
            return self._change(action.name, action.match)
        way = self._login() if self._options.eauth else FileBackend(self._opts)
        if action.name == "list":
            return self._list(way, action.match)
        if action.name == "print":
            return self._show(way.key_str(action.match))
        return self._show(way.finger(action.match))

    def _list(self, way: KeyBackend, status: str) -> int:
        found = {state: ids for state, ids in way.list_status(status).items() if state != "local"}
        code = self._show(found)
        if status.startswith("den") and isinstance(way, FileBackend) and not self._options.quiet:
            # To standard error: programs parse the listing on standard output.
            for id in found[DENIED]:
                print(f"{id}: {way.keys.why_denied(id)}", file=sys.stderr)
        if found.get(PENDING) and isinstance(way, FileBackend) and not self._options.quiet:
            for id, why in way.keys.invitations.refused().items():
                if id in found[PENDING]:
                    print(f"{id}: {why}", file=sys.stderr)
        return code

    def _change(self, verb: str, match: str) -> int:
        with contextlib.ExitStack() as stack:
            reading, changing = self._backends(stack)
            states = ("unaccepted", *key_options.included(self._options, verb))
            found = chosen = _without_local(reading.glob_match(match))
            if verb != "delete":
                chosen = {_STATES[word]: chosen[_STATES[word]] for word in states if _STATES[word] in chosen}
            if not chosen:
                words = tuple(_STATES) if verb == "delete" else states
                why = f"The key glob '{match}' does not match any {_either(words)} keys."
                print(why, file=self._notices)
                self._show({})
                return self._report_left(verb, match, found, chosen)
            print(f"The following keys are going to be {_past_tense(verb)}:", file=self._notices)
            self._show(chosen)
            if not (self._options.yes or _confirmed(verb, self._notices)):
                return exit_codes.OK
            now = changing.change(verb, chosen, self._key_options())
            code = _print_results(verb, chosen, now, self._notices)
            return self._report_left(verb, match, found, chosen) or code

    def _report_left(self, verb: str, match: str, found: Listing, chosen: Listing) -> int:
        """Report ids named literally that have no key to change; return the exit code."""
        left = list(_left(verb, match, found, chosen)) if verb != "delete" else []
        for sentence in left:
            print(sentence, file=sys.stderr)
        return exit_codes.FAILED if left else exit_codes.OK

    def _backends(self, stack: contextlib.ExitStack) -> tuple[KeyBackend, KeyBackend]:
        """Return the backends for reading and for changing keys; a running master applies changes at once."""
        if self._options.eauth:
            way = self._login()
            return way, way
        files, link = FileBackend(self._opts), running_master(self._opts)
        if link is None:
            return files, files
        stack.callback(link.close)
        return files, MasterBackend(link, {})

    def _key_options(self) -> KeyOptions:
        return KeyOptions(
            keeps_data=key_options.is_true(self._options.preserve_minions),
            rotates=key_options.is_true(self._options.rotate_aes_key),
        )

    def _login(self) -> MasterBackend:
        from salt_g.cli.cmd import login

        link = running_master(self._opts)
        if link is None:
            sock_dir = self._opts["sock_dir"]
            raise SaltGError(f"no master is running here to authenticate you (no socket in {sock_dir})")
        return MasterBackend(link, login.credentials(self._options, self._opts, link))

    def _generate(self, action: Action) -> int:
        # Imported lazily: these two need cryptography.
        from salt_g.keys import pair, signature

        options, opts = self._options, self._opts
        if action.name == "gen_keys":
            directory = options.gen_keys_dir
            finger = pair.gen_keys(directory, action.match, bits=options.keysize, hash_type=opts["hash_type"])
            return self._show({"return": finger}, "nested")
        result = signature.gen_signature(
            opts,
            priv=options.priv,
            pub=options.pub,
            directory=options.signature_path,
            auto_create=options.auto_create,
            bits=options.keysize,
        )
        self._show({"return": result}, "nested")
        return exit_codes.OK if result is True else exit_codes.FAILED

    def _show(self, data: Mapping[str, Any], native: str = "key") -> int:
        from salt_g.cli import printing

        if data:
            return printing.present(data, native, self._opts, plugins={})
        printing.present_nothing(self._opts)
        return exit_codes.OK


def _without_local(found: Listing) -> Listing:
    return {state: ids for state, ids in found.items() if state != "local"}


def _left(verb: str, match: str, found: Listing, chosen: Listing) -> Iterator[str]:
    """Yield an error for each literally named id that will not get the wanted key state; skip patterns."""
    for id in match.split(","):
        states = [state for state, ids in found.items() if id in ids]
        is_done = _AFTER[verb] in states or any(id in ids for ids in chosen.values())
        if is_done or any(char in id for char in "*?["):
            continue
        words = [word for word, state in _STATES.items() if state in states]
        if words:
            yield f"{id}: its key is {words[0]}: --include-{words[0]} includes it"
        else:
            yield f"{id}: there is no key with this id; salt-g key -L lists all"


def _confirmed(verb: str, notices: TextIO) -> bool:
    """Ask for confirmation and return the answer; the default is no for deletion, yes for other changes."""
    wanted, default = ("Proceed? [N/y] ", "n") if verb == "delete" else ("Proceed? [n/Y] ", "y")
    try:
        print(wanted, end="", file=notices, flush=True)
        answer = input() or default
    except EOFError:
        print()
        raise SaltGError("no answer, nothing was changed; --yes skips the question") from None
    except KeyboardInterrupt:
        print("\nExiting on CTRL-c", file=sys.stderr)
        return False
    return answer.lower().startswith("y")


def _print_results(verb: str, chosen: Listing, now: Listing, notices: TextIO) -> int:
    """Print the result for each key; return the exit code."""
    code = exit_codes.OK
    for state, ids in chosen.items():
        for id in ids:
            if verb == "delete":
                done = id not in now.get(state, ())
            else:
                done = id in now.get(_AFTER[verb], ())
            if done:
                print(f"Key for minion {id} {_past_tense(verb)}.", file=notices)
            else:
                print(f"Unable to {verb} invalid key for {id}.", file=sys.stderr)
                code = exit_codes.FAILED
    return code


def _past_tense(verb: str) -> str:
    return f"{verb.rstrip('e')}ed"


def _either(words: tuple[str, ...]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
