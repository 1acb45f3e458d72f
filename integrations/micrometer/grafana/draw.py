#!/usr/bin/env python3
"""Draws the panels of holdfast.json as an SVG, from what a Prometheus answers to their expressions.

    draw.py URL START END > dashboard.svg

URL is that of the Prometheus; START and END are in seconds since 1970. Each expression is evaluated by Prometheus, once per
second; $__rate_interval is 5 s, as Grafana computes it for a scrape each second, and $__range is the time from START to END. An
expression that Prometheus refuses ends the program with status 1.
"""
import json
import math
import pathlib
import sys
import urllib.error
import urllib.parse
import urllib.request
from html import escape

CELL, ROW, GAP = 50, 30, 8
COLORS = ["#73bf69", "#f2cc0c", "#5794f2", "#ff780a", "#b877d9", "#e02f44", "#8ab8ff", "#ffa6b0"]
UNITS = {"s": " s", "ops": " /s", "none": ""}


def query(url, start, end, expression):
    values = {"$__rate_interval": "5s", "$__range": f"{end - start}s", "$instance": ".*", "$client": ".*"}
    for name, value in values.items():
        expression = expression.replace(name, value)
    parameters = urllib.parse.urlencode({"query": expression, "start": start, "end": end, "step": 1})
    try:
        with urllib.request.urlopen(f"{url}/api/v1/query_range?{parameters}") as reply:
            return json.load(reply)["data"]["result"]
    except urllib.error.HTTPError as refused:
        sys.exit(f"{expression}: {refused.read().decode()}")


def series(url, start, end, panel):
    """The lines of a panel: a legend, and the points that are numbers, by second."""
    lines = []
    for target in panel["targets"]:
        for result in query(url, start, end, target["expr"]):
            legend = target["legendFormat"]
            for label, value in result["metric"].items():
                legend = legend.replace("{{" + label + "}}", value)
            points = [(at, float(value)) for at, value in result["values"]]
            lines.append((legend, [(at, value) for at, value in points if math.isfinite(value)]))
    return lines


def number(value):
    return f"{value:.0f}" if value == int(value) or value >= 100 else f"{value:.3g}"


def text(x, y, content, size=11, color="#c7d0d9", anchor="start"):
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" fill="{color}" text-anchor="{anchor}">{escape(content)}</text>'


def stat(panel, lines, x, y, w, h):
    shown = [(legend, number(points[-1][1])) for legend, points in lines if points] or [("no data", "-")]
    unit = UNITS[panel["fieldConfig"]["defaults"]["unit"]]
    for i, (legend, value) in enumerate(shown):
        middle = x + w * (2 * i + 1) / (2 * len(shown))
        yield text(middle, y + h * 0.65, value + unit, 26, "#73bf69", "middle")
        yield text(middle, y + h - 12, legend, anchor="middle")


def chart(panel, lines, x, y, w, h, start, end):
    unit = UNITS[panel["fieldConfig"]["defaults"]["unit"]]
    top = max([value for _, points in lines for _, value in points], default=0) or 1
    left, right, upper, lower = x + 58, x + w - 12, y + 34, y + h - 52
    for step in range(5):
        level = lower - (lower - upper) * step / 4
        yield f'<path d="M{left:.0f} {level:.1f}H{right:.0f}" stroke="#2c3235"/>'
        yield text(left - 6, level + 4, number(float(f"{top * step / 4:.3g}")) + unit, 10, anchor="end")
    seconds_apart = 5 * math.ceil((end - start) / 30)
    for seconds in range(0, end - start + 1, seconds_apart):
        at = left + (right - left) * seconds / (end - start)
        yield text(at, lower + 15, f"{seconds} s", 10, anchor="middle")
    legend, line = x + 10, y + h - 20
    for i, (name, points) in enumerate(lines):
        color = COLORS[i % len(COLORS)]
        path, before = "", None
        for at, value in points:
            px = left + (right - left) * (at - start) / (end - start)
            path += f'{"L" if before == at - 1 else "M"}{px:.1f} {lower - (lower - upper) * value / top:.1f}'
            before = at
        if path:
            yield f'<path d="{path}" fill="none" stroke="{color}" stroke-width="1.5"/>'
        size = 32 + 6 * len(name)
        if legend + size > right + 12:
            legend, line = x + 10, line + 13
        yield f'<path d="M{legend:.0f} {line - 4}h14" stroke="{color}" stroke-width="3"/>'
        yield text(legend + 18, line, name, 10)
        legend += size


def main():
    url, start, end = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    dashboard = json.loads(pathlib.Path(__file__).with_name("holdfast.json").read_text())
    width = 24 * CELL + GAP
    height = max((p["gridPos"]["y"] + p["gridPos"]["h"]) * ROW for p in dashboard["panels"]) + GAP
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">')
    print(f'<rect width="{width}" height="{height}" fill="#111217"/>')
    for panel in dashboard["panels"]:
        grid = panel["gridPos"]
        x, y = grid["x"] * CELL + GAP, grid["y"] * ROW + GAP
        w, h = grid["w"] * CELL - GAP, grid["h"] * ROW - GAP
        if panel["type"] == "row":
            print(text(x, y + 17, panel["title"], 15, "#ffffff"))
            continue
        print(f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="3" fill="#181b1f" stroke="#2c3235"/>')
        print(text(x + 10, y + 19, panel["title"], 13, "#ffffff"))
        lines = series(url, start, end, panel)
        draw = stat(panel, lines, x, y, w, h) if panel["type"] == "stat" else chart(panel, lines, x, y, w, h, start, end)
        print("\n".join(draw))
    print("</svg>")


main()
