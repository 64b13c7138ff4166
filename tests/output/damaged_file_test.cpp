#include <csignal>
#include <fstream>
#include <unistd.h>

#include <hdf5.h>

#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"

#include "output/attributes.hpp"
#include "output/open_serial.hpp"
#include "test_support.hpp"

namespace rodeo::testing {
namespace {

std::string reader_error(const std::string& path) {
  return file_error_of([&] { EnsembleReader reader(path); });
}

std::string resume_error(const std::string& path) {
  return file_error_of([&] { EnsembleFile::resume(MPI_COMM_SELF, path, example_provenance()); });
}

void expect_both_say(const std::string& path, const std::string& part) {
  EXPECT_TRUE(contains(reader_error(path), part)) << reader_error(path);
  EXPECT_TRUE(contains(resume_error(path), part)) << resume_error(path);
}

void flip_byte(const std::string& path, std::uint64_t offset) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset));
  const int byte = file.get();
  file.seekp(static_cast<std::streamoff>(offset));
  file.put(static_cast<char>(byte ^ 0x10));
  ASSERT_TRUE(file.good());
}

TEST(DamagedFile, MissingFileIsNamedWithTheReason) {
  const TemporaryFolder folder;
  expect_both_say(folder.file(), folder.file() + ": No such file or directory");
}

TEST(DamagedFile, TextFileIsNotHdf5) {
  const TemporaryFolder folder;
  std::ofstream(folder.file()) << "[rod]\nlength = 1\n";
  expect_both_say(folder.file(), "is not an HDF5 file");
  std::ofstream(folder.file(), std::ios::trunc) << "";
  expect_both_say(folder.file(), "is not an HDF5 file");
  expect_both_say(folder.path(), folder.path());
}

TEST(DamagedFile, TruncatedFileIsRefused) {
  const TemporaryFolder folder;
  write_example(folder.file(), example_schema());
  const std::uint64_t size = std::filesystem::file_size(folder.file());
  for (const std::uint64_t kept : {size - 1, size / 2, std::uint64_t{600}}) {
    std::filesystem::resize_file(folder.file(), kept);
    expect_both_say(folder.file(), "is truncated");
  }
}

TEST(DamagedFile, AnotherHdf5FileIsRefused) {
  const TemporaryFolder folder;
  {
    const Hdf5Handle file(H5Fcreate(folder.file().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose,
                          "");
  }
  expect_both_say(folder.file(), "is an HDF5 file but not a rodeo ensemble");
  {
    const Hdf5Handle file = open_serial(folder.file(), H5F_ACC_RDWR);
    create_text(file.get(), "schema", "weather");
  }
  expect_both_say(folder.file(), "holds a \"weather\", not a \"rodeo ensemble\"");
}

TEST(DamagedFile, AnotherSchemaVersionIsRefused) {
  const TemporaryFolder folder;
  write_example(folder.file(), example_schema());
  {
    const Hdf5Handle file = open_serial(folder.file(), H5F_ACC_RDWR);
    update_integer(file.get(), "schema_version", 77);
  }
  expect_both_say(folder.file(), "has schema version 77, this program reads version 2");
}

TEST(DamagedFile, AMissingOrForeignDatasetIsNamed) {
  const TemporaryFolder folder;
  write_example(folder.file(), example_schema());
  {
    const Hdf5Handle file = open_serial(folder.file(), H5F_ACC_RDWR);
    H5Ldelete(file.get(), "/members/steps", H5P_DEFAULT);
  }
  expect_both_say(folder.file(), "there is no dataset /members/steps");
  {
    const Hdf5Handle file = open_serial(folder.file(), H5F_ACC_RDWR);
    const hsize_t extent = 5;
    const Hdf5Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose, "");
    const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "");
    H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY);
    const Hdf5Handle dataset(H5Dcreate2(file.get(), "/members/steps", H5T_STD_U64LE, space.get(), H5P_DEFAULT,
                                        properties.get(), H5P_DEFAULT),
                             H5Dclose, "");
  }
  expect_both_say(folder.file(), "/members/steps has another shape");
}

