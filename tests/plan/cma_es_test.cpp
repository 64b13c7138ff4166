#include "plan/cma_es.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace rodeo {
namespace {

using Eigen::VectorXd;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Standard normal numbers for tests of the update alone.
class Normals {
 public:
  explicit Normals(unsigned seed) : generator_(seed) {}
  VectorXd operator()(Eigen::Index n) {
    VectorXd z(n);
    for (double& number : z) number = normal_(generator_);
    return z;
  }
  double one() { return normal_(generator_); }

 private:
  std::mt19937_64 generator_;
  std::normal_distribution<double> normal_;
};

double ellipsoid(const VectorXd& x) {
  double sum = 0.0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    sum += std::pow(1e6, static_cast<double>(i) / static_cast<double>(x.size() - 1)) * x[i] * x[i];
  }
  return sum;
}

/// Evaluations until a candidate is below `target`, at most 100000.
template <class Fitness>
int evaluations_to(double target, CmaEs es, Normals normals, const Fitness& fitness_of) {
  int evaluations = 0;
  while (evaluations < 100000) {
    std::vector<VectorXd> candidates;
    std::vector<double> fitness;
    for (int k = 0; k < es.population(); ++k) {
      candidates.push_back(es.sample(normals(es.mean().size())));
      fitness.push_back(fitness_of(candidates.back()));
    }
    evaluations += es.population();
    for (const double value : fitness) {
      if (value < target) return evaluations;
    }
    es.update(candidates, fitness);
  }
  return evaluations;
}

TEST(CmaEs, ConstantsAreThoseOfPycma) {
  // cma 4.4.0: es = CMAEvolutionStrategy(n * [5], 5, {'popsize': lambda}); es.adapt_sigma.initialize(es);
  // then es.sp.weights.mu and .mueff, es.adapt_sigma.cs and .damps, es.sp.cc, .c1, .cmu, and the sum of the
  // negative weights.
  struct Expected {
    int dimension, population, parents;
    double selection_mass, step_path_rate, step_damping, path_rate, rank_one_rate, rank_mu_rate, negative;
  };
  const std::vector<Expected> table = {
      {5, 8, 4, 2.60017882611318, 0.433971813266093, 1.43397181326609, 0.450199557992808, 0.0472923041594009,
       0.0478590496029825, -1.98815802970842},
      {10, 10, 5, 3.1672992814107, 0.319614252910633, 1.31961425291063, 0.294990383035622, 0.0152838245247517,
       0.0235517766504175, -1.64894571444065},
      {20, 12, 6, 3.72945893430307, 0.214349977991893, 1.21434997799189, 0.171767211276812,
       0.00437235443516025, 0.00921656177627435, -1.47440190184758},
      {5, 60, 30, 16.5757381757669, 0.755856773982222, 2.97825114005712, 0.468010841039589,
       0.0355456102566762, 0.454011429474624, -0.224859079366957},
      {10, 200, 100, 52.6015285929663, 0.83232098038064, 4.16408646521752, 0.377652422672481,
       0.0110931446175449, 0.517498920902709, -0.0910935106217103}};
  for (const Expected& expected : table) {
    const CmaConstants constants(expected.dimension, expected.population, CovarianceShape::full);
    EXPECT_EQ(constants.parents, expected.parents);
    EXPECT_NEAR(constants.selection_mass, expected.selection_mass, 1e-12 * expected.selection_mass);
    EXPECT_NEAR(constants.step_path_rate, expected.step_path_rate, 1e-12);
    EXPECT_NEAR(constants.step_damping, expected.step_damping, 1e-12 * expected.step_damping);
    EXPECT_NEAR(constants.path_rate, expected.path_rate, 1e-12);
    EXPECT_NEAR(constants.rank_one_rate, expected.rank_one_rate, 1e-12);
    EXPECT_NEAR(constants.rank_mu_rate, expected.rank_mu_rate, 1e-12);
    double positive = 0.0;
    double negative = 0.0;
    for (const double weight : constants.weights) (weight > 0.0 ? positive : negative) += weight;
    EXPECT_NEAR(positive, 1.0, 1e-12);
    EXPECT_NEAR(negative, expected.negative, 1e-10);
  }
  EXPECT_EQ(default_population(5), 8);
  EXPECT_EQ(default_population(10), 10);
  EXPECT_EQ(default_population(20), 12);
}

