#include "cma_es.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "normal_distribution.hpp"

namespace rodeo {

namespace {

using Eigen::VectorXd;

/// A step that changes sigma by more than a factor e comes from a path out of all proportion.
constexpr double largest_log_sigma_change = 1.0;

double sum_of(std::span<const double> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

double selection_mass_of(std::span<const double> weights) {
  const double sum = sum_of(weights);
  return sum * sum / std::inner_product(weights.begin(), weights.end(), weights.begin(), 0.0);
}

/// The weights of `count` best candidates, summing to one.
std::vector<double> positive_weights(std::span<const double> weights, std::size_t count) {
  std::vector<double> result(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(count));
  const double sum = sum_of(result);
  for (double& weight : result) weight /= sum;
  return result;
}

}  // namespace

void LearningRate::follow(const Eigen::VectorXd& update) {
  constexpr double aimed_ratio = 1.4;     // alpha; signal over noise per learning rate
  constexpr double largest_change = 0.1;  // gamma; of the rate's logarithm, over the rate
  mean_ += memory_ * (update - mean_);
  square_ += memory_ * (update.squaredNorm() - square_);
  const double length = mean_.squaredNorm();
  const double noise = square_ - length;
  if (!(noise > 0.0)) return;
  const double signal = length - memory_ / (2.0 - memory_) * square_;
  const double excess = std::clamp(signal / noise / (aimed_ratio * value_) - 1.0, -1.0, 1.0);
  value_ = std::min(1.0, value_ * std::exp(std::min(largest_change * value_, memory_) * excess));
}

int NoiseShare::twins(int population, std::uint64_t generation) {
  constexpr std::uint64_t interval = 6;
  return generation % interval == 0 || generation == 1 ? std::min(2, population / 4) : 0;
}

void NoiseShare::follow(std::span<const Eigen::VectorXd> candidates, std::span<const double> fitness) {
  constexpr std::size_t remembered = 24;  // fewer ones now and then look like no noise where all is noise
  constexpr double memory = 0.2;
  std::vector<double> others;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double difference = std::abs(fitness[i] - fitness[j]);
      if (!std::isfinite(difference)) continue;
      if (candidates[i] != candidates[j]) {
        others.push_back(difference);
      } else {
        differences_.push_back(difference);
        if (differences_.size() > remembered) differences_.pop_front();
      }
    }
  }
  if (differences_.empty() || others.empty()) return;
  std::ranges::sort(others);
  double nearer = 0.0;
  for (const double difference : differences_) {
    nearer += static_cast<double>(std::ranges::lower_bound(others, difference) - others.begin());
  }
  const double share = 2.0 * nearer / static_cast<double>(differences_.size() * others.size());
  value_ += std::max(memory, 1.0 / ++generations_) * (share - value_);
}

double NoiseShare::least_rate() const {
  constexpr double weak = 0.45;    // noise by which all of an update is made
  constexpr double strong = 0.55;  // noise from which on the ratio of signal to noise alone says how much
  return std::clamp((strong - value_) / (strong - weak), 0.0, 1.0);
}

int default_population(int dimension) { return 4 + static_cast<int>(std::floor(3.0 * std::log(dimension))); }

