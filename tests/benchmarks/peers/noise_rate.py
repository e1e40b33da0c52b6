"""Standard normal float32 numbers a second on one core: numpy's generators, or torch's."""

import measure

BLOCK = 65_536  # numbers written a call: 256 kB, inside a core's second-level cache


def numpy_fill(generator):
    import numpy

    random = numpy.random.Generator(getattr(numpy.random, generator)(1))
    block = numpy.empty(BLOCK, dtype=numpy.float32)
    return lambda: random.standard_normal(dtype=numpy.float32, out=block), numpy.__version__


def torch_fill():
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(1)
    block = torch.empty(BLOCK)
    return lambda: torch.randn(BLOCK, out=block), torch.__version__


def main():
    parser = measure.parser(__doc__.splitlines()[0])
    parser.add_argument("--library", choices=["numpy", "torch"], default="numpy")
    parser.add_argument("--generator", choices=["SFC64", "PCG64"], default="SFC64", help="numpy's bit generator")
    arguments = parser.parse_args()
    if arguments.threads != 1:
        parser.error(f"--threads is {arguments.threads}, but one core is measured: leave it out")
    fill, version = torch_fill() if arguments.library == "torch" else numpy_fill(arguments.generator)
    for _ in range(10):
        fill()
    watch = measure.Stopwatch(arguments.seconds)
    blocks = 0
    while watch.running():
        for _ in range(20):
            fill()
        blocks += 20
    value = blocks * BLOCK / watch.seconds()
    detail = {"generator": arguments.generator} if arguments.library == "numpy" else {}
    measure.report(arguments, f"{arguments.library}_noise", value, "normals/s", version=version, **detail)


if __name__ == "__main__":
    main()
