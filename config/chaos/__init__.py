"""Chaos: Roots under load while everything they run on is killed, stopped and restarted at random.

    questions   which Roots are opened, and when                     (from the seed)
    faults      which faults are injected, and when                  (from the seed)
    fleet       children that can be killed, stopped and kept away
    private     a private stack of them in a temporary folder
    injector    what each fault does to it
    events      the file by which the injector tells the witness what it did
    arrivals    the hit log of the rehearsal model, read
    play        the parent process: stack, injector, and the witness beside them
    figures     what came of it, for a person or a program
    witness/    the other process, which has Django: opens Roots, watches, waits, asks the oracle

The parent starts processes again and again, so it has one thread and no Django; the witness starts none.
"""