CmaConstants::CmaConstants(int dimension, int population, CovarianceShape shape)
    : parents(population / 2), weights(static_cast<std::size_t>(population)) {
  const double n = dimension;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = std::log(0.5 * (population + 1.0)) - std::log(static_cast<double>(i) + 1.0);
  }
  const std::span<double> positive = std::span(weights).first(static_cast<std::size_t>(parents));
  const std::span<double> negative = std::span(weights).subspan(static_cast<std::size_t>(parents));
  selection_mass = selection_mass_of(positive);
  const double negative_sum = -sum_of(negative);
  const double negative_mass = negative_sum > 0.0 ? selection_mass_of(negative) : 0.0;

  // Without the changes of pycma 4.5 for mu_eff > n (a rate of at most 1/2, up to three times the damping):
  // with lambda = 10 n = 100 they cost 8 to 21 % more evaluations on five test functions, and with 200
  // candidates they find Rastrigin's minimum no more often.
  step_path_rate = (selection_mass + 2.0) / (n + selection_mass + 3.0);
  step_damping =
      1.0 + 2.0 * std::max(0.0, std::sqrt((selection_mass - 1.0) / (n + 1.0)) - 1.0) + step_path_rate;
  path_rate = (4.0 + selection_mass / n) / (n + 4.0 + 2.0 * selection_mass / n);
  rank_one_rate = 2.0 / ((n + 1.3) * (n + 1.3) + selection_mass);
  rank_mu_rate =
      2.0 * (0.25 + selection_mass - 2.0 + 1.0 / selection_mass) / ((n + 2.0) * (n + 2.0) + selection_mass);
  if (shape == CovarianceShape::diagonal) {
    rank_one_rate *= (n + 2.0) / 3.0;
    rank_mu_rate *= (n + 2.0) / 3.0;
  }
  rank_one_rate = std::min(rank_one_rate, 0.5);
  rank_mu_rate = std::min(rank_mu_rate, 1.0 - rank_one_rate);

  // The last bound keeps C positive definite.
  const double negative_total =
      std::min({1.0 + rank_one_rate / rank_mu_rate, 1.0 + 2.0 * negative_mass / (selection_mass + 2.0),
                (1.0 - rank_one_rate - rank_mu_rate) / (n * rank_mu_rate)});
  const double positive_sum = sum_of(positive);
  for (double& weight : positive) weight /= positive_sum;
  for (double& weight : negative) weight = negative_sum > 0.0 ? weight * negative_total / negative_sum : 0.0;

  expected_norm = std::sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
  decomposition_interval =
      std::max(1, static_cast<int>(std::floor(1.0 / (10.0 * n * (rank_one_rate + rank_mu_rate)))));
}

CmaEs::CmaEs(const VectorXd& mean, double sigma, int population, CovarianceShape shape,
             std::vector<Plateaus> plateaus, std::span<const double> covariance, Learning learning)
    : constants_(static_cast<int>(mean.size()), population, shape),
      shape_(shape),
      mean_(mean),
      sigma_(sigma),
      covariance_(shape == CovarianceShape::full ? make_full_covariance(mean.size(), covariance)
                                                 : make_diagonal_covariance(mean.size(), covariance)),
      path_(VectorXd::Zero(mean.size())),
      step_path_(VectorXd::Zero(mean.size())),
      plateaus_(std::move(plateaus)),
      stretch_(VectorXd::Ones(mean.size())) {
  if (learning == Learning::adapted) rates_ = full_rates();
  keep_margins();
}

CmaEs::CmaEs(const CmaEs& other, int population)
    : constants_(static_cast<int>(other.mean_.size()), population, other.shape_),
      shape_(other.shape_),
      mean_(other.mean_),
      sigma_(other.sigma_),
      covariance_(other.covariance_->clone()),
      path_(other.path_),
      step_path_(other.step_path_),
      plateaus_(other.plateaus_),
      stretch_(other.stretch_),
      rates_(other.rates_),
      generation_(other.generation_) {}

/// The memories are beta_m and beta_Sigma of Nomura et al.
CmaEs::Rates CmaEs::full_rates() const {
  const Eigen::Index n = mean_.size();
  return {LearningRate(n, 0.1), LearningRate(shape_ == CovarianceShape::full ? n * n : n, 0.03), {}};
}

CmaEs CmaEs::after_some(std::span<const VectorXd> candidates, std::span<const double> fitness) const {
  if (candidates.size() < 2) return {*this, population()};
  CmaEs result(*this, static_cast<int>(candidates.size()));
  result.update(candidates, fitness);
  return result;
}

