"""Proof: everything on record of one Root, recomputed from its bytes.

Pure: only the standard library and the canonicaliser.  It shares nothing else with the packages that write
what it checks, not even their words.  `checks.py` lists what is verified, in order; `record.py` says of what.

Source: design.md D18.
"""
