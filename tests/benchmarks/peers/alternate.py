"""Runs the cases of a table, peer and Clade in turn (A B A B ...), and writes medians of the ratios as one JSON file.

Alternating keeps a machine whose speed drifts from favouring either side: a ratio is taken within each round.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
GRACE_SECONDS = 300  # a command's start-up and warm-up; past it the command counts as hung


class CaseFailed(Exception):
    """A command of a case failed; the others go on."""


def read_cases(path, values):
    """The table's cases as dictionaries, placeholders replaced."""
    cases = []
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        columns = [column.strip().format(**values) for column in line.split("|")]
        if len(columns) != 5 or "->" not in columns[4] or columns[2] not in ("higher", "lower"):
            raise SystemExit(f"alternate.py: {path}:{number}: expected id | target | better | peer | clade -> value")
        identity, target, better, peer, clade = columns
        clade, value = (part.strip() for part in clade.split("->"))
        cases.append(
            {
                "id": identity,
                "target": None if target == "none" else float(target),
                "better": better,
                "peer": None if peer == "-" else peer.split(),
                "clade": clade.split(),
                "clade_value": value,
            }
        )
    identities = [case["id"] for case in cases]
    if len(set(identities)) != len(identities):
        raise SystemExit(f"alternate.py: {path}: an id occurs twice")
    return cases


def run(command, without, work, seconds):
    """The JSON lines that `command` prints, as a dictionary by name."""
    environment = {name: value for name, value in os.environ.items() if name not in without}
    try:
        done = subprocess.run(
            command, cwd=work, env=environment, capture_output=True, text=True, timeout=GRACE_SECONDS + 10 * seconds
        )
    except subprocess.TimeoutExpired as error:
        raise CaseFailed(f"{' '.join(command)}: no result within {error.timeout:.0f} s") from None
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise CaseFailed(f"{' '.join(command)}: exit code {done.returncode}: {last}")
    values = {}
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            entry = json.loads(line)
            values[entry["name"]] = entry
    if not values:
        raise CaseFailed(f"{' '.join(command)}: printed no value")
    return values


def run_peer(case, settings):
    without = [word[1:] for word in case["peer"] if re.fullmatch(r"-[A-Z][A-Z0-9_]*", word)]
    words = case["peer"][len(without) :]
    command = [sys.executable, str(HERE / words[0]), *words[1:], "--seconds", str(settings.seconds), "--json"]
    return next(iter(run(command, without, settings.work, settings.seconds).values()))


def run_clade(case, settings):
    command = [str(settings.clade_bench), *case["clade"], "--seconds", str(settings.seconds), "--json"]
    values = run(command, [], settings.work, settings.seconds)
    if case["clade_value"] not in values:
        raise CaseFailed(f"{' '.join(command)}: printed no value '{case['clade_value']}', but {', '.join(values)}")
    return values


def measure(case, settings):
    """Plays all rounds of a case; returns what goes into the result file."""
    rounds = []
    for _ in range(settings.rounds):
        entry = {}
        if case["peer"]:
            entry["peer"] = run_peer(case, settings)
        if not settings.peers_only:
            entry["clade"] = run_clade(case, settings)
        if entry:
            rounds.append(entry)
    result = {**case, "rounds": rounds}
    result["clade_values"] = {
        name: median_of(rounds, lambda entry, name=name: entry["clade"][name]["value"])
        for name in (rounds[-1].get("clade", {}) if rounds else {})
    }
    result["peer_median"] = median_of(rounds, lambda entry: entry["peer"]["value"])
    result["clade_median"] = median_of(rounds, lambda entry: entry["clade"][case["clade_value"]]["value"])
    result["ratios"] = [ratio(case, entry) for entry in rounds if "clade" in entry]
    result["ratio_median"] = statistics.median(result["ratios"]) if result["ratios"] else None
    return result


def ratio(case, entry):
    """Clade's advantage in one round; a case without a peer prints its ratio (or plain value) itself."""
    clade = entry["clade"][case["clade_value"]]["value"]
    if not case["peer"]:
        return clade
    peer = entry["peer"]["value"]
    return clade / peer if case["better"] == "higher" else peer / clade


