#include "rodeo/output/checkpoint_folder.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "rodeo/output/file_records.hpp"
#include "rodeo/processor/build_identity.hpp"

#include "output/temporary_file.hpp"

namespace rodeo {
namespace {

/// A folder for one test, removed at its end.
class CheckpointTest : public testing::Test {
 protected:
  CheckpointTest() { std::filesystem::create_directory(folder_); }
  ~CheckpointTest() override { std::filesystem::remove_all(folder_); }

  std::string campaign() const { return folder_ + "/campaign.h5"; }
  std::string file_of(int member) const {
    return checkpoint_folder(campaign()) + "/member_" + std::to_string(member);
  }

  /// The message with which the checkpoint of member 4 is refused.
  static std::string complaint(const CheckpointFolder& checkpoints) {
    try {
      checkpoints.read(4);
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  }

  const std::vector<std::byte> state_ = [] {
    std::vector<std::byte> state(1001);
    for (std::size_t i = 0; i < state.size(); ++i) state[i] = static_cast<std::byte>(i);
    return state;
  }();

 private:
  std::string folder_ =
      std::filesystem::temp_directory_path() / ("rodeo_checkpoint_test" + std::to_string(getpid()));
};

TEST_F(CheckpointTest, AStateComesBackUntilItIsRemoved) {
  const CheckpointFolder checkpoints(campaign(), {"deck", "build"});
  EXPECT_FALSE(checkpoints.exists());
  EXPECT_FALSE(checkpoints.read(4).has_value());
  checkpoints.write(4, std::vector<std::byte>(3));
  checkpoints.write(4, state_);
  checkpoints.write(12, {});
  EXPECT_TRUE(checkpoints.exists());
  EXPECT_EQ(checkpoints.read(4), state_);
  EXPECT_EQ(checkpoints.read(12), std::vector<std::byte>{});
  EXPECT_EQ(checkpointed_members(campaign()), (std::vector<std::uint64_t>{4, 12}));
  checkpoints.remove(4);
  EXPECT_FALSE(checkpoints.read(4).has_value());
  EXPECT_EQ(checkpointed_members(campaign()), (std::vector<std::uint64_t>{12}));
  std::ofstream(TemporaryFile(file_of(5)).path()) << "left behind by a kill";
  EXPECT_EQ(checkpointed_members(campaign()), (std::vector<std::uint64_t>{12}));
  checkpoints.remove_all();
  EXPECT_FALSE(checkpoints.exists());
}

TEST_F(CheckpointTest, OnesThatDoNotFitAreRefusedInOneSentence) {
  const CheckpointFolder checkpoints(campaign(), {"deck", "build"});
  checkpoints.write(4, state_);
  EXPECT_NE(complaint(CheckpointFolder(campaign(), {"another deck", "build"})).find("another deck"),
            std::string::npos);
  EXPECT_NE(complaint(CheckpointFolder(campaign(), {"deck", "b"})).find("another build"), std::string::npos);
  std::filesystem::copy_file(file_of(4), file_of(5));
  EXPECT_THROW(checkpoints.read(5), FileError);
  EXPECT_EQ(complaint(checkpoints), "");
}

TEST_F(CheckpointTest, EveryChangedByteAndEveryLengthIsNoticed) {
  const CheckpointFolder checkpoints(campaign(), {"deck", "build"});
  checkpoints.write(4, state_);
  const auto size = std::filesystem::file_size(file_of(4));
  for (std::uintmax_t at = 0; at < size; ++at) {
    std::fstream file(file_of(4), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const int byte = file.get();
    file.seekp(static_cast<std::streamoff>(at));
    file.put(static_cast<char>(byte ^ 16));
    file.close();
    ASSERT_NE(complaint(checkpoints), "") << "byte " << at;
    std::fstream repaired(file_of(4), std::ios::in | std::ios::out | std::ios::binary);
    repaired.seekp(static_cast<std::streamoff>(at));
    repaired.put(static_cast<char>(byte));
  }
  EXPECT_EQ(complaint(checkpoints), "");
  for (const std::uintmax_t length : {size + 1, size - 1, size / 2, std::uintmax_t{20}, std::uintmax_t{0}}) {
    std::filesystem::resize_file(file_of(4), length);
    EXPECT_NE(complaint(checkpoints), "") << length << " bytes";
  }
}

TEST_F(CheckpointTest, AFailedWriteKeepsTheOneBefore) {
  const CheckpointFolder checkpoints(campaign(), {"deck", "build"});
  checkpoints.write(4, state_);
  std::filesystem::create_directory(TemporaryFile(file_of(4)).path());  // so that the next cannot be written
  EXPECT_THROW(checkpoints.write(4, state_), WriteError);
  EXPECT_EQ(checkpoints.read(4), state_);
}

TEST(BuildIdentity, IsThatOfTheProgram) {
  EXPECT_FALSE(build_identity().empty());
  EXPECT_EQ(build_identity(), build_identity());
}

}  // namespace
}  // namespace rodeo
