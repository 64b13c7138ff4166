#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <mpi.h>

#include "rodeo/dispatch/campaign.hpp"
#include "rodeo/input/keys.hpp"
#include "rodeo/input/listing.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/rodeo.hpp"

#include "library/library_support.hpp"
#include "output/test_support.hpp"

namespace rodeo {
namespace {

const std::string pressed_rod =
    "[study]\nkind = sweep\nrepeats = 2\nseed = 7\n"
    "[sweep]\naxis = load.axial_force : list(1, 2)\naxis = rod.elements : list(6, 9)\n"
    "[rod]\nlength = 1\nradius = 0.05\ndensity = 1000\nbend_stiffness = 0.8\ntwist_stiffness = 0.5\n"
    "shear_stiffness = 2000\nstretch_stiffness = 3000\n"
    "[boundary]\nfirst = pinned\nlast = pinned_sliding\n"
    "[load]\nperturbation = 0.1\nperturbation_duration = 0.01\n"
    "[time]\nstep = 2e-4\nend = 0.05\n";

const std::string test_function = "[model]\nkind = function\n[function]\nx = 0.5, 0.25\n";

TEST(LibraryProblem, HasTheBitsOfACampaign) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.file("campaign.h5");
  ASSERT_EQ(
      run_campaign(MPI_COMM_SELF, Deck::parse(pressed_rod, "deck.ini"), path, OutputMode::create, "test"),
      exit_code::done);
  const Problem problem = Problem::parse(pressed_rod, "deck.ini");
  const auto observables = problem.observables();
  std::vector<std::string> names;
  for (const ObservableText& observable : observables) names.emplace_back(observable.name);
  EnsembleReader reader(path);
  reader.set_observables(names);
  const std::vector<MemberRow> rows = reader.read_rows(0, 8);

  const std::vector<std::string> keys = {"load.axial_force", "rod.elements"};
  const Evaluation all = problem.evaluate(keys, {1, 6, 1, 9, 2, 6, 2, 9}, {.repeats = 0});
  ASSERT_EQ(all.members(), 8U);
  const std::size_t width = names.size();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto first = all.observables.begin() + static_cast<std::ptrdiff_t>(k * width);
    EXPECT_EQ(bits(std::span(first, width)), bits(rows[k].observables)) << k;
    EXPECT_EQ(all.seeds[k], rows[k].seed);
    EXPECT_EQ(all.steps[k], rows[k].steps);
    EXPECT_EQ(all.status[k], static_cast<std::uint8_t>(rows[k].status));
    EXPECT_EQ(all.problems[k], "");
  }
  // The last candidate alone: the points beside it do not matter, its number does.
  const Evaluation last =
      problem.evaluate(keys, {2, 9}, {.observables = {"end_z"}, .repeats = 2, .first_candidate = 3});
  ASSERT_EQ(last.observables.size(), 2U);
  EXPECT_EQ(last.seeds[1], rows[7].seed);
  const auto place = static_cast<std::size_t>(std::ranges::find(names, "end_z") - names.begin());
  EXPECT_EQ(bits(last.observables),
            bits(std::vector{rows[6].observables[place], rows[7].observables[place]}));
  EXPECT_EQ(observables[place].unit, "m");
}

TEST(LibraryProblem, GivesFrames) {
  const Problem problem = Problem::parse(
      pressed_rod, "deck.ini", {"output.frames=3", "output.fields=curvature", "output.observables=end_x"});
  const auto fields = problem.fields();
  ASSERT_EQ(fields.size(), 3U);
  EXPECT_EQ(fields[0].name, "position");
  EXPECT_EQ(fields[1].name, "curvature");
  EXPECT_EQ(fields[2].name, "end_x");
  EXPECT_FALSE(fields[2].of_nodes);
  const Evaluation found = problem.evaluate({"rod.elements"}, {6, 9}, {.frames = true});
  ASSERT_EQ(found.frames.size(), 2U);
  EXPECT_EQ(found.frames[1].time, (std::vector<double>{0.0, 0.025, 0.05}));
  ASSERT_EQ(found.frames[1].fields.size(), 3U);
  EXPECT_EQ(found.frames[1].fields[0].size(), 3U * 10U * 3U);
  EXPECT_EQ(found.frames[1].fields[2].size(), 3U);
  EXPECT_EQ(found.frames[1].fields[2][1], found.frames[1].fields[0][(10 + 9) * 3]);
  EXPECT_TRUE(problem.evaluate().frames.empty());
}

TEST(LibraryProblem, FailsPointsThatCannotStartAlone) {
  const Problem problem = Problem::parse(pressed_rod, "deck.ini");
  const Evaluation found =
      problem.evaluate({"rod.elements", "rod.length"}, {6, 1, 6, -1, 6, 2}, {.observables = {"end_x"}});
  EXPECT_EQ(status_text(found.status[0]), "done");
  EXPECT_EQ(status_text(found.status[1]), "failed");
  EXPECT_TRUE(status_is_good(found.status[2]));
  EXPECT_FALSE(status_is_good(found.status[1]));
  EXPECT_TRUE(std::isnan(found.observables[1]));
  EXPECT_TRUE(testing::contains(found.problems[1], "rod.length")) << found.problems[1];
  EXPECT_TRUE(found.problems[2].empty());
}

