#include "rodeo/method/newton.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/method/correction_criterion.hpp"
#include "rodeo/method/residual_criterion.hpp"

namespace rodeo::method {
namespace {

/// atan(x) = 0. From beyond 1.39 whole steps go farther and farther away.
class Arctangent {
 public:
  explicit Arctangent(double start) : x_(start), start_(start) {}

  void evaluate() {
    residual_ = std::atan(x_);
    ++evaluations_;
  }
  bool find_step(int /*iteration*/) {
    slope_ = misled_ ? -1.0 / (1.0 + x_ * x_) : 1.0 / (1.0 + x_ * x_);
    step_ = -residual_ / slope_;
    return !singular_;
  }
  bool find_other_step() {
    ++others_;
    if (!misled_) return false;
    slope_ = 1.0 / (1.0 + x_ * x_);
    step_ = -residual_ / slope_;
    return true;
  }
  double largest_part() const { return 1.0; }
  void take(double part) { x_ += part * step_; }
  void note_state() { before_ = x_; }
  void go_back() { x_ = before_; }

  double norm() const { return std::abs(residual_); }
  double tolerance(double /*first*/) const { return 1e-12; }
  double rounding_norm() const { return 0.0; }
  double no_length() const { return 0.0; }
  double step_length() const { return std::abs(step_); }
  double next_length() const { return std::abs(residual_ / slope_); }
  bool is_rounding() const { return false; }
  bool must_fall() const { return must_fall_; }
  bool moves() const { return true; }
  void note_best() { best_ = x_; }
  void go_to_best() { x_ = best_; }

  double correction_size() const { return step_length(); }
  double change_size() const { return std::abs(x_ - start_); }
  double next_size() const { return next_length(); }
  bool is_lost() const { return false; }

  double x() const { return x_; }
  int evaluations() const { return evaluations_; }
  int others() const { return others_; }
  void must_fall(bool must) { must_fall_ = must; }
  void mislead() { misled_ = true; }  ///< the first step of each iteration goes the wrong way
  void make_singular() { singular_ = true; }

 private:
  double x_;
  double start_;
  double residual_ = 0.0;
  double slope_ = 1.0;
  double step_ = 0.0;
  double before_ = 0.0;
  double best_ = 0.0;
  int evaluations_ = 0;
  int others_ = 0;
  bool must_fall_ = false;
  bool misled_ = false;
  bool singular_ = false;
};

/// (x^2 + 1) (x - 20) = 0. From near 0 whole steps go to and fro there, and by chance to 20.
class FarRoot {
 public:
  void evaluate() {}
  bool find_step(int /*iteration*/) {
    step_ = -(x_ * x_ + 1.0) * (x_ - 20.0) / (2.0 * x_ * (x_ - 20.0) + x_ * x_ + 1.0);
    return true;
  }
  double largest_part() const { return 1.0; }
  void take(double part) { x_ += part * step_; }
  double correction_size() const { return std::abs(step_); }
  double change_size() const { return std::abs(x_ - start_); }
  bool is_lost() const { return false; }