CmaEs CmaEs::raised(double deviation, int population) const {
  CmaEs result(*this, population);
  result.covariance_->decompose();
  const VectorXd eigenvalues = result.covariance_->eigenvalues();
  result.sigma_ = std::max(sigma_, deviation / std::sqrt(eigenvalues[eigenvalues.size() - 1]));
  result.path_.setZero();
  result.step_path_.setZero();
  if (rates_) result.rates_ = full_rates();
  result.generation_ = 0;
  result.stretch_.setOnes();
  result.keep_margins();
  return result;
}

VectorXd CmaEs::sample(const VectorXd& z) const { return mean_ + sigma_ * covariance_->root(z); }

VectorXd CmaEs::evaluated(const VectorXd& candidate) const {
  VectorXd place = candidate;
  for (std::size_t k = 0; k < plateaus_.size(); ++k) {
    const auto j = static_cast<Eigen::Index>(k);
    if (plateaus_[k]) place[j] = mean_[j] + stretch_[j] * (candidate[j] - mean_[j]);
  }
  return place;
}

void CmaEs::keep_margins() {
  if (plateaus_.empty()) return;
  const VectorXd variances = covariance_->variances();
  for (std::size_t k = 0; k < plateaus_.size(); ++k) {
    if (!plateaus_[k]) continue;
    const auto j = static_cast<Eigen::Index>(k);
    keep_margin(j, sigma_ * std::sqrt(variances[j]), plateaus_[k](mean_[j]));
  }
}

/// `deviation` of the coordinate is that before it is stretched.
void CmaEs::keep_margin(Eigen::Index coordinate, double deviation, const Plateau& plateau) {
  const double margin = 1.0 / (static_cast<double>(mean_.size()) * population());
  const auto reach = [](double probability) { return normal_quantile(1.0 - probability); };
  double& mean = mean_[coordinate];
  double& stretch = stretch_[coordinate];
  const double width = stretch * deviation;
  if (std::isinf(plateau.below) && std::isinf(plateau.above)) return;
  if (std::isinf(plateau.below)) {
    mean = std::max(mean, plateau.above - width * reach(margin));
    return;
  }
  if (std::isinf(plateau.above)) {
    mean = std::min(mean, plateau.below + width * reach(margin));
    return;
  }
  const double least = 0.5 * margin;
  const double low = normal_probability((plateau.below - mean) / width);
  const double up = normal_probability((mean - plateau.above) / width);
  if (low >= least && up >= least) return;
  // Both of them at least that, and what they gain from the plateau taken off in proportion again.
  const double raised_low = std::max(low, least);
  const double raised_up = std::max(up, least);
  const double here = 1.0 - low - up;
  const double excess = 1.0 - raised_low - raised_up - here;
  const double share = excess / (raised_low + raised_up + here - 3.0 * least);
  const double reach_low = reach(raised_low + share * (raised_low - least));
  const double reach_up = reach(raised_up + share * (raised_up - least));
  mean = (plateau.below * reach_up + plateau.above * reach_low) / (reach_low + reach_up);
  stretch = (plateau.above - plateau.below) / (deviation * (reach_low + reach_up));
}

