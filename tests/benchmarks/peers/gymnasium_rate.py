"""Gymnasium: steps a second of one task in one process under uniform random actions, made as its users make it."""

import itertools
import warnings

import gymnasium
import numpy

import measure

ACTIONS = 4096  # drawn beforehand and used in turn


def main():
    parser = measure.parser(__doc__.splitlines()[0])
    parser.add_argument("--env", default="HalfCheetah-v4")
    arguments = parser.parse_args()
    if arguments.threads != 1:
        parser.error(f"--threads is {arguments.threads}, but one process is measured: leave it out")
    warnings.simplefilter("ignore")
    gymnasium.logger.min_level = gymnasium.logger.ERROR
    environment = gymnasium.make(arguments.env)
    space = environment.action_space
    random = numpy.random.default_rng(1)
    actions = itertools.cycle(
        list(random.uniform(space.low, space.high, size=(ACTIONS, *space.shape)).astype(space.dtype))
    )
    environment.reset(seed=1)

    def run(limit):
        watch = measure.Stopwatch(limit)
        steps = 0
        while watch.running():
            for action in itertools.islice(actions, 200):
                _, _, terminated, truncated, _ = environment.step(action)
                if terminated or truncated:
                    environment.reset()
            steps += 200
        return steps / watch.seconds()

    run(min(0.3, arguments.seconds))
    value = run(arguments.seconds)
    measure.report(arguments, "gymnasium", value, "steps/s", env=arguments.env, version=gymnasium.__version__)


if __name__ == "__main__":
    main()
