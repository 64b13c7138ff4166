#include "dispatch/ended_states.hpp"

#include <cstring>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/dispatch/campaign.hpp"
#include "rodeo/dispatch/member_deck.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/file_records.hpp"

namespace rodeo {
namespace {

/// A cantilever whose whole states are kept.
const std::string kept_rod =
    "[rod]\nelements = 8\nlength = 0.2\nradius = 0.004\ndensity = 1100\nyoung_modulus = 2e6\n"
    "poisson_ratio = 0.5\ndirection = 1, 0, 0\n[boundary]\nfirst = clamped\n"
    "[time]\nend = 0.02\nslice_steps = 100\n[output]\nframes = 2\nstates = last\n";
const std::string explicit_steps = "[time]\nstep = 1e-4\n[rod]\ndamping = 0.01\n";

/// The deck with a later end, as its campaign would have had it from the start.
Deck longer_deck(const std::string& text) {
  return Deck::parse(text, "deck.ini", {"time.end=0.04", "output.frames=3"});
}

bool goes_on(const std::string& text) { return goes_on_as(make_member_spec(longer_deck(text)), 200, 2); }

/// Files of a test, in a folder of its own.
class KeptStates : public ::testing::Test {
 protected:
  KeptStates() { std::filesystem::create_directory(folder_); }
  ~KeptStates() override { std::filesystem::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }

  MemberRow run(const Deck& deck, const char* name, std::uint64_t member = 0) const {
    EXPECT_EQ(run_campaign(MPI_COMM_NULL, deck, path(name), OutputMode::create, "test"), exit_code::done);
    return EnsembleReader(path(name)).read_rows(member, 1)[0];
  }

  /// Compares, bit by bit, a member that runs longer with one that was to from the start.
  void expect_extension_as_from_the_start(const std::string& text) const {
    run(Deck::parse(text, "deck.ini"), "short.h5");
    const Deck longer = extended_deck(path("short.h5"), {"time.end=0.04"});
    EXPECT_EQ(extend_campaign(MPI_COMM_NULL, longer, path("short.h5"), false, "test"), exit_code::done);
    const MemberRow extended = EnsembleReader(path("short.h5")).read_rows(0, 1)[0];
    const MemberRow whole = run(longer_deck(text), "long.h5");
    EXPECT_EQ(extended.status, whole.status);
    expect_same(extended, whole, EnsembleReader(path("long.h5")).schema().observable_names);
  }

  static void expect_same(const MemberRow& a, const MemberRow& b, const std::vector<std::string>& names) {
    ASSERT_EQ(a.observables.size(), names.size());
    ASSERT_EQ(b.observables.size(), names.size());
    for (std::size_t k = 0; k < names.size(); ++k) {
      EXPECT_EQ(std::memcmp(&a.observables[k], &b.observables[k], sizeof(double)), 0)
          << names[k] << ": " << a.observables[k] << " for " << b.observables[k];
    }
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("rodeo_ended_states_" + std::to_string(getpid()));
};

TEST(EndedStates, GoOnWhereNothingThatWasSeenIsAboutTheEnd) {
  EXPECT_TRUE(goes_on(kept_rod + explicit_steps));
  // Drifts are counted from where loads are steady, which is after the shorter member's end, or before.
  const std::string ramped = "[load]\nend_force = 0, 0, 1e-3\nramp_time = ";
  EXPECT_FALSE(goes_on(kept_rod + explicit_steps + ramped + "0.03\n"));
  EXPECT_TRUE(goes_on(kept_rod + explicit_steps + ramped + "0.01\n"));
  EXPECT_TRUE(goes_on(kept_rod + explicit_steps + ramped + "0.05\n"));
  // A last period that begins at the earlier end, or with the shorter member's own.
  const std::string muscle = "[muscle]\namplitudes = 1e-5, 1e-5\nperiod = ";
  EXPECT_TRUE(goes_on(kept_rod + explicit_steps + muscle + "0.01\n"));
  EXPECT_FALSE(goes_on(kept_rod + explicit_steps + muscle + "0.02\n"));
  const std::string measure = "[measure]\ninterval = 1e-3\ndefine = a [1] : ";
  EXPECT_TRUE(goes_on(kept_rod + explicit_steps + muscle + "0.01\n" + measure + "max(vx(end))\n"));
  EXPECT_FALSE(
      goes_on(kept_rod + explicit_steps + muscle + "0.01\n" + measure + "max(vx(end) over period)\n"));
}

TEST(EndedStates, KnowTheEndByBothOfItsNames) {
  const std::string force = "[actuation]\nforce = z, end : 1e-3 * ramp(t, 0, ";
  const auto names_end = [&](const std::string& end) {
    return Deck::parse(kept_rod + explicit_steps + force + end + ")\n", "deck.ini").names("time.end"_key);
  };
  EXPECT_TRUE(names_end("t_end"));
  EXPECT_TRUE(names_end("time.end"));
  EXPECT_FALSE(names_end("time.step"));
  EXPECT_FALSE(names_end("0.1"));
}

TEST_F(KeptStates, OfARampUpToTheEnd) {
  expect_extension_as_from_the_start(kept_rod + explicit_steps +
                                     "[actuation]\nforce = z, end : 1e-3 * ramp(t, 0, time.end)\n");
}

TEST_F(KeptStates, OfALoadThatBecomesSteadyLater) {
  expect_extension_as_from_the_start(kept_rod +
                                     "[time]\nstep = 1e-4\nmethod = implicit\n"
                                     "[load]\nend_force = -1e-3, 0, 1e-3\nramp_time = 0.03\n");
}

TEST_F(KeptStates, OfALastPeriod) {
  expect_extension_as_from_the_start(kept_rod + explicit_steps +
                                     "[muscle]\namplitudes = 1e-5, 1e-5\nperiod = 0.02\nwave_number = 6\n"
                                     "[measure]\ninterval = 1e-3\ndefine = a [s] : mean(t over period)\n");
}

TEST_F(KeptStates, AMemberRunsOnceMoreWithItsOwnRandomNumbers) {
  const std::string text = kept_rod + explicit_steps +
                           "[study]\nkind = sweep\nrepeats = 2\n"
                           "[sweep]\naxis = load.end_force[2] : list(3e-4, -1e-4)\n"
                           "[load]\nperturbation = 1e-4\nend_force = 0, 0, 1e-3\n";
  const MemberRow row = run(Deck::parse(text, "deck.ini"), "sweep.h5", 3);
  const EnsembleReader reader(path("sweep.h5"));
  const auto deck_of = [&](const std::vector<std::string>& overrides) {
    return member_deck(reader, path("sweep.h5"), 3, overrides);
  };
  const MemberRow again = run(deck_of({"output.frames=2"}), "again.h5");
  EXPECT_EQ(again.seed, row.seed);
  expect_same(again, row, reader.schema().observable_names);
  EXPECT_EQ(Deck::parse(deck_of({}).resolved(), "stored").member_seed(), row.seed);
  // Unless it is to have others, or is one of several.
  EXPECT_FALSE(deck_of({"study.seed=7"}).member_seed());
  EXPECT_FALSE(deck_of({"study.repeats=3"}).member_seed());
  EXPECT_FALSE(deck_of({"load.perturbation=0"}).member_seed());
  EXPECT_THROW(run(Deck::parse(text, "deck.ini", {"study.member_seed=5"}), "many.h5"), DeckError);
}

}  // namespace
}  // namespace rodeo
