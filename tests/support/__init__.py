"""Helpers of tests: daemons, servers, peers, inputs. No test is in here."""
