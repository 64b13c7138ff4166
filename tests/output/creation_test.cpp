#include <algorithm>
#include <array>
#include <cmath>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/ensemble_reader.hpp"

#include "test_support.hpp"

namespace rodeo::testing {
namespace {

std::string create_error(const std::string& path, const EnsembleSchema& schema, bool overwrite = false) {
  return file_error_of(
      [&] { EnsembleFile::create(MPI_COMM_SELF, path, schema, example_provenance(), overwrite); });
}

TEST(Creation, AnExistingFileIsRefusedAndKept) {
  const TemporaryFolder folder;
  write_example(folder.file(), example_schema());
  const std::string message = create_error(folder.file(), example_schema());
  EXPECT_TRUE(contains(message, folder.file() + " exists already")) << message;
  EXPECT_TRUE(contains(message, "--overwrite")) << message;
  EXPECT_TRUE(contains(message, "--resume")) << message;
  EXPECT_EQ(EnsembleReader(folder.file()).statuses()[0], MemberStatus::done);
  EXPECT_EQ(folder.entries().size(), 1U);
}

TEST(Creation, OverwriteReplacesTheFile) {
  const TemporaryFolder folder;
  write_example(folder.file(), example_schema());
  EnsembleFile file =
      EnsembleFile::create(MPI_COMM_SELF, folder.file(), example_schema(9), example_provenance(), true);
  file.close();
  EXPECT_EQ(EnsembleReader(folder.file()).statuses(), std::vector<MemberStatus>(9, MemberStatus::pending));
  EXPECT_EQ(folder.entries().size(), 1U);
}

TEST(Creation, ReplacingTakesOverTheRowsOfTheSameMembers) {
  const TemporaryFolder folder;
  EnsembleSchema schema = example_schema();
  {
    EnsembleFile half =
        EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false);
    half.write(example_rows(schema, 0, 2));
    half.write(example_rows(schema, 4, 1));
    half.close();
  }
  schema.deck = "another";
  schema.tables = {{.name = "further", .columns = {{.name = "number"}}, .rows = 2}};
  EnsembleFile::replace(MPI_COMM_SELF, folder.file(), schema, example_provenance()).close();
  const EnsembleReader reader(folder.file());
  EXPECT_EQ(reader.schema().deck, "another");
  EXPECT_EQ(reader.schema().tables.size(), 1U);
  for (std::uint64_t member = 0; member < schema.members; ++member) {
    const MemberRow row = reader.read_member(member);
    if (member < 2 || member == 4) {
      expect_same(schema, row, example_row(schema, member));
    } else {
      EXPECT_EQ(row.status, MemberStatus::pending);
    }
  }
  EXPECT_EQ(folder.entries().size(), 1U);
}

TEST(Creation, ReplacingRefusesOtherMembersAndKeepsTheirFile) {
  const TemporaryFolder folder;
  write_example(folder.file(), example_schema());
  const std::string message = file_error_of(
      [&] { EnsembleFile::replace(MPI_COMM_SELF, folder.file(), example_schema(9), example_provenance()); });
  EXPECT_TRUE(contains(message, "rows of another revision")) << message;
  const EnsembleReader reader(folder.file());
  ASSERT_EQ(reader.schema().members, 6U);
  EXPECT_EQ(reader.statuses()[5], example_row(reader.schema(), 5).status);
  EXPECT_EQ(folder.entries().size(), 1U);
}

TEST(Creation, ReplacingPutsRowsWhereTheTakeoverSays) {
  const TemporaryFolder folder;
  const EnsembleSchema earlier = example_schema(3);
  write_example(folder.file(), earlier);
  EnsembleSchema larger = example_schema(8);
  larger.frames = earlier.frames + 2;
  const Takeover takeover{.rows = {RowPlace{6, 3, 0}, std::nullopt, RowPlace{1, 0, 1}},
                          .kept_as = folder.file("earlier.h5")};
  EnsembleFile::replace(MPI_COMM_SELF, folder.file(), larger, example_provenance(), takeover).close();

  const EnsembleReader reader(folder.file());
  for (std::uint64_t member = 0; member < larger.members; ++member) {
    const MemberRow row = reader.read_member(member);
    if (member != 1 && member != 6) {
      EXPECT_EQ(row.status, MemberStatus::pending) << member;
      continue;
    }
    MemberRow expected = example_row(earlier, member == 6 ? 0 : 2);
    expected.member = member;
    expected.candidate = member == 6 ? 3 : 0;
    expected.repeat = member == 6 ? 0 : 1;
    expect_same_scalars(row, expected);
    ASSERT_EQ(row.time.size(), static_cast<std::size_t>(larger.frames));
    for (std::size_t frame = 0; frame < row.time.size(); ++frame) {
      if (frame < expected.time.size()) {
        EXPECT_EQ(row.time[frame], expected.time[frame]);
      } else {
        EXPECT_TRUE(std::isnan(row.time[frame]));
      }
    }
    const std::vector<double>& position = row.fields.front();
    const std::vector<double>& before = expected.fields.front();
    ASSERT_EQ(position.size(), before.size() / expected.time.size() * row.time.size());
    EXPECT_TRUE(std::equal(before.begin(), before.end(), position.begin()));
    EXPECT_TRUE(std::isnan(position.back()));
  }
  const EnsembleReader kept(folder.file("earlier.h5"));
  for (std::uint64_t member = 0; member < earlier.members; ++member) {
    expect_same(earlier, kept.read_member(member), example_row(earlier, member));
  }
}

TEST(Creation, ReplacingKeepsNoFileOverAnother) {
  const TemporaryFolder folder;
  const EnsembleSchema schema = example_schema(3);
  write_example(folder.file(), schema);
  write_example(folder.file("earlier.h5"), schema);
  const Takeover takeover{.kept_as = folder.file("earlier.h5")};
  const std::string message = file_error_of(
      [&] { EnsembleFile::replace(MPI_COMM_SELF, folder.file(), schema, example_provenance(), takeover); });
  EXPECT_TRUE(contains(message, "earlier.h5")) << message;
  EXPECT_EQ(folder.entries().size(), 2U);
  // What a killed process has begun is the same file by two names.
  std::filesystem::remove(folder.file("earlier.h5"));
  std::filesystem::create_hard_link(folder.file(), folder.file("earlier.h5"));
  EnsembleFile::replace(MPI_COMM_SELF, folder.file(), schema, example_provenance(), takeover).close();
  expect_same(schema, EnsembleReader(folder.file("earlier.h5")).read_member(1), example_row(schema, 1));
}

TEST(Creation, OverwriteLeavesOtherFilesAlone) {
  const TemporaryFolder folder;
  std::ofstream(folder.file()) << "\x89HDF\r\n\x1a\n and no more";
  const std::string message = create_error(folder.file(), example_schema(), true);
  EXPECT_TRUE(contains(message, "not an ensemble file of rodeo")) << message;
  std::ifstream file(folder.file());
  std::string text;
  std::getline(file, text, '\x1a');
  EXPECT_EQ(text, "\x89HDF\r\n");
}

TEST(Creation, OverwriteReplacesWhatIsLeftOfAnEnsembleAndAnEmptyFile) {
  const TemporaryFolder folder;
  for (const std::uintmax_t bytes : {std::uintmax_t{0}, std::uintmax_t{20000}}) {
    write_example(folder.file(), example_schema());
    std::filesystem::resize_file(folder.file(), bytes);
    EXPECT_NO_THROW(
        EnsembleFile::create(MPI_COMM_SELF, folder.file(), example_schema(9), example_provenance(), true));
    EXPECT_EQ(EnsembleReader(folder.file()).schema().members, 9U);
    std::filesystem::remove(folder.file());
  }
}

TEST(Creation, WhatAKilledCreationLeftBehindIsRemoved) {
  const TemporaryFolder folder;
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const std::string stem = folder.file() + ".creating-" + host.data() + "-";
  const std::string dead = stem + "999999999";                 // beyond the kernel's largest process id
  const std::string alive = stem + std::to_string(getppid());  // another campaign that is being created
  const std::string foreign = folder.file() + ".creating-elsewhere-999999999";
  for (const std::string& path : {dead, alive, foreign}) std::ofstream(path) << "x";
  write_example(folder.file(), example_schema());
  EXPECT_FALSE(std::ifstream(dead).good());
  EXPECT_TRUE(std::ifstream(alive).good());
  EXPECT_TRUE(std::ifstream(foreign).good());
}

TEST(Creation, OverwriteThatFailsKeepsTheOldFile) {
  const TemporaryFolder folder;
  write_example(folder.file(), example_schema());
  EnsembleSchema schema = example_schema(1'000'000);
  schema.nodes = {1'000'000};
  const std::string message = create_error(folder.file(), schema, true);
  EXPECT_TRUE(contains(message, "it needs ")) << message;
  EXPECT_TRUE(contains(message, " free")) << message;
  EXPECT_EQ(EnsembleReader(folder.file()).statuses()[0], MemberStatus::done);
  EXPECT_EQ(folder.entries().size(), 1U);
}

TEST(Creation, ASizeBeyondAllNumbersIsTooLargeForTheDisk) {
  const TemporaryFolder folder;
  EnsembleSchema schema = example_schema(1'000'000'000'000'000);
  schema.frames = 2'000'000'000;
  schema.nodes = {2'000'000'000};
  const std::string message = create_error(folder.file(), schema);
  EXPECT_TRUE(contains(message, "it needs ")) << message;
}

TEST(Creation, AMissingFolderIsNamed) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/missing/campaign.h5";
  const std::string message = create_error(path, example_schema());
  EXPECT_TRUE(contains(message, path)) << message;
  EXPECT_TRUE(contains(message, "No such file or directory")) << message;
}

TEST(Creation, AFolderThatCannotBeWrittenIsNamed) {
  const std::string path = "/proc/campaign.h5";  // not even root makes a file there
  const std::string message = create_error(path, example_schema());
  EXPECT_TRUE(contains(message, "cannot create /proc/campaign.h5")) << message;
}

TEST(Creation, AFolderInTheFilesPlaceIsNotReplaced) {
  const TemporaryFolder folder;
  const std::string message = create_error(folder.path(), example_schema(), true);
  EXPECT_TRUE(contains(message, "is a folder, not an ensemble file")) << message;
}

TEST(Creation, SpaceIsReserved) {
  const TemporaryFolder folder;
  EnsembleSchema schema = example_schema(64);
  schema.nodes = {5000};
  EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false).close();
  const std::uint64_t size = std::filesystem::file_size(folder.file());
  struct stat properties {};
  ASSERT_EQ(stat(folder.file().c_str(), &properties), 0);
  EXPECT_GE(static_cast<std::uint64_t>(properties.st_blocks) * 512, size);
}

TEST(Creation, AFileThatMayNotGrowIsRefused) {
  const TemporaryFolder folder;
  std::string message;
  {
    const FileSizeLimit limit(1000);
    message = create_error(folder.file(), example_schema());
  }
  EXPECT_TRUE(contains(message, "cannot reserve")) << message;
  EXPECT_TRUE(contains(message, "File too large")) << message;
  EXPECT_TRUE(folder.entries().empty());
}

TEST(FailedWrite, IsReportedAndTheFileGoesOn) {
  const EnsembleSchema schema = example_schema();
  const TemporaryFolder folder;
  EnsembleFile file = EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false);
  file.write(example_rows(schema, 0, 2));
  {
    const FileSizeLimit limit(100);
    try {
      file.write(example_rows(schema, 2, 2));
      ADD_FAILURE() << "the write went through";
    } catch (const WriteError& error) {
      EXPECT_TRUE(contains(error.what(), "cannot write 2 rows from row 2 on")) << error.what();
      EXPECT_TRUE(contains(error.what(), folder.file())) << error.what();
    }
  }
  EXPECT_EQ(file.committed(), (std::vector<bool>{true, true, false, false, false, false}));
  file.write(example_rows(schema, 2, 1));
  file.close();
  EnsembleFile resumed = EnsembleFile::resume(MPI_COMM_SELF, folder.file(), example_provenance());
  EXPECT_EQ(resumed.committed(), (std::vector<bool>{true, true, true, false, false, false}));
}