void CmaEs::update(std::span<const VectorXd> candidates, std::span<const double> fitness, int delayed) {
  const auto failed = std::ranges::count_if(fitness, [](double value) { return std::isnan(value); });
  const std::size_t valid = fitness.size() - static_cast<std::size_t>(failed);
  if (valid == 0) return;
  ++generation_;
  const VectorXd former_mean = mean_;
  const double former_sigma = sigma_;
  const std::unique_ptr<Covariance> former = rates_ ? covariance_->clone() : nullptr;
  const double n = static_cast<double>(mean_.size());

  const std::size_t parents = std::min<std::size_t>(static_cast<std::size_t>(constants_.parents), valid);
  const std::vector<std::size_t> order = ranking(fitness);

  // Steps, best first.
  std::vector<VectorXd> steps;
  std::vector<double> lengths;  // of C^(-1/2) y
  for (const std::size_t candidate : order) {
    VectorXd step = (candidates[candidate] - mean_) / sigma_;
    double length = covariance_->inverse_root(step).norm();
    const double longest = std::sqrt(n) + 2.0 * n / (n + 2.0);
    if (candidate < static_cast<std::size_t>(delayed) && length > longest) {
      step *= longest / length;
      length = longest;
    }
    steps.push_back(std::move(step));
    lengths.push_back(length);
  }

  const std::vector<double> weights = positive_weights(constants_.weights, parents);
  VectorXd step = VectorXd::Zero(mean_.size());
  for (std::size_t i = 0; i < parents; ++i) step += weights[i] * steps[i];
  mean_ += sigma_ * step;

  const double mass = selection_mass_of(weights);
  const double cs = constants_.step_path_rate;
  step_path_ = (1.0 - cs) * step_path_ + std::sqrt(cs * (2.0 - cs) * mass) * covariance_->inverse_root(step);
  const double norm = step_path_.norm();
  const double settled = std::sqrt(1.0 - std::pow(1.0 - cs, 2.0 * generation_));
  // The path of the rank-one update stalls while sigma is far too small: else its axis would grow too fast.
  const bool grows = norm / settled < (1.4 + 2.0 / (n + 1.0)) * constants_.expected_norm;
  const double cc = constants_.path_rate;
  path_ = (1.0 - cc) * path_ + (grows ? std::sqrt(cc * (2.0 - cc) * mass) : 0.0) * step;

  std::vector<CovarianceTerm> terms;
  terms.push_back({path_, constants_.rank_one_rate});
  double weight_sum = 0.0;
  for (std::size_t i = 0; i < valid; ++i) {
    const double weight = i < parents ? weights[i] : constants_.weights[i];
    const double scaled = weight >= 0.0 ? weight : weight * n / (lengths[i] * lengths[i]);
    weight_sum += weight;
    if (weight != 0.0 && lengths[i] > 0.0) terms.push_back({steps[i], constants_.rank_mu_rate * scaled});
  }
  const double stall = grows ? 0.0 : constants_.rank_one_rate * cc * (2.0 - cc);
  covariance_->adapt(1.0 + stall - constants_.rank_one_rate - constants_.rank_mu_rate * weight_sum, terms);

  sigma_ *= std::exp(std::min(largest_log_sigma_change,
                              cs / constants_.step_damping * (norm / constants_.expected_norm - 1.0)));
  if (former) {
    rates_->noise.follow(candidates, fitness);
    learn_in_part(former_mean, former_sigma, *former);
  } else if (generation_ % constants_.decomposition_interval == 0) {
    covariance_->decompose();
  }
  keep_margins();
}

/// Takes back what is beyond the learning rates of an update of this distribution. Sigma grows as the rate of
/// the mean falls, since a smaller rate is best with longer steps. Where the rate is raised since noise is
/// weak sigma stays: it may be what made noise weak.
void CmaEs::learn_in_part(const VectorXd& mean, double sigma, const Covariance& covariance) {
  const double growth = sigma_ * sigma_ / (sigma * sigma);
  const double former_rate = rates_->mean.value();
  rates_->mean.follow(covariance.inverse_root(mean_ - mean) / sigma);
  rates_->covariance.follow(covariance.change_to(*covariance_, growth) / std::numbers::sqrt2);
  const double least = rates_->noise.least_rate();
  const double ratio = former_rate / std::max(rates_->mean.value(), least);
  const double growth_of_steps = rates_->mean.value() < least ? std::max(1.0, ratio) : ratio;
  rates_->mean.raise(least);
  rates_->covariance.raise(least);
  mean_ = mean + rates_->mean.value() * (mean_ - mean);
  covariance_->blend(covariance, growth, rates_->covariance.value());
  sigma_ = sigma * covariance_->normalize() * growth_of_steps;
}

std::vector<std::size_t> ranking(std::span<const double> fitness) {
  std::vector<std::size_t> order(fitness.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return std::isnan(fitness[b]) ? !std::isnan(fitness[a]) : fitness[a] < fitness[b];
  });
  return order;
}

}  // namespace rodeo
