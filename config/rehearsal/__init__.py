"""The rehearsal model: an OpenAI-compatible server of fixed rules.  It is not a language model.

It runs as its own process on the standard library alone and knows nothing but HTTP: it reads the
request it is sent, calls the tools that are offered, and argues from the figures or the passages they return.

    server      HTTP in and out
    hits        with `--hits FILE`: a log of the calls that arrived
    completion  request bytes → response bytes
    request     the blocks of a request, read by their nonce
    matters     figures or passages, and the rules for each
    premise     what the question supposes, how much it would move
    lookup      which tool call the question needs next
    figures     the figures of a look-through, as decimals
    plan        Main's plan
    stance      what a claim rests on, what an answer does with it
    telling     how both sides tell their figures
    apart       what a side does with material of its own
    bull        Bull's opening and responses
    bear        Bear's opening and half-rounds
    synthesis   Main's disposition of every claim
    passages    passages of texts, sentence by sentence
    texts       both sides, arguing from passages
    text_synthesis  the same disposition, from passages
    words       small rules of prose

Source: design.md D20.
"""