TEST(CmaEs, TwoGenerationsFollowTheEquations) {
  // Numbers of thirty lines of numpy that write down eqs 30 to 47 of Hansen 2016 for these two generations.
  CmaEs es(VectorXd{{1.0, 2.0}}, 0.5, 4, CovarianceShape::full);
  const std::vector<std::vector<VectorXd>> normals = {
      {VectorXd{{0.3, -0.7}}, VectorXd{{1.1, 0.4}}, VectorXd{{-0.2, 0.9}}, VectorXd{{-1.5, -0.1}}},
      {VectorXd{{-0.6, 0.8}}, VectorXd{{0.05, -1.2}}, VectorXd{{1.7, 0.3}}, VectorXd{{-0.4, -0.5}}}};
  for (const auto& generation : normals) {
    std::vector<VectorXd> candidates;
    std::vector<double> fitness;
    for (const VectorXd& z : generation) {
      candidates.push_back(es.sample(z));
      fitness.push_back(candidates.back()[0] * candidates.back()[0] +
                        100.0 * candidates.back()[1] * candidates.back()[1]);
    }
    es.update(candidates, fitness);
  }
  EXPECT_NEAR(es.mean()[0], 0.9562436026583373, 1e-14);
  EXPECT_NEAR(es.mean()[1], 1.2993873372475995, 1e-14);
  EXPECT_NEAR(es.sigma(), 0.440653887228101, 1e-14);
  EXPECT_NEAR(es.covariance().variances()[0], 0.6763634850485999, 1e-14);
  EXPECT_NEAR(es.covariance().variances()[1], 1.0070540502805432, 1e-14);
  EXPECT_NEAR(es.covariance().eigenvalues()[0], 0.6626937686353555, 1e-13);
  EXPECT_NEAR(es.covariance().eigenvalues()[1], 1.0207237666937876, 1e-13);
  EXPECT_NEAR(es.path()[0], -0.0684827259770058, 1e-14);
  EXPECT_NEAR(es.path()[1], -1.3360646826909803, 1e-14);
}

TEST(CmaEs, RootsAreInverseAndGiveTheCovariance) {
  const auto covariance = make_full_covariance(3);
  const VectorXd direction{{1.0, 2.0, -1.0}};
  const std::vector<CovarianceTerm> terms = {{direction, 0.5}};
  covariance->adapt(0.8, terms);
  covariance->decompose();
  const VectorXd z{{0.3, -1.0, 2.0}};
  EXPECT_LT((covariance->inverse_root(covariance->root(z)) - z).norm(), 1e-14);
  const VectorXd expected = 0.8 * z + 0.5 * direction.dot(z) * direction;
  EXPECT_LT((covariance->root(covariance->root(z)) - expected).norm(), 1e-14);
  EXPECT_NEAR(covariance->eigenvalues()[2], 0.8 + 0.5 * 6.0, 1e-14);
  EXPECT_NEAR(covariance->axis(2).norm(), std::sqrt(3.8), 1e-14);
}

TEST(CmaEs, SigmaIsAnUnbiasedWalkOnARandomFitness) {
  // Counted after the path has forgotten its start at zero. The mean over searches of the change of log sigma
  // must be zero within four standard errors, of which the walks themselves tell the size.
  constexpr int searches = 200;
  double sum = 0.0;
  double squares = 0.0;
  for (unsigned seed = 1; seed <= searches; ++seed) {
    Normals normals(seed);
    CmaEs es(VectorXd::Zero(5), 1.0, 8, CovarianceShape::full);
    double settled = 0.0;
    for (int generation = 0; generation < 230; ++generation) {
      if (generation == 30) settled = std::log(es.sigma());
      std::vector<VectorXd> candidates;
      std::vector<double> fitness;
      for (int k = 0; k < es.population(); ++k) {
        candidates.push_back(es.sample(normals(5)));
        fitness.push_back(normals.one());
      }
      es.update(candidates, fitness);
    }
    const double change = std::log(es.sigma()) - settled;
    sum += change;
    squares += change * change;
  }
  const double mean = sum / searches;
  const double deviation = std::sqrt(squares / searches - mean * mean);
  EXPECT_GT(deviation, 0.1);
  EXPECT_LT(std::abs(mean), 4.0 * deviation / std::sqrt(searches));
}

