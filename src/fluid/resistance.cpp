#include "rodeo/fluid/resistance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "rodeo/fluid/clustered_mobility.hpp"
#include "rodeo/fluid/rodwise_inverse.hpp"
#include "rodeo/linear/gmres.hpp"

namespace rodeo::fluid {

namespace {

constexpr int most_iterations = 40;

/// Solutions that make up a guess. With four a solve of turning flagella takes 0.7 iterations, with one
/// 1.8.
constexpr std::size_t history_length = 4;

int total_nodes(const std::vector<Filament>& filaments) {
  int nodes = 0;
  for (const Filament& filament : filaments) nodes += filament.nodes;
  return nodes;
}

bool all_finite(const NodeVectors& vectors) {
  return std::ranges::all_of(vectors.entries(), [](double entry) { return std::isfinite(entry); });
}

}  // namespace

Summation quicker_summation(std::size_t nodes, MobilityKind kind, double tolerance) {
  // For 680 nodes clusters take 3.1 ms a step instead of 5.5; the bundles of up to ten flagella of Tong et
  // al. (2023) keep the matrix, and so every bit that has been published of them.
  constexpr std::size_t fewest_nodes = 700;
  constexpr double finest_tolerance = 1e-6;
  const bool fits = kind == MobilityKind::full && tolerance >= finest_tolerance;
  return fits && nodes >= fewest_nodes ? Summation::clusters : Summation::matrix;
}

Resistance::Resistance(const std::vector<Filament>& filaments, MobilityKind kind, double tolerance,
                       Summation summation)
    : mobility_(summation == Summation::clusters ? make_clustered_operator(filaments)
                                                 : make_dense_operator(filaments, kind)),
      tolerance_(tolerance),
      gmres_(NodeVectors(total_nodes(filaments)).entries().size(), most_iterations),
      force_(total_nodes(filaments)),
      factored_(total_nodes(filaments)) {}

std::size_t Resistance::memory(const std::vector<std::size_t>& nodes_of_rods, Summation summation) {
  constexpr std::size_t vectors = 2 * most_iterations + 4 * history_length + 6;
  const std::size_t nodes = std::accumulate(nodes_of_rods.begin(), nodes_of_rods.end(), std::size_t{0});
  const std::size_t mobility = summation == Summation::clusters
                                   ? ClusteredMobility::memory(nodes) + RodwiseInverse::memory(nodes_of_rods)
                                   : nodes * nodes * (symmetric_size * sizeof(double) + 9 * sizeof(float));
  return mobility + nodes * vectors * 3 * sizeof(double);
}

void Resistance::solve(const NodeVectors& position, const NodeVectors& velocity) {
  const std::vector<double>& v = velocity.entries();
  ++counts_.solves;
  if (dot(v, v) == 0.0) {
    std::ranges::fill(force_.entries(), 0.0);
    return;
  }
  if (!all_finite(position) || !all_finite(velocity)) return give_up();
  guess(v);
  std::vector<double>& residual = gmres_.residual();
  mobility_->assemble_and_apply(position, force_.entries(), residual);
  subtract_from(v, residual);
  bool fresh = !has_factors_ || wasted_iterations_ >= mobility_->iterations_per_factorization();
  if (fresh) refresh(position);
  GmresOutcome outcome = iterate(v);
  if (!outcome.converged && !fresh) {
    fresh = true;
    refresh(position);
    mobility_->apply(force_.entries(), residual);
    subtract_from(v, residual);
    outcome = iterate(v);
  }
  if (!outcome.converged) return give_up();
  fewest_iterations_ = fresh ? outcome.iterations : std::min(fewest_iterations_, outcome.iterations);
  wasted_iterations_ += outcome.iterations - fewest_iterations_;
  remember(v);
}

/// Forces that are no numbers end a member with its status.
void Resistance::give_up() {
  std::ranges::fill(force_.entries(), std::numeric_limits<double>::quiet_NaN());
  history_.clear();
}

/// Projects the velocity on the space of earlier ones (Gram and Schmidt) and takes the same combination of
/// their forces.
void Resistance::guess(const std::vector<double>& velocity) {
  constexpr double smallest_share = 1e-7;  // below this a velocity adds rounding only
  std::ranges::fill(force_.entries(), 0.0);
  std::vector<Solution> basis;
  std::vector<double> rest = velocity;
  for (Solution next : history_) {
    const double before = norm(next.velocity);
    for (const Solution& other : basis) {
      const double share = dot(other.velocity, next.velocity);
      add(-share, other.velocity, next.velocity);
      add(-share, other.force, next.force);
    }
    const double length = norm(next.velocity);
    if (!(length > smallest_share * before)) continue;
    scale(1.0 / length, next.velocity);
    scale(1.0 / length, next.force);
    const double share = dot(next.velocity, rest);
    add(-share, next.velocity, rest);
    add(share, next.force, force_.entries());
    basis.push_back(std::move(next));
  }
}

void Resistance::remember(const std::vector<double>& velocity) {
  history_.push_front({velocity, force_.entries()});
  if (history_.size() > history_length) history_.pop_back();
}

void Resistance::refresh(const NodeVectors& position) {
  factored_ = position;
  mobility_->factor(position);
  has_factors_ = true;
  wasted_iterations_ = 0;
  ++counts_.factorizations;
}

void Resistance::visit_state(StateArchive& archive) {
  archive.visit(counts_);
  archive.visit(fewest_iterations_);
  archive.visit(wasted_iterations_);
  archive.visit(has_factors_);
  archive.visit(std::span(factored_.entries()));
  std::uint64_t solutions = history_.size();
  archive.visit(solutions);
  if (solutions > history_length) throw StateError("a saved state has too many solutions of a fluid");
  const std::size_t size = force_.entries().size();
  history_.resize(solutions, {std::vector<double>(size), std::vector<double>(size)});
  for (Solution& solution : history_) {
    archive.visit(std::span(solution.velocity));
    archive.visit(std::span(solution.force));
  }
  if (!archive.restores() || !has_factors_) return;
  mobility_->assemble(factored_);
  mobility_->factor(factored_);
}

/// Improves the forces from the residual in gmres_.
GmresOutcome Resistance::iterate(const std::vector<double>& velocity) {
  const GmresOutcome outcome =
      gmres_.improve([this](const std::vector<double>& force,
                            std::vector<double>& result) { mobility_->apply(force, result); },
                     [this](const std::vector<double>& vector, std::vector<double>& result) {
                       mobility_->precondition(vector, result);
                     },
                     tolerance_ * norm(velocity), force_.entries());
  counts_.iterations += outcome.iterations;
  return outcome;
}

}  // namespace rodeo::fluid
