base:
  'web*':
    - order: 2
    - main
  '*':
    - early
    - late
  'G@id:web1*': [{ignore_missing: True}, nowhere]
