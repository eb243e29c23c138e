"""Stock's `salt.utils.parsers`: base classes of command line parsers, for users' programs.

A parser derives from `OptionParser` and mixins, with the metaclass `OptionParserMeta`. `_mixin_setup` of each
class adds options; `process_NAME` is called for each option after parsing, then `_mixin_after_parsed` of each
class, in the order of `_mixin_prio_`. `setup_config` returns the settings. The parsers of stock's own
programs are refused.
"""

from __future__ import annotations

import optparse
import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from salt_g import SALT_LEVEL
from salt_g.compat import _logging, syspaths
from salt_g.compat.defaults import exitcodes
from salt_g.compat.refusal import refuse

#: Functions with the same name in the classes of a parser.
_Functions = list[Callable[..., Any]]


class OptionParserMeta(type):
    """Metaclass of parsers and mixins; programs set it on their own classes."""


MixInMeta = OptionParserMeta


class CustomOption(optparse.Option):
    """Option whose attribute `explicit` records whether it was given on the command line."""

    explicit = False

    def take_action(self, *args: Any) -> int:
        """Record that the option was given, and store its value."""
        self.explicit = True
        return super().take_action(*args)


class OptionParser(optparse.OptionParser, metaclass=OptionParserMeta):
    """Command line parser; after parsing, the results are in `options`, `args` and `config`."""

    VERSION = SALT_LEVEL
    usage: Any = "%prog [options]"
    description: Any = None
    epilog: Any = None
    _mixin_prio_ = sys.maxsize - 200

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("version", f"%prog {self.VERSION}")
        kwargs.setdefault("option_class", CustomOption)
        for name in ("usage", "description", "epilog"):
            kwargs.setdefault(name, getattr(self, name))
        self.options = optparse.Values()
        self.args: list[str] = []
        if not hasattr(self, "config"):
            self.config: Any = {}
        self._mixin_setup_funcs = self._of_mixins("_mixin_setup")
        self._mixin_process_funcs = self._of_mixins("_mixin_process")
        self._mixin_after_parsed_funcs = self._of_mixins("_mixin_after_parsed")
        self._mixin_before_exit_funcs = self._of_mixins("_mixin_before_exit")
        super().__init__(*args, **kwargs)
        for setup in self._mixin_setup_funcs:
            setup(self)

    def parse_args(self, args: Any = None, values: Any = None) -> tuple[optparse.Values, list[str]]:
        """Parse a command line, `sys.argv` by default; store and return options and arguments."""
        self.options, self.args = super().parse_args(args, values)
        steps = [getattr(self, f"process_{name}", None) for name in list(vars(self.options))]
        for process in sorted(filter(None, steps), key=_priority):
            process()
        for finish in self._mixin_after_parsed_funcs:
            # A setup may have added a bound method.
            finish() if hasattr(finish, "__self__") else finish(self)
        return self.options, self.args

    def error(self, msg: str) -> NoReturn:
        """Print the usage and an error message; exit with 64."""
        self.print_usage(sys.stderr)
        self.exit(exitcodes.EX_USAGE, f"{self.get_prog_name()}: error: {msg}\n")

    def exit(self, status: int = 0, msg: Any = None) -> NoReturn:
        """End the program, with a message on stderr."""
        for leave in self._mixin_before_exit_funcs:
            leave(self)
        super().exit(status, f"{msg.rstrip()}\n" if isinstance(msg, str) and msg else msg)

    @classmethod
    def _of_mixins(cls, name: str) -> _Functions:
        owners = [owner for owner in cls.__mro__ if name in vars(owner)]
        return [vars(owner)[name] for owner in sorted(owners, key=_priority)]


def _priority(owner: Any) -> int:
    return int(getattr(owner, "_mixin_prio_", 0))


class MergeConfigMixIn(metaclass=OptionParserMeta):
    """Mixin that merges command line options into the settings; it runs last."""

    _mixin_prio_ = sys.maxsize

    def _mixin_after_parsed(self: Any) -> None:
        options = [*self.option_list, *(each for group in self.option_groups for each in group.option_list)]
        for option in options:
            value = getattr(self.options, option.dest, None) if option.dest else None
            if value is None:
                continue
            if self.config.get(option.dest) is None or getattr(option, "explicit", False):
                self.config[option.dest] = value
            else:
                setattr(self.options, option.dest, self.config[option.dest])


