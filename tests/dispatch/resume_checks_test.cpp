#include "dispatch/resume_checks.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "rodeo/observe/observables.hpp"

#include "dispatch/study.hpp"
#include "output/test_support.hpp"

namespace rodeo {
namespace {

using testing::contains;
using testing::file_error_of;

constexpr const char* one_rod =
    "[rod]\nelements = 4\nlength = 1\nradius = 0.02\nmass = 1\nyoung_modulus = 1e6\npoisson_ratio = 0.5\n"
    "[time]\nstep = 1e-4\nend = 0.01\n"
    "[measure]\ninterval = 1e-3\ndefine = highest [m] : max(z(end))\n";

constexpr const char* two_waits =
    "[study]\nkind = sweep\n[sweep]\naxis = noop.seconds : list(0, 1)\n[model]\nkind = noop\n";

/// What is said of the file of a study whose schema is changed before it is written; empty if it may go on.
std::string complaint(const std::function<void(EnsembleSchema&)>& change, const std::string& text = one_rod) {
  const testing::TemporaryFolder folder(MPI_COMM_SELF);
  const Deck deck = Deck::parse(text, "test.ini");
  EnsembleSchema schema = Study(deck).schema();
  change(schema);
  EnsembleFile file =
      EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, testing::example_provenance(), false);
  const std::string said = file_error_of([&] { require_its_study(deck, file, "campaign.h5"); });
  file.close();
  return said == "(no FileError)" ? "" : said;
}

TEST(DispatchResumeChecks, LetAFileOfThisProgramGoOn) {
  EXPECT_EQ(complaint([](EnsembleSchema&) {}), "");
}

TEST(DispatchResumeChecks, AllowOtherColumnsOfTheObservables) {
  EXPECT_EQ(complaint([](EnsembleSchema& schema) {
              schema.observable_names.erase(schema.observable_names.begin() + 2);
              schema.observable_units.erase(schema.observable_units.begin() + 2);
            }),
            "")
      << "one is missing";
  EXPECT_EQ(complaint([](EnsembleSchema& schema) {
              std::swap(schema.observable_names[0], schema.observable_names[1]);
            }),
            "")
      << "in another order";
}

TEST(DispatchResumeChecks, RefuseAFileWithoutWhatItsDeckDefines) {
  const auto last_lost = [](EnsembleSchema& schema) {
    schema.observable_names.pop_back();
    schema.observable_units.pop_back();
    schema.observable_definitions.clear();
  };
  EXPECT_EQ(complaint(last_lost),
            "campaign.h5 has no highest, which its deck asks for; go on with the program that wrote it");
}

TEST(DispatchResumeChecks, RefuseObservablesThatThisProgramDoesNotKnow) {
  const std::string renamed =
      complaint([](EnsembleSchema& schema) { schema.observable_names[3] = "knottedness"; });
  EXPECT_EQ(renamed,
            "campaign.h5 holds observables of another revision (knottedness); go on with the program that "
            "wrote it");
  EXPECT_TRUE(contains(complaint([](EnsembleSchema& schema) {
                         schema.observable_names.insert(schema.observable_names.end() - 1, "knottedness");
                         schema.observable_units.insert(schema.observable_units.end() - 1, "1");
                       }),
                       "(knottedness)"))
      << "beyond all that are known";
}

TEST(DispatchResumeChecks, RefuseAnotherNumberOfMembers) {
  EXPECT_TRUE(contains(complaint([](EnsembleSchema& schema) { schema.members = 3; }, two_waits),
                       "holds 3 members, but its deck asks for 2"));
}

TEST(DispatchResumeChecks, NameTheFirstKeyInWhichDecksDiffer) {
  const testing::TemporaryFolder folder(MPI_COMM_SELF);
  const Deck deck = Deck::parse(two_waits, "test.ini");
  EnsembleFile file = EnsembleFile::create(MPI_COMM_SELF, folder.file(), Study(deck).schema(),
                                           testing::example_provenance(), false);
  const auto said = [&](const std::vector<std::string>& overrides) {
    const Deck other = Deck::parse(two_waits, "test.ini", overrides);
    return file_error_of([&] { require_same_deck(other, file, "campaign.h5"); });
  };
  EXPECT_EQ(said({}), "(no FileError)");
  EXPECT_TRUE(contains(said({"study.repeats=2"}),
                       "campaign.h5 belongs to another deck, which differs in study.repeats;"));
  EXPECT_TRUE(contains(said({"sweep.axis=noop.seconds : list(0, 2)"}), "which differs in sweep.axis;"));
  EXPECT_TRUE(contains(said({"study.seed=18446744073709551615"}), "which differs in study.seed;"));
  file.close();
}

}  // namespace
}  // namespace rodeo
