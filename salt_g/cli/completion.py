"""`salt-g completion bash|zsh|fish`: print a completion script; `functions`, `sls`, ...: print names.

The options in the scripts come from the parser of each subcommand. Names are read at completion time from
the loader's source index, so users' own modules are completed too, and from the files of this host.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import salt_g.cli.exit_codes as exit_codes
from salt_g.cli.completion_options import build_parser
from salt_g.cli.known_names import (
    PENDING_KEYS,
    execution_functions,
    key_ids,
    runner_functions,
    sls_names,
)

_BASH = """\
# Completion of salt-g for bash; made by `salt-g completion bash`.
_salt_g() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} at stem= conf=()
    local program=${COMP_WORDS[0]} first=
    case ${program##*/} in
@links@
    esac
    # `--out=js` is three words, or one where COMP_WORDBREAKS lacks the sign.
    if [ "$word" = = ]; then
        word=
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
    elif [[ $word == --*=* ]]; then
        before=${word%%=*} stem=${word%%=*}= word=${word#*=}
    fi
    case $before in
        --out|--output) COMPREPLY=($(compgen -P "$stem" -W "@outputters@" -- "$word")); return ;;
        -l|--log-level|--log-file-level)
            COMPREPLY=($(compgen -P "$stem" -W "@levels@" -- "$word")); return ;;
        -c|--config-dir|--file-root|--pillar-root|--states-dir|-m|--module-dirs|--cachedir|--profiling-path)
            COMPREPLY=($(compgen -P "$stem" -d -- "$word")); return ;;
        --out-file|--output-file|--log-file) COMPREPLY=($(compgen -P "$stem" -f -- "$word")); return ;;
        --role) COMPREPLY=($(compgen -P "$stem" -W "@roles@" -- "$word")); return ;;
    esac
    local options="@options@" kind=functions names=
    # The subcommand may follow options.
    for ((at = 1; at < COMP_CWORD; at++)); do
        [ -n "$first" ] && break
        case ${COMP_WORDS[at]} in
            @values@) ((at++)) ;;
            -*) ;;
            *) [[ " @subcommands@ " == *" ${COMP_WORDS[at]} "* ]] && first=${COMP_WORDS[at]}; break ;;
        esac
    done
    case $first in
@cases@
    esac
    if [[ $first == key && " ${COMP_WORDS[*]:1:COMP_CWORD-1} " == *" invite "* ]]; then
        options="@invite@" names=
    fi
    if [[ -z $stem && $word == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
        return
    fi
    for ((at = 1; at < COMP_CWORD; at++)); do
        case ${COMP_WORDS[at]} in
            -c|--config-dir) conf=(-c "${COMP_WORDS[at+1]}") ;;
            @sls@) [ -n "$kind" ] && kind=sls ;;
        esac
    done
    case $first:$before in
        @pending@) kind=pending names= ;;
        @keys@) kind=keys names= ;;
    esac
    [ -n "$kind" ] && names+=" "$("$program" completion "${conf[@]}" $kind 2>/dev/null)
    [ "$COMP_CWORD" -eq 1 ] && names="@subcommands@ $names"
    COMPREPLY=($(compgen -P "$stem" -W "$names" -- "$word"))
}
complete -F _salt_g salt-g @link_names@
"""

_ZSH = """\
#compdef salt-g @link_names@
# Completion of salt-g for zsh; made by `salt-g completion zsh`.
_salt_g() {
    local before=$words[CURRENT-1] at conf program=$words[1] first=
    conf=()
    case ${program##*/} in
@links@
    esac
    if [[ $words[CURRENT] == --*=* ]]; then
        before=${words[CURRENT]%%=*}
        compset -P '*='
    fi
    case $before in
        --out|--output) compadd -- @outputters@; return ;;
        -l|--log-level|--log-file-level) compadd -- @levels@; return ;;
        -c|--config-dir|--file-root|--pillar-root|--states-dir|-m|--module-dirs|--cachedir)
            _files -/; return ;;
        --out-file|--output-file|--log-file) _files; return ;;
        --role) compadd -- @roles@; return ;;
    esac
    local options="@options@" kind=functions names=
    # The subcommand may follow options.
    for (( at = 2; at < CURRENT; at++ )); do
        [[ -n $first ]] && break
        case $words[at] in
            @values@) (( at++ )) ;;
            -*) ;;
            *) [[ " @subcommands@ " == *" $words[at] "* ]] && first=$words[at]; break ;;
        esac
    done
    case $first in
