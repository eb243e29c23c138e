{% set d = grains.sandbox %}
slot:
  file.managed:
    - name: {{ d }}/slot
    - contents: __slot__:salt:test.echo(hello) ~ " world"
path:
  file.managed:
    - name: {{ d }}/path
    - contents:
      - __slot__:salt:test.kwarg(a=1, b=two).b
      - plain
late:
  cmd.run:
    - name: __slot__:salt:test.echo('cat {{ d }}/slot')
    - require: [{file: slot}]
bad:
  test.nop: [{name: '__slot__:salt:nothing.here()'}]
env:
  cmd.run:
    - name: echo $X
    - env: [{X: '__slot__:salt:test.echo(env)'}]
lender:
  file.managed:
    - name: {{ d }}/lender
    - contents: lent
    - mode: 600
    - makedirs: True
    - require: [{file: slot}]
borrower:
  file.managed:
    - name: {{ d }}/sub/borrower
    - use: [{file: lender}]
    - mode: 640
giver:
  cmd.run:
    - name: echo given
    - cwd: {{ d }}
    - use_in: [{cmd: taker}]
taker:
  cmd.run: [{name: pwd}]
