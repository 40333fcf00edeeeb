"""Our own foreground supervisor: PostgreSQL, Valkey and bullbear's processes from one command.

One file per noun: `processes` starts and stops anything, `folders` says where things lie and as
whom servers run, `programs` finds the servers' binaries, `postgres` and `valkey` know one server
each, `runtime_file` tells other commands where the running stack is, `supervisor` keeps children
running, `servers` starts the two servers, `stack` adds bullbear's own processes, `run` runs one
command beside private servers.

Source: design.md D20.
"""
