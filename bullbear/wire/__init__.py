"""The wire: sealed bytes go out once, unchanged, and what comes back is kept as it came.

    call.py       what goes in and what comes out
    network.py    sockets that give each read and write the time left
    tripwire.py   refuses other bytes, and a second dispatch of one act
    provider.py   one call, from connect to outcome
    fetch.py      one file, from the addresses that were checked
    clock.py      the clock of deadlines and leases

Source: design.md D7, step 2.
"""
