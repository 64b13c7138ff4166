#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/ensemble_reader.hpp"

#include "output/file_lock.hpp"
#include "test_support.hpp"

namespace rodeo::testing {
namespace {

using std::chrono::milliseconds;

TEST(EnsembleReader, SeesRowsAsTheyAreWritten) {
  const EnsembleSchema schema = example_schema();
  const TemporaryFolder folder;
  EnsembleFile file = EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false);
  const EnsembleReader reader(folder.file());
  EXPECT_EQ(reader.statuses(), std::vector<MemberStatus>(6, MemberStatus::pending));
  for (std::uint64_t member = 0; member < 6; ++member) {
    EXPECT_EQ(reader.read_member(member).status, MemberStatus::pending);
    file.write(example_rows(schema, member, 1));
    expect_same(schema, reader.read_member(member), example_row(schema, member));
  }
  EXPECT_EQ(reader.statuses()[5], example_row(schema, 5).status);
}

TEST(EnsembleReader, AMemberOutOfRangeIsRefused) {
  const TemporaryFolder folder;
  write_example(folder.file(), example_schema());
  const EnsembleReader reader(folder.file());
  EXPECT_THROW(reader.read_member(6), std::out_of_range);
  EXPECT_THROW(reader.read_rows(5, 2), std::out_of_range);
  EXPECT_TRUE(reader.read_rows(6, 0).empty());
}

TEST(EnsembleReader, ReadsTheTextsOfEarlierVersionsOfVariableLength) {
  if (!has_h5py()) GTEST_SKIP() << "there is no h5py";
  const EnsembleSchema schema = example_schema();
  const TemporaryFolder folder;
  write_example(folder.file(), schema);
  ASSERT_EQ(run_python(R"python(
import sys, h5py
def replace(object, name, value):
    del object.attrs[name]
    object.attrs.create(name, value, dtype=h5py.string_dtype())
with h5py.File(sys.argv[1], "r+") as file:
    replace(file, "schema", "rodeo ensemble")
    replace(file, "command_line", "rodeo run größe.ini")
    names = [name.decode() for name in file["members/parameters"].attrs["names"]]
    replace(file["members/parameters"], "names", names)
)python",
                       folder.file()),
            0);
  const EnsembleReader reader(folder.file());
  EXPECT_EQ(reader.schema().parameter_names, schema.parameter_names);
  EXPECT_EQ(reader.provenance().command_line, "rodeo run größe.ini");
}

// What the contract in docs promises to anyone with h5py, checked while the file is open for writing.
constexpr const char* h5py_script = R"python(
import sys, h5py, numpy
with h5py.File(sys.argv[1], "r") as file:
    def text(name):
        assert h5py.h5a.open(file.id, name.encode()).dtype.kind == "S", name  # of fixed length
        return file.attrs[name].decode()
    def texts(dataset, name):
        assert dataset.attrs[name].dtype.kind == "S", name
        return [entry.decode() for entry in dataset.attrs[name]]
    assert text("schema") == "rodeo ensemble"
    assert file.attrs["schema_version"] == 2
    assert text("command_line") == 'rodeo run snake.ini --output "größe.h5"'
    assert text("start_time") == "2024-05-06T07:08:09Z"
    assert text("backend") == "Serial (1)"
    assert file.attrs["ranks"] == 3 and file.attrs["resumes"] == 0
    assert file.attrs["frames"] == 4 and text("precision") == "double"
    assert text("hosts") == "node1,node2"
    assert file["deck"].asstr()[()] == "[rod]\nlength = 0.35  # m\n"
    members = file["members"]
    assert texts(members["parameters"], "names") == ["rod.length", "muscle.amplitudes[0]", "ground.friction"]
    assert texts(members["observables"], "names") == ["forward_speed", "bending_energy"]
    assert texts(members["observables"], "units") == ["m/s", "J"]
    assert members["parameters"].shape == (6, 3) and members["parameters"].dtype == "f8"
    assert members["observables"].shape == (6, 2)
    assert list(members["status"][:]) == [1, 2, 3, 0, 0, 0] and members["status"].dtype == "u1"
    done = members["commit"][:] != 0
    assert list(done) == [True] * 3 + [False] * 3
    assert list(members["candidate"][done]) == [0, 0, 1] and list(members["repeat"][done]) == [0, 1, 0]
    assert members["seed"][2] == 0xfedcba9876543212 and members["steps"][2] == 1002
    assert members["wall_seconds"][2] == 2.25 and members["rank"][2] == 2
    assert numpy.allclose(members["parameters"][2], [2.0, 2.1, 2.2])
    assert file["trajectories/time"].shape == (6, 4)
    position = file["trajectories/position"]
    assert position.shape == (6, 4, 5, 3)
    assert numpy.allclose(position[2].ravel(), 2.0 + 1e-3 * numpy.arange(60))
    orientation = file["trajectories/orientation"]
    assert orientation.shape == (6, 4, 5, 4)
    assert numpy.allclose(orientation[2].ravel(), 2.0 + 1e-3 * numpy.arange(80))
)python";