// A file that claims more rows than any machine has memory for must be refused before anything is sized by
// it.
TEST(DamagedFile, AClaimOfTooManyMembersIsRefused) {
  const TemporaryFolder folder;
  write_example(folder.file(), example_schema());
  {
    const Hdf5Handle file = open_serial(folder.file(), H5F_ACC_RDWR);
    H5Ldelete(file.get(), "/members/commit", H5P_DEFAULT);
    const hsize_t extent = hsize_t{1} << 50;
    const Hdf5Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose, "");
    const Hdf5Handle dataset(H5Dcreate2(file.get(), "/members/commit", H5T_STD_U64LE, space.get(),
                                        H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                             H5Dclose, "");
  }
  expect_both_say(folder.file(), "the size of dataset /members/commit makes no sense");
}

/// Flips one byte of row 3 in a dataset and expects exactly this row to be lost.
void expect_flip_found(const char* dataset, std::uint64_t bytes_per_row, bool in_scalars) {
  const EnsembleSchema schema = example_schema();
  const TemporaryFolder folder;
  write_example(folder.file(), schema);
  flip_byte(folder.file(), offset_of(folder.file(), dataset) + 3 * bytes_per_row + bytes_per_row / 2);
  const std::vector<bool> expected{true, true, true, false, true, true};
  {
    EnsembleFile file = EnsembleFile::resume(MPI_COMM_SELF, folder.file(), example_provenance());
    EXPECT_EQ(file.committed(), expected) << dataset;
    EXPECT_EQ(file.read_rows(3, 1)[0].status == MemberStatus::pending, in_scalars) << dataset;
  }
  const EnsembleReader reader(folder.file());
  EXPECT_EQ(reader.read_member(3).status, MemberStatus::pending) << dataset;
  EXPECT_EQ(reader.read_member(4).status, example_row(schema, 4).status) << dataset;
  EXPECT_EQ(reader.statuses()[3] == MemberStatus::pending, in_scalars) << dataset;
}

TEST(DamagedFile, WhatIsWrittenOnceIsSealed) {
  EnsembleSchema schema = example_schema();
  schema.nodes = {3, 8, 1, 3, 3, 3};
  const std::string changed = "is damaged: ";
  for (const char* const dataset : {"/deck", "/trajectories/nodes", "/trajectories/offset"}) {
    const TemporaryFolder folder;
    write_example(folder.file(), schema);
    flip_byte(folder.file(), offset_of(folder.file(), dataset) + 1);
    expect_both_say(folder.file(), changed);
    if (dataset == std::string("/deck")) expect_both_say(folder.file(), "/deck is not as it was written");
  }
}

TEST(DamagedFile, FilesOfEarlierRevisionsHaveNoSeals) {
  const TemporaryFolder folder;
  write_example(folder.file(), example_schema());
  {
    const Hdf5Handle file = open_serial(folder.file(), H5F_ACC_RDWR);
    ASSERT_GE(H5Adelete_by_name(file.get(), "/deck", "crc32", H5P_DEFAULT), 0);
  }
  EXPECT_EQ(reader_error(folder.file()), "(no FileError)");
  EXPECT_EQ(resume_error(folder.file()), "(no FileError)");
}

TEST(DamagedFile, ARowWithAFlippedByteIsNotCommitted) {
  expect_flip_found("/members/parameters", 24, true);
  expect_flip_found("/members/candidate", 8, true);
  expect_flip_found("/members/repeat", 4, true);
  expect_flip_found("/members/seed", 8, true);
  expect_flip_found("/members/status", 1, true);
  expect_flip_found("/members/observables", 16, true);
  expect_flip_found("/members/steps", 8, true);
  expect_flip_found("/members/wall_seconds", 8, true);
  expect_flip_found("/members/rank", 4, true);
  expect_flip_found("/trajectories/time", 32, false);
  expect_flip_found("/trajectories/position", 480, false);
}

