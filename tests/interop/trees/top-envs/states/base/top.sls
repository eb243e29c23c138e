base:
  '*': [all]
  'web[0-9].example.org': [glob]
  'db*': [no]
  'web\d+\..*':
    - match: pcre
    - pcre
  'db1,web1.example.org':
    - match: list
    - list
  'role:web':
    - match: grain
    - grain
  'deep:er:v.*e':
    - match: grain_pcre
    - grain-pcre
  'list:b': [{match: grain}, grain-in-list]
  'tier:front':
    - match: pillar
    - pillar
  'tier:fr.nt': [{match: pillar_pcre}, pillar-pcre]
  'tier:front ': [{match: pillar_exact}, no]
  'G@role:web and not L@x or ( I@tier:back and E@web.* )': [{match: compound}, compound]
  'N@web and J@tier:^fr': [compound-deep]
  web:
    - match: nodegroup
    - nodegroup
  '127.0.0.0/8': [{match: ipcidr}, ipcidr]
  'G@role:* and web1.example.org': ['many.*']
prod:
  '*': [prod-app]
dev:
  'G@role:db': [no]
