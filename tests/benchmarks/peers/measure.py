"""What every peer's script shares: its command line, its clock and the line it prints."""

import argparse
import json
import time


def parser(description):
    """--threads, --seconds and --json, as clade-bench has them."""
    result = argparse.ArgumentParser(description=description)
    result.add_argument("--threads", type=positive_int, default=1, help="threads or processes that compute")
    result.add_argument("--seconds", type=positive_float, default=5.0, help="time to measure for, after the warm-up")
    result.add_argument("--json", action="store_true", help="print one JSON object a value")
    return result


def positive_int(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{value} is below 1")
    return value


def positive_float(text):
    value = float(text)
    if not value > 0:
        raise argparse.ArgumentTypeError(f"{value} is not above 0")
    return value


def report(arguments, name, value, unit, **details):
    """Prints one value: {"name": ..., "value": ..., "unit": ..., details}, or a line for people."""
    if arguments.json:
        print(json.dumps({"name": name, "value": value, "unit": unit, **details}), flush=True)
    else:
        extra = ", ".join(f"{key} {text}" for key, text in details.items())
        print(f"{name}: {value:,.6g} {unit}" + (f" ({extra})" if extra else ""), flush=True)


class Stopwatch:
    """Seconds since it was made, and whether `limit` seconds have passed."""

    def __init__(self, limit):
        self.start = time.perf_counter()
        self.limit = limit

    def seconds(self):
        return time.perf_counter() - self.start

    def running(self):
        return self.seconds() < self.limit
