{%- set tplroot = tpldir.split('/')[0] %}
{%- from tplroot ~ "/libtofs.jinja" import files_switch with context %}
{{ sls }}-site:
  file.managed:
    - name: {{ grains.sandbox }}/{{ slsdotpath }}.{{ tplfile.split('/')[-1] }}.conf
    - source: {{ files_switch(['x'], lookup='vhosts', indent=6) }}
missing-everywhere:
  file.managed:
    - name: {{ grains.sandbox }}/never
    - source:
{{ files_switch(['nowhere.conf'], lookup='none') }}
