{% set d = grains.sandbox %}
recurse:
  file.recurse:
    - name: {{ d }}/out
    - source: salt://src
    - include_empty: True
    - file_mode: '0640'
    - dir_mode: 750
    - exclude_pat: '*.skip'
    - template: jinja
recurse-clean:
  file.recurse:
    - name: {{ d }}/full
    - source: salt://src
    - clean: True
    - keep_symlinks: True
    - maxdepth: 1
    - include_pat: E@(top|sub)
recurse-none:
  file.recurse:
    - name: {{ d }}/none
    - source: salt://nothing
clean:
  file.directory:
    - name: {{ d }}/out
    - clean: True
    - exclude_pat: sub
    - require: [{file: recurse}]
    - onlyif: 'true'
