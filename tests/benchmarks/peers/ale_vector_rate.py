"""The Arcade Learning Environment's own vector environment: steps a second of one game under uniform random actions, at
its best number of environments.

Played as by default (as EnvPool's games in envpool_rate.py), rewards not clipped. Actions are uniform among the discrete
ones at every step, drawn beforehand. An episode that ends is reset in the step after, which takes time but is not
counted as one.
"""

import ale_py
import numpy
from ale_py.vector_env import AtariVectorEnv

import measure

ACTION_BATCHES = 512  # drawn beforehand and used in turn
STEPS_BETWEEN_LOOKS = 64  # at the clock
WARM_UP_SECONDS = 0.3


def rate(game, threads, num_envs, batch_size, seconds):
    pool = AtariVectorEnv(
        game, num_envs=num_envs, batch_size=batch_size, num_threads=threads, reward_clipping=False
    )
    random = numpy.random.default_rng(1)
    actions = list(random.integers(pool.single_action_space.n, size=(ACTION_BATCHES, batch_size)))
    calls = max(1, STEPS_BETWEEN_LOOKS // batch_size)
    ended = numpy.zeros(num_envs, dtype=bool)  # the next answer is a reset's

    def run(limit):
        """Steps and seconds of at least `limit` seconds."""
        watch = measure.Stopwatch(limit)
        steps = 0
        while watch.running():
            for batch in actions[:calls]:
                pool.send(batch)
                _, _, terminated, truncated, information = pool.recv()
                environments = information["env_id"]
                steps += batch_size - numpy.count_nonzero(ended[environments])
                ended[environments] = terminated | truncated
            actions.extend(actions[:calls])
            del actions[:calls]
        return steps, watch.seconds()

    pool.reset(seed=1)
    run(min(WARM_UP_SECONDS, seconds))
    steps, elapsed = run(seconds)
    pool.close()
    return steps / elapsed


def main():
    parser = measure.pool_parser(__doc__.splitlines()[0])
    parser.set_defaults(env="pong")
    arguments = parser.parse_args()
    num_envs, batch_size = measure.pool_configuration(arguments, rate)
    value = rate(arguments.env, arguments.threads, num_envs, batch_size, arguments.seconds)
    measure.report(
        arguments,
        "ale_vector",
        value,
        "steps/s",
        env=arguments.env,
        threads=arguments.threads,
        num_envs=num_envs,
        batch_size=batch_size,
        version=ale_py.__version__,
    )


if __name__ == "__main__":
    main()
