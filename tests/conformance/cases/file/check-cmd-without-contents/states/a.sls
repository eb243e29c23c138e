{% for name, command in [('good', 'true'), ('bad', 'false'), ('test', 'test -e')] %}
{{ grains.sandbox }}/{{ name }}:
  file.managed:
    - check_cmd: {{ command }}
{{ grains.sandbox }}/empty-{{ name }}:
  file.managed:
    - contents: ''
    - check_cmd: {{ command }}
{% endfor %}
