{% if true %}
a: {test.nop: []}
