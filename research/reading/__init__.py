"""Texts of any subject: bytes to passages, and the small things that domains' readers and tools share.

    containers  how the bytes are stored; what is refused by name
    encoding    bytes to text
    document    Markdown and plain text to passages
    pdf         the text of a PDF to passages
    dates       a date as a text states it
    limits      how large each may be
    arguments   the arguments of a tool, checked

All of it is pure, and a domain may use it beside `research.domain`.
"""
