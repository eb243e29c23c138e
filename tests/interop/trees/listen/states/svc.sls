one: {test.succeed_with_changes: []}
two: {test.succeed_with_changes: [{require: [{test: one}]}]}
still: {test.succeed_without_changes: []}
hearer:
  test.succeed_without_changes:
    - listen: [{test: one}, {test: two}]
deaf:
  test.succeed_without_changes:
    - listen: [{test: still}]
command:
  cmd.wait:
    - name: echo heard
    - listen: [{test: two}]
lost:
  test.succeed_without_changes:
    - listen: [{test: nobody}]
early:
  test.succeed_with_changes:
    - order: last
    - listen_in: [{cmd: command}, {test: hearer}]
