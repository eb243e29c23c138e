# Pillar by minion: the common values for all, and the role for the first.
base:
  '*':
    - common
  'm1':
    - web
