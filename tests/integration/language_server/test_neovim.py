"""`salt-g lsp` with a real editor: Neovim's own client opens, edits and sends requests."""

import json
import pathlib
import shutil
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(shutil.which("nvim") is None, reason="nvim is not installed")

#: Runs in Neovim 0.7 and later. Arguments: the program, the folder, the file of the answers.
EDITOR = """
local program, folder, out = unpack(ARGUMENTS)
local client = vim.lsp.start_client({
  name = "salt-g",
  cmd = { program, "lsp", "-c", folder .. "/etc" },
  root_dir = folder,
  init_options = { file_root = "states", pillar_root = "pillar", os = "debian" },
})
local buffer = vim.api.nvim_get_current_buf()
vim.lsp.buf_attach_client(buffer, client)

local function told()
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(found, { one.lnum, one.col, one.message })
  end
  return found
end
local function wait_until(is_so)
  assert(vim.wait(60000, is_so, 50), "waited in vain: " .. vim.inspect(told()))
end
local function ask(method, line, column)
  local answers, problem = vim.lsp.buf_request_sync(buffer, method, {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    position = { line = line, character = column },
  }, 120000)
  assert(answers, problem)
  return answers[client].result
end

local answers = {}
wait_until(function() return #told() > 0 end)
answers.opened = told()
local line = vim.api.nvim_buf_get_lines(buffer, 7, 8, true)[1]
local mended = line:gsub("ngnix", "nginx")
vim.api.nvim_buf_set_lines(buffer, 7, 8, true, { mended })
wait_until(function() return #told() == 0 end)
vim.api.nvim_buf_set_lines(buffer, 8, 8, true, { "y:", "  service.runing: []" })
wait_until(function() return #told() > 0 end)
answers.edited = told()
vim.api.nvim_buf_set_lines(buffer, 9, 10, true, { "  service.run" })
answers.completed = ask("textDocument/completion", 9, 13)
answers.hover = ask("textDocument/hover", 3, 8)
answers.definition = ask("textDocument/definition", 7, #"      - test: '" + 4)
local file = assert(io.open(out, "w"))
file:write(vim.json and vim.json.encode(answers) or vim.fn.json_encode(answers))
file:close()
vim.lsp.stop_client(client)
vim.cmd("qall!")
"""
SLS = """\
# \N{GRINNING FACE}
nginx \N{GRINNING FACE}:
  pkg.installed: []
  test.nop: []
a:
  test.nop:
    - require:
      - test: 'ngnix \N{GRINNING FACE}'
"""


def test_neovim_shows_edits_completes_describes_and_finds(tmp_path):
    folder = tmp_path / "my tree \N{LATIN SMALL LETTER U WITH DIAERESIS} 100%"
    path = folder / "states" / "a b.sls"
    for name, text in {
        "etc/minion": "id: m1\n",
        "pillar/top.sls": "base: {}\n",
        "states/a b.sls": SLS,
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    out, script = tmp_path / "out.json", tmp_path / "editor.lua"
    program = pathlib.Path(sys.executable).with_name("salt-g")
    arguments = ", ".join(json.dumps(str(one), ensure_ascii=False) for one in (program, folder, out))
    script.write_text(EDITOR.replace("ARGUMENTS", f"{{{arguments}}}"), encoding="utf-8")

    done = subprocess.run(
        ["nvim", "--headless", "-u", "NONE", "-n", path, "-c", f"luafile {script}", "-c", "cquit"],
        capture_output=True,
        text=True,
        timeout=300,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TMPDIR": str(tmp_path)},
    )

    assert done.returncode == 0, done.stderr
    answers = json.loads(out.read_text(encoding="utf-8"))
    (line, column, message), *others = answers["opened"]
    assert (line, column, others) == (7, len("      - test: '"), []) and "Referenced state" in message
    assert [one[0] for one in answers["edited"]] == [9]
    items = answers["completed"]
    items = items["items"] if isinstance(items, dict) else items
    assert "service.running" in {item["label"] for item in items}
    assert "nop" in json.dumps(answers["hover"])
    found = answers["definition"]
    place = found[0] if isinstance(found, list) else found
    assert place["uri"].endswith("/a%20b.sls") and place["range"]["start"]["line"] == 1