/// A small file system in memory; needs the right to mount.
class SmallDisk {
 public:
  explicit SmallDisk(const std::string& folder) : folder_(folder) {
    mounted_ = mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=4m") == 0;
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (mounted_) umount2(folder_.c_str(), MNT_DETACH);
  }
  bool mounted() const { return mounted_; }

  void fill() const {
    std::ofstream file(folder_ + "/filler", std::ios::binary);
    const std::string block(4096, 'x');
    while (file.write(block.data(), std::ssize(block)) && file.flush()) {
    }
  }

 private:
  std::string folder_;
  bool mounted_ = false;
};

TEST(FullDisk, IsFoundBeforeTheCampaignStarts) {
  const TemporaryFolder folder;
  const SmallDisk disk(folder.path());
  if (!disk.mounted()) GTEST_SKIP() << "mounting a tmpfs is not permitted here";
  EnsembleSchema schema = example_schema(100);
  schema.nodes = {1000};
  const std::string message = create_error(folder.file(), schema);
  EXPECT_TRUE(contains(message, "it needs 21.")) << message;
  EXPECT_TRUE(contains(message, "4.0 MiB free")) << message;
  EXPECT_TRUE(folder.entries().empty());
}

TEST(FullDisk, DoesNotHarmACampaignWhoseSpaceIsReserved) {
  const TemporaryFolder folder;
  const SmallDisk disk(folder.path());
  if (!disk.mounted()) GTEST_SKIP() << "mounting a tmpfs is not permitted here";
  EnsembleSchema schema = example_schema(10);
  schema.nodes = {1000};
  EnsembleFile file = EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false);
  disk.fill();
  file.write(example_rows(schema, 0, 10));
  EXPECT_EQ(file.committed(), std::vector<bool>(10, true));
  file.close();
}

