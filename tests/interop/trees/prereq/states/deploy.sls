down:
  cmd.run:
    - name: echo down
    - prereq: [{file: code}]
code:
  file.managed:
    - name: {{ grains.sandbox }}/code
    - contents: v2
    - require: [{test: ready}]
ready: {test.nop: []}
up:
  cmd.run:
    - name: echo up
    - require: [{file: code}]
    - onchanges: [{file: code}]
chain:
  test.succeed_with_changes:
    - prereq: [{cmd: middle}]
middle:
  cmd.run:
    - name: echo middle
    - prereq: [{test: end}]
end: {test.succeed_with_changes: []}
fails-before:
  test.fail_without_changes:
    - prereq: [{test: spared}]
spared: {test.succeed_with_changes: []}
after:
  test.nop:
    - require: [{test: spared}]
