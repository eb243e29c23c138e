#!jinja|shout very|yaml
made: {thing.made: [{size: {{ salt['mine_ops.add'](2, 2) }}}, {colour: red}]}
strict: {thing.strict: [{size: {{ grains['from_user']['deep'] | length }}}]}
raises: {thing.raises: []}
woken: {thing.strict: [{size: 1}, {watch: [{thing: made}]}]}
quiet: {test.nop: []}
too-few: {thing.strict: []}
sees: {thing.sees: [{require: [{thing: made}]}]}
