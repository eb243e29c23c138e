named:
  module.run:
    - name: test.arg
    - m_name: x
    - args: [1, two]
    - kwargs: {three: 3}
keywords:
  module.run:
    - name: test.kwarg
    - a: 1
missing:
  module.run: [{name: test.nothing}]
wanting:
  module.run: [{name: test.echo}]
raises:
  module.run: [{name: test.exception}, {message: oops}]
waits:
  module.wait:
    - name: test.echo
    - text: heard
    - watch: [{module: named}]
falsy:
  module.run: [{name: file.file_exists}, {path: /nowhere}]
returner:
  module.run: [{name: pillar.get}, {key: nothing}, {default: 5}]
