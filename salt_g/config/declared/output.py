"""Settings of output."""

from __future__ import annotations

from salt_g.config.setting import UNSET, both, master

#: One row for each setting; see `setting.py` for the columns.
SETTINGS = (
    master("cli_summary", bool, False, "Print counts of the minions at the end of a command."),
    both("color", bool, UNSET, "Colour the output; decided by the terminal when not set."),
    both("color_theme", str, UNSET, "YAML file that maps colour names to ANSI codes."),
    both("nested_indent", int, UNSET, "Indentation of the whole output of `nested`."),
    both("output", str, UNSET, "Default outputter."),
    both(
        "output_indent",
        int | str | None,
        UNSET,
        "Indentation of `json`, `yaml` and `pprint`: a number, `pretty`, or -1 for one line.",
    ),
    both("outputter_dirs", list, [], "Additional directories with outputters."),
    master("show_jid", bool, False, "Print the job id first."),
    master("show_timeout", bool, True, "List the minions that did not return."),
    both("state_compress_ids", bool, UNSET, "Merge the names of one id that have equal results."),
    both(
        "state_output",
        str,
        "full",
        "Format of state results: `full`, `terse`, `mixed`, `changes` or `filter`, each also with `_id`.",
    ),
    both("state_output_diff", bool, False, "Hide states without changes."),
    both("state_output_exclude", list | str, UNSET, "Results (`True`, `False`, `None`) that `filter` hides."),
    both("state_output_pct", bool, UNSET, "Show percentages in the summary."),
    both("state_output_profile", bool, True, "Show start times and durations."),
    both("state_output_terse", list | str, UNSET, "Results that `filter` shows in terse form."),
    both("state_tabular", bool | str, UNSET, "Show terse results as a table; true, or a format string."),
    both("state_verbose", bool, True, "Show successful states without changes."),
    both("strip_colors", bool, UNSET, "Replace escape characters in values by `?`."),
)
