import pytest

from salt_g.config.derive import below_root, derive, normal_roots
from salt_g.config.registry import defaults


def derived(role="minion", **given):
    opts = {**defaults(role), "id": "web1", "conf_file": f"/etc/salt-g/{role}", **given}
    derive(role, opts, set(given))
    return opts


@pytest.mark.parametrize(
    ("path", "root", "expected"),
    [
        ("/var/log/salt", "/", "/var/log/salt"),
        ("/var/log/salt", "/opt/tree", "/opt/tree/var/log/salt"),
        ("/opt/tree/log", "/opt/tree", "/opt/tree/log"),
        ("/opt/treehouse", "/opt/tree", "/opt/tree/opt/treehouse"),
        ("relative", "/opt/tree", "/opt/tree/relative"),
        ("file:///dev/log", "/opt/tree", "file:///dev/log"),
    ],
)
def test_paths_are_below_the_root(path, root, expected):
    assert below_root(path, root) == expected


def test_paths_of_the_role_move_with_root_dir():
    opts = derived("master", root_dir="/opt/tree")

    assert opts["pki_dir"] == "/opt/tree/etc/salt/pki/master"
    assert opts["token_dir"] == "/opt/tree/var/cache/salt/master/tokens"


def test_roots_are_lists_of_directories_by_name(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()

    roots = normal_roots({"base": [f"{tmp_path}/[ab]"], "dev": None, 3: ["/x"]})

    assert sorted(roots["base"]) == [f"{tmp_path}/a", f"{tmp_path}/b"]
    assert roots["dev"] == []
    assert roots["3"] == ["/x"]


def test_the_domain_is_appended_once():
    assert derived(append_domain="example.org")["id"] == "web1.example.org"
    assert derived(id="w.example.org", append_domain="example.org")["id"] == "w.example.org"


def test_an_id_may_be_a_number_in_the_file():
    assert derived(id=7)["id"] == "7"


def test_a_long_socket_directory_moves_into_the_cache():
    opts = derived(sock_dir="/a/very/long/path/for/sockets", cachedir="/c")

    assert opts["sock_dir"] == "/c/.salt-unix"


def test_only_a_plain_true_opens_the_door():
    assert derived("master", auto_accept="yes", open_mode=1)["auto_accept"] is False
    assert derived("master", open_mode=1)["open_mode"] is False


def test_the_log_directory_holds_the_log_file():
    assert derived(log_dir="/logs")["log_file"] == "/logs/minion"
    assert derived(log_dir="/logs", log_file="mine.log")["log_file"] == "/logs/mine.log"


def test_the_old_name_of_saltenv_is_understood():
    assert derived(environment="dev")["saltenv"] == "dev"
    assert derived(environment="dev", saltenv="prod")["environment"] == "prod"


def test_directories_get_the_id_where_asked():
    opts = derived(append_minionid_config_dirs=["pki_dir", "pidfile"])

    assert opts["pki_dir"] == "/etc/salt/pki/minion/web1"
    assert opts["pidfile"] == "/var/run/salt/web1/salt-minion.pid"


def test_one_format_of_lines_is_for_console_and_file_unless_they_have_their_own():
    both = derived(log_fmt="json")
    one = derived("master", log_fmt="json", log_fmt_console="%(message)s")

    assert (both["log_fmt_console"], both["log_fmt_logfile"]) == ("json", "json")
    assert (one["log_fmt_console"], one["log_fmt_logfile"]) == ("%(message)s", "json")


def test_texts_that_look_like_numbers_are_texts():
    opts = derived(env_order=[2026, "base"], file_ignore_regex=2026, file_ignore_glob=["*.swp", 1.5])

    assert (opts["env_order"], opts["file_ignore_regex"], opts["file_ignore_glob"]) == (
        ["2026", "base"],
        ["2026"],
        ["*.swp", "1.5"],
    )
