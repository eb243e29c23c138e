"""Memory and swap."""

from salt_g.grains.memory import memory


def test_kibibytes_become_mebibytes_rounded_down(tree):
    root = tree({"/proc/meminfo": "MemTotal:       24684092 kB\nMemFree: 1 kB\nSwapTotal:       2047 kB\n"})

    assert memory(root) == {"mem_total": 24105, "swap_total": 1}


def test_nothing_to_read_is_not_memory(tmp_path):
    assert memory(str(tmp_path)) == {"mem_total": 0, "swap_total": 0}
