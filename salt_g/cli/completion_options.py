"""Options of `salt-g completion`."""

from __future__ import annotations

from salt_g.cli.options import OptionParser, add_config

_EPILOG = """\
examples:
  source <(salt-g completion bash)
  salt-g completion zsh > ~/.zfunc/_salt-g
  salt-g completion fish > ~/.config/fish/completions/salt-g.fish
"""


def build_parser() -> OptionParser:
    """Return the parser of `salt-g completion`."""
    parser = OptionParser(
        prog="salt-g completion",
        usage="%(prog)s bash|zsh|fish|functions|runners|sls|keys|pending",
        description="Print a completion script.",
        epilog=_EPILOG,
    )
    add_config(parser)
    return parser
