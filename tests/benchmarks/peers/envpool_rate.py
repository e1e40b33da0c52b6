"""EnvPool: steps a second of one task under uniform random actions, at its best number of environments.

Actions are uniform in [low, high] at every step, drawn beforehand. An episode that ends is reset by the pool itself:
the call that does so takes time but is not counted as a step (elapsed_step is 0 there), as in clade-bench.
"""

import json
import pathlib

import envpool
import numpy

import measure

ACTION_BATCHES = 512  # drawn beforehand and used in turn
WARM_UP_SECONDS = 0.3
SWEEP_SECONDS = 0.8


def candidates(threads):
    """(num_envs, batch_size): synchronous, and asynchronous with a half or a quarter of the environments a batch."""
    for factor in (1, 2, 4, 8, 16, 32):
        environments = threads * factor
        for share in (1, 2, 4):
            if environments // share >= threads:
                yield environments, environments // share


def rate(task, threads, num_envs, batch_size, seconds):
    pool = envpool.make_gymnasium(
        task, num_envs=num_envs, batch_size=batch_size, num_threads=threads, seed=1, max_episode_steps=1000
    )
    space = pool.action_space
    random = numpy.random.default_rng(1)
    shape = (ACTION_BATCHES, batch_size, *space.shape)
    actions = list(random.uniform(space.low, space.high, size=shape).astype(space.dtype))

    def run(limit):
        """Steps and seconds of at least `limit` seconds."""
        watch = measure.Stopwatch(limit)
        steps = 0
        while watch.running():
            for batch in actions[:64]:
                information = pool.recv()[-1]
                steps += numpy.count_nonzero(information["elapsed_step"])
                pool.send(batch, information["env_id"])
            actions.append(actions.pop(0))
        return steps, watch.seconds()

    pool.async_reset()
    run(min(WARM_UP_SECONDS, seconds))
    steps, elapsed = run(seconds)
    pool.close()
    return steps / elapsed


def best_configuration(task, threads, file):
    """The fastest of candidates(), measured once and kept in `file`."""
    known = json.loads(file.read_text()) if file and file.exists() else {}
    key = f"{task}/{threads}"
    if key not in known:
        rates = {pair: rate(task, threads, *pair, SWEEP_SECONDS) for pair in candidates(threads)}
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


def main():
    parser = measure.parser(__doc__.splitlines()[0])
    parser.add_argument("--env", default="HalfCheetah-v4")
    parser.add_argument("--num-envs", type=measure.positive_int, help="environments; left out: the best of a sweep")
    parser.add_argument("--batch-size", type=measure.positive_int, help="environments answered a call")
    parser.add_argument("--sweep-file", type=pathlib.Path, help="where the sweep's result is kept")
    arguments = parser.parse_args()
    if arguments.num_envs:
        num_envs = arguments.num_envs
        batch_size = arguments.batch_size or num_envs
    else:
        num_envs, batch_size = best_configuration(arguments.env, arguments.threads, arguments.sweep_file)
    value = rate(arguments.env, arguments.threads, num_envs, batch_size, arguments.seconds)
    measure.report(
        arguments,
        "envpool",
        value,
        "steps/s",
        env=arguments.env,
        threads=arguments.threads,
        num_envs=num_envs,
        batch_size=batch_size,
        version=envpool.__version__,
    )


if __name__ == "__main__":
    main()
