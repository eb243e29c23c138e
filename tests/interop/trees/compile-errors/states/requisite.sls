a: {test.nop: [{require: [{test: b}, {nothing: c}]}]}
d: {cmd.run: [{watch: [{file: e}]}]}