TEST(EnsembleReader, PlainH5pyReadsAFileThatIsBeingWritten) {
  if (!has_h5py()) GTEST_SKIP() << "there is no h5py";
  const EnsembleSchema schema = example_schema();
  const TemporaryFolder folder;
  EnsembleFile file = EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false);
  file.write(example_rows(schema, 0, 3));
  EXPECT_EQ(run_python(h5py_script, folder.file()), 0);
}

constexpr const char* ragged_script = R"python(
import sys, h5py, numpy
with h5py.File(sys.argv[1], "r") as file:
    trajectories = file["trajectories"]
    assert list(trajectories["nodes"]) == [3, 8, 1] and list(trajectories["offset"]) == [0, 12, 44]
    assert trajectories["position"].shape == (48, 3)
    member, nodes = 1, 8
    start = trajectories["offset"][member]
    frames = trajectories["position"][start:start + 4 * nodes].reshape(4, nodes, 3)
    assert numpy.allclose(frames.ravel(), 1.0 + 1e-3 * numpy.arange(96))
    assert file["members/parameters"].shape == (3, 0) and len(file["members/parameters"].attrs["names"]) == 0
)python";

TEST(EnsembleReader, PlainH5pyReadsMembersThatDifferInNodes) {
  if (!has_h5py()) GTEST_SKIP() << "there is no h5py";
  EnsembleSchema schema = example_schema(3);
  schema.nodes = {3, 8, 1};
  schema.parameter_names.clear();
  const TemporaryFolder folder;
  write_example(folder.file(), schema);
  EXPECT_EQ(run_python(ragged_script, folder.file()), 0);
}

TEST(FileLock, AnotherHolderIsSeenUntilItLetsGo) {
  const TemporaryFolder folder;
  std::ofstream(folder.file()) << "x";
  EXPECT_FALSE(FileLock::is_held(folder.file()));
  {
    const std::optional<FileLock> lock = FileLock::acquire(folder.file(), milliseconds(0));
    ASSERT_TRUE(lock.has_value());
    EXPECT_TRUE(FileLock::is_held(folder.file()));
    EXPECT_FALSE(FileLock::acquire(folder.file(), milliseconds(10)).has_value());
  }
  EXPECT_FALSE(FileLock::is_held(folder.file()));
  EXPECT_TRUE(FileLock::acquire(folder.file(), milliseconds(0)).has_value());
}

TEST(FileLock, AnyOfThoseWhoShareItHoldIt) {
  const TemporaryFolder folder;
  std::ofstream(folder.file()) << "x";
  std::optional<FileLock> first = FileLock::acquire(folder.file(), milliseconds(0));
  std::optional<FileLock> other = FileLock::share(folder.file());
  first.reset();
  EXPECT_TRUE(FileLock::is_held(folder.file()));
  EXPECT_FALSE(FileLock::acquire(folder.file(), milliseconds(10)).has_value());
  other.reset();
  EXPECT_FALSE(FileLock::is_held(folder.file()));
}

