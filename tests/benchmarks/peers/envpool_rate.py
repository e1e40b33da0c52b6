"""EnvPool: steps a second of one task under uniform random actions, at its best number of environments.

Actions are uniform in [low, high], or among the discrete ones, at every step, drawn beforehand. An episode that ends is
reset by the pool itself: the call that does so takes time but is not counted as a step (elapsed_step is 0 there), as in
clade-bench. An Atari game ("Pong-v5") is played as the pool plays it by default: four frames a step, no sticky actions,
up to 30 no-ops and the button at the start, the maximum of the last two frames in grey, 84 x 84, stacks of four; rewards
are not clipped.
"""

import envpool
import numpy

import measure

ACTION_BATCHES = 512  # drawn beforehand and used in turn
CALLS_BETWEEN_LOOKS = 64  # at the clock; fewer where a step takes longer
WARM_UP_SECONDS = 0.3


def rate(task, threads, num_envs, batch_size, seconds):
    atari = task in envpool.list_all_envs() and "Atari" in type(envpool.make_spec(task)).__name__
    options = {} if atari else {"max_episode_steps": 1000}
    pool = envpool.make_gymnasium(
        task, num_envs=num_envs, batch_size=batch_size, num_threads=threads, seed=1, **options
    )
    space = pool.action_space
    random = numpy.random.default_rng(1)
    if hasattr(space, "n"):
        actions = list(random.integers(space.n, size=(ACTION_BATCHES, batch_size)).astype(numpy.int32))
    else:
        shape = (ACTION_BATCHES, batch_size, *space.shape)
        actions = list(random.uniform(space.low, space.high, size=shape).astype(space.dtype))
    calls = max(1, CALLS_BETWEEN_LOOKS // batch_size) if atari else CALLS_BETWEEN_LOOKS

    def run(limit):
        """Steps and seconds of at least `limit` seconds."""
        watch = measure.Stopwatch(limit)
        steps = 0
        while watch.running():
            for batch in actions[:calls]:
                information = pool.recv()[-1]
                steps += numpy.count_nonzero(information["elapsed_step"])
                pool.send(batch, information["env_id"])
            actions.extend(actions[:calls])
            del actions[:calls]
        return steps, watch.seconds()

    pool.async_reset()
    run(min(WARM_UP_SECONDS, seconds))
    steps, elapsed = run(seconds)
    pool.close()
    return steps / elapsed


def main():
    arguments = measure.pool_parser(__doc__.splitlines()[0]).parse_args()
    num_envs, batch_size = measure.pool_configuration(arguments, rate)
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
