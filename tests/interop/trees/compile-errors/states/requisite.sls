# Of several such requisites of one state stock names the first only.
a: {test.nop: [{require: [{test: b}]}]}
c: {test.nop: [{require: [{nothing: c}]}]}
d: {cmd.run: [{watch: [{file: e}]}]}