// As on a file system that cannot reserve: the space is given back behind the file's back.
TEST(FullDisk, IsReportedByTheWriteThatMeetsIt) {
  const TemporaryFolder folder;
  const SmallDisk disk(folder.path());
  if (!disk.mounted()) GTEST_SKIP() << "mounting a tmpfs is not permitted here";
  EnsembleSchema schema = example_schema(10);
  schema.nodes = {1000};
  EnsembleFile file = EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false);
  file.write(example_rows(schema, 0, 1));
  const std::uint64_t second_row = offset_of(folder.file(), "/trajectories/position") + 96000;
  const int descriptor = open(folder.file().c_str(), O_RDWR);
  const int punched = fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                static_cast<off_t>(second_row), 9 * 96000);
  ASSERT_EQ(punched, 0);
  close(descriptor);
  disk.fill();
  EXPECT_THROW(file.write(example_rows(schema, 1, 9)), WriteError);
  std::filesystem::remove(folder.path() + "/filler");
  std::vector<bool> expected(10, false);
  expected[0] = true;
  EXPECT_EQ(file.committed(), expected);
  file.write(example_rows(schema, 1, 9));
  file.close();
  const EnsembleReader reader(folder.file());
  for (std::uint64_t member = 0; member < 10; ++member) {
    expect_same(schema, reader.read_member(member), example_row(schema, member));
  }
}

}  // namespace
}  // namespace rodeo::testing
