"""Prints the results of alternate.py as one Markdown table: peer, Clade, ratio, target."""

import argparse
import json
import pathlib
import sys


def figure(value, unit=""):
    """A number with a unit, in the size people say it: 38.2k steps/s, 1.23G normals/s, 81.2 ms."""
    if value is None:
        return "-"
    if unit == "s" and value < 1e-3:
        return f"{value * 1e6:.3g} us"
    if unit == "s" and value < 1:
        return f"{value * 1e3:.3g} ms"
    for scale, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= scale:
            return f"{value / scale:.3g}{letter} {unit}".strip()
    return f"{value:.3g} {unit}".strip()


def details(result):
    """What a reader needs to judge a row: the configuration that the peer ran with, from the last round."""
    if not result.get("rounds"):
        return ""
    last = result["rounds"][-1]
    shown = []
    for side in ("peer", "clade"):
        entry = last.get(side, {})
        if side == "clade":
            entry = entry.get(result["clade_value"], {})
        for key in ("num_envs", "batch_size", "engine", "generator", "blas_kernel", "version", "numpy", "kernels",
                    "limit", "limit_rate", "bytes", "network"):
            if key in entry:
                shown.append(f"{key} {entry[key]}")
    for name, value in result.get("clade_values", {}).items():
        if name != result["clade_value"] and name not in ("limit", "bytes"):
            shown.append(f"{name} {figure(value)}")
    return ", ".join(shown)


def unit_of(result):
    for entry in result.get("rounds", []):
        if "clade" in entry:
            return entry["clade"][result["clade_value"]].get("unit", "")
        return entry["peer"]["unit"]
    return ""


def verdict(result):
    if result.get("failure"):
        return "failed"
    if result["target"] is None or result["ratio_median"] is None:
        return ""
    return "yes" if result["ratio_median"] >= result["target"] else "**no**"


def row(result):
    unit = unit_of(result)
    ratio = result.get("ratio_median")
    spread = ""
    if ratio is not None and result["peer"] is None and result["target"] is None:
        ratio_text = ""  # a plain value
    elif ratio is not None:
        spread = f" ({min(result['ratios']):.3g}..{max(result['ratios']):.3g})" if len(result["ratios"]) > 1 else ""
        ratio_text = f"{ratio:.3g}{spread}"
    else:
        ratio_text = "-"
    is_ratio = result["peer"] is None and result["target"] is not None
    cells = [
        result["id"],
        figure(result.get("peer_median"), unit),
        "" if is_ratio else figure(result.get("clade_median"), unit),
        ratio_text,
        "" if result["target"] is None else f">= {result['target']:g}",
        verdict(result),
        result.get("failure") or details(result),
    ]
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=pathlib.Path, help="JSON file that alternate.py wrote")
    arguments = parser.parse_args()
    try:
        report = json.loads(arguments.results.read_text())
    except (OSError, ValueError) as error:
        print(f"compare.py: cannot read {arguments.results}: {error}", file=sys.stderr)
        return 2
    about = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in report["machine"].items())
    print(f"Medians of {report['rounds']} alternations of {report['seconds']:g} s each; smallest and largest in brackets.")
    print(f"Machine: {about}.\n")
    print("| case | peer | Clade | ratio | target | met | details |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for result in report["cases"]:
        print(row(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
