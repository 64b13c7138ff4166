#include "rodeo/spec/control_law.hpp"

#include <gtest/gtest.h>

#include "rodeo/rodeo.hpp"

#include "library/library_support.hpp"

namespace rodeo {
namespace {

/// The sum of what it has seen, times its weight: the state that it has must go where its member goes.
class Gathering final : public ControlLaw {
 public:
  explicit Gathering(double weight) : weight_(weight) {}

  void act(const Sample& now, std::span<const double> sees, std::span<double> gives) override {
    sum_ = sum_ + sees[0];
    gives[0] = weight_ * sum_;
    gives[1] = now.time;
    gives[2] = static_cast<double>(now.number) * now.interval;
  }
  std::span<double> memory() override { return {&sum_, 1}; }

 private:
  double weight_;
  double sum_ = 0.0;
};

ControlLawKind gathering(const std::string& name) {
  return {name, {"off"}, {"weight"}, {"pull", "time", "again"}, [](std::span<const double> weights) {
            return std::make_unique<Gathering>(weights[0]);
          }};
}

/// Once for all tests: programs name their laws before they read decks.
const bool is_added = [] {
  add_control_law(gathering("gathering"));
  return true;
}();

std::string pulled(const std::string& network, const std::string& output = "pull") {
  return "[rod]\nlength = 1\nradius = 0.02\nmass = 1\nbend_stiffness = 1\ntwist_stiffness = 1\n"
         "shear_stiffness = 1000\nstretch_stiffness = 1000\nelements = 4\ndirection = 1, 0, 0\n"
         "start_velocity = 0, 0, 1\n[time]\nstep = 0.001\nend = 0.3\n[variable]\nw = -2\n"
         "[control]\ninterval = 0.01\nsignal = off [m] : mean_along(z) noise 0.01\n" +
         network + "output = push : " + output +
         "\n[actuation]\nforce = z : push\n"
         "[measure]\ndefine = z [m] : last(z(end))\ndefine = pushed [N] : rms(push)\n";
}

const std::string by_law = pulled("network = u[3] : gathering of off with variable.w\n", "u[0]");

TEST(ControlLaws, FindNumbersAtEachSample) {
  const Problem problem = Problem::parse(
      pulled("network = u[3] : gathering of off with variable.w\n", "u[0] + 0 * (u[1] - u[2])") +
      "define = apart [s] : max(abs(u[1] - u[2]))\ndefine = when [s] : last(u[1])\n");
  const Evaluation found = problem.evaluate({.observables = {"z", "apart", "when"}});
  EXPECT_LT(found.observables[1], 1e-12);
  EXPECT_NEAR(found.observables[2], 0.29, 0.011);
  const Evaluation free = Problem::parse(by_law, "deck", {"variable.w=0"}).evaluate({.observables = {"z"}});
  EXPECT_LT(found.observables[0], free.observables[0] - 0.01);
}

TEST(ControlLaws, HaveWeightsThatStudiesVary) {
  const Problem problem = Problem::parse(by_law);
  const Evaluation two = problem.evaluate({"variable.w"}, {-2.0, -4.0}, {.observables = {"z", "pushed"}});
  const Evaluation first = problem.evaluate({.observables = {"z", "pushed"}});
  EXPECT_EQ(bits(std::span(two.observables).first(2)), bits(first.observables));
  EXPECT_NE(two.observables[0], two.observables[2]);
}

TEST(ControlLaws, RememberWhereTheirMembersGo) {
  const Problem problem = Problem::parse(by_law);
  Simulation whole(problem);
  whole.advance(0.3);
  Simulation begun(problem);
  begun.advance(0.1);
  Simulation clone = begun.clone(0);
  const std::vector<std::byte> saved = begun.save(0);
  begun.advance(0.2);
  clone.advance(0.2);
  Simulation restored(problem);
  restored.restore(0, saved);
  restored.advance(0.2);
  EXPECT_EQ(bits(begun.observables(0)), bits(whole.observables(0)));
  EXPECT_EQ(bits(clone.observables(0)), bits(whole.observables(0)));
  EXPECT_EQ(bits(restored.observables(0)), bits(whole.observables(0)));
  begun.reset();
  begun.advance(0.3);
  const auto again = begun.observables(0);
  EXPECT_EQ(bits(again), bits(whole.observables(0)));
}

TEST(ControlLaws, SayWhatIsWrong) {
  const auto message = [](const std::string& network) {
    return error_of([&] { Problem::parse(pulled(network, "off + 0 * w")).check(); });
  };
  EXPECT_NE(
      message("network = u[3] : gathering of off\n").find("weights should stand here: weight, of gathering"),
      std::string::npos);
  EXPECT_NE(message("network = u[2] : gathering of off with variable.w\n")
                .find("gathering gives so many numbers: 3 (pull, time, again); there are 2"),
            std::string::npos);
  EXPECT_NE(message("network = u[3] : gathering of off, off with variable.w\n")
                .find("gathering sees so many numbers: 1 (off); there are 2"),
            std::string::npos);
  EXPECT_NE(message("network = u[3] : gatherin of off with variable.w\n")
                .find("laws of control of this program are gathering"),
            std::string::npos);
  EXPECT_THROW(add_control_law(gathering("gathering")), std::invalid_argument);
  EXPECT_THROW(add_control_law(gathering("tanh")), std::invalid_argument);
  EXPECT_THROW(add_control_law(gathering("Big")), std::invalid_argument);
}

}  // namespace
}  // namespace rodeo
