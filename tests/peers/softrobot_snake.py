"""Steps of the environment ContinuumSnake-v0 of gym-softrobot; run by an interpreter that has it.

Reads {"steps": N, "amplitudes": [6], "wave_length": m} from standard input and prints {"seconds", "way"}: the processor
time of N steps of the environment without its start and compilation, and how far the snake's centre has come (m).
"""

import json
import sys
import time

import gym_softrobot  # registers the environments
import gymnasium
import numpy as np


def main():
    case = json.load(sys.stdin)
    environment = gymnasium.make("ContinuumSnake-v0").unwrapped
    action = np.array([*case["amplitudes"], case["wave_length"]], dtype=np.float32)
    environment.reset(seed=1)
    environment.set_action(action)
    for _ in range(3):  # compiles its kernels
        environment.time = environment.stepper(time=environment.time)
    environment.reset(seed=1)
    before = environment.shearable_rod.compute_position_center_of_mass().copy()
    start = time.process_time()
    for _ in range(case["steps"]):
        environment.step(action)
    seconds = time.process_time() - start
    way = np.linalg.norm(environment.shearable_rod.compute_position_center_of_mass() - before)
    print(json.dumps({"seconds": seconds, "way": float(way)}))


if __name__ == "__main__":
    main()