@cases@
    esac
    if [[ $first == key && " ${words[2,CURRENT-1]} " == *" invite "* ]]; then
        options="@invite@" names=
    fi
    for (( at = 2; at < CURRENT; at++ )); do
        case $words[at] in
            -c|--config-dir) conf=(-c $words[at+1]) ;;
            @sls@) [[ -n $kind ]] && kind=sls ;;
        esac
    done
    case $first:$before in
        @pending@) kind=pending names= ;;
        @keys@) kind=keys names= ;;
    esac
    if [[ $words[CURRENT] == -* ]]; then
        compadd -- ${=options}
    else
        (( CURRENT == 2 )) && compadd -- @subcommands@
        [[ -n $names ]] && compadd -- ${=names}
        [[ -n $kind ]] && compadd -- ${(f)"$($program completion $conf $kind 2>/dev/null)"}
    fi
}
_salt_g "$@"
"""

_FISH = """\
# Completion of salt-g for fish; made by `salt-g completion fish`.
complete -c salt-g -f -n '__fish_is_first_arg' -a '@subcommands@'
complete -c salt-g -f -n 'not __fish_seen_subcommand_from @others@ @sls_words@' \\
    -a '(salt-g completion functions 2>/dev/null)'
complete -c salt-g -f -n '__fish_seen_subcommand_from run; and not __fish_seen_subcommand_from @sls_words@' \\
    -a '(salt-g completion runners 2>/dev/null)'
