people:
  ann: {shell: /bin/zsh, groups: [admin, dev]}
  bob: {}
  cleo: {absent: true}