class ConfigDirMixIn(metaclass=OptionParserMeta):
    """Mixin for `-c DIR`, and the settings that `setup_config` reads from this directory."""

    _mixin_prio_ = -10
    _config_filename_: Any = None
    _default_config_dir_ = syspaths.CONFIG_DIR
    _default_config_dir_env_var_ = "SALT_CONFIG_DIR"

    def _mixin_setup(self: Any) -> None:
        chosen = os.environ.get(self._default_config_dir_env_var_) or self._default_config_dir_
        text = "directory of the configuration (default: '%default')"
        self.add_option("-c", "--config-dir", default=chosen, help=text)

    def process_config_dir(self: Any) -> None:
        """Read the settings from the chosen directory."""
        self.options.config_dir = os.path.abspath(os.path.expanduser(self.options.config_dir))
        if not os.path.isdir(self.options.config_dir):
            sys.stderr.write(f"WARNING: there is no directory '{self.options.config_dir}'\n")
        if hasattr(self, "setup_config"):
            try:
                self.config = self.setup_config()
            except OSError as exc:
                self.error(f"the configuration cannot be read: {exc}")

    process_config_dir._mixin_prio_ = _mixin_prio_  # type: ignore[attr-defined]  # read when they are sorted

    def get_config_file_path(self: Any, configfile: str | None = None) -> str:
        """Return the path of a file in the configuration directory, by default `_config_filename_`."""
        return os.path.join(self.options.config_dir, configfile or self._config_filename_ or "")


class LogLevelMixIn(metaclass=OptionParserMeta):
    """Mixin for `-l`, `--log-file`, `--log-file-level`; `setup_logfile_logger` starts logging to stderr."""

    _mixin_prio_ = sys.maxsize - 100
    _default_logging_level_ = "warning"
    _default_logging_logfile_: Any = None
    _logfile_config_setting_name_ = "log_file"
    _loglevel_config_setting_name_ = "log_level"
    _logfile_loglevel_config_setting_name_ = "log_level_logfile"
    _console_log_level_cli_flags = ("-l", "--log-level")

    def _mixin_setup(self: Any) -> None:
        levels = list(_logging.SORTED_LEVEL_NAMES)
        group = self.logging_options_group = optparse.OptionGroup(self, "Logging Options")
        self.add_option_group(group)
        group.add_option(
            *self._console_log_level_cli_flags,
            dest=self._loglevel_config_setting_name_,
            choices=levels,
            help=f"level of the log on the terminal, '{self._default_logging_level_}' by default",
        )
        group.add_option("--log-file", dest=self._logfile_config_setting_name_, help="path of the log file")
        group.add_option(
            "--log-file-level",
            dest=self._logfile_loglevel_config_setting_name_,
            choices=levels,
            help="level of the log file",
        )

    def setup_logfile_logger(self: Any) -> None:
        """Start logging with the level from the settings."""
        import logging

        name = str(self.config.get(self._loglevel_config_setting_name_) or self._default_logging_level_)
        logging.basicConfig(level=_logging.get_logging_level_from_string(name))


_ADVICE = "use `argparse` for the options and `salt.config` for the settings"
_NAMES = """
    ArgsStdinMixIn CacheDirMixIn CloudCredentialsMixIn CloudProvidersListsMixIn CloudQueriesMixIn
    DaemonMixIn EAuthMixIn ExecutionOptionsMixIn ExecutorsMixIn ExtendedTargetOptionsMixIn
    HardCrashMixin JIDMixin NoParseMixin OutputOptionsMixIn ProfilingPMixIn ProxyIdMixIn RunUserMixin
    SaltfileMixIn TargetOptionsMixIn TimeoutMixIn MasterOptionParser MinionOptionParser
    ProxyMinionOptionParser SPMParser SaltAPIParser SaltCMDOptionParser SaltCPOptionParser
    SaltCallOptionParser SaltCloudParser SaltKeyOptionParser SaltRunOptionParser SaltSSHOptionParser
    SyndicOptionParser
""".split()  # noqa: SIM905 - a list of 31 texts is unreadable
globals().update({name: refuse(f"salt.utils.parsers.{name}", _ADVICE) for name in _NAMES})

__all__ = ["ConfigDirMixIn", "CustomOption", "LogLevelMixIn", "MergeConfigMixIn", "MixInMeta", "OptionParser"]
__all__ += ["OptionParserMeta", *_NAMES]
