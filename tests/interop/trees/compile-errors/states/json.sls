#!json
{"a": 
