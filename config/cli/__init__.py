"""The command `bullbear`: one file for each command, data on stdout, progress on stderr."""
