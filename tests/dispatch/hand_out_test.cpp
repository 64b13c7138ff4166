#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "rodeo/observe/observable_list.hpp"
#include "rodeo/output/checkpoint_folder.hpp"
#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/file_records.hpp"

#include "dispatch/master.hpp"
#include "dispatch/progress.hpp"
#include "dispatch/study.hpp"
#include "dispatch/worker.hpp"

namespace rodeo {
namespace {

/// Two workers that run nothing: rank 1 ends a chunk only when rank 2 has none left.
class FastAndSlow final : public Mailbox {
 public:
  void send(int rank, const Chunk& chunk) override {
    std::deque<std::vector<std::uint64_t>>& held = held_[rank];
    held.push_back(chunk.members);
    members[rank] += chunk.members.size();
    most_chunks = std::max(most_chunks, held.size());
  }
  void send(int, const std::vector<EndedMember>&) override {}
  void send(int rank, message::Tag tag, const std::string&) override {
    if (tag == message::stop) stopping_.push_back(rank);
  }

  Arrival probe() override {
    if (std::exchange(heard_, false)) return {};  // the master hands out before it hears of the next chunk
    for (const int rank : {2, 1}) {
      if (!held_[rank].empty()) return {true, rank, message::ended, 0};
    }
    if (!stopping_.empty()) return {true, stopping_.back(), message::stopped, 0};
    return {};
  }
  std::vector<EndedMember> receive_ended(const Arrival& arrival) override {
    heard_ = true;
    std::vector<EndedMember> ended;
    for (const std::uint64_t member : held_[arrival.rank].front()) {
      ended.push_back({member, 0, MemberStatus::done});
    }
    held_[arrival.rank].pop_front();
    return ended;
  }
  std::string receive_text(const Arrival&) override {
    stopping_.pop_back();
    return "0";
  }
  Chunk receive_chunk(const Arrival&) override { return {}; }

  std::size_t members[3] = {};  ///< by rank: all it was given
  std::size_t most_chunks = 0;  ///< that a rank held at once

 private:
  std::deque<std::vector<std::uint64_t>> held_[3];
  std::vector<int> stopping_;
  bool heard_ = false;
};

/// Hands out members of so many seconds each to as many ranks; the first one runs members too where it is
/// alone.
CampaignEnd hand_out(const std::string& seconds, std::size_t ranks, Mailbox& mailbox) {
  Study study(Deck::parse(
      "[study]\nkind = sweep\n[sweep]\naxis = noop.seconds : list(" + seconds + ")\n[model]\nkind = noop\n",
      "test.ini"));
  const std::string path =
      std::filesystem::temp_directory_path() / ("rodeo_hand_out_test" + std::to_string(getpid()) + ".h5");
  EnsembleFile file = EnsembleFile::create(MPI_COMM_SELF, path, study.schema(), Provenance{}, true);
  file.set_observables(ObservableList().names());
  const CheckpointFolder checkpoints(path, {});
  Worker own(study, file, checkpoints, 0);
  Progress progress(study, 1.0);
  const std::vector<int> threads(ranks, 1);
  TimeBudget time(std::nullopt, std::chrono::steady_clock::now(), threads);
  const CampaignEnd end = Master(study, file, mailbox, threads, {}, own, ranks == 1, time, progress).run();
  file.close();
  std::filesystem::remove(path);
  return end;
}

TEST(DispatchHandOut, ALongMemberDoesNotWaitBehindAnotherThatAWorkerStillRuns) {
  FastAndSlow workers;
  hand_out("100, 90, 80, 70, 60", 3, workers);
  EXPECT_EQ(workers.most_chunks, 1u);
  EXPECT_EQ(workers.members[1], 1u);
  EXPECT_EQ(workers.members[2], 4u);
}

TEST(DispatchHandOut, ShortMembersWaitAtTheWorkerForTheNextOneToEnd) {
  FastAndSlow workers;
  hand_out("0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5", 3, workers);
  EXPECT_EQ(workers.most_chunks, 2u);
}

TEST(DispatchHandOut, ARankThatIsAloneGoesOnAfterALongMember) {
  FastAndSlow nobody;
  const CampaignEnd end = hand_out("2.02, 2.01", 1, nobody);  // longer than what a rank may hold ahead
  EXPECT_TRUE(end.complete);
  EXPECT_FALSE(end.out_of_time);
}

}  // namespace
}  // namespace rodeo
