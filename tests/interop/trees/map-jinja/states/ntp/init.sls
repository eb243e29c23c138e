{%- from tpldir ~ "/map.jinja" import ntp with context %}
include:
  - .config

ntp-note:
  test.configurable_test_state:
    - name: {{ ntp.service }}
    - changes: False
    - result: True
    - comment: {{ ntp.options | yaml_encode if ntp.options is string else ntp.options | tojson | yaml_dquote }}