TEST(CmaEs, AfterSomeCandidatesASearchIsThatOfASmallerPopulation) {
  Normals normals(1);
  const CmaEs whole(VectorXd::Zero(3), 1.0, 10, CovarianceShape::full);
  std::vector<VectorXd> candidates;
  std::vector<double> fitness;
  for (int k = 0; k < 6; ++k) {
    candidates.push_back(whole.sample(normals(3)));
    fitness.push_back(candidates.back()[0]);
  }
  CmaEs small(VectorXd::Zero(3), 1.0, 6, CovarianceShape::full);
  small.update(candidates, fitness);
  const CmaEs after = whole.after_some(candidates, fitness);
  EXPECT_EQ(after.mean(), small.mean());
  EXPECT_EQ(after.sigma(), small.sigma());
  EXPECT_EQ(after.covariance().variances(), small.covariance().variances());
  EXPECT_EQ(whole.mean(), VectorXd::Zero(3));
  EXPECT_EQ(whole.covariance().variances(), VectorXd::Ones(3)) << "of which only a copy was updated";
  EXPECT_EQ(whole.after_some(std::span(candidates).first(1), std::span(fitness).first(1)).mean(),
            whole.mean());
}

TEST(CmaEs, LearnsTheAxesOfAnEllipsoid) {
  // pycma takes 1224 evaluations in the median at n = 5.
  CmaEs es(VectorXd::Constant(5, 0.1), 0.1, 8, CovarianceShape::full);
  EXPECT_LT(evaluations_to(1e-8, std::move(es), Normals(1), ellipsoid), 1800);
}

TEST(CmaEs, TheDiagonalVariantLearnsManyAxesFast) {
  constexpr int n = 100;
  const int population = default_population(n);
  CmaEs diagonal(VectorXd::Constant(n, 0.1), 0.1, population, CovarianceShape::diagonal);
  const int evaluations = evaluations_to(1e-8, std::move(diagonal), Normals(1), ellipsoid);
  EXPECT_LT(evaluations, 40000);  // the full one takes some 250000
}

TEST(CmaEs, FailedCandidatesRankLastAndMoveNothing) {
  EXPECT_EQ(ranking(std::vector<double>{not_a_number, 2.0, not_a_number, 1.0, 2.0}),
            (std::vector<std::size_t>{3, 1, 4, 0, 2}));

  // Where failed candidates lie is of no consequence, however far out.
  const auto updated = [](double failed_at) {
    CmaEs es(VectorXd::Zero(2), 1.0, 6, CovarianceShape::full);
    const std::vector<VectorXd> candidates = {VectorXd{{1.0, 0.5}},        VectorXd{{-0.4, 1.0}},
                                              VectorXd{{failed_at, -9.0}}, VectorXd{{0.3, -1.0}},
                                              VectorXd{{-1.0, -0.2}},      VectorXd{{0.0, failed_at}}};
    es.update(candidates, std::vector<double>{3.0, 1.0, not_a_number, 2.0, 4.0, not_a_number});
    return es;
  };
  const CmaEs near = updated(1.0);
  const CmaEs far = updated(1e200);
  EXPECT_EQ(near.mean(), far.mean());
  EXPECT_EQ(near.sigma(), far.sigma());
  EXPECT_EQ(near.covariance().variances(), far.covariance().variances());
  EXPECT_TRUE(near.mean().allFinite());
  // With fewer results than parents, those there are make the mean; with none nothing moves.
  CmaEs es(VectorXd::Zero(2), 1.0, 6, CovarianceShape::full);
  const std::vector<VectorXd> candidates(6, VectorXd{{1.0, 2.0}});
  es.update(candidates, std::vector<double>(6, not_a_number));
  EXPECT_EQ(es.mean(), VectorXd::Zero(2));
  EXPECT_EQ(es.generation(), 0);
  es.update(candidates,
            std::vector<double>{not_a_number, not_a_number, 1.0, not_a_number, not_a_number, not_a_number});
  EXPECT_EQ(es.mean(), candidates[0]);
}

