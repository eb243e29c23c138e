# A file whose text comes from grains and pillar.
{%- set root = opts['root_dir'] ~ '/machine' %}

{{ root }}/etc/motd:
  file.managed:
    - makedirs: True
    - contents: |
        {{ pillar['greeting'] }} {{ grains['id'] }},
        {{ grains['os'] }} {{ grains['osrelease'] }} with {{ grains['num_cpus'] }} processors.
