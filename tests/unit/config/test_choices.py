"""`salt_g.config.choices`: settings with a fixed set of values."""

import pytest

from salt_g import config
from salt_g.config import choices
from salt_g.errors import ConfigError
from salt_g.telemetry.log import LEVELS


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("hash_type: sha3", "hash_type must be one of md5, sha1,"),
        ("master_type: strr", "master_type must be one of str, failover, func, distributed, disable"),
        ("plan_approval: others", "plan_approval must be one of other, not 'others'"),
        ("master_port: abc", "master_port must be a port, 1 to 65535, not 'abc'"),
        ("master_port: 99999", "master_port must be a port, 1 to 65535, not 99999"),
        (
            "log_fmt_console: '%(nosuch)s'",
            "log_fmt_console must be a format of log lines (there is no field 'nosuch')",
        ),
        (
            "log_fmt_logfile: '%(message'",
            "log_fmt_logfile must be a format of log lines (incomplete format key)",
        ),
        ("log_fmt: '%(nosuch)s'", "log_fmt must be a format of log lines (there is no field 'nosuch')"),
        (
            "log_fmt: JSON",
            "log_fmt must be a format of log lines (it has no field such as '%(message)s'; 'json' in",
        ),
        (
            "log_fmt_console: '{message}'",
            "log_fmt_console must be a format of log lines (it has no field such as",
        ),
        (
            "log_fmt_logfile: '%(message)d'",
            "log_fmt_logfile must be a format of log lines (%d format: a real",
        ),
        (
            "log_fmt_jid: '[%(id)s]'",
            "log_fmt_jid must be a format of log lines (there is no field 'id')",
        ),
        ("keysize: 512", "keysize must be 2048 to 8192, not 512"),
        ("resource_timeout: 0", "resource_timeout must be 1 to 9000000000, not 0"),
        ("salt_cp_chunk_size: 0", "salt_cp_chunk_size must be 1 to 1073741824, not 0"),
        ("file_buffer_size: -1", "file_buffer_size must be 1 to 1073741824, not -1"),
        ("loop_interval: -1", "loop_interval must be 0 to 9000000000, not -1"),
        ("gitfs_update_interval: -5", "gitfs_update_interval must be 0 to 9000000000, not -5"),
        ("http_request_timeout: 1000000000000", "http_request_timeout must be 0 to 9000000000, not 1000000"),
        ("http_connect_timeout: -0.5", "http_connect_timeout must be 0 to 9000000000, not -0.5"),
        ("reactor_worker_threads: -1", "reactor_worker_threads must be 0 to 10000, not -1"),
        ("publish_port: -1", "publish_port must be a port, 1 to 65535, not -1"),
    ],
)
def test_a_value_with_which_nothing_works_is_refused_with_its_line(tmp_path, line, expected):
    (tmp_path / "minion").write_text(f"id: m1\n{line}\n")

    with pytest.raises(ConfigError) as caught:
        config.load("minion", str(tmp_path))

    assert str(caught.value).startswith(f"{tmp_path}/minion:2: {expected}")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("file_client: locl", "file_client: 'locl' is not one of remote, local, pillar; 'remote' is used"),
        ("log_level: chatty", "log_level: 'chatty' is not one of all, garbage,"),
        ("startup_states: hightsate", "'hightsate' is not one of highstate, sls, top; 'highstate' is used"),
    ],
)
def test_an_unknown_word_is_named_with_what_counts(tmp_path, line, expected):
    (tmp_path / "minion").write_text(f"id: m1\n{line}\n")

    warned = config.load("minion", str(tmp_path)).warnings

    assert len(warned) == 1
    assert warned[0].startswith(f"{tmp_path}/minion:2: ")
    assert expected in warned[0]


def test_words_in_any_case_numbers_of_levels_and_ports_as_text_pass(tmp_path):
    text = "id: m1\nlog_level: WARNING\nlog_level_logfile: quiet\nhash_type: SHA512\nmaster_port: '4506'\n"
    (tmp_path / "minion").write_text(text + "myapp_port: none of yours\nsource_ret_port: 0\n")

    assert config.load("minion", str(tmp_path)).warnings == []


def test_formats_of_stock_and_of_logging_pass():
    formats = (
        "json",
        "[%(levelname)-8s] %(message)s",
        "%(asctime)s,%(msecs)03d [%(name)-17s:%(lineno)-4d]%(jid)s %(minion_id)s %(colorlevel)s %(created)f",
    )

    assert [form for form in formats if choices.refused({"log_fmt_console": form}, {})] == []


def test_every_log_level_is_accepted_by_name():
    assert choices.replaced({"log_level": "warn"}, {}) == []
    assert [name for name in LEVELS if choices.replaced({"log_level": name}, {})] == []
