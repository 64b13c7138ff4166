#include "rodeo/method/branch.hpp"

#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/coupling/largest_step.hpp"
#include "rodeo/method/zeros.hpp"

namespace rodeo::method {
namespace {

/// A mass on a line that is pulled by f(x, p).
struct Law {
  double (*force)(double x, double p);
  double (*stiffness)(double x, double p);  ///< -df/dx
};

class Mass {
 public:
  explicit Mass(const Law& law) : law_(law) {}

  static std::size_t unknowns() { return 1; }
  static bool have_energy() { return true; }
  static void set_loads(double /*time*/, double /*part*/) {}
  void balance(std::vector<double>& pull) const { pull = {law_.force(x_, p)}; }
  void linearize(std::vector<double>& pull, bool /*predicted*/) const { balance(pull); }
  int factor(double share) {
    factor_ = law_.stiffness(x_, p) + share;
    return factor_ < 0.0 ? 1 : 0;
  }
  void solve(double share, const std::vector<double>& pull, std::vector<double>& step) {
    factor(share);
    step = pull;
    solve_again(step);
  }
  void solve_again(std::vector<double>& vector) const { vector.front() /= factor_; }
  void take(std::span<const double> step, double part) { x_ += part * step.front(); }

  static bool are_moved_freely(const std::vector<double>& /*pull*/) { return false; }
  static void leave_out_free_motions(std::vector<double>& /*vector*/) {}
  static double length_product(const std::vector<double>& a, const std::vector<double>& b) {
    return a.front() * b.front();
  }
  static coupling::StepSize size(std::span<const double> step) { return {0.0, std::abs(step.front())}; }
  static bool may_kink() { return false; }
  static std::vector<bool> touches() { return {}; }
  static double rate_of_touching(const std::vector<bool>& /*since*/, std::span<const double> /*way*/) {
    return 0.0;
  }
  std::vector<Placement> state() const { return {{{x_, 0.0, 0.0}, {}}}; }
  void restore(const std::vector<Placement>& state) { x_ = state.front().position.x; }
  double distance(const std::vector<Placement>& from) const { return std::abs(x_ - from.front().position.x); }

  double place() const { return x_; }
  double stiffness() const { return law_.stiffness(x_, p); }
  double p = 0.0;

 private:
  const Law& law_;
  double x_ = 0.0;
  double factor_ = 0.0;
};

class MassAtRest {
 public:
  explicit MassAtRest(const Law& law) : mass_(law) {}

  Mass& rods() { return mass_; }
  void become(const MemberSpec& spec, double /*time*/) { mass_.p = spec.noop_seconds; }
  static double neutral() { return 1e-12; }
  int factor_at_rest(double /*time*/, std::vector<double>& pull) {
    mass_.balance(pull);
    return mass_.factor(neutral());
  }
  double nearest_mode(std::vector<double>& mode) const {
    mode = {1.0};
    return mass_.stiffness();
  }
  static Stability stability() { return {}; }
  static FoundModes modes(int /*count*/) { return {}; }

 private:
  Mass mass_;
};

class Family final : public MemberFamily {
 public:
  std::optional<MemberSpec> at(double value) const override {
    MemberSpec spec;
    spec.noop_seconds = value;
    return spec;
  }
};

BranchSpec branch_of(double from, double to) {
  BranchSpec spec;
  spec.family = std::make_shared<Family>();
  spec.from = from;
  spec.to = to;
  spec.step = 0.1;
  spec.points = 200;
  spec.turns = {0.0};
  return spec;
}

/// To its end; how many points that took.
template <class Equilibrium>
int follow(Branch<Equilibrium>& branch, int most) {
  if (!branch.begin()) return 0;
  int points = 0;
  while (!branch.ended() && points < most && branch.advance()) ++points;
  return points;
}

/// p = x - x^3 turns round at x = 1/sqrt(3), and back at x = -1/sqrt(3).
TEST(Bracket, SaysIfItStaysWide) {
  Bracket bracket{0.0, 1.0, -1.0, 1.0};
  const auto jump = [](double place, double& f) {
    f = place < 0.3 ? -1.0 : 1.0;
    return true;
  };
  EXPECT_TRUE(bracket.narrow(1e-6, jump));
  EXPECT_NEAR(bracket.zero(), 0.3, 1e-6);
  EXPECT_FALSE(bracket.narrow(1e-300, jump));
}

TEST(BranchOfAMass, GoesThroughFolds) {
  const Law law = {[](double x, double p) { return p - (x - x * x * x); },
                   [](double x, double) { return 1.0 - 3.0 * x * x; }};
  MassAtRest mass(law);
  const double fold = 2.0 / (3.0 * std::numbers::sqrt3);
  BranchSpec spec = branch_of(0.0, 1.0);
  spec.stop = BranchStop::first_fold;
  Branch<MassAtRest> branch(spec, 0.0, 0, mass);
  EXPECT_GT(follow(branch, spec.points), 3);
  EXPECT_TRUE(branch.ended());
  EXPECT_EQ(branch.folds(), 1.0);
  EXPECT_NEAR(branch.value(), fold, 1e-7);
  EXPECT_NEAR(branch.first_critical_value(), fold, 1e-7);
  EXPECT_NEAR(mass.rods().place(), 1.0 / std::numbers::sqrt3, 1e-2);
}

/// x (p - x^2) = 0: x = 0 is stable up to p = 0, where x = sqrt(p) crosses it.
TEST(BranchOfAMass, FindsWhereAnotherOneCrossesAndGoesOverToIt) {
  const Law law = {[](double x, double p) { return x * (p - x * x); },
                   [](double x, double p) { return 3.0 * x * x - p; }};
  for (const double side : {1.0, -1.0}) {
    MassAtRest mass(law);
    BranchSpec spec = branch_of(-1.0, 1.0);
    spec.turns = {side, 0.0};
    Branch<MassAtRest> branch(spec, 0.0, 0, mass);
    EXPECT_GT(follow(branch, spec.points), 3) << side;
    EXPECT_TRUE(branch.ended()) << side;
    EXPECT_EQ(branch.value(), 1.0) << side;
    EXPECT_NEAR(mass.rods().place(), side, 1e-9) << side;
  }
  MassAtRest mass(law);
  BranchSpec spec = branch_of(-1.0, 1.0);
  spec.stop = BranchStop::first_bifurcation;
  Branch<MassAtRest> branch(spec, 0.0, 0, mass);
  follow(branch, spec.points);
  EXPECT_EQ(branch.bifurcations(), 1.0);
  EXPECT_NEAR(branch.value(), 0.0, 1e-9);
}

}  // namespace
}  // namespace rodeo::method
