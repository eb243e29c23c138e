in dev:
  test.configurable_test_state:
    - changes: False
    - comment: "{{ opts['test'] }} {{ opts.saltenv }} {{ opts['pillarenv'] }} {{ saltenv }} {{ salt['config.get']('test') }}"