// HDF5 and h5py ask flock before they open a file: exclusive to write, shared to read.
TEST(FileLock, LetsOtherProgramsReadAndNoneWrite) {
  const TemporaryFolder folder;
  std::ofstream(folder.file()) << "x";
  const int other = open(folder.file().c_str(), O_RDWR);
  const auto may = [&](int what) {
    const bool taken = flock(other, what | LOCK_NB) == 0;
    flock(other, LOCK_UN);
    return taken;
  };
  EXPECT_TRUE(may(LOCK_EX));
  {
    std::optional<FileLock> first = FileLock::acquire(folder.file(), milliseconds(0));
    EXPECT_TRUE(first->keeps_writers_out());
    EXPECT_FALSE(may(LOCK_EX));
    EXPECT_TRUE(may(LOCK_SH));
    const FileLock second = FileLock::share(folder.file());
    first.reset();
    EXPECT_FALSE(may(LOCK_EX));
  }
  EXPECT_TRUE(may(LOCK_EX));
  flock(other, LOCK_EX);
  const std::string refused = file_error_of([&] { FileLock::acquire(folder.file(), milliseconds(10)); });
  EXPECT_TRUE(contains(refused, "is open for writing in another program")) << refused;
  flock(other, LOCK_SH);
  EXPECT_TRUE(FileLock::acquire(folder.file(), milliseconds(0)).has_value());
  close(other);
}

TEST(FileLock, TellsWhatHasBecomeOfItsFile) {
  const auto loss_after = [](const auto& change, std::uint64_t least_bytes = 4) {
    const TemporaryFolder folder;
    std::ofstream(folder.file()) << "four";
    const FileLock lock = FileLock::share(folder.file());
    EXPECT_EQ(lock.bytes(), 4u);
    EXPECT_EQ(lock.loss(folder.file(), least_bytes), "");
    change(folder.file());
    return lock.loss(folder.file(), least_bytes);
  };
  EXPECT_TRUE(contains(loss_after([](const std::string& path) { std::filesystem::remove(path); }),
                       "was removed while this campaign wrote it: what it held is lost"));
  EXPECT_TRUE(contains(loss_after([](const std::string& path) { std::filesystem::rename(path, path + "2"); }),
                       "was moved away"));
  EXPECT_TRUE(contains(loss_after([](const std::string& path) { std::filesystem::resize_file(path, 3); }),
                       "was cut from 4 bytes to 3"));
  const auto replace = [](const std::string& path) {
    std::ofstream(path + "2") << "four";
    std::filesystem::rename(path + "2", path);
  };
  EXPECT_TRUE(contains(loss_after(replace), "was replaced by another file"));
}

TEST(FileLock, ALockEndsWithAKilledProcess) {
  const TemporaryFolder folder;
  std::ofstream(folder.file()) << "x";
  int ready[2] = {};
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::optional<FileLock> lock = FileLock::acquire(folder.file(), milliseconds(0));
    const char answer = lock ? 'y' : 'n';
    if (write(ready[1], &answer, 1) != 1) _exit(1);
    for (;;) pause();
  }
  char answer = 0;
  ASSERT_EQ(read(ready[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'y');
  EXPECT_TRUE(FileLock::is_held(folder.file()));
  EXPECT_FALSE(FileLock::acquire(folder.file(), milliseconds(10)).has_value());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(FileLock::acquire(folder.file(), milliseconds(0)).has_value());
  close(ready[0]);
  close(ready[1]);
}

TEST(FileLock, ACampaignThatRunsIsNamedAndLeftAlone) {
  const EnsembleSchema schema = example_schema();
  const TemporaryFolder folder;
  EnsembleFile file = EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false);
  file.write(example_rows(schema, 0, 1));
  const std::string resume =
      file_error_of([&] { EnsembleFile::resume(MPI_COMM_SELF, folder.file(), example_provenance()); });
  EXPECT_TRUE(contains(resume, "is being written by a running campaign")) << resume;
  EXPECT_TRUE(contains(resume, "process " + std::to_string(getpid()) + " on ")) << resume;
  const std::string overwrite = file_error_of(
      [&] { EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), true); });
  EXPECT_TRUE(contains(overwrite, "is being written by a running campaign")) << overwrite;
  file.close();
  EnsembleFile resumed = EnsembleFile::resume(MPI_COMM_SELF, folder.file(), example_provenance());
  EXPECT_TRUE(resumed.committed()[0]);
}

}  // namespace
}  // namespace rodeo::testing
