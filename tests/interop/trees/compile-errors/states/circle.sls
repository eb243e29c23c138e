a: {test.nop: [{require: [{test: b}]}]}
b: {test.nop: [{watch: [{test: c}]}]}
c: {test.nop: [{prereq: [{test: a}]}]}
