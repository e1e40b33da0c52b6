"""Forward passes of Atari networks with weights of their own for each member, by PyTorch or JAX on the CPU.

A pass answers one member's observations (--rows of them); the members take turns. Ways:
  loop       one member after the other; PyTorch also with channels last, with weights packed by oneDNN beforehand, and
             compiled
  grouped    all members at once, convolutions with one group a member, batched matrix products
  vmapped    all members at once by torch.func.vmap or jax.vmap over their stacked weights
Left out, the way is the best of a sweep over all of them.
"""

import math
import os
import time

import measure

LAYERS = {
    "model": ([(16, 8, 4), (32, 4, 2)], 256),
    "large_model": ([(32, 8, 4), (64, 4, 2), (64, 3, 1)], 512),
}
SIZE, CHANNELS, ACTIONS = 84, 4, 18
BYTE = 255.0
TOLERANCE = 1e-3  # between ways, which sum in different orders


def same_padding(size, kernel, stride):
    """Output size and the zeros before and after, as TensorFlow's SAME."""
    output = math.ceil(size / stride)
    total = max(0, (output - 1) * stride + kernel - size)
    return output, total // 2, total - total // 2


def shapes(network):
    """Convolutions as (inputs, filters, kernel, stride, before, after), then dense layers as (inputs, outputs)."""
    convolutions, hidden = LAYERS[network]
    size, channels = SIZE, CHANNELS
    convolved = []
    for filters, kernel, stride in convolutions:
        size_after, before, after = same_padding(size, kernel, stride)
        convolved.append((channels, filters, kernel, stride, before, after))
        size, channels = size_after, filters
    return convolved, [(size * size * channels, hidden), (hidden, ACTIONS)]


class Torch:
    """Every way as a function that runs all members once."""

    def __init__(self, network, members, rows):
        import torch

        torch.set_num_threads(1)
        torch.manual_seed(1)
        self.torch = torch
        self.version = torch.__version__
        self.convolutions, self.dense = shapes(network)
        self.members, self.rows = members, rows
        self.weights = [self.draw() for _ in range(members)]
        self.observations = torch.randint(0, 256, (members, rows, SIZE, SIZE, CHANNELS), dtype=torch.uint8)
        self.ways = {"loop": self.loop(False), "loop-channels-last": self.loop(True), "loop-packed": self.packed()}
        self.ways["loop-compiled"] = self.compiled()
        if members > 1:
            self.ways["grouped"] = self.grouped()
            self.ways["vmapped"] = self.vmapped()

    def draw(self):
        torch = self.torch
        weights = []
        for inputs, filters, kernel, *_ in self.convolutions:
            scale = 1 / math.sqrt(inputs * kernel * kernel)
            weights += [torch.randn(filters, inputs, kernel, kernel) * scale, torch.zeros(filters)]
        for inputs, outputs in self.dense:
            weights += [torch.randn(outputs, inputs) / math.sqrt(inputs), torch.zeros(outputs)]
        return weights

    def read(self, observations):
        """Bytes [..., height, width, channels] as floats [..., channels, height, width]."""
        return (observations.float() / BYTE).movedim(-1, -3)

    def forward(self, weights, observations):
        functional = self.torch.nn.functional
        x = self.read(observations)
        place = 0
        for *_, stride, before, after in self.convolutions:
            if before == after:
                x = functional.conv2d(x, weights[place], weights[place + 1], stride=stride, padding=before)
            else:
                x = functional.pad(x, (before, after, before, after))
                x = functional.conv2d(x, weights[place], weights[place + 1], stride=stride)
            x = functional.relu(x)
            place += 2
        x = functional.relu(functional.linear(x.flatten(-3), weights[place], weights[place + 1]))
        return functional.linear(x, weights[place + 2], weights[place + 3])

    def loop(self, channels_last):
        torch = self.torch
        weights = self.weights
        if channels_last:
            weights = [
                [w.contiguous(memory_format=torch.channels_last) if w.dim() == 4 else w for w in member]
                for member in weights
            ]
        return lambda: [self.forward(w, x) for w, x in zip(weights, self.observations)]

    def packed(self):
        """Modules whose weights oneDNN has packed, as torch.utils.mkldnn makes them."""
        torch = self.torch
        from torch.utils import mkldnn

        def module(weights):
            layers, place = [], 0
            for inputs, filters, kernel, stride, before, after in self.convolutions:
                padding = before if before == after else 0
                if before != after:
                    layers.append(torch.nn.ZeroPad2d((before, after, before, after)))
                layer = torch.nn.Conv2d(inputs, filters, kernel, stride, padding)
                layer.weight.data, layer.bias.data = weights[place], weights[place + 1]
                layers += [mkldnn.to_mkldnn(layer.eval()), torch.nn.ReLU()]
                place += 2
            dense = []
            for inputs, outputs in self.dense:
                layer = torch.nn.Linear(inputs, outputs)
                layer.weight.data, layer.bias.data = weights[place], weights[place + 1]
                dense.append(mkldnn.to_mkldnn(layer.eval()))
                place += 2
            return layers, dense

        modules = [module(weights) for weights in self.weights]

        def forward(layers, dense, observations):
            x = self.read(observations).contiguous().to_mkldnn()
            for layer in layers:
                x = layer(x.to_dense()).to_mkldnn() if isinstance(layer, torch.nn.ZeroPad2d) else layer(x)
            x = torch.nn.functional.relu(dense[0](x.reshape(x.shape[0], -1)))
            return dense[1](x).to_dense()

        return lambda: [forward(*m, x) for m, x in zip(modules, self.observations)]

    def compiled(self):
        forward = self.torch.compile(self.forward, dynamic=False)
        return lambda: [forward(w, x) for w, x in zip(self.weights, self.observations)]

    def grouped(self):
        torch = self.torch
        functional = torch.nn.functional
        members, rows = self.members, self.rows
        count = len(self.convolutions)
        convolutions = [torch.cat([w[i] for w in self.weights]) for i in range(2 * count)]
        dense = [torch.stack([w[i].t() if i % 2 == 0 else w[i] for w in self.weights]) for i in
                 range(2 * count, 2 * count + 4)]

        def forward():
            x = self.read(self.observations)  # [members, rows, channels, height, width]
            x = x.transpose(0, 1).reshape(rows, members * CHANNELS, SIZE, SIZE)
            for i, (*_, stride, before, after) in enumerate(self.convolutions):
                x = functional.pad(x, (before, after, before, after))
                x = functional.conv2d(x, convolutions[2 * i], convolutions[2 * i + 1], stride=stride, groups=members)
                x = functional.relu(x)
            x = x.reshape(rows, members, -1).transpose(0, 1)
            x = functional.relu(torch.baddbmm(dense[1].unsqueeze(1), x, dense[0]))
            return torch.baddbmm(dense[3].unsqueeze(1), x, dense[2])

        return forward

    def vmapped(self):
        torch = self.torch
        stacked = [torch.stack(arrays) for arrays in zip(*self.weights)]
        forward = torch.func.vmap(self.forward)
        return lambda: forward(stacked, self.observations)

    def run(self, way):
        with self.torch.inference_mode():
            return self.ways[way]()

    def outputs(self, way):
        result = self.run(way)
        return (self.torch.stack(result) if isinstance(result, list) else result).numpy()


