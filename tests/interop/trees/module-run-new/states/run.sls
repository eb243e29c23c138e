call:
  module.run:
    - test.echo: [{text: hello}]
positional:
  module.run:
    - test.arg: [1, 2, {a: b}]
several:
  module.run:
    - test.ping:
    - test.arg_type: [5]
    - test.kwarg: [{one: 1}, {two: 2}]
missing:
  module.run:
    - test.nothing: []
wanting:
  module.run:
    - test.echo: []
named:
  module.run:
    - name: whatever
    - test.echo: [{text: x}]
  test.nop:
    - require: [{module: call}]
waits:
  module.wait:
    - test.echo: [{text: heard}]
    - watch: [{module: several}]
