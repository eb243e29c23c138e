{% set d = grains.sandbox %}
upstream:
  cmd.script:
    - source: salt://make.sh
    - cwd: {{ d }}
    - creates: {{ d }}/up
checkout:
  git.latest:
    - name: {{ d }}/up
    - target: {{ d }}/work
    - branch: main
    - rev: main
    - force_reset: True
    - require: [{cmd: upstream}]
tagged:
  git.latest:
    - name: {{ d }}/up
    - target: {{ d }}/tagged
    - rev: v1
    - require: [{cmd: upstream}]
cloned:
  git.cloned:
    - name: {{ d }}/up
    - target: {{ d }}/cloned
    - require: [{cmd: upstream}]
detached:
  git.detached:
    - name: {{ d }}/up
    - target: {{ d }}/detached
    - rev: v1
    - require: [{cmd: upstream}]
present:
  git.present: [{name: {{ d }}/bare}]
config:
  git.config_set:
    - name: user.nick
    - value: tester
    - repo: {{ d }}/work
    - require: [{git: checkout}]
wrong:
  git.latest:
    - name: {{ d }}/nowhere
    - target: {{ d }}/w
unpacked:
  archive.extracted:
    - name: {{ d }}/unpacked
    - source: {{ d }}/a.tar.gz
    - enforce_toplevel: False
    - options: v
    - require: [{cmd: upstream}]
unpacked-once:
  archive.extracted:
    - name: {{ d }}/once
    - source: {{ d }}/a.tar.gz
    - source_hash: bad
    - require: [{cmd: upstream}]
after:
  cmd.run:
    - name: ls {{ d }}/unpacked
    - onchanges: [{archive: unpacked}]
