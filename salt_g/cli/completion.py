"""`salt-g completion bash|zsh|fish`: print a completion script; `functions`: print function names.

The options in the scripts come from the parsers, the function names at completion time from
the loader's source index, so users' own modules are completed too.
"""

from __future__ import annotations

import sys

from salt_g.cli import exits
from salt_g.cli.options import HelpFormatter, OptionParser, add_config

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
    case $word in
        -*) COMPREPLY=($(compgen -W "@options@" -- "$word")) ;;
        *)
            local names
            names=$("${COMP_WORDS[0]}" completion functions 2>/dev/null)
            [ "$COMP_CWORD" -eq 1 ] && names="@subcommands@ $names"
            COMPREPLY=($(compgen -W "$names" -- "$word"))
            ;;
    esac
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
    if [[ $words[CURRENT] == -* ]]; then
        compadd -- @options@
    else
        (( CURRENT == 2 )) && compadd -- @subcommands@
        compadd -- ${(f)"$($words[1] completion functions 2>/dev/null)"}
    fi
}
_salt_g "$@"
"""

_FISH = """\
# Completion of salt-g for fish; made by `salt-g completion fish`.
complete -c salt-g -f -n '__fish_is_first_arg' -a '@subcommands@'
complete -c salt-g -f -a '(salt-g completion functions 2>/dev/null)'
complete -c salt-g -l out -x -a '@outputters@'
complete -c salt-g -s l -l log-level -x -a '@levels@'
@fish_options@
"""

_SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def main(words: list[str]) -> int:
    """Print what the first word asks for; return the exit code."""
    parser = OptionParser(
        prog="salt-g completion",
        usage="%(prog)s bash|zsh|fish|functions",
        description="Print a completion script.",
        epilog=_EPILOG,
        formatter_class=HelpFormatter,
    )
    add_config(parser)
    options, rest = parser.split(words)
    if rest == ["functions"]:
        print("\n".join(function_names(options.config_dir)))
    elif len(rest) == 1 and rest[0] in _SCRIPTS:
        print(script(rest[0]), end="")
    else:
        parser.error("name one of: bash, zsh, fish, functions")
    return exits.OK


def script(shell: str) -> str:
    """Return the completion script for a shell."""
    from salt_g.cli.dispatch import SUBCOMMANDS
    from salt_g.cli.options import LOG_LEVELS
    from salt_g.output import choice

    parts = {
        "options": " ".join(option_strings()),
        "subcommands": " ".join(SUBCOMMANDS),
        "outputters": " ".join(choice.names()),
        "levels": " ".join(LOG_LEVELS),
        "fish_options": "\n".join(_fish_option(option) for option in option_strings()),
    }
    text = _SCRIPTS[shell]
    for name, value in parts.items():
        text = text.replace(f"@{name}@", value)
    return text


def option_strings() -> list[str]:
    """Return every option of `salt-g call` and `salt-g cmd`, short and long, sorted."""
    from salt_g.cli import call_options, cmd_options

    parsers = (call_options.build_parser(), cmd_options.build_parser())
    return sorted({option for parser in parsers for option in parser.option_strings()})


def function_names(config_dir: str | None = None) -> list[str]:
    """Return the names of the execution functions that the loader knows of, without importing any."""
    from salt_g import config
    from salt_g.errors import ConfigError
    from salt_g.loader import Loader

    try:
        opts = config.load("minion", config_dir).opts
    except ConfigError as exc:
        print(exc, file=sys.stderr)
        return []
    return sorted(Loader(opts).table("modules").known_names())


def _fish_option(option: str) -> str:
    return (
        f"complete -c salt-g -l {option[2:]}"
        if option.startswith("--")
        else f"complete -c salt-g -s {option[1:]}"
    )
