# States by minion: the first two for all, the third for those with the role "web".
base:
  '*':
    - greeting
    - users
  'role:web':
    - match: pillar
    - web
