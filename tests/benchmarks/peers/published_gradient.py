"""The published gradient estimate: batches of 500 weights dotted with stacked slices of a shared noise table.

As in OpenAI's evolution strategies starter (Salimans et al. 2017): one table of 250 million float32, a slice of it a
member, slices gathered into batches of 500 and multiplied by BLAS. Prints the seconds of one estimate.
"""

import itertools
import statistics

import numpy
import threadpoolctl

import measure

BATCH = 500


def batches(items, size):
    iterator = iter(items)
    while batch := tuple(itertools.islice(iterator, size)):
        yield batch


def weighted_sum(weights, slices):
    """Sum of weight times slice, a batch at a time: the slices are read when their batch is stacked."""
    total = 0.0
    for some_weights, some_slices in zip(batches(weights, BATCH), batches(slices, BATCH)):
        total = total + numpy.dot(
            numpy.asarray(some_weights, dtype=numpy.float32), numpy.asarray(some_slices, dtype=numpy.float32)
        )
    return total


def main():
    parser = measure.parser(__doc__.splitlines()[0])
    parser.add_argument("--members", type=measure.positive_int, default=1000)
    parser.add_argument("--parameters", type=measure.positive_int, default=1_000_000)
    parser.add_argument("--table", type=measure.positive_int, default=250_000_000, help="floats in the table")
    arguments = parser.parse_args()
    if arguments.parameters > arguments.table:
        parser.error(f"--parameters is {arguments.parameters}, but the table holds {arguments.table}")
    random = numpy.random.Generator(numpy.random.SFC64(1))
    table = random.standard_normal(arguments.table, dtype=numpy.float32)
    places = random.integers(0, arguments.table - arguments.parameters + 1, size=arguments.members)
    weights = random.uniform(-0.5, 0.5, size=arguments.members)

    def estimate():
        watch = measure.Stopwatch(0.0)
        weighted_sum(weights, (table[place : place + arguments.parameters] for place in places))
        return watch.seconds()

    with threadpoolctl.threadpool_limits(arguments.threads, user_api="blas"):
        kernels = {pool["architecture"] for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"}
        estimate()
        watch = measure.Stopwatch(arguments.seconds)
        seconds = [estimate()]
        while watch.running():
            seconds.append(estimate())
    measure.report(
        arguments,
        "published_gradient",
        statistics.median(seconds),
        "s",
        members=arguments.members,
        parameters=arguments.parameters,
        threads=arguments.threads,
        blas_kernel=" ".join(sorted(kernels)),
        numpy=numpy.__version__,
    )


if __name__ == "__main__":
    main()
