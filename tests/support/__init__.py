"""Shared helpers of tests: daemons, servers, peers, inputs. It contains no test."""
