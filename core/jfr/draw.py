#!/usr/bin/env python3
"""Draws what the JDK's tool `jfr` (21 or later, on the PATH) shows of a recording, as an SVG.

    draw.py RECORDING > docs/recording.svg

The picture in docs/metrics.md is of a consumer in the example of the bounded buffer. While that runs, with -Dexample=buffer:

    pid=$(jcmd -l | awk '/ConsumerProcess/ {print $1; exit}')
    jcmd $pid JFR.start name=locks settings=$PWD/core/jfr/holdfast.jfc
    sleep 10
    jcmd $pid JFR.dump name=locks filename=$PWD/locks.jfr
"""
import subprocess
import sys
from html import escape

SHOWN = [
    "jfr summary locks.jfr | grep -E 'LockWait|LockHold|Await'",
    "jfr view --width 112 LockWait locks.jfr | head -12",
    "jfr print --events ConditionAwait --stack-depth 20 locks.jfr | head -22",
]
CHARACTER, LINE, MARGIN = 7.83, 19, 24
FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace"


def shown(recording):
    """The commands, and what they print of the recording, which they call locks.jfr."""
    for command in SHOWN:
        run = ["bash", "-o", "errexit", "-c", command.replace("locks.jfr", '"$0"'), recording]
        printed = subprocess.run(run, check=True, stdout=subprocess.PIPE, text=True).stdout
        yield "$ " + command
        yield from (line.rstrip() for line in printed.strip("\n").splitlines())
        yield ""


def main():
    lines = list(shown(sys.argv[1]))[:-1]
    width = round(2 * MARGIN + CHARACTER * max(map(len, lines)))
    height = 2 * MARGIN + LINE * len(lines)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="{FONT}" font-size="13">')
    print("<title>Waits for a lock and a condition, as jfr shows them</title>")
    print(f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" fill="#ffffff" stroke="#d1d9e0"/>')
    for i, line in enumerate(lines):
        text = line.lstrip()
        if text:
            x, y, size = MARGIN + CHARACTER * (len(line) - len(text)), MARGIN + 10 + LINE * i, CHARACTER * len(text)
            color = "#0550ae" if line.startswith("$") else "#1f2328"
            place = f'x="{x:.1f}" y="{y}" xml:space="preserve" textLength="{size:.1f}" fill="{color}"'
            print(f"<text {place}>{escape(text)}</text>")
    print("</svg>")


main()
