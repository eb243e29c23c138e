{% from "nowhere.jinja" import x %}
