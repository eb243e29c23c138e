{% set d = grains.sandbox %}
source:
  file.managed:
    - name: {{ d }}/src/input
    - makedirs: True
    - contents: [one, two]
compile:
  cmd.run:
    - name: sort -r input > ../output
    - cwd: {{ d }}/src
    - onchanges:
      - file: source
notify:
  cmd.wait:
    - name: echo "$WHO saw it"
    - env:
      - WHO: nobody
      - N: '3'
    - watch:
      - cmd: compile
report:
  cmd.run:
    - name: |
        echo
        echo "changed=yes comment='well done' count=3"
    - stateful: True
json:
  cmd.run:
    - name: |
        echo noise
        echo '{"changed": false, "comment": "as it was", "x": [1]}'
    - stateful:
      - test_name: |
          echo '{"changed": true, "comment": "would be"}'
masked:
  cmd.run:
    - name: umask; exit 3
    - umask: '027'
    - success_retcodes: [3]
    - hide_output: False
script:
  cmd.script:
    - name: greet.sh a 'b c'
    - source: salt://greet.sh
    - template: jinja
    - context: {word: hi}
    - cwd: {{ d }}
    - require: [file: source]
waiting-script:
  cmd.wait_script:
    - source: salt://greet.sh
    - template: jinja
    - context: {word: late}
    - watch: [cmd: script]
shell:
  cmd.run:
    - name: 'echo $0 | grep -o "bash$"'
    - shell: /bin/bash
    - creates: {{ d }}/never
called:
  cmd.call:
    - func: test.echo
    - args: [x]
