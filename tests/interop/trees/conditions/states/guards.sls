{% set d = grains.sandbox %}
{% for name, guards in [
  ('unless-true', {'unless': 'true'}),
  ('unless-false', {'unless': ['true', 'false']}),
  ('onlyif-list', {'onlyif': ['true', 'test -e ' ~ d ~ '/here']}),
  ('onlyif-false', {'onlyif': ['true', 'false']}),
  ('both', {'onlyif': 'false', 'unless': 'true'}),
  ('creates-one', {'creates': d ~ '/here'}),
  ('creates-some', {'creates': [d ~ '/here', d ~ '/gone']}),
  ('creates-all', {'creates': [d ~ '/here', d ~ '/there']}),
  ('function', {'onlyif': [{'fun': 'file.file_exists', 'path': d ~ '/here'}]}),
  ('function-not', {'unless': [{'fun': 'file.file_exists', 'args': [d ~ '/here']}]}),
  ('get-return', {'onlyif': [{'fun': 'test.kwarg', 'a': {'b': true}, 'get_return': 'a:b'}]}),
  ('cwd', {'onlyif': 'test -e here', 'cwd': d}),
] %}
{{ name }}:
  cmd.run:
    - name: echo ran
{%- for key, value in guards.items() %}
    - {{ key }}: {{ value | tojson }}
{%- endfor %}
{% endfor %}
checked:
  test.succeed_with_changes:
    - check_cmd: ['true', 'test -d {{ d }}']
check-fails:
  test.succeed_with_changes:
    - check_cmd: [exit 4]
file-check:
  file.managed:
    - name: {{ d }}/checked
    - contents: bad
    - check_cmd: grep -q good
file-check-good:
  file.managed:
    - name: {{ d }}/good
    - contents: good
    - check_cmd: grep -q good
watching-skipped:
  test.succeed_without_changes:
    - unless: 'true'
    - watch: [{test: checked}]
