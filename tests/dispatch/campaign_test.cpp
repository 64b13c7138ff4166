#include "rodeo/dispatch/campaign.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <unistd.h>

#include <gtest/gtest.h>

#include "rodeo/math/random.hpp"
#include "rodeo/member/function_batch.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"

#include "dispatch/messages.hpp"
#include "dispatch/study.hpp"
#include "plan/generation_table.hpp"

namespace rodeo {
namespace {

constexpr const char* sweep_text =
    "[study]\nkind = sweep\nrepeats = 3\nobjective = end_z\n"
    "[sweep]\naxis = load.axial_force : list(1, 2)\naxis = rod.elements : list(6, 9)\n"
    "[rod]\nlength = 1\nradius = 0.05\ndensity = 1000\nbend_stiffness = 0.8\ntwist_stiffness = 0.5\n"
    "shear_stiffness = 2000\nstretch_stiffness = 3000\n"
    "[boundary]\nfirst = pinned\nlast = pinned_sliding\n"
    "[load]\nperturbation = 0.1\nperturbation_duration = 0.01\n"
    "[time]\nstep = 2e-4\nend = 0.05\n[output]\nframes = 3\n";

/// A path all ranks agree on.
std::string shared_path(const char* name) {
  int id = static_cast<int>(getpid());
  MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return std::filesystem::temp_directory_path() / (std::string(name) + std::to_string(id) + ".h5");
}

void remove_shared(const std::string& path) {
  MPI_Barrier(MPI_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) std::filesystem::remove(path);
  MPI_Barrier(MPI_COMM_WORLD);
}

/// A candidate of which one observable is known.
Result result_of(std::uint64_t candidate, const Observable& observable, double value) {
  Result result{.candidate = candidate, .observables = unknown_observables()};
  result.observables[observable_index(observable.name)] = value;
  return result;
}

/// The file has the rows of a plan that was told all results, bit by bit.
void expect_table_of(Plan& plan, const EnsembleReader& reader) {
  const Table table = plan.tables().front();
  const std::vector<TableRow> stored = reader.read_table(table);
  const std::vector<TableRow> expected = plan.take_rows();
  ASSERT_EQ(stored.size(), expected.size());
  for (std::size_t k = 0; k < stored.size(); ++k) {
    EXPECT_EQ(stored[k].row, expected[k].row);
    for (const TableColumn& column : table.columns) {
      const std::span<const double> ours = numbers_in(table, stored[k], column.name);
      const std::span<const double> theirs = numbers_in(table, expected[k], column.name);
      EXPECT_EQ(std::memcmp(ours.data(), theirs.data(), ours.size_bytes()), 0)
          << column.name << " of row " << k;
    }
  }
}

GenerationRow newest_generation(const EnsembleReader& reader) {
  const Table& table = reader.schema().tables.front();
  return generation_of(table, *reader.newest_row(table));
}

TEST(DispatchStudy, JobsFollowTheirCandidateAndRepeat) {
  Study study(Deck::parse(sweep_text, "test.ini"));
  ASSERT_EQ(study.members(), 12u);
  const MemberJob job = study.job(10, study.plan().point(3));
  EXPECT_EQ(job.spec.rod.elements, 9);
  EXPECT_EQ(job.spec.load.axial_force, 2.0);
  EXPECT_EQ(job.seed, member_seed(1, 3, 1));
  const EnsembleSchema schema = study.schema();
  EXPECT_EQ(schema.parameter_names, (std::vector<std::string>{"load.axial_force", "rod.elements"}));
  EXPECT_EQ(schema.nodes_of(0), 7);
  EXPECT_EQ(schema.nodes_of(11), 10);
  EXPECT_GT(study.cost(3), study.cost(0));  // of the next candidate
}

TEST(DispatchStudy, WhatAPointMakesIsKnownWhateverWasAskedBefore) {
  Study study(Deck::parse(sweep_text, "test.ini"));
  const auto force_at = [&](double force, double elements) {
    const MemberSpec& spec = study.spec({force, elements});
    EXPECT_EQ(spec.rod.elements, static_cast<int>(elements));
    return spec.load.axial_force;
  };
  EXPECT_EQ(force_at(2.0, 9.0), 2.0);
  EXPECT_EQ(force_at(2.0, 9.0), 2.0);
  EXPECT_EQ(force_at(1.0, 6.0), 1.0);
  EXPECT_THROW(study.spec({1.0, 0.0}), DeckError);
  EXPECT_THROW(study.spec({1.0, 0.0}), DeckError);
  EXPECT_EQ(force_at(1.0, 6.0), 1.0);
  EXPECT_FALSE(std::signbit(force_at(0.0, 6.0)));
  EXPECT_TRUE(std::signbit(force_at(-0.0, 6.0)));
}

TEST(DispatchStudy, AnUnknownObjectiveIsNamedWithTheNearestOnes) {
  try {
    Study study(Deck::parse(std::string(sweep_text) + "[study]\n", "test.ini", {"study.objective=end_q"}));
    FAIL();
  } catch (const DeckError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("end_q"), std::string::npos);
    EXPECT_NE(text.find("end_x"), std::string::npos);
  }
}

TEST(DispatchCampaign, EveryRankCountGivesTheFileOfASingleWorker) {
  // Members alone on this rank are the reference; the campaign runs them on all ranks of the world.
  const std::string path = shared_path("rodeo_campaign_test");
  const Deck deck = Deck::parse(sweep_text, "test.ini");
  EXPECT_EQ(run_campaign(MPI_COMM_WORLD, deck, path, OutputMode::create, "test"), exit_code::done);
  {
    Study study(deck);
    const EnsembleReader reader(path);
    for (std::uint64_t member = 0; member < study.members(); ++member) {
      const MemberRow row = reader.read_member(member);
      const std::vector<MemberJob> jobs = {study.job(member, study.plan().point(member / study.repeats()))};
      const auto batch = make_batch(jobs);
      while (batch->advance()) {
      }
      EXPECT_EQ(row.status, MemberStatus::done);
      EXPECT_EQ(row.candidate, member / 3);
      EXPECT_EQ(row.seed, jobs[0].seed);
      EXPECT_EQ(row.observables[2], batch->outcomes()[0].observables[2]);
      EXPECT_EQ(row.fields[0], batch->outcomes()[0].fields[0]);
    }
  }
  // Nothing is left to do: resume leaves every row as it is.
  EXPECT_EQ(resume_campaign(MPI_COMM_WORLD, path, "test"), exit_code::done);
  EXPECT_THROW(run_campaign(MPI_COMM_WORLD, deck, path, OutputMode::create, "test"), FileError);
  EXPECT_THROW(run_campaign(MPI_COMM_WORLD, Deck::parse(sweep_text, "test.ini", {"time.end=0.06"}), path,
                            OutputMode::resume, "test"),
               FileError);
  remove_shared(path);
}

constexpr const char* search_text =
    "[study]\nkind = optimize\nrepeats = 2\nobjective = function_value\nsense = min\n"
    "[model]\nkind = function\n[function]\nname = rosenbrock\nx = 0, 0, 0\n"
    "[optimize]\nparameter = function.x[0:3] : [-2, 2] start -1\npopulation = 9\ngenerations = 60\n";

TEST(DispatchCampaign, AnOptimisationIsTheSameOnAnyNumberOfRanks) {
  for (const char* mode : {"optimize.mode=generational", "optimize.mode=asynchronous"}) {
    const std::string path = shared_path("rodeo_search_test");
    const Deck deck = Deck::parse(search_text, "test.ini", {mode});
    EXPECT_EQ(run_campaign(MPI_COMM_WORLD, deck, path, OutputMode::create, "test"), exit_code::done);
    {
      // The reference asks and tells on this rank alone.
      Study study(deck);
      std::vector<Result> results;
      const EnsembleReader reader(path);
      for (auto asked = study.plan().ask(); !asked.empty(); asked = study.plan().ask()) {
        results.clear();
        for (const std::uint64_t candidate : asked) {
          const std::vector<double> point = study.plan().point(candidate);
          const MemberJob job = study.job(2 * candidate, point);
          const MemberRow row = reader.read_member(2 * candidate);
          EXPECT_EQ(row.parameters, point);
          EXPECT_EQ(row.status, MemberStatus::done);
          results.push_back(
              result_of(candidate, observe::function_value, function_value(job.spec.function, job.seed)));
        }
        study.plan().tell(results);
      }
      expect_table_of(study.plan(), reader);
    }
    EXPECT_EQ(resume_campaign(MPI_COMM_WORLD, path, "test"), exit_code::done);
    remove_shared(path);
  }
}

TEST(DispatchCampaign, ALadderIsToldTheFramesOfItsLevelsOnAnyNumberOfRanks) {
  const std::string path = shared_path("rodeo_ladder_test");
  const Deck deck = Deck::parse(sweep_text, "test.ini",
                                {"study.kind=convergence", "study.repeats=1", "time.step=1e-4",
                                 "convergence.axis=rod.elements : list(12, 4, 8, 6)"});
  EXPECT_EQ(run_campaign(MPI_COMM_WORLD, deck, path, OutputMode::create, "test"), exit_code::done);
  {
    // The reference is told what the file holds.
    Study study(deck);
    study.plan().take_rows();
    const EnsembleReader reader(path);
    for (const std::uint64_t level : study.plan().ask()) {
      const MemberRow row = reader.read_member(level);
      Result result{.candidate = level, .status = row.status, .observables = row.observables};
      const std::vector<double>& position = row.fields.front();
      const auto coordinates = static_cast<std::ptrdiff_t>(3 * reader.schema().nodes_of(level));
      result.last_frame.assign(position.end() - coordinates, position.end());
      study.plan().tell({&result, 1});
    }
    expect_table_of(study.plan(), reader);
    const Table& table = reader.schema().tables.front();
    EXPECT_GT(numbers_in(table, reader.read_table(table)[0], "L2")[0], 0.0);
  }
  EXPECT_EQ(resume_campaign(MPI_COMM_WORLD, path, "test"), exit_code::done);
  remove_shared(path);
}

TEST(DispatchCampaign, AMemberThatCannotBeMadeHasFailedAndTheSearchGoesOn) {
  // Start and bounds are fine; between them, the normal is parallel to the rod within rounding.
  const std::string path = shared_path("rodeo_failed_test");
  const Deck deck =
      Deck::parse(sweep_text, "test.ini",
                  {"study.kind=optimize", "study.repeats=1", "rod.elements=6", "rod.normal=0.005,0,1000",
                   "load.axial_force=1", "optimize.parameter=rod.normal[0] : [-0.01, 0.01] start 0.005",
                   "optimize.population=40", "optimize.generations=2", "output.frames=0"});
  EXPECT_EQ(run_campaign(MPI_COMM_WORLD, deck, path, OutputMode::create, "test"), exit_code::done);
  {
    const EnsembleReader reader(path);
    const std::vector<MemberStatus> statuses = reader.statuses();
    EXPECT_EQ(std::count(statuses.begin(), statuses.begin() + 40, MemberStatus::failed) +
                  std::count(statuses.begin(), statuses.begin() + 40, MemberStatus::done),
              40);
    EXPECT_GT(std::count(statuses.begin(), statuses.end(), MemberStatus::failed), 0);
    EXPECT_EQ(newest_generation(reader).failed,
              std::count(statuses.begin() + 40, statuses.end(), MemberStatus::failed));
  }
  remove_shared(path);
}

TEST(DispatchCampaign, ASearchGoesOnWhereMembersCannotStart) {
  // Rods of radius 0.05, which the barrier of ipc wants farther than 0.1 apart, first at rest, then driven.
  const std::string text =
      "[study]\nkind = optimize\nobjective = end_z\n[model]\nkind = der\n"
      "[rod]\ncount = 2\npolygon_side = 0.3\nelements = 6\nlength = 1\nradius = 0.05\ndensity = 1000\n"
      "bend_stiffness = 0.8\ntwist_stiffness = 0.5\nshear_stiffness = 2000\nstretch_stiffness = 3000\n"
      "[contact]\nkind = ipc\ntolerance = 1e-3\n[time]\nstep = 1e-3\nend = 3e-3\n"
      "[optimize]\nparameter = rod.polygon_side : [0.02, 0.4] start 0.2\npopulation = 16\ngenerations = 1\n";
  for (const char* const driven : {"boundary.twist=0", "boundary.twist=1"}) {
    const std::vector<std::string> ends = {"boundary.first=clamped_element", "boundary.driven=first",
                                           "boundary.motion_time=1", driven};
    const std::string path = shared_path("rodeo_overlap_test");
    EXPECT_EQ(
        run_campaign(MPI_COMM_WORLD, Deck::parse(text, "test.ini", ends), path, OutputMode::create, "test"),
        exit_code::done);
    {
      const EnsembleReader reader(path);
      const std::vector<MemberStatus> statuses = reader.statuses();
      EXPECT_GT(std::count(statuses.begin(), statuses.end(), MemberStatus::tangled), 0) << driven;
      EXPECT_GT(std::count(statuses.begin(), statuses.end(), MemberStatus::done), 0) << driven;
      EXPECT_EQ(newest_generation(reader).failed,
                std::count(statuses.begin(), statuses.end(), MemberStatus::tangled));
    }
    remove_shared(path);
  }
  try {
    Study(Deck::parse(text, "test.ini", {"optimize.parameter=rod.polygon_side : [0.02, 0.4] start 0.05"}));
    FAIL();
  } catch (const DeckError& error) {
    EXPECT_NE(std::string(error.what()).find("overlap by 0.05 m"), std::string::npos) << error.what();
  }
}

TEST(DispatchStudy, AnObjectiveThatTheModelDoesNotReportIsRefused) {
  try {
    Study study(Deck::parse(search_text, "test.ini", {"study.objective=end_z"}));
    FAIL();
  } catch (const DeckError& error) {
    EXPECT_NE(std::string(error.what()).find("do not report 'end_z'"), std::string::npos);
  }
}

TEST(DispatchStudy, AMeanOverAPeriodThatNeverEndsIsNoObjective) {
  const auto refused = [](const std::vector<std::string>& overrides) {
    try {
      Study study(Deck::parse(sweep_text, "test.ini", overrides));
    } catch (const DeckError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refused({"study.objective=forward_speed"}).find("mean over the last muscle.period"),
            std::string::npos);
  EXPECT_EQ(refused({"study.objective=forward_speed", "muscle.period=0.05"}), "");
  EXPECT_NE(refused({"study.objective=forward_speed", "muscle.period=0.06"}), "");
  EXPECT_NE(refused({"study.objective=profile_error_l2"}).find("do not report"), std::string::npos);
}

TEST(DispatchMailbox, LargeMessagesCrossWithoutWaitingForEachOther) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int partner = size - 1 - rank;  // itself for a single or a middle rank
  {
    MpiMailbox mailbox(MPI_COMM_WORLD);
    Chunk chunk;
    chunk.members.assign(200000, static_cast<std::uint64_t>(rank));
    chunk.points.assign(400000, 0.5 * rank);
    mailbox.send(partner, chunk);
    Mailbox::Arrival arrival;
    while (!arrival.any) arrival = mailbox.probe();
    ASSERT_EQ(arrival.tag, message::work);
    const Chunk received = mailbox.receive_chunk(arrival);
    EXPECT_EQ(received.members, std::vector<std::uint64_t>(200000, static_cast<std::uint64_t>(partner)));
    EXPECT_EQ(received.points, std::vector<double>(400000, 0.5 * partner));
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST(DispatchMailbox, MembersThatEndedArriveWithAllTheirNumbers) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  {
    MpiMailbox mailbox(MPI_COMM_WORLD);
    const std::vector<EndedMember> sent = {{7, 500, MemberStatus::done, {1.5, 2.5}, {1.0, 2.0, 3.0}},
                                           {8, 1, MemberStatus::failed, {}, {}},
                                           {9, 2, MemberStatus::diverged, {0.5}, {}}};
    mailbox.send(size - 1 - rank, sent);
    Mailbox::Arrival arrival;
    while (!arrival.any) arrival = mailbox.probe();
    ASSERT_EQ(arrival.tag, message::ended);
    const std::vector<EndedMember> received = mailbox.receive_ended(arrival);
    ASSERT_EQ(received.size(), sent.size());
    for (std::size_t k = 0; k < sent.size(); ++k) {
      EXPECT_EQ(received[k].member, sent[k].member);
      EXPECT_EQ(received[k].steps, sent[k].steps);
      EXPECT_EQ(received[k].status, sent[k].status);
      EXPECT_EQ(received[k].observables, sent[k].observables);
      EXPECT_EQ(received[k].last_frame, sent[k].last_frame);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace
}  // namespace rodeo
