"""EvoTorch: steps a second of population evaluation by GymNE's actors, linear policy, observations normalised."""

import os
import warnings

os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
os.environ.setdefault("RAY_DEDUP_LOGS", "1")
os.environ.setdefault("PYTHONWARNINGS", "ignore")  # the actors' processes inherit it
warnings.simplefilter("ignore")

import evotorch  # noqa: E402
import ray  # noqa: E402
import torch  # noqa: E402
from evotorch.neuroevolution import GymNE  # noqa: E402
from evotorch.tools import set_default_logger_config  # noqa: E402

import measure  # noqa: E402


def main():
    parser = measure.parser(__doc__.splitlines()[0])
    parser.add_argument("--env", default="HalfCheetah-v4")
    parser.add_argument("--population", type=measure.positive_int, default=64)
    arguments = parser.parse_args()
    set_default_logger_config(logger_level=40, override=True)
    torch.set_num_threads(1)
    ray.init(num_cpus=arguments.threads, include_dashboard=False, log_to_driver=False, logging_level=40)
    problem = GymNE(
        arguments.env,
        "Linear(obs_length, act_length, bias=False)",
        observation_normalization=True,
        # One actor is no actor to EvoTorch: the main process then evaluates by itself.
        num_actors=arguments.threads if arguments.threads > 1 else None,
        actor_config={"num_cpus": 1},
    )
    mean = torch.zeros(problem.solution_length)

    def evaluate():
        """Steps of one population's evaluation."""
        before = int(problem.status.get("total_interaction_count", 0))
        batch = problem.generate_batch(arguments.population)
        batch.set_values(mean + 0.03 * torch.randn(arguments.population, problem.solution_length))
        problem.evaluate(batch)
        return int(problem.status["total_interaction_count"]) - before

    evaluate()
    watch = measure.Stopwatch(arguments.seconds)
    steps = 0
    while watch.running():
        steps += evaluate()
    elapsed = watch.seconds()
    ray.shutdown()
    measure.report(
        arguments,
        "evotorch",
        steps / elapsed,
        "steps/s",
        env=arguments.env,
        actors=arguments.threads,
        population=arguments.population,
        version=evotorch.__version__,
    )


if __name__ == "__main__":
    main()
