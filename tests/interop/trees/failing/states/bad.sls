root: {test.fail_without_changes: [{comment: on purpose}]}
root-changed: {test.fail_with_changes: []}
child: {test.nop: [{require: [{test: root}]}]}
grandchild: {test.nop: [{watch: [{test: child}]}]}
two-parents: {test.nop: [{require: [{test: root}, {test: root-changed}]}]}
lucky: {test.nop: [{require_any: [{test: root}, {test: fine}]}]}
fine: {test.nop: []}
repaired: {test.succeed_with_changes: [{onfail: [{test: root}]}]}
after-repair: {test.nop: [{require: [{test: repaired}]}]}
not-repaired: {test.nop: [{onfail: [{test: fine}]}]}
changed-by-failure: {test.nop: [{onchanges: [{test: root-changed}]}]}
command: {cmd.run: [{name: 'echo out; echo err >&2; exit 7'}]}
no-command: {cmd.run: [{name: /nowhere/program --x}]}
no-dir: {cmd.run: [{name: 'true'}, {cwd: /nowhere}]}
no-user: {cmd.run: [{name: 'true'}, {runas: nobody-knows}]}
unknown-function: {test.nonsense: []}
unknown-module: {nonsense.run: []}
no-source: {file.managed: [{name: {{ grains.sandbox }}/x}, {source: salt://nowhere}]}
relative: {file.managed: [{name: relative/x}]}
no-parent: {file.managed: [{name: {{ grains.sandbox }}/a/b/c}, {contents: x}]}
warned: {test.configurable_test_state: [{warnings: A warning}, {changes: False}]}
