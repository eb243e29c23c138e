# Which states a minion gets: all of them the first two, those with the role "web" the third as well.
base:
  '*':
    - greeting
    - users
  'role:web':
    - match: pillar
    - web
