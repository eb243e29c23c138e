{% set d = grains.sandbox %}
directory:
  file.directory:
    - name: {{ d }}/copied
    - dir_mode: 711
    - file_mode: 600
    - recurse: [mode]
no-parent:
  file.directory:
    - name: {{ d }}/x/y/z
symlink:
  file.symlink:
    - name: {{ d }}/link
    - target: linked
symlink-forced:
  file.symlink:
    - name: {{ d }}/linked
    - target: {{ d }}/moved
    - force: True
    - backupname: linked.bak
symlink-refused:
  file.symlink:
    - name: {{ d }}/copied
    - target: elsewhere
hardlink:
  file.hardlink:
    - name: {{ d }}/hard
    - target: {{ d }}/copied/x
copy:
  file.copy:
    - name: {{ d }}/copy
    - source: {{ d }}/copied
copy-preserve:
  file.copy:
    - name: {{ d }}/deep/er/file
    - source: {{ d }}/copied/x
    - makedirs: True
    - preserve: True
    - mode: '0444'
rename:
  file.rename:
    - name: {{ d }}/renamed
    - source: {{ d }}/moved
    - order: last
absent:
  file.absent:
    - names: [{{ d }}/full/keep, {{ d }}/never, {{ d }}/full/drop]
exists:
  file.exists: [{name: {{ d }}/copied}]
missing:
  file.missing: [{name: {{ d }}/copied}]
touch:
  file.touch:
    - name: {{ d }}/touched/file
    - makedirs: True
tidied:
  file.tidied:
    - name: {{ d }}/tidy
    - age: 0
    - matches: ['.*\.log']
    - rmdirs: True
serialize-json:
  file.serialize:
    - name: {{ d }}/data.json
    - dataset: {b: [1, {c: ~}], a: 'ü', z: one}
    - serializer: json
    - serializer_opts: [{indent: 1}]
serialize-merge:
  file.serialize:
    - name: {{ d }}/data.yaml
    - dataset: {x: {y: 2}, t: 'yes'}
    - formatter: yaml
    - merge_if_exists: True
decode:
  file.decode:
    - name: {{ d }}/decoded
    - encoded_data: aGVsbG8K
    - encoding_type: base64
backup:
  file.managed:
    - name: {{ d }}/copied/y/z
    - contents: changed
    - show_changes: False
    - backup: minion
replace-false:
  file.managed:
    - name: {{ d }}/copied/x
    - contents: never
    - replace: False
    - mode: 600
binary:
  file.managed:
    - name: {{ d }}/binary
    - source: salt://blob
hashed:
  file.managed:
    - name: {{ d }}/hashed
    - source: {{ d }}/tidy/two.txt
    - source_hash: d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35
cached:
  file.cached: [{name: salt://src/top}]
