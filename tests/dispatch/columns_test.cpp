#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/observe/observables.hpp"

#include "dispatch/study.hpp"

namespace rodeo {
namespace {

Study study_with(const std::vector<std::string>& overrides) {
  return Study(
      Deck::parse("[study]\nkind = sweep\n[sweep]\naxis = rod.length : list(1, 2)\n"
                  "[rod]\nelements = 4\nlength = 1\nradius = 0.02\nmass = 1\nyoung_modulus = 1e6\n"
                  "poisson_ratio = 0.5\n[time]\nstep = 1e-4\nend = 0.01\n",
                  "test.ini", overrides));
}

bool has_column(const std::vector<std::string>& overrides, const std::string& name) {
  return std::ranges::count(study_with(overrides).schema().observable_names, name) > 0;
}

TEST(StudyColumns, AreThoseThatSomeMemberCanFill) {
  EXPECT_TRUE(has_column({}, "end_x"));
  for (const char* const none :
       {"function_value", "newton_iterations", "friction_loss", "ground_loss", "misfit"})
    EXPECT_FALSE(has_column({}, none)) << none;
  EXPECT_TRUE(has_column({"time.method=implicit"}, "newton_iterations"));
  EXPECT_TRUE(
      has_column({"sweep.axis=contact.kind : list(none, penalty)", "contact.stiffness=1"}, "friction_loss"))
      << "of some members";
  EXPECT_TRUE(has_column({"study.rerun=1 with time.method = implicit"}, "newton_iterations")) << "of one";
  EXPECT_TRUE(has_column({"ground.kind=plane", "ground.response=springs"}, "ground_loss"));
}

TEST(StudyColumns, OfMembersThatAreNoRodsAreFew) {
  const auto names_of = [](const std::string& deck) {
    return Study(Deck::parse(deck, "test.ini")).schema().observable_names;
  };
  EXPECT_EQ(names_of("[model]\nkind = noop\n"), std::vector<std::string>{});
  EXPECT_EQ(names_of("[model]\nkind = function\n[function]\nx = 1\n[measure]\ndefine = twice [1] : 2 * "
                     "function_value\n"),
            (std::vector<std::string>{"function_value", "twice"}));
}

TEST(StudyColumns, AreThereForEachNumberOfAMember) {
  const Study study = study_with({});
  std::vector<double> values = unknown_observables(1);
  values.back() = 1.0;  // of a measure
  EXPECT_NO_THROW(study.require_columns(values));
  values[observable_index("newton_iterations")] = 1.0;
  EXPECT_THROW(study.require_columns(values), std::logic_error);
}

}  // namespace
}  // namespace rodeo