TEST(LibraryProblem, SaysWhatIsWrong) {
  EXPECT_EQ(error_of([] { Problem::parse("[rod]\nlenght = 1\n", "cord.ini"); }),
            "cord.ini:2: unknown key 'rod.lenght'; did you mean rod.length?");
  EXPECT_TRUE(testing::contains(
      error_of([] { Problem::parse(pressed_rod, "a.ini", {"fluid.kind=stokeslets"}); }), "has no effect"));
  EXPECT_TRUE(testing::contains(error_of([] { Problem::read("nowhere.ini"); }), "nowhere.ini"));
  const Problem problem = Problem::parse(pressed_rod, "deck.ini");
  EXPECT_TRUE(
      testing::contains(error_of([&] { problem.evaluate({"rod.lenght"}, {1}); }), "did you mean rod.length"));
  EXPECT_TRUE(testing::contains(error_of([&] { problem.evaluate({.observables = {"end_zz"}}); }),
                                "did you mean end_"));
  EXPECT_TRUE(testing::contains(error_of([&] {
                                  problem.evaluate({"rod.length", "rod.radius"}, {1, 2, 3});
                                }),
                                "no whole number of points"));
  EXPECT_NO_THROW(problem.check());
  const Problem lacking = Problem::parse("[rod]\nlength = 1\n", "deck.ini");
  EXPECT_TRUE(testing::contains(error_of([&] { lacking.check(); }), "is missing"));
}

TEST(LibraryProblem, ReadsFilesByWhatItIsGiven) {
  const std::string text =
      "[rod]\nshape = file\nshape_file = nodes.h5:/rod\nelements = 2\nradius = 0.05\ndensity = 1000\n"
      "young_modulus = 1e6\npoisson_ratio = 0.5\n[time]\nstep = 1e-5\nend = 1e-4\n";
  EXPECT_TRUE(testing::contains(error_of([&] { Problem::parse(text, "here/deck.ini"); }), "HDF5"));
  FileReaders readers;
  readers.shape = [](const std::string& path, const std::string& dataset) {
    EXPECT_EQ(path, "here/nodes.h5");
    EXPECT_EQ(dataset, "/rod");
    return std::vector<double>{0, 0, 0, 0.5, 0, 0, 1, 0, 0};
  };
  const Problem problem = Problem::parse(text, "here/deck.ini", {}, readers);
  EXPECT_EQ(problem.evaluate({.observables = {"end_x"}}).observables.front(), 1.0);
}

TEST(LibraryProblem, EndsWhenTold) {
  const Problem problem = Problem::parse("[model]\nkind = noop\n[noop]\nseconds = 0.15\n");
  std::size_t calls = 0;
  const EvaluateOptions two_looks = {.repeats = 100, .proceed = [&](std::size_t) { return ++calls < 2; }};
  const Evaluation found = problem.evaluate(two_looks);
  EXPECT_EQ(calls, 2U);
  EXPECT_EQ(status_text(found.status.back()), "pending");
  const EvaluateOptions throwing = {.repeats = 100,
                                    .proceed = [](std::size_t) -> bool { throw std::logic_error("stop"); }};
  EXPECT_THROW(problem.evaluate(throwing), std::logic_error);
}

TEST(LibraryProblem, KeepsTheOrderOfManyPoints) {
  const Problem problem = Problem::parse(test_function, "deck.ini");
  std::vector<double> points(5000);
  std::iota(points.begin(), points.end(), 0.0);
  const Evaluation found = problem.evaluate({"function.x[0]"}, points, {.observables = {"function_value"}});
  ASSERT_EQ(found.members(), points.size());
  for (const std::size_t k : {0U, 1U, 1023U, 1024U, 4999U}) {
    const Evaluation alone =
        problem.evaluate({"function.x[0]"}, {points[k]}, {.observables = {"function_value"}});
    EXPECT_EQ(found.observables[k], alone.observables[0]) << k;
  }
}

TEST(LibraryProblem, PrintsADeckThatReadsBack) {
  const Problem problem = Problem::parse(pressed_rod, "deck.ini", {"rod.length=2"});
  EXPECT_EQ(Problem::parse(problem.text(), "again.ini").text(), problem.text());
}

TEST(LibraryListings, HaveAllKeys) {
  const std::vector<KeyText> texts = key_texts();
  ASSERT_EQ(texts.size(), key_table().size());
  const auto model = std::ranges::find(texts, "model.kind", &KeyText::name);
  ASSERT_NE(model, texts.end());
  EXPECT_EQ(model->type, "choice");
  EXPECT_NE(std::ranges::find(model->choices, "cosserat"), model->choices.end());
  EXPECT_FALSE(model->text.empty());
}

TEST(LibraryThreads, AreThoseOfAProcessThatStartedKokkos) {
  EXPECT_NO_THROW(initialize(3));
  EXPECT_NO_THROW(finalize());  // stops what it started alone, which is nothing
  EXPECT_EQ(Problem::parse(test_function).evaluate().members(), 1U);
}

}  // namespace
}  // namespace rodeo
