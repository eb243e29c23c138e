{% set d = grains.sandbox %}
append:
  file.append:
    - name: {{ d }}/nonl
    - text: |
        appended one
        appended two
append-source:
  file.append:
    - name: {{ d }}/new
    - makedirs: True
    - source: salt://lines
prepend:
  file.prepend:
    - name: {{ d }}/empty
    - text: [first, second]
comment:
  file.comment:
    - name: {{ d }}/conf
    - regex: ^PermitRoot
uncomment:
  file.uncomment:
    - name: {{ d }}/conf
    - regex: UseDNS
replace:
  file.replace:
    - name: {{ d }}/conf
    - pattern: ^Port (\d+)$
    - repl: Port \g<1>0
    - backup: False
replace-append:
  file.replace:
    - name: {{ d }}/conf
    - pattern: ^MaxAuth.*$
    - repl: MaxAuthTries 3
    - append_if_not_found: True
    - backup: '.orig'
replace-flags:
  file.replace:
    - name: {{ d }}/conf
    - pattern: '^KEY = (.*)$'
    - repl: key = [\1]
    - flags: [IGNORECASE, MULTILINE]
    - count: 1
replace-missing:
  file.replace:
    - name: {{ d }}/missing
    - pattern: a
    - repl: b
line-ensure:
  file.line:
    - name: {{ d }}/conf
    - mode: ensure
    - content: inserted=2
    - after: ^other
line-replace:
  file.line:
    - name: {{ d }}/conf
    - mode: replace
    - content: '[part]'
    - match: '[section]'
line-delete:
  file.line:
    - name: {{ d }}/block
    - mode: delete
    - content: top
line-insert:
  file.line:
    - name: {{ d }}/block
    - mode: insert
    - location: end
    - content: '  very last'
blockreplace:
  file.blockreplace:
    - name: {{ d }}/block
    - marker_start: '# START'
    - marker_end: '# END'
    - content: |
        new one
        new two
    - show_changes: True
blockreplace-append:
  file.blockreplace:
    - name: {{ d }}/block
    - marker_start: '# A'
    - marker_end: '# Z'
    - source: salt://lines
    - append_if_not_found: True
accumulated:
  file.accumulated:
    - name: bits
    - filename: {{ d }}/gathered
    - text: [one, two]
    - require_in: [{file: gathered}]
accumulated-more:
  file.accumulated:
    - name: bits
    - filename: {{ d }}/gathered
    - text: three
    - watch_in: [{file: gathered}]
gathered:
  file.managed:
    - name: {{ d }}/gathered
    - source: salt://gather.jinja
    - template: jinja
keyvalue:
  file.keyvalue:
    - name: {{ d }}/conf
    - key_values: {key: changed, fresh: 'yes'}
    - separator: ' = '
    - uncomment: '#'
    - append_if_not_found: True
keyvalue-one:
  file.keyvalue:
    - name: {{ d }}/conf
    - key: Port
    - value: '22'
    - separator: ' '
    - ignore_if_missing: True