class Jax:
    """The same in JAX: images [height, width, channels], weights arguments of the compiled function."""

    def __init__(self, network, members, rows):
        os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
        os.environ["JAX_PLATFORMS"] = "cpu"
        import jax

        self.jax = jax
        self.version = jax.__version__
        self.convolutions, self.dense = shapes(network)
        self.members, self.rows = members, rows
        keys = jax.random.split(jax.random.key(1), members)
        self.weights = [self.draw(key) for key in keys]
        self.observations = jax.random.randint(keys[0], (members, rows, SIZE, SIZE, CHANNELS), 0, 256).astype("uint8")
        self.ways = {"loop": self.loop()}
        if members > 1:
            self.ways["grouped"] = self.grouped()
            self.ways["vmapped"] = self.vmapped()

    def draw(self, key):
        jax = self.jax
        weights = []
        for inputs, filters, kernel, *_ in self.convolutions:
            key, own = jax.random.split(key)
            weights.append(jax.random.normal(own, (kernel, kernel, inputs, filters)) / math.sqrt(inputs * kernel**2))
            weights.append(jax.numpy.zeros(filters))
        for inputs, outputs in self.dense:
            key, own = jax.random.split(key)
            weights.append(jax.random.normal(own, (inputs, outputs)) / math.sqrt(inputs))
            weights.append(jax.numpy.zeros(outputs))
        return weights

    def convolve(self, x, weight, stride, groups=1):
        return self.jax.lax.conv_general_dilated(
            x, weight, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=groups
        )

    def forward(self, weights, observations):
        relu = self.jax.nn.relu
        x = observations.astype("float32") / BYTE
        for i, (_, _, _, stride, _, _) in enumerate(self.convolutions):
            x = relu(self.convolve(x, weights[2 * i], stride) + weights[2 * i + 1])
        x = relu(x.reshape(x.shape[0], -1) @ weights[-4] + weights[-3])
        return x @ weights[-2] + weights[-1]

    def loop(self):
        forward = self.jax.jit(self.forward)
        observations = [self.observations[m] for m in range(self.members)]
        return lambda: [forward(w, x) for w, x in zip(self.weights, observations)]

    def vmapped(self):
        stacked = [self.jax.numpy.stack(arrays) for arrays in zip(*self.weights)]
        forward = self.jax.jit(self.jax.vmap(self.forward))
        return lambda: forward(stacked, self.observations)

    def grouped(self):
        jax, numpy = self.jax, self.jax.numpy
        members, rows = self.members, self.rows
        count = len(self.convolutions)
        convolutions = [numpy.concatenate([w[i] for w in self.weights], axis=-1) for i in range(2 * count)]
        dense = [numpy.stack([w[i] for w in self.weights]) for i in range(2 * count, 2 * count + 4)]

        @jax.jit
        def forward(convolutions, dense, observations):
            x = observations.astype("float32") / BYTE
            x = x.transpose(1, 2, 3, 0, 4).reshape(rows, SIZE, SIZE, members * CHANNELS)
            for i, (_, _, _, stride, _, _) in enumerate(self.convolutions):
                x = jax.nn.relu(self.convolve(x, convolutions[2 * i], stride, members) + convolutions[2 * i + 1])
            side = x.shape[1]
            x = x.reshape(rows, side, side, members, -1).transpose(3, 0, 1, 2, 4).reshape(members, rows, -1)
            x = jax.nn.relu(x @ dense[0] + dense[1][:, None])
            return x @ dense[2] + dense[3][:, None]

        return lambda: forward(convolutions, dense, self.observations)

    def run(self, way):
        return self.jax.block_until_ready(self.ways[way]())

    def outputs(self, way):
        return self.jax.numpy.stack(self.run(way)).__array__()


