"""What CMake says where libraries are missing."""

import os
import subprocess
import tempfile
import unittest

import campaign


class Build(unittest.TestCase):
    def configure(self, *missing, **variables):
        with tempfile.TemporaryDirectory(prefix="rodeo-build-test-") as folder:
            done = subprocess.run(["cmake", "-S", campaign.ROOT, "-B", folder,
                                   *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in missing)],
                                  env={name: value for name, value in os.environ.items() if name not in ("CONDA_PREFIX", "SPACK_ENV")} | variables,
                                  capture_output=True, text=True, check=False)
        return done.returncode, " ".join(done.stderr.split())

    def test_all_that_is_missing_is_named_with_its_packages(self):
        code, said = self.configure("HDF5", "Boost", "Eigen3")
        self.assertNotEqual(code, 0)
        self.assertIn("is not found here: parallel HDF5, Eigen 3.4, Boost.Program_options 1.74.", said)
        self.assertIn("apt-get install libhdf5-openmpi-dev libeigen3-dev libboost-dev libboost-program-options-dev", said)

    def test_conda_has_other_names(self):
        code, said = self.configure("Kokkos", "HDF5", CONDA_PREFIX="/nowhere")
        self.assertNotEqual(code, 0)
        self.assertIn("conda install -c conda-forge kokkos 'hdf5=*=mpi_openmpi*'", said)

    def test_spack_has_other_names(self):
        code, said = self.configure("HDF5", "Boost", SPACK_ENV="/nowhere")
        self.assertNotEqual(code, 0)
        self.assertIn("spack add hdf5+mpi boost+program_options", said)


if __name__ == "__main__":
    unittest.main()