complete -c salt-g -f -n '__fish_seen_subcommand_from @sls_words@' -a '(salt-g completion sls 2>/dev/null)'
complete -c salt-g -l out -x -a '@outputters@'
complete -c salt-g -l role -x -a '@roles@'
complete -c salt-g -s l -l log-level -x -a '@levels@'
@fish_words@
@fish_keys@
@fish_options@
"""

#: Functions and runners followed by SLS names.
_TAKE_SLS = (
    *("state.apply", "state.sls", "state.show_sls", "state.show_low_sls", "state.sls_exists", "state.sls_id"),
    *("state.orch", "state.orchestrate", "state.orch_show_sls", "state.orchestrate_show_sls"),
)
#: Options of `salt-g key` (letter, name) that are followed by the id of a pending key, or of any key.
_TAKE_PENDING = (("a", "accept"), ("r", "reject"))
_TAKE_KEYS = (("d", "delete"), ("p", "print"), ("f", "finger"))
_ROLES = "master minion"
#: {subcommand: words that may follow it}
_WORDS = {
    "install": _ROLES,
    "key": "invite",
    "completion": "bash zsh fish",
    "token": "create list revoke",
    "store": "migrate",
    "cluster": "status forget",
    "mailbox": "list drop",
    "rollout": "list status pause resume stop",
    "lock": "list drop",
    "audit": "verify",
}
#: Subcommands followed by the name of an execution function.
_TAKE_FUNCTIONS = ("call", "cmd")
#: {NAME of `salt-g completion NAME`: function that returns the names for a settings directory}
_NAMES: Mapping[str, Callable[[str | None], list[str]]] = {
    "functions": execution_functions,
    "runners": runner_functions,
    "sls": sls_names,
    "keys": key_ids,
    "pending": lambda config_dir: key_ids(config_dir, PENDING_KEYS),
}
_SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def main(words: list[str]) -> int:
    """Print the requested script or names; return the exit code."""
    parser = build_parser()
    options, rest = parser.split(words)
    if len(rest) == 1 and rest[0] in _NAMES:
        print("\n".join(_NAMES[rest[0]](options.config_dir)))
    elif len(rest) == 1 and rest[0] in _SCRIPTS:
        print(script(rest[0]), end="")
    else:
        parser.error(f"name one of: {', '.join((*_SCRIPTS, *_NAMES))}")
    return exit_codes.OK


def script(shell: str) -> str:
    """Return the completion script for a shell."""
    from salt_g.cli.dispatch import LINK_NAMES, SUBCOMMANDS
    from salt_g.cli.key import key_invite
    from salt_g.cli.options import LOG_LEVELS
    from salt_g.cli.short_form import VALUE_OPTIONS
    from salt_g.output import registry

    options = options_of_subcommands()
    short = sorted({*options["call"], *options["cmd"]})
    parts = {
        "options": " ".join(short),
        "links": "\n".join(
            f"        {link}) first={name} program=${{program%{link}}}salt-g ;;"
            for link, name in LINK_NAMES.items()
        ),
        "link_names": " ".join(LINK_NAMES),
        "values": "|".join(sorted(VALUE_OPTIONS)),
        "invite": " ".join(sorted(set(key_invite.build_parser().option_strings()))),
        "cases": "\n".join(_case(name, options[name]) for name in options),
        "subcommands": " ".join(SUBCOMMANDS),
        "others": " ".join(name for name in SUBCOMMANDS if name not in _TAKE_FUNCTIONS),
        "outputters": " ".join(registry.names()),
        "levels": " ".join(LOG_LEVELS),
        "roles": _ROLES,
        "sls_words": " ".join(_TAKE_SLS),
        "sls": "|".join(_TAKE_SLS),
        "pending": _after_key(_TAKE_PENDING),
        "keys": _after_key(_TAKE_KEYS),
        "fish_words": "\n".join(_fish_words()),
        "fish_keys": "\n".join(_fish_keys()),
        "fish_options": "\n".join(_fish_options(options, short)),
    }
    text = _SCRIPTS[shell]
    for name, value in parts.items():
        text = text.replace(f"@{name}@", value)
    return text


def options_of_subcommands() -> dict[str, list[str]]:
    """Return the sorted options, short and long, of each subcommand."""
    from salt_g.cli.parsers import parsers  # Imported lazily: names are completed at each key press.

    return {name: sorted(set(parser.option_strings())) for name, parser in parsers().items()}


def _case(name: str, options: Sequence[str]) -> str:
    """Return the `case` line of a subcommand for bash and zsh, with its options and possible arguments."""
    kind = "functions" if name in _TAKE_FUNCTIONS else "runners" if name == "run" else ""
    return f'        {name}) options="{" ".join(options)}"; kind={kind}; names="{_WORDS.get(name, "")}" ;;'


def _after_key(options: Sequence[tuple[str, str]]) -> str:
    """Return a `case` pattern that matches the subcommand `key` followed by one of these options."""
    return "|".join(f"key:-{letter}|key:--{name}" for letter, name in options)


def _fish_words() -> Iterator[str]:
    for name, words in _WORDS.items():
        yield f"complete -c salt-g -f -n '__fish_seen_subcommand_from {name}' -a '{words}'"


def _fish_keys() -> Iterator[str]:
    for kind, options in (("pending", _TAKE_PENDING), ("keys", _TAKE_KEYS)):
        for letter, name in options:
            yield (
                f"complete -c salt-g -n '__fish_seen_subcommand_from key' -s {letter} -l {name} -x"
                f" -a '(salt-g completion {kind} 2>/dev/null)'"
            )


def _fish_options(options: Mapping[str, Sequence[str]], short: Sequence[str]) -> Iterator[str]:
    """Yield fish's `complete` lines for options without a subcommand, then for those of each subcommand."""
    none = f"not __fish_seen_subcommand_from {' '.join(options)}"
    conditions = [(none, short)]
    conditions += [(f"__fish_seen_subcommand_from {name}", options[name]) for name in options]
    for condition, strings in conditions:
        for name in strings:
            form = f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
            yield f"complete -c salt-g -n '{condition}' {form}"
