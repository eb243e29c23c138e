fails:
  test.fail_without_changes:
    - retry: {attempts: 2, interval: 1}
recovers:
  cmd.run:
    - name: 'echo x >> {{ grains.sandbox }}/tries; test $(wc -l < {{ grains.sandbox }}/tries) -ge 3'
    - retry:
        attempts: 4
        interval: 1
wants-false:
  test.configurable_test_state:
    - changes: False
    - result: False
    - retry: {until: False, attempts: 3, interval: 1}
after:
  test.succeed_with_changes:
    - require: [{cmd: recovers}]
