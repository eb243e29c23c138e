extend: {nobody: {test.nop: [{name: x}]}}
a: {test.nop: []}