TEST(CmaEs, DelayedCandidatesTakeStepsOfBoundedLength) {
  CmaEs plain(VectorXd::Zero(2), 1.0, 4, CovarianceShape::full);
  CmaEs delayed(VectorXd::Zero(2), 1.0, 4, CovarianceShape::full);
  const std::vector<VectorXd> candidates = {VectorXd{{30.0, 40.0}}, VectorXd{{0.1, 0.0}},
                                            VectorXd{{0.0, 0.1}}, VectorXd{{0.1, 0.1}}};
  const std::vector<double> fitness = {1.0, 2.0, 3.0, 4.0};
  plain.update(candidates, fitness);
  delayed.update(candidates, fitness, 1);
  const double longest = std::sqrt(2.0) + 1.0;
  const double weight = plain.constants().weights[0];
  EXPECT_NEAR(plain.mean()[0] - delayed.mean()[0], weight * 0.6 * (50.0 - longest), 1e-12);
}

/// Whole numbers from -10 to 10 in the last half of the coordinates.
std::vector<Plateaus> whole_numbers_behind(Eigen::Index half) {
  std::vector<Plateaus> plateaus(static_cast<std::size_t>(2 * half));
  for (auto k = static_cast<std::size_t>(half); k < plateaus.size(); ++k) {
    plateaus[k] = [](double x) {
      const double whole = std::clamp(std::round(x), -10.0, 10.0);
      return Plateau{whole > -10.0 ? whole - 0.5 : -INFINITY, whole < 10.0 ? whole + 0.5 : INFINITY};
    };
  }
  return plateaus;
}

/// The point that a candidate stands for.
VectorXd rounded_behind(VectorXd x) {
  for (Eigen::Index i = x.size() / 2; i < x.size(); ++i) x[i] = std::clamp(std::round(x[i]), -10.0, 10.0);
  return x;
}

/// How many of thirty searches come to 1e-10 on a sphere, half of whose coordinates are whole numbers that
/// weigh so much.
int successes_on_mixed_sphere(double weight, bool with_margin) {
  constexpr Eigen::Index half = 5;
  const VectorXd minimum{{0.31, -1.7, 2.2, 0.05, -0.6, 3.0, -2.0, 0.0, 1.0, 7.0}};
  int successes = 0;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    Normals normals(seed);
    CmaEs es(VectorXd::Constant(2 * half, 2.0), 1.0, default_population(2 * half), CovarianceShape::full,
             with_margin ? whole_numbers_behind(half) : std::vector<Plateaus>{});
    bool found = false;
    for (int generation = 0; generation < 2000 && !found; ++generation) {
      std::vector<VectorXd> candidates;
      std::vector<double> fitness;
      for (int k = 0; k < es.population(); ++k) {
        candidates.push_back(es.sample(normals(2 * half)));
        const VectorXd way = rounded_behind(es.evaluated(candidates.back())) - minimum;
        fitness.push_back(way.head(half).squaredNorm() + weight * way.tail(half).squaredNorm());
      }
      found = *std::ranges::min_element(fitness) < 1e-10;
      es.update(candidates, fitness);
    }
    successes += found ? 1 : 0;
  }
  return successes;
}

TEST(CmaEs, AMarginFindsTheMinimumOfASphereOfRealAndWholeNumbers) {
  EXPECT_EQ(successes_on_mixed_sphere(1.0, true), 30);
  EXPECT_EQ(successes_on_mixed_sphere(0.01, true), 30);
  // Without it the deviation falls below a plateau while real numbers alone decide.
  EXPECT_LT(successes_on_mixed_sphere(0.01, false), 10);
}

