"""Writes a ticket, given as JSON on standard input, as python-escpos makes it for an 80 mm printer."""

import json
import sys
import textwrap

from escpos.printer import Dummy

COLUMNS = 48


def wrap(prefix, text, width):
    return textwrap.wrap(
        text,
        width,
        initial_indent=prefix,
        subsequent_indent=" " * len(prefix),
        break_on_hyphens=False,
    )


def ticket(job):
    printer = Dummy()
    printer.hw("INIT")
    # FS . ends double-byte characters; python-escpos has no call for it.
    printer._raw(b"\x1c.")
    printer.charcode("CP858")

    def style(align, bold, size):
        printer.set(align=align, bold=bold, custom_size=True, width=size, height=size)

    def lines(texts):
        for text in texts:
            printer.text(text + "\n")

    title = {"reprint": "REPRINT", "added": "ADDED"}.get(job["kind"])
    if title:
        style("center", True, 2)
        lines([title])
    style("center", True, 1)
    lines(wrap("", job["restaurantName"], COLUMNS))
    style("center", True, 2)
    lines([f"{job['code']} +{job['more']}" if job["more"] else job["code"]])
    style("left", False, 1)
    lines([f"Placed {job['placedAt']}".ljust(24) + f"Due {job['dueAt']}".rjust(24)])
    if job["customer"]:
        lines(wrap("", job["customer"], COLUMNS))
    lines(["-" * COLUMNS])
    for line in job["lines"]:
        style("left", True, 2)
        lines(wrap(f"{line['quantity']} x ", line["dish"], COLUMNS // 2))
        if line.get("note"):
            style("left", True, 1)
            for words in line["note"].splitlines():
                lines(wrap(">> ", words, COLUMNS))
    style("left", False, 1)
    lines(["-" * COLUMNS])
    style("center", True, 2)
    lines(["PAID" if job["isPaid"] else "NOT PAID"])
    printer.cut()
    return printer.output


sys.stdout.buffer.write(ticket(json.load(sys.stdin)))