TEST(DamagedFile, ARowInAnotherPlaceIsNotCommitted) {
  EnsembleSchema schema = example_schema();
  schema.frames = 0;
  const TemporaryFolder folder;
  write_example(folder.file(), schema);
  const auto copy_row = [&](const char* dataset, std::uint64_t bytes_per_row) {
    const std::uint64_t start = offset_of(folder.file(), dataset);
    std::fstream file(folder.file(), std::ios::in | std::ios::out | std::ios::binary);
    std::string row(bytes_per_row, '\0');
    file.seekg(static_cast<std::streamoff>(start + bytes_per_row));
    file.read(row.data(), static_cast<std::streamsize>(bytes_per_row));
    file.seekp(static_cast<std::streamoff>(start));
    file.write(row.data(), static_cast<std::streamsize>(bytes_per_row));
    ASSERT_TRUE(file.good());
  };
  copy_row("/members/parameters", 24);
  copy_row("/members/candidate", 8);
  copy_row("/members/repeat", 4);
  copy_row("/members/seed", 8);
  copy_row("/members/status", 1);
  copy_row("/members/observables", 16);
  copy_row("/members/steps", 8);
  copy_row("/members/wall_seconds", 8);
  copy_row("/members/rank", 4);
  copy_row("/members/commit", 8);
  EXPECT_EQ(EnsembleReader(folder.file()).statuses()[0], MemberStatus::pending);
  EXPECT_EQ(EnsembleReader(folder.file()).statuses()[1], example_row(schema, 1).status);
}

// Found by fuzzing: HDF5 breaks down when it converts to integers of a size that a damaged file makes up.
TEST(DamagedFile, AnIntegerOfAnotherTypeIsRefused) {
  const TemporaryFolder folder;
  write_example(folder.file(), example_schema());
  {
    const Hdf5Handle file = open_serial(folder.file(), H5F_ACC_RDWR);
    ASSERT_GE(H5Adelete(file.get(), "frames"), 0);
    const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose, "");
    const Hdf5Handle attribute(
        H5Acreate2(file.get(), "frames", H5T_STD_I8BE, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, "");
  }
  expect_both_say(folder.file(), "attribute frames is not one integer");
}

// What HDF5 does with a file that lies about itself is its own affair; the user gets a sentence all the same.
TEST(DamagedFileDeathTest, AFaultWhileAFileIsReadEndsInASentence) {
  const std::string sentence =
      "^rodeo: error: lying.h5 is damaged: the HDF5 library broke down when it read it\n$";
  for (const int fault : {SIGSEGV, SIGABRT}) {
    EXPECT_EXIT(
        {
          const BreakdownGuard guard("lying.h5");
          { const BreakdownGuard inner("another.h5"); }
          raise(fault);
        },
        ::testing::ExitedWithCode(1), sentence);
  }
  struct sigaction before {};
  struct sigaction after {};
  sigaction(SIGSEGV, nullptr, &before);
  { const BreakdownGuard guard("lying.h5"); }
  sigaction(SIGSEGV, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

// A resume must not move anything in the file: a kill in its midst could then leave no readable file.
TEST(DamagedFile, ResumeChangesTheFileInPlaceOnly) {
  const EnsembleSchema schema = example_schema();
  const TemporaryFolder folder;
  write_example(folder.file(), schema);
  const auto content = [&] {
    std::ifstream file(folder.file(), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string before = content();
  Provenance provenance = example_provenance();
  provenance.hosts = "another,host,with,a,longer,name";
  provenance.ranks = 17;
  { EnsembleFile::resume(MPI_COMM_SELF, folder.file(), provenance).close(); }
  const std::string after = content();
  ASSERT_EQ(after.size(), before.size());
  std::size_t changed = 0;
  for (std::size_t i = 0; i < after.size(); ++i) changed += after[i] != before[i] ? 1U : 0U;
  // ranks, resumes, hosts, and the start of the writer's text at most
  EXPECT_LE(changed, 8U + 8U + provenance.hosts.size() + 256U);
  const EnsembleReader reader(folder.file());
  EXPECT_EQ(reader.provenance().resumes, 1);
  EXPECT_EQ(reader.provenance().ranks, 17);
  EXPECT_EQ(reader.provenance().hosts, provenance.hosts);
  EXPECT_EQ(reader.statuses().size(), schema.members);
}

}  // namespace
}  // namespace rodeo::testing