TEST(LearningRate, FallsWhereUpdatesCancelAndGrowsWhereTheyAgree) {
  LearningRate rate(2, 0.1);
  const VectorXd update{{3.0, -4.0}};
  // The first update: mean 0.1 u and square 0.1 u^2, so that signal over noise is (0.01 - 0.1/19)/0.09.
  rate.follow(update);
  const double excess = (0.01 - 0.1 / 1.9 * 0.1) / 0.09 / 1.4 - 1.0;
  EXPECT_NEAR(rate.value(), std::exp(0.1 * excess), 1e-15);
  for (int k = 0; k < 1000; ++k) rate.follow(k % 2 == 0 ? -update : update);
  EXPECT_LT(rate.value(), 0.02);
  for (int k = 0; k < 10000; ++k) rate.follow(update);  // a small rate grows slowly
  EXPECT_EQ(rate.value(), 1.0);
  rate.follow(0.0 * update);
  EXPECT_TRUE(std::isfinite(rate.value()));
}

TEST(NoiseShare, IsZeroWhereTwinsAgreeAndOneWhereNothingTellsCandidatesApart) {
  const auto share_of = [](double slope, double noise, double scale) {
    Normals normals(5);
    NoiseShare share;
    for (int generation = 0; generation < 40; ++generation) {
      std::vector<VectorXd> candidates;
      std::vector<double> fitness;
      for (int k = 0; k < 12; ++k) {
        candidates.push_back(k < 10 ? normals(3) : candidates[static_cast<std::size_t>(k - 10)]);
        fitness.push_back(scale * (slope * candidates.back()[0] + noise * normals.one()));
      }
      share.follow(candidates, fitness);
    }
    return share;
  };
  EXPECT_EQ(share_of(1.0, 0.0, 1.0).value(), 0.0);
  EXPECT_EQ(share_of(1.0, 0.0, 1.0).least_rate(), 1.0);
  EXPECT_NEAR(share_of(0.0, 1.0, 1.0).value(), 1.0, 0.2);
  EXPECT_EQ(share_of(0.0, 1.0, 1.0).least_rate(), 0.0);
  // Differences of twins deviate by sqrt(2) and those of pairs by 2, so that 2 p is 4/pi atan(sqrt(2)/2).
  EXPECT_NEAR(share_of(1.0, 1.0, 1.0).value(), 4.0 / std::numbers::pi * std::atan(std::sqrt(0.5)), 0.15);
  EXPECT_EQ(share_of(1.0, 1.0, 1.0).value(), share_of(1.0, 1.0, 1024.0).value());
}

TEST(NoiseShare, KnowsNothingWithoutTwinsThatHaveValues) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  NoiseShare share;
  const VectorXd x = VectorXd::Ones(2);
  share.follow(std::vector<VectorXd>{x, 2.0 * x, 3.0 * x, x}, std::vector<double>{1.0, 2.0, 3.0, nan});
  EXPECT_EQ(share.value(), 1.0);
  EXPECT_EQ(share.least_rate(), 0.0);
  share.follow(std::vector<VectorXd>{x, 2.0 * x, 3.0 * x, x}, std::vector<double>{1.0, 2.0, 3.0, 1.25});
  EXPECT_EQ(share.value(), 0.0);
  EXPECT_EQ(NoiseShare::twins(3, 0), 0);
  EXPECT_EQ(NoiseShare::twins(7, 0), 1);
  EXPECT_EQ(NoiseShare::twins(100, 12), 2);
  EXPECT_EQ(NoiseShare::twins(100, 13), 0);
}

