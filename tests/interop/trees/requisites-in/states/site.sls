last:
  test.succeed_without_changes: []
reload:
  test.succeed_without_changes: []
repair:
  test.succeed_with_changes:
    - onfail_any:
      - test: broken
rebuild:
  cmd.run:
    - name: echo rebuild
gate:
  test.succeed_with_changes: []
conf:
  test.succeed_with_changes:
    - require_in:
      - test: last
    - watch_in: {test: reload}
    - onchanges_in:
      - cmd: rebuild
    - listen_in:
      - test: gate
broken:
  test.fail_without_changes:
    - onfail_in:
      - test: repair-too
repair-too:
  test.succeed_with_changes: []
before:
  test.succeed_with_changes: []
planned:
  test.succeed_with_changes:
    - prereq_in:
      - before
quiet:
  test.nop:
    - onchanges_any:
      - test: last
      - test: before
everything:
  test.nop:
    - require_any:
      - test: broken
      - test: conf
    - onfail_all:
      - test: broken
