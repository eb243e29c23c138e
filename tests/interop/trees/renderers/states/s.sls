#!stateconf yaml . jinja
.one:
  stateconf.set:
    - word: hello
# --- end of state config ---
.two:
  cmd.run:
    - name: echo {{ s__one.word if s__one is defined else 'none' }}
.three:
  test.nop:
    - require: [{cmd: .two}]
