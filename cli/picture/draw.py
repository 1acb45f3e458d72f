#!/usr/bin/env python3
"""Draws a screen as an SVG, in the manner of docs/demo.svg: from what tmux capture-pane -e -p prints.

    tmux capture-pane -e -p | draw.py TITLE > picture.svg
"""
import re
import sys
import unicodedata
from html import escape

CELL, LINE, LEFT, TOP = 7.83, 19, 24, 34
SGR = re.compile(r"\x1b\[([\d;]*)m")


def cells(text):
    return sum(0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


def runs(line):
    """The pieces of a line, each with the codes that are on for it."""
    on, at = set(), 0
    for code in list(SGR.finditer(line)) + [None]:
        text = line[at:code.start()] if code else line[at:]
        if text:
            yield text, frozenset(on)
        if code:
            at = code.end()
            for number in (code.group(1) or "0").split(";"):
                if number in ("", "0"):
                    on.clear()
                elif number == "22":
                    on -= {"1", "2"}
                elif number == "27":
                    on.discard("7")
                elif number == "39":
                    on.discard("31")
                else:
                    on.add(number)


def drawn(line, y):
    at = 0
    for text, on in runs(line):
        x, width = LEFT + at * CELL, cells(text) * CELL
        at += cells(text)
        color = "#ffffff" if "7" in on else "#cf222e" if "31" in on else "#656d76" if "2" in on else "#1f2328"
        if "7" in on:
            yield f'  <rect x="{x:.1f}" y="{y - 14}" width="{width:.1f}" height="{LINE}" fill="#1f2328"/>'
        if text.strip():
            bold = ' font-weight="600"' if "1" in on else ""
            yield (f'  <text x="{x:.1f}" y="{y}" xml:space="preserve" textLength="{width:.1f}" fill="{color}"{bold}>'
                   f"{escape(text)}</text>")


def main(title):
    lines = sys.stdin.read().rstrip("\n").split("\n")
    widest = max(cells(SGR.sub("", line).rstrip()) for line in lines)
    width, height = round(2 * LEFT + widest * CELL), TOP + len(lines) * LINE
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
          'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">')
    print(f"  <title>{escape(title)}</title>")
    print(f'  <rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" fill="#ffffff" stroke="#d1d9e0"/>')
    for number, line in enumerate(lines):
        for element in drawn(line, TOP + number * LINE):
            print(element)
    print("</svg>")


main(sys.argv[1])
