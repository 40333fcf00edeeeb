"""One-line guards, each taken away from a copy of the project, and the test that must then fail.

guards.toml     the list: what is changed where, and which test notices
guards          the list, read
copies          a copy of the project, one guard less, and one run of tests in it
__main__        the control and all of them: `make mutants`
"""