 private:
  static constexpr double start_ = 0.4;
  double x_ = start_;
  double step_ = 0.0;
};

constexpr int most_iterations = 40;

TEST(Newton, SearchesWhereWholeStepsGoAway) {
  for (const bool must_fall : {false, true}) {
    Arctangent system(3.0);
    system.must_fall(must_fall);
    ResidualCriterion criterion(most_iterations);
    EXPECT_TRUE(solve_by_newton(system, criterion));
    EXPECT_NEAR(system.x(), 0.0, 1e-12);
  }
}

TEST(Newton, GoesBackToTheBestStateOnlyAfterSomeStepsInVain) {
  Arctangent careful(3.0);
  careful.must_fall(true);
  ResidualCriterion searching(most_iterations);
  solve_by_newton(careful, searching);
  Arctangent patient(3.0);
  ResidualCriterion waiting(most_iterations);
  solve_by_newton(patient, waiting);
  EXPECT_EQ(searching.iterations() + 5, waiting.iterations());
}

TEST(Newton, TakesWholeStepsWhereNothingIsSearched) {
  Arctangent near(1.0);
  CorrectionCriterion whole(most_iterations, 1e-10, false);
  EXPECT_TRUE(solve_by_newton(near, whole));
  EXPECT_NEAR(near.x(), 0.0, 1e-12);
  EXPECT_EQ(whole.iterations(), near.evaluations());

  Arctangent far(3.0);
  CorrectionCriterion lost(most_iterations, 1e-10, false);
  EXPECT_FALSE(solve_by_newton(far, lost));
}

TEST(Newton, TakesNoSolutionThatItWandersTo) {
  FarRoot system;
  CorrectionCriterion criterion(most_iterations, 1e-10, false);
  EXPECT_FALSE(solve_by_newton(system, criterion));
  EXPECT_LT(criterion.iterations(), 10);
}

TEST(Newton, HalvesCorrectionsUntilTheNextIsShorter) {
  Arctangent system(3.0);
  CorrectionCriterion criterion(most_iterations, 1e-10, true);
  EXPECT_TRUE(solve_by_newton(system, criterion));
  EXPECT_NEAR(system.x(), 0.0, 1e-12);
}

TEST(Newton, TriesAnotherStepWhereNoPartOfTheFirstIsAccepted) {
  Arctangent system(0.5);
  system.must_fall(true);
  system.mislead();
  ResidualCriterion criterion(most_iterations);
  EXPECT_TRUE(solve_by_newton(system, criterion));
  EXPECT_NEAR(system.x(), 0.0, 1e-12);
  EXPECT_EQ(system.others(), criterion.iterations() - 1);
}

TEST(Newton, FailsWithAMatrixThatIsSingular) {
  Arctangent by_residual(0.5);
  by_residual.make_singular();
  ResidualCriterion residual(most_iterations);
  EXPECT_FALSE(solve_by_newton(by_residual, residual));
  EXPECT_EQ(by_residual.x(), 0.5);

  Arctangent by_corrections(0.5);
  by_corrections.make_singular();
  CorrectionCriterion corrections(most_iterations, 1e-10, true);
  EXPECT_FALSE(solve_by_newton(by_corrections, corrections));
  EXPECT_EQ(by_corrections.x(), 0.5);
}

TEST(Newton, FailsAfterTooManyIterations) {
  Arctangent system(1.0);
  ResidualCriterion criterion(2);
  EXPECT_FALSE(solve_by_newton(system, criterion));
  EXPECT_EQ(criterion.iterations(), 3);  // at the last one it only looks
}

/// A force that jumps across zero where pairs meet another part of each other: from either side steps go to
/// the other.
class Jump {
 public:
  void evaluate() { residual_ = x_ > 0.0 ? 1.0 + x_ : -1.0 + x_; }
  bool find_step(int /*iteration*/) {
    step_ = -residual_;
    return true;
  }
  bool find_other_step() { return false; }
  double largest_part() const { return 1.0; }
  void take(double /*part*/) { x_ = x_ > 0.0 ? -0.1 : 0.1; }
  void note_state() { before_ = x_; }
  void go_back() { x_ = before_; }

  double norm() const { return std::abs(residual_); }
  double tolerance(double /*first*/) const { return 1e-12; }
  double rounding_norm() const { return 0.0; }
  double no_length() const { return 0.0; }
  double step_length() const { return std::abs(step_); }
  double next_length() const { return 0.5 * std::abs(step_); }
  bool is_rounding() const { return false; }
  bool must_fall() const { return true; }
  bool moves() const { return true; }
  void note_best() {}
  void go_to_best() {}

 private:
  double x_ = 0.1;
  double before_ = 0.0;
  double residual_ = 0.0;
  double step_ = 0.0;
};

TEST(Newton, FailsBeforeLongWhereItGoesBackAndForth) {
  Jump system;
  ResidualCriterion criterion(50);
  EXPECT_FALSE(solve_by_newton(system, criterion));
  EXPECT_LT(criterion.iterations(), 20);
}

}  // namespace
}  // namespace rodeo::method
