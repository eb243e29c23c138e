jinja:
  test.configurable_test_state:
    - changes: False
    - comment: "{{ opts['test'] }} {{ opts.saltenv }} {{ opts['pillarenv'] }} {{ saltenv }} {{ salt['config.get']('test') }}"
{{ grains.sandbox }}/managed:
  file.managed:
    - contents: "{{ opts.test }}"
{{ grains.sandbox }}/template:
  file.managed:
    - source: salt://template
    - template: jinja
users:
  seen.settings: []
