a: {y: late}
list: [late, early]
fn: {{ salt["test.echo"]("called") }}
