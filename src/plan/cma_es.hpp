#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "rodeo/spec/search_spec.hpp"

#include "covariance.hpp"

namespace rodeo {

/// Learning rate of a part of a search distribution, which follows the signal-to-noise ratio of the part's
/// updates (LRA-CMA-ES: Nomura, Akimoto and Ono 2023, arXiv:2304.03473): updates that point in
/// one direction are made in full, and of those that cancel each other a small share.
class LearningRate {
 public:
  /// `memory`: weight of the newest update in the moving averages.
  LearningRate(Eigen::Index count, double memory) : memory_(memory), mean_(Eigen::VectorXd::Zero(count)) {}

  /// Takes an update, in coordinates in which the distribution before it is standard normal.
  void follow(const Eigen::VectorXd& update);

  /// Makes at least this share of updates from now on.
  void raise(double least) { value_ = std::max(value_, least); }

  double value() const { return value_; }  ///< share of an update that is made, at most one

 private:
  double memory_;
  Eigen::VectorXd mean_;  ///< moving average of updates
  double square_ = 0.0;   ///< moving average of their squared lengths
  double value_ = 1.0;
};

/// Share of noise in what candidates are ranked by, from twins: candidates at one place, each evaluated by
/// itself. Twice the share of pairs at two places whose values differ by less than those of twins do: zero
/// without noise, and one where nothing but noise tells candidates apart.
class NoiseShare {
 public:
  /// How many last candidates of a generation repeat its first ones. Noise changes slowly, and repeats cost.
  static int twins(int population, std::uint64_t generation);

  void follow(std::span<const Eigen::VectorXd> candidates, std::span<const double> fitness);

  double value() const { return value_; }  ///< moving average; one before there were twins

  /// Share of updates that is made however little stands out from what looks like noise: paths that bend do.
  double least_rate() const;

 private:
  std::deque<double> differences_;  ///< of the last twins
  int generations_ = 0;             ///< followed since the first twins
  double value_ = 1.0;
};

/// The coordinates between which the objective does not change, as a parameter has one value there; infinite
/// where there is no other value.
struct Plateau {
  double below = -std::numeric_limits<double>::infinity();
  double above = std::numeric_limits<double>::infinity();
};

/// Finds the plateau of a coordinate. Empty for coordinates without any.
using Plateaus = std::function<Plateau(double coordinate)>;

/// lambda = 4 + floor(3 ln n), the default population.
int default_population(int dimension);

/// Strategy parameters, table 1 of Hansen 2016 (arXiv:1604.00772; 1/4 in c_mu from its second version).
struct CmaConstants {
  CmaConstants(int dimension, int population, CovarianceShape shape);

  int parents;                  ///< mu
  std::vector<double> weights;  ///< [lambda], best first: the first mu sum to one, the others are negative
  double selection_mass;        ///< mu_eff
  double path_rate;             ///< c_c
  double step_path_rate;        ///< c_sigma
  double step_damping;          ///< d_sigma
  double rank_one_rate;         ///< c_1
  double rank_mu_rate;          ///< c_mu
  double expected_norm;         ///< chi_n = E||N(0, I)||
  int decomposition_interval;   ///< generations
};

/// Covariance matrix adaptation evolution strategy with weighted recombination, cumulative step-size
/// adaptation and active update of the covariance (Hansen 2016; Jastrebski and Arnold 2006). Smaller fitness
/// is better; a candidate without a fitness (NaN) ranks last and takes part in neither mean nor covariance.
/// With Learning::adapted the mean and sigma^2 C go a part of the way of each update, as LearningRate says,
/// where NoiseShare finds noise or nothing is known of it.
///
/// Coordinates with plateaus keep a margin (Hamano, Saito, Nomura and Shirakawa 2022, arXiv:2205.13482):
/// after each update the mean is moved, and what is evaluated of their deviations stretched, so that each
/// comes to lie on another plateau than that of the mean with a probability of 1/(n lambda) at least. Without
/// it their deviations fall below the width of a plateau, and the search is stuck there.
class CmaEs {
 public:
  /// `plateaus`: of each coordinate; none if empty. `covariance`: as Covariance::entries; the identity if
  /// empty. Throws std::invalid_argument where it is not positive definite.
  CmaEs(const Eigen::VectorXd& mean, double sigma, int population, CovarianceShape shape,
        std::vector<Plateaus> plateaus = {}, std::span<const double> covariance = {},
        Learning learning = Learning::fixed);

  /// The search as it would be after an update with some candidates of a generation alone: with the
  /// parameters of so small a population. Fewer than two change nothing.
  CmaEs after_some(std::span<const Eigen::VectorXd> candidates, std::span<const double> fitness) const;

  /// The search that goes on elsewhere: from this mean and with this covariance, with a largest standard
  /// deviation of at least `deviation` and without memory of its steps.
  CmaEs raised(double deviation, int population) const;

  int population() const { return static_cast<int>(constants_.weights.size()); }
  const CmaConstants& constants() const { return constants_; }
  const Eigen::VectorXd& mean() const { return mean_; }
  double sigma() const { return sigma_; }
  const Covariance& covariance() const { return *covariance_; }
  double learning_rate() const { return rates_ ? rates_->mean.value() : 1.0; }  ///< of the mean
  const Eigen::VectorXd& path() const { return path_; }                         ///< p_c
  int generation() const { return generation_; }                                ///< updates so far

  /// The candidate of standard normal numbers z: mean + sigma C^(1/2) z.
  Eigen::VectorXd sample(const Eigen::VectorXd& z) const;

  /// Point at which a candidate is evaluated: itself, but for the stretched coordinates.
  Eigen::VectorXd evaluated(const Eigen::VectorXd& candidate) const;
  const Eigen::VectorXd& stretch() const { return stretch_; }  ///< one of coordinates without plateaus

  /// Moves the distribution, with the fitness of lambda candidates. The first `delayed` of them were sampled
  /// before the last update: their steps, seen from the mean now, are cut to the length that Hansen 2011
  /// (arXiv:1110.4181) allows an injected solution. Without any fitness but NaN nothing moves.
  void update(std::span<const Eigen::VectorXd> candidates, std::span<const double> fitness, int delayed = 0);

 private:
  /// Learning rates that adapt.
  struct Rates {
    LearningRate mean;
    LearningRate covariance;
    NoiseShare noise;
  };

  CmaEs(const CmaEs& other, int population);
  Rates full_rates() const;
  void learn_in_part(const Eigen::VectorXd& mean, double sigma, const Covariance& covariance);
  void keep_margins();
  void keep_margin(Eigen::Index coordinate, double deviation, const Plateau& plateau);

  CmaConstants constants_;
  CovarianceShape shape_;
  Eigen::VectorXd mean_;
  double sigma_;
  std::unique_ptr<Covariance> covariance_;
  Eigen::VectorXd path_;       ///< p_c
  Eigen::VectorXd step_path_;  ///< p_sigma
  std::vector<Plateaus> plateaus_;
  Eigen::VectorXd stretch_;     ///< diagonal of A
  std::optional<Rates> rates_;  ///< nothing where all updates are made in full
  int generation_ = 0;
};

/// Indices of the candidates from the best to the worst; equal ones in their order, NaN last.
std::vector<std::size_t> ranking(std::span<const double> fitness);

}  // namespace rodeo
