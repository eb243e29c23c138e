short: test.nop
string-only: test.succeed_with_changes
{% set d = grains.sandbox %}
# a comment with {{ d | length > 1 }}
list-form:
  test:
    - nop
    - name: listed
"quoted: id":
  test.nop
? complex/id with spaces
: test.nop: []
numbers:
  file.managed:
    - name: {{ d }}/numbers
    - mode: 0640
    - contents:
      - 1
      - 2.50
      - 0x10
      - 1_000
      - 12:30:45
      - 010
      - '010'
      - 1e3
      - 2020-01-01
      - !!str 5
folded:
  file.managed:
    - name: {{ d }}/folded
    - contents: >-
        one
        two

        three
literal:
  file.managed:
    - name: {{ d }}/literal
    - contents: |+
        keep

          indent
        
utf8:
  file.managed:
    - name: {{ d }}/ünï
    - contents: "tab\there \u263a ☺"
multi:
  test.nop: []
  cmd.run: [{name: 'true'}]
  file.directory: [{name: {{ d }}/multi}]
