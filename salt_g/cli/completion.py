"""`salt-g completion bash|zsh|fish`: print a completion script; `functions`, `runners`: print names.

The options in the scripts come from the parser of each subcommand. Names are read at completion time from
the loader's source index, so users' own modules are completed too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import salt_g.cli.exit_codes as exit_codes
from salt_g.cli.function_names import execution_functions, runner_functions
from salt_g.cli.options import OptionParser, add_config

_EPILOG = """\
examples:
  source <(salt-g completion bash)
  salt-g completion zsh > ~/.zfunc/_salt-g
  salt-g completion fish > ~/.config/fish/completions/salt-g.fish
"""

_BASH = """\
# Completion of salt-g for bash; made by `salt-g completion bash`.
_salt_g() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    case $before in
        --out|--output) COMPREPLY=($(compgen -W "@outputters@" -- "$word")); return ;;
        -l|--log-level|--log-file-level) COMPREPLY=($(compgen -W "@levels@" -- "$word")); return ;;
        -c|--config-dir|--file-root|--pillar-root|--states-dir|-m|--module-dirs|--cachedir|--profiling-path)
            COMPREPLY=($(compgen -d -- "$word")); return ;;
        --out-file|--output-file|--log-file) COMPREPLY=($(compgen -f -- "$word")); return ;;
    esac
    local first=${COMP_WORDS[1]} options="@options@" kind=functions names=
    [ "$COMP_CWORD" -eq 1 ] && first=
    case $first in
@cases@
    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
        return
    fi
    [ -n "$kind" ] && names=$("${COMP_WORDS[0]}" completion $kind 2>/dev/null)
    [ "$COMP_CWORD" -eq 1 ] && names="@subcommands@ $names"
    COMPREPLY=($(compgen -W "$names" -- "$word"))
}
complete -F _salt_g salt-g salt-call
"""

_ZSH = """\
#compdef salt-g salt-call
# Completion of salt-g for zsh; made by `salt-g completion zsh`.
_salt_g() {
    case $words[CURRENT-1] in
        --out|--output) compadd -- @outputters@; return ;;
        -l|--log-level|--log-file-level) compadd -- @levels@; return ;;
        -c|--config-dir|--file-root|--pillar-root|--states-dir|-m|--module-dirs|--cachedir)
            _files -/; return ;;
        --out-file|--output-file|--log-file) _files; return ;;
    esac
    local first=$words[2] options="@options@" kind=functions
    (( CURRENT == 2 )) && first=
    case $first in
@cases@
    esac
    if [[ $words[CURRENT] == -* ]]; then
        compadd -- ${=options}
    else
        (( CURRENT == 2 )) && compadd -- @subcommands@
        [[ -n $kind ]] && compadd -- ${(f)"$($words[1] completion $kind 2>/dev/null)"}
    fi
}
_salt_g "$@"
"""

_FISH = """\
# Completion of salt-g for fish; made by `salt-g completion fish`.
complete -c salt-g -f -n '__fish_is_first_arg' -a '@subcommands@'
complete -c salt-g -f -n 'not __fish_seen_subcommand_from @others@' \\
    -a '(salt-g completion functions 2>/dev/null)'
complete -c salt-g -f -n '__fish_seen_subcommand_from run' -a '(salt-g completion runners 2>/dev/null)'
complete -c salt-g -l out -x -a '@outputters@'
complete -c salt-g -s l -l log-level -x -a '@levels@'
@fish_options@
"""

#: Subcommands followed by the name of an execution function.
_TAKE_FUNCTIONS = ("call", "cmd")
_SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def main(words: list[str]) -> int:
    """Print the requested script or names; return the exit code."""
    parser = OptionParser(
        prog="salt-g completion",
        usage="%(prog)s bash|zsh|fish|functions|runners",
        description="Print a completion script.",
        epilog=_EPILOG,
    )
    add_config(parser)
    options, rest = parser.split(words)
    if rest == ["functions"]:
        print("\n".join(execution_functions(options.config_dir)))
    elif rest == ["runners"]:
        print("\n".join(runner_functions(options.config_dir)))
    elif len(rest) == 1 and rest[0] in _SCRIPTS:
        print(script(rest[0]), end="")
    else:
        parser.error("name one of: bash, zsh, fish, functions, runners")
    return exit_codes.OK


def script(shell: str) -> str:
    """Return the completion script for a shell."""
    from salt_g.cli.dispatch import SUBCOMMANDS
    from salt_g.cli.options import LOG_LEVELS
    from salt_g.output import registry

    options = options_of_subcommands()
    short = sorted({*options["call"], *options["cmd"]})
    parts = {
        "options": " ".join(short),
        "cases": "\n".join(_case(name, options[name]) for name in options),
        "subcommands": " ".join(SUBCOMMANDS),
        "others": " ".join(name for name in SUBCOMMANDS if name not in _TAKE_FUNCTIONS),
        "outputters": " ".join(registry.names()),
        "levels": " ".join(LOG_LEVELS),
        "fish_options": "\n".join(_fish_options(options, short)),
    }
    text = _SCRIPTS[shell]
    for name, value in parts.items():
        text = text.replace(f"@{name}@", value)
    return text


def options_of_subcommands() -> dict[str, list[str]]:
    """Return {subcommand: its options, short and long, sorted}."""
    import salt_g.cli.call.call_options as call_options
    import salt_g.cli.cmd.cmd_options as cmd_options
    import salt_g.cli.cmd.cp_options as cp_options
    import salt_g.cli.cmd.match as match
    import salt_g.cli.key.key_options as key_options
    import salt_g.cli.run.run_options as run_options
    import salt_g.cli.setup.config as config
    import salt_g.cli.setup.doctor as doctor
    import salt_g.cli.setup.install_options as install_options
    import salt_g.cli.setup.quickstart as quickstart
    import salt_g.cli.watch.event as event
    import salt_g.cli.watch.top as top
    from salt_g.cli.daemon.daemon import build_parser as of_daemon

    parsers = {
        "call": call_options.build_parser(),
        "cmd": cmd_options.build_parser(),
        "run": run_options.build_parser(),
        "key": key_options.build_parser(),
        "cp": cp_options.build_parser(),
        "event": event.build_parser(),
        "match": match.build_parser(),
        "top": top.build_parser(),
        "master": of_daemon("salt-g master", "", ""),
        "minion": of_daemon("salt-g minion", "", ""),
        "config": config.build_parser(),
        "doctor": doctor.build_parser(),
        "quickstart": quickstart.build_parser(),
        "install": install_options.build_parser(),
    }
    return {name: sorted(set(parser.option_strings())) for name, parser in parsers.items()}


def _case(name: str, options: Sequence[str]) -> str:
    """Return a line of a `case` in bash and zsh: options of a subcommand, and kind of names after it."""
    kind = "functions" if name in _TAKE_FUNCTIONS else "runners" if name == "run" else ""
    return f'        {name}) options="{" ".join(options)}"; kind={kind} ;;'


def _fish_options(options: Mapping[str, Sequence[str]], short: Sequence[str]) -> Iterator[str]:
    """Yield the option lines: first those of the short forms, then those of each subcommand."""
    none = f"not __fish_seen_subcommand_from {' '.join(options)}"
    conditions = [(none, short)]
    conditions += [(f"__fish_seen_subcommand_from {name}", options[name]) for name in options]
    for condition, strings in conditions:
        for name in strings:
            form = f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
            yield f"complete -c salt-g -n '{condition}' {form}"
