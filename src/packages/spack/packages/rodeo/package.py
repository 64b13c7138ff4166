from spack.package import *

try:  # of Spack 1.0 and later; before, spack.package has it
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:
    pass


class Rodeo(CMakePackage):
    """Ensembles of soft filaments: Cosserat rods and discrete elastic rods, one on a laptop or thousands on a cluster."""

    license("MIT")

    version("0.2.0")  # of the sources that spack dev-build or spack develop is told of

    variant("portable", default=False, description="Kernels for x86-64-v2, v3 and v4, one set of which is chosen at start")

    generator("ninja")
    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    # As rodeo_needs() has them in CMakeLists.txt.
    depends_on("kokkos@3.4:+openmp")
    depends_on("mpi")
    depends_on("hdf5+mpi")
    depends_on("eigen@3.4:")
    depends_on("suite-sparse@7:")
    depends_on("boost@1.74:+program_options")
    depends_on("googletest", type="test")
    depends_on("benchmark", type="test")

    def cmake_args(self):
        return [
            self.define("RODEO_NATIVE", self.spec.satisfies("~portable")),
            self.define("RODEO_BUILD_TESTS", self.run_tests),
            self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc),
            self.define("MPI_CXX_COMPILER", self.spec["mpi"].mpicxx),
        ]

    def test_version(self):
        """The program starts."""
        Executable(self.prefix.bin.rodeo)("--version")
