"""The process that sees everything through the database: it opens Roots, watches, and judges.

__main__    sets Django up and runs `watching`
watching    the loop: events in, receipts seen, until all Roots have ended
load        opens Roots in time, through every outage
seen        receipts seen committed, and how long recoveries took
judging     asks the oracle, and counts
"""
