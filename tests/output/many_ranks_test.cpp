#include <fstream>
#include <sys/stat.h>

#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"

#include "test_support.hpp"

namespace rodeo::testing {
namespace {

int rank() {
  int result = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &result);
  return result;
}

int ranks() {
  int result = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &result);
  return result;
}

// These run on any number of ranks, one included.

TEST(ManyRanks, WriteRowsOnTheirOwnAndFindThemTogether) {
  for (const bool ragged : {false, true}) {
    EnsembleSchema schema = example_schema(101);
    if (ragged) {
      schema.nodes.clear();
      for (std::int32_t member = 0; member < 101; ++member) schema.nodes.push_back(1 + member % 7);
    }
    const TemporaryFolder folder(MPI_COMM_WORLD);
    EnsembleFile file =
        EnsembleFile::create(MPI_COMM_WORLD, folder.file(), schema, example_provenance(), false);
    for (std::uint64_t member = 0; member < 100; ++member) {
      if (member % static_cast<std::uint64_t>(ranks()) == static_cast<std::uint64_t>(rank())) {
        file.write(example_rows(schema, member, 1));
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    std::vector<bool> expected(101, true);
    expected[100] = false;
    EXPECT_EQ(file.committed(), expected);
    file.close();

    EnsembleFile resumed = EnsembleFile::resume(MPI_COMM_WORLD, folder.file(), example_provenance());
    EXPECT_EQ(resumed.schema().members, 101U);
    if (rank() == ranks() - 1) resumed.write(example_rows(schema, 100, 1));
    resumed.close();
    const EnsembleReader reader(folder.file());
    for (std::uint64_t member = 0; member < 101; ++member) {
      expect_same(schema, reader.read_member(member), example_row(schema, member));
    }
    EXPECT_EQ(reader.provenance().resumes, 1);
  }
}

/// How many open files hold a lock on a file, as the kernel counts them.
int lock_holders(const std::string& path) {
  struct stat properties {};
  stat(path.c_str(), &properties);
  const std::string inode = std::string(":").append(std::to_string(properties.st_ino)).append(" ");
  std::ifstream locks("/proc/locks");
  int holders = 0;
  for (std::string line; std::getline(locks, line);) {
    if (contains(line, "OFDLCK") && contains(line, inode)) ++holders;
  }
  return holders;
}

// A rank that outlives a killed first rank may still write: the file is free once the last one has ended.
TEST(ManyRanks, EachHoldsTheLock) {
  const TemporaryFolder folder(MPI_COMM_WORLD);
  const auto expect_held_by_all = [&](EnsembleFile file) {
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(lock_holders(folder.file()), ranks());
    MPI_Barrier(MPI_COMM_WORLD);
    file.close();
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(lock_holders(folder.file()), 0);
  };
  expect_held_by_all(
      EnsembleFile::create(MPI_COMM_WORLD, folder.file(), example_schema(), example_provenance(), false));
  expect_held_by_all(EnsembleFile::resume(MPI_COMM_WORLD, folder.file(), example_provenance()));
}

/// The message on this rank, after checking that all ranks have the same.
void expect_alike(const std::string& message, const std::string& part) {
  EXPECT_TRUE(contains(message, part)) << message;
  std::string first = message;
  first.resize(1024);
  MPI_Bcast(first.data(), 1024, MPI_CHAR, 0, MPI_COMM_WORLD);
  EXPECT_EQ(first.substr(0, first.find('\0')), message);
}

TEST(ManyRanks, AllThrowAlike) {
  const TemporaryFolder folder(MPI_COMM_WORLD);
  const auto create = [&](const std::string& path) {
    return file_error_of(
        [&] { EnsembleFile::create(MPI_COMM_WORLD, path, example_schema(), example_provenance(), false); });
  };
  const auto resume = [&](const std::string& path) {
    return file_error_of([&] { EnsembleFile::resume(MPI_COMM_WORLD, path, example_provenance()); });
  };
  expect_alike(create(folder.path() + "/missing/a.h5"), "No such file or directory");
  expect_alike(resume(folder.file()), "No such file or directory");
  EXPECT_EQ(create(folder.file()), "(no FileError)");
  expect_alike(create(folder.file()), "exists already");
  if (rank() == 0) std::filesystem::resize_file(folder.file(), 3000);
  MPI_Barrier(MPI_COMM_WORLD);
  expect_alike(resume(folder.file()), "is truncated");
}

// A destructor that runs on all ranks ends a campaign in good order, as an exception that all ranks meet
// does.
TEST(ManyRanks, AFileDroppedWithoutCloseIsWhole) {
  const EnsembleSchema schema = example_schema(4);
  const TemporaryFolder folder(MPI_COMM_WORLD);
  {
    EnsembleFile file =
        EnsembleFile::create(MPI_COMM_WORLD, folder.file(), schema, example_provenance(), false);
    if (rank() == 0) file.write(example_rows(schema, 0, 4));
  }
  EXPECT_EQ(EnsembleFile::resume(MPI_COMM_WORLD, folder.file(), example_provenance()).committed(),
            std::vector<bool>(4, true));
}

}  // namespace
}  // namespace rodeo::testing
