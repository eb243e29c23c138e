#!/bin/sh
echo "{{ word }} $# $2"
echo oops >&2