def check(library, way):
    """Every way has to compute the same networks."""
    difference = abs(library.outputs(way) - library.outputs("loop")).max()
    if not difference < TOLERANCE:
        raise SystemExit(f"pixel_network_rate.py: {way} differs from loop by {difference}")


def rate(library, way, seconds):
    """Observations answered a second of processor time, as clade-bench forward counts it."""
    for _ in range(2):
        library.run(way)
    watch = measure.Stopwatch(seconds)
    start = time.process_time()
    passes = 0
    while watch.running() or passes == 0:
        library.run(way)
        passes += 1
    return passes * library.members * library.rows / (time.process_time() - start)


def main():
    parser = measure.parser(__doc__.splitlines()[0])
    parser.add_argument("--library", choices=["torch", "jax", "best"], default="best", help="best: the faster of both")
    parser.add_argument("--network", choices=sorted(LAYERS), default="large_model")
    parser.add_argument("--members", type=measure.positive_int, default=24, help="networks that take turns")
    parser.add_argument("--rows", type=measure.positive_int, default=1, help="observations of a member a pass")
    parser.add_argument("--way", help="left out: the best of a sweep")
    arguments = parser.parse_args()
    if arguments.threads != 1:
        parser.error(f"--threads is {arguments.threads}, but one core is measured: leave it out")
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[-1]})  # pools of threads get one core, whatever they ask
    libraries = [Torch, Jax] if arguments.library == "best" else [{"torch": Torch, "jax": Jax}[arguments.library]]
    made = [make(arguments.network, arguments.members, arguments.rows) for make in libraries]
    candidates = [
        (library, way) for library in made for way in library.ways if arguments.way is None or way == arguments.way
    ]
    if not candidates:
        parser.error(f"--way is {arguments.way}, expected one of {', '.join(w for x in made for w in x.ways)}")
    for library, way in candidates:
        check(library, way)
    rates = {}
    if len(candidates) > 1:
        rates = {candidate: rate(*candidate, measure.SWEEP_SECONDS) for candidate in candidates}
        best = max(rates, key=rates.get)
    else:
        best = candidates[0]
    library, way = best
    sweep = {f"{type(x).__name__.lower()}_{w}": round(value, 1) for (x, w), value in rates.items()}
    measure.report(
        arguments,
        "pixel_network",
        rate(library, way, arguments.seconds),
        "rows/s",
        library=type(library).__name__.lower(),
        way=way,
        version=library.version,
        network=arguments.network,
        members=arguments.members,
        rows=arguments.rows,
        **sweep,
    )


if __name__ == "__main__":
    main()
