{% for n in range(4) %}
side {{ n }}:
  cmd.run:
    - name: sleep 0.1; echo {{ n }} >> {{ grains.sandbox }}/side{{ n }}
    - parallel: True
{% endfor %}
waits:
  cmd.run:
    - name: cat {{ grains.sandbox }}/side?
    - require: [{cmd: side 0}, {cmd: side 1}, {cmd: side 2}, {cmd: side 3}]
chained:
  test.succeed_with_changes:
    - parallel: True
    - require: [{cmd: waits}]
fails beside:
  test.fail_without_changes: [{parallel: True}]
needs failed:
  test.nop: [{require: [{test: fails beside}]}]