def median_of(rounds, value):
    try:
        return statistics.median(value(entry) for entry in rounds)
    except (KeyError, statistics.StatisticsError):
        return None


def first_match(path, pattern):
    try:
        found = re.search(pattern, pathlib.Path(path).read_text(), re.MULTILINE)
    except OSError:
        return None
    return found.group(1).strip() if found else None


def output_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def machine(cores):
    """What the numbers depend on."""
    flags = (first_match("/proc/cpuinfo", r"^flags\s*:(.*)$") or "").split()
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "processor": first_match("/proc/cpuinfo", r"^model name\s*:(.*)$") or platform.processor(),
        "cores": cores,
        "avx2": "avx2" in flags,
        "avx512": "avx512f" in flags,
        "memory_gb": round(int(first_match("/proc/meminfo", r"^MemTotal:\s*(\d+)") or 0) / 1e6, 1),
        "kernel": platform.release(),
        "c_library": " ".join(platform.libc_ver()),
        "python": platform.python_version(),
        "clade_commit": output_of("git", "rev-parse", "--short", "HEAD"),
        "load_before": round(os.getloadavg()[0], 2),
    }


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=pathlib.Path, default=HERE / "cases.txt")
    parser.add_argument("--clade-bench", type=pathlib.Path, default=ROOT / "build/release/bin/clade-bench")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/peers", help="folder kept between runs")
    parser.add_argument("--rounds", type=int, default=5, help="alternations of a case (default 5)")
    parser.add_argument("--seconds", type=float, default=4.0, help="measured time of each command (default 4)")
    parser.add_argument("--only", default="", help="regular expression: cases whose id matches")
    parser.add_argument("--peers-only", action="store_true", help="leave clade-bench out")
    parser.add_argument("--list", action="store_true", help="print the cases and stop")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/peers/results.json")
    settings = parser.parse_args()
    if settings.rounds < 1:
        parser.error(f"--rounds is {settings.rounds}, but must be at least 1")
    if not settings.seconds > 0:
        parser.error(f"--seconds is {settings.seconds}, but must be above 0")
    if not settings.list and not settings.peers_only and not settings.clade_bench.exists():
        parser.error(f"no {settings.clade_bench}: build it (cmake --build --preset release), or give --peers-only")
    settings.clade_bench = settings.clade_bench.absolute()
    settings.work = settings.work.absolute()
    settings.out = settings.out.absolute()
    return settings


def main():
    settings = parse_arguments()
    cores = len(os.sched_getaffinity(0))
    cases = read_cases(settings.cases, {"cores": cores, "work": settings.work})
    cases = [case for case in cases if re.search(settings.only, case["id"])]
    if settings.peers_only:
        cases = [case for case in cases if case["peer"]]
    if not cases:
        raise SystemExit(f"alternate.py: no case matches '{settings.only}'; --list prints them all")
    if settings.list:
        print("\n".join(case["id"] for case in cases))
        return 0
    settings.work.mkdir(parents=True, exist_ok=True)
    settings.out.parent.mkdir(parents=True, exist_ok=True)
    report = {"machine": machine(cores), "rounds": settings.rounds, "seconds": settings.seconds, "cases": []}
    failures = []
    for number, case in enumerate(cases, start=1):
        print(f"[{number}/{len(cases)}] {case['id']}", end="", file=sys.stderr, flush=True)
        try:
            result = measure(case, settings)
        except CaseFailed as failure:
            failures.append(str(failure))
            result = {**case, "failure": str(failure)}
            print(": failed", file=sys.stderr)
        else:
            shown = [result["peer_median"], result["clade_median"], result["ratio_median"]]
            print(": " + " ".join("-" if value is None else f"{value:.4g}" for value in shown), file=sys.stderr)
        report["cases"].append(result)
        settings.out.write_text(json.dumps(report, indent=1) + "\n")
    for failure in failures:
        print(f"alternate.py: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
