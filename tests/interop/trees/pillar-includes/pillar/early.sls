#!jinja|yaml
a: {y: {w: early}}
seen: {{ pillar | length }}
list: [early]
grain: {{ grains.id }}