TEST(CmaEs, AdaptedLearningGoesAsInCmaes) {
  // cmaes 0.12: CMA(lr_adapt=True) with the rates, damping and weights of CmaConstants. It adds 1e-8 to
  // squared lengths of steps.
  struct Expected {
    int generations;
    VectorXd mean;
    double sigma;
    std::vector<double> covariance;
    double rate;
  };
  const std::vector<Expected> table = {
      {5,
       VectorXd{{0.8083581933880573, 0.009801098580881323, 0.11066708288402005}},
       0.3728130879480986,
       {1.1839224443006646, 0.2738885945382513, 1.2137162219468591, 0.20578391558714054, -0.2855791433899798,
        0.8665227618268859},
       0.6729049268260452},
      {40,
       VectorXd{{0.7631407301880243, -0.04727756529720364, 0.1235024290060964}},
       0.2130627998504018,
       {1.3719539403120309, 0.3770324189517896, 1.573316402503775, 0.5136808050360795, -0.43286772499371584,
        0.9124778506349073},
       0.1983929889928591}};
  for (const Expected& expected : table) {
    CmaEs es(VectorXd{{0.3, -0.2, 0.5}}, 0.4, 6, CovarianceShape::full, {}, {}, Learning::adapted);
    for (int g = 0; g < expected.generations; ++g) {
      std::vector<VectorXd> candidates;
      std::vector<double> fitness;
      for (int k = 0; k < 6; ++k) {
        VectorXd x = es.mean();
        for (int i = 0; i < 3; ++i) x[i] += es.sigma() * std::sin(1.0 + 7.0 * g + 3.0 * k + 5.0 * i + g * k);
        fitness.push_back(x[0] * x[0] + 4.0 * x[1] * x[1] + 9.0 * x[2] * x[2] +
                          0.5 * std::sin(13.0 * g + 17.0 * k));
        candidates.push_back(std::move(x));
      }
      es.update(candidates, fitness);
    }
    EXPECT_NEAR((es.mean() - expected.mean).norm(), 0.0, 1e-8);
    EXPECT_NEAR(es.sigma(), expected.sigma, 1e-8);
    const std::vector<double> covariance = es.covariance().entries();
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(covariance[k], expected.covariance[k], 1e-8);
    EXPECT_NEAR(es.learning_rate(), expected.rate, 1e-8);
  }
}

TEST(CmaEs, AdaptedLearningFindsAMinimumBelowTheNoise) {
  const auto miss = [](Learning learning, CovarianceShape shape) {
    Normals normals(3);
    CmaEs es(VectorXd::Constant(6, 1.0), 0.5, 9, shape, {}, {}, learning);
    for (int generation = 0; generation < 1500; ++generation) {
      std::vector<VectorXd> candidates;
      std::vector<double> fitness;
      for (int k = 0; k < es.population(); ++k) {
        candidates.push_back(es.sample(normals(6)));
        fitness.push_back(candidates.back().squaredNorm() + normals.one());
      }
      es.update(candidates, fitness);
    }
    return es.mean().squaredNorm();
  };
  for (const CovarianceShape shape : {CovarianceShape::full, CovarianceShape::diagonal}) {
    EXPECT_LT(miss(Learning::adapted, shape), 0.02);
    EXPECT_GT(miss(Learning::fixed, shape), 0.1);
  }
}

TEST(CmaEs, KeepsTheProbabilityOfOtherPlateaus) {
  constexpr Eigen::Index half = 3;
  const std::vector<Plateaus> plateaus = whole_numbers_behind(half);
  CmaEs es(VectorXd::Constant(2 * half, 1.2), 1.0, 8, CovarianceShape::full, plateaus);
  const double margin = 1.0 / (2.0 * half * es.population());
  Normals normals(4);
  for (int generation = 0; generation < 150; ++generation) {
    std::vector<VectorXd> candidates;
    std::vector<double> fitness;
    for (int k = 0; k < es.population(); ++k) {
      candidates.push_back(es.sample(normals(2 * half)));
      // The last whole number has its minimum at the end of its range.
      const VectorXd place = rounded_behind(es.evaluated(candidates.back()));
      fitness.push_back(place.squaredNorm() - 30.0 * place[2 * half - 1]);
    }
    es.update(candidates, fitness);
    for (Eigen::Index j = half; j < 2 * half; ++j) {
      const Plateau plateau = plateaus[static_cast<std::size_t>(j)](es.mean()[j]);
      const double width = es.sigma() * es.stretch()[j] * std::sqrt(es.covariance().variances()[j]);
      const auto beyond = [&](double distance) { return 0.5 * std::erfc(distance / width / std::sqrt(2.0)); };
      const double others = beyond(es.mean()[j] - plateau.below) + beyond(plateau.above - es.mean()[j]);
      EXPECT_GE(others, 0.999 * margin) << generation << " " << j;
    }
    for (Eigen::Index j = 0; j < half; ++j) EXPECT_EQ(es.stretch()[j], 1.0);
  }
  EXPECT_LT(es.sigma(), 0.05);
  EXPECT_GT(es.stretch()[half], 5.0);
}

}  // namespace
}  // namespace rodeo
