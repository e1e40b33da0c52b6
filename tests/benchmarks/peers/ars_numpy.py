"""A numpy ARS (V2, Mania et al. 2018): steps a second of population evaluation, one process a core.

Linear policy, mean/std filter, directions from a noise table that all processes share. Written to be fast: processes
are forked once and exchange indices, returns and observation moments only; the filter is folded into the policy's
matrix at the start of a rollout, so that a step costs one matrix-vector product; moments are summed per rollout.
"""

import multiprocessing
import warnings

import gymnasium
import numpy
import threadpoolctl

import measure

TABLE_SIZE = 25_000_000  # float32
DIRECTIONS = 32
KEPT = 4
NOISE_SCALE = 0.03
STEP_SIZE = 0.02
EPISODE_STEPS = 1000


class GymnasiumTask:
    """The task's own class, without Gymnasium's wrappers around it."""

    def __init__(self, name):
        warnings.simplefilter("ignore")
        gymnasium.logger.min_level = gymnasium.logger.ERROR
        self.environment = gymnasium.make(name).unwrapped
        self.observations = self.environment.observation_space.shape[0]
        self.actions = self.environment.action_space.shape[0]

    def rollout(self, policy, offset, seen):
        """Plays an episode of action = policy @ observation + offset; observations go to `seen`. Return and steps."""
        step = self.environment.step
        observation, _ = self.environment.reset()
        total = 0.0
        for count in range(EPISODE_STEPS):
            seen[count] = observation
            observation, reward, terminated, _, _ = step(policy @ observation + offset)
            total += reward
            if terminated:
                break
        return total, count + 1


class BindingsTask:
    """HalfCheetah-v4 written anew on MuJoCo's Python bindings: the least that Python can spend on a step."""

    def __init__(self, name):
        import mujoco

        if name != "HalfCheetah-v4":
            raise SystemExit(f"ars_numpy.py: error: --engine bindings plays HalfCheetah-v4 only, not {name}")
        assets = f"{gymnasium.__path__[0]}/envs/mujoco/assets"
        self.mujoco = mujoco
        self.model = mujoco.MjModel.from_xml_path(f"{assets}/half_cheetah.xml")
        self.data = mujoco.MjData(self.model)
        self.random = numpy.random.default_rng()
        self.observations = 17
        self.actions = 6
        self.step_seconds = self.model.opt.timestep * 5

    def rollout(self, policy, offset, seen):
        model, data, mj_step = self.model, self.data, self.mujoco.mj_step
        self.mujoco.mj_resetData(model, data)
        positions, velocities, control = data.qpos, data.qvel, data.ctrl
        positions += self.random.uniform(-0.1, 0.1, model.nq)
        velocities += 0.1 * self.random.standard_normal(model.nv)
        self.mujoco.mj_forward(model, data)
        total = 0.0
        for count in range(EPISODE_STEPS):
            row = seen[count]
            row[:8] = positions[1:]
            row[8:] = velocities
            action = policy @ row + offset
            control[:] = action
            before = positions[0]
            mj_step(model, data, 5)
            total += (positions[0] - before) / self.step_seconds - 0.1 * action.dot(action)
        return total, count + 1


ENGINES = {"gymnasium": GymnasiumTask, "bindings": BindingsTask}


def make_table():
    """Standard normal floats in memory that forked processes share."""
    memory = multiprocessing.RawArray("f", TABLE_SIZE)
    table = numpy.frombuffer(memory, dtype=numpy.float32)
    numpy.random.Generator(numpy.random.SFC64(1)).standard_normal(dtype=numpy.float32, out=table)
    return table


