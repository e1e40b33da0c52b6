"""What every peer's script shares: its command line, its clock and the line it prints."""

import argparse
import json
import pathlib
import time

SWEEP_SECONDS = 0.8


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


def pool_parser(description):
    """The options of a peer that steps a pool of environments: parser()'s, the task, and its configuration."""
    result = parser(description)
    result.add_argument("--env", default="HalfCheetah-v4")
    result.add_argument("--num-envs", type=positive_int, help="environments; left out: the best of a sweep")
    result.add_argument("--batch-size", type=positive_int, help="environments answered a call")
    result.add_argument("--sweep-file", type=pathlib.Path, help="where the sweep's result is kept")
    return result


def pool_candidates(threads):
    """(num_envs, batch_size): synchronous, and asynchronous with a half or a quarter of the environments a batch."""
    for factor in (1, 2, 4, 8, 16, 32):
        environments = threads * factor
        for share in (1, 2, 4):
            if environments // share >= threads:
                yield environments, environments // share


def pool_configuration(arguments, rate):
    """(num_envs, batch_size) as the options say, or the fastest of pool_candidates() by `rate(task, threads, num_envs,
    batch_size, seconds)`, measured once and kept in the sweep's file."""
    if arguments.num_envs:
        return arguments.num_envs, arguments.batch_size or arguments.num_envs
    task, threads, file = arguments.env, arguments.threads, arguments.sweep_file
    known = json.loads(file.read_text()) if file and file.exists() else {}
    key = f"{task}/{threads}"
    if key not in known:
        rates = {pair: rate(task, threads, *pair, SWEEP_SECONDS) for pair in pool_candidates(threads)}
        best = max(rates, key=rates.get)
        known[key] = {
            "num_envs": best[0],
            "batch_size": best[1],
            "swept": [{"num_envs": n, "batch_size": b, "rate": value} for (n, b), value in rates.items()],
        }
        if file:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(known, indent=1) + "\n")
    return known[key]["num_envs"], known[key]["batch_size"]


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