def work(pipe, engine, name, table):
    """A worker: for each request plays both signs of its directions; answers returns, steps and moments."""
    threadpoolctl.threadpool_limits(1)
    task = ENGINES[engine](name)
    size = task.actions * task.observations
    seen = numpy.empty((EPISODE_STEPS, task.observations))
    pipe.send((task.actions, task.observations))
    while (request := pipe.recv()) is not None:
        theta, mean, inverse_std, indices = request
        returns = numpy.empty((len(indices), 2))
        steps = 0
        total = numpy.zeros(task.observations)
        squares = numpy.zeros(task.observations)
        for place, index in enumerate(indices):
            direction = NOISE_SCALE * table[index : index + size].reshape(theta.shape)
            for side, matrix in enumerate((theta + direction, theta - direction)):
                policy = numpy.ascontiguousarray(matrix * inverse_std)
                returns[place, side], count = task.rollout(policy, -(policy @ mean), seen)
                steps += count
                total += seen[:count].sum(axis=0)
                squares += numpy.einsum("ij,ij->j", seen[:count], seen[:count])
        pipe.send((returns, steps, total, squares))


class Ars:
    """One iteration a call; the pipes lead to the workers."""

    def __init__(self, pipes, shape, table):
        self.pipes = pipes
        self.table = table
        self.random = numpy.random.default_rng(1)
        self.theta = numpy.zeros(shape)
        self.mean = numpy.zeros(shape[1])
        self.inverse_std = numpy.ones(shape[1])
        self.count = 0
        self.total = numpy.zeros(shape[1])
        self.squares = numpy.zeros(shape[1])

    def iterate(self):
        """Evaluates a population and updates the policy; returns the steps taken."""
        indices = self.random.integers(0, TABLE_SIZE - self.theta.size, size=DIRECTIONS)
        shares = numpy.array_split(indices, len(self.pipes))
        for pipe, share in zip(self.pipes, shares):
            pipe.send((self.theta, self.mean, self.inverse_std, share))
        answers = [pipe.recv() for pipe in self.pipes]
        steps = sum(answer[1] for answer in answers)
        self.update(indices, numpy.concatenate([answer[0] for answer in answers]))
        self.count += steps
        self.total += sum(answer[2] for answer in answers)
        self.squares += sum(answer[3] for answer in answers)
        self.mean = self.total / self.count
        variance = (self.squares - self.count * self.mean**2) / (self.count - 1)
        std = numpy.sqrt(numpy.maximum(variance, 0.0))
        std[std < 1e-7] = numpy.inf
        self.inverse_std = 1.0 / (std + 1e-8)
        return steps

    def update(self, indices, returns):
        kept = numpy.argsort(-returns.max(axis=1))[:KEPT]
        weights = (returns[kept, 0] - returns[kept, 1]) / (KEPT * returns[kept].std())
        for index, weight in zip(indices[kept], weights):
            direction = self.table[index : index + self.theta.size].reshape(self.theta.shape)
            self.theta += STEP_SIZE * weight * direction


def main():
    parser = measure.parser(__doc__.splitlines()[0])
    parser.add_argument("--env", default="HalfCheetah-v4")
    parser.add_argument("--engine", choices=sorted(ENGINES), default="gymnasium")
    arguments = parser.parse_args()

    context = multiprocessing.get_context("fork")
    table = make_table()
    pipes, processes = [], []
    for _ in range(arguments.threads):
        mine, theirs = context.Pipe()
        process = context.Process(target=work, args=(theirs, arguments.engine, arguments.env, table), daemon=True)
        process.start()
        pipes.append(mine)
        processes.append(process)
    shape = [pipe.recv() for pipe in pipes][0]
    ars = Ars(pipes, shape, table)
    ars.iterate()
    watch = measure.Stopwatch(arguments.seconds)
    steps = iterations = 0
    while watch.running():
        steps += ars.iterate()
        iterations += 1
    elapsed = watch.seconds()
    for pipe in pipes:
        pipe.send(None)
    for process in processes:
        process.join()
    measure.report(
        arguments,
        "numpy_ars",
        steps / elapsed,
        "steps/s",
        env=arguments.env,
        engine=arguments.engine,
        processes=arguments.threads,
        iterations=iterations,
        members=2 * DIRECTIONS,
        numpy=numpy.__version__,
    )


if __name__ == "__main__":
    main()
