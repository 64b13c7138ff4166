#include "rodeo/fluid/resistance.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "rodeo/math/vector_sums.hpp"

namespace rodeo::fluid {

namespace {

constexpr int most_iterations = 40;

/// Solutions that a guess is made of. With four a solve of turning flagella takes 0.7 iterations, with one
/// 1.8.
constexpr std::size_t history_length = 4;

/// A factorisation takes as long as so many iterations for each unknown.
constexpr double iterations_per_factorization = 0.1;

}  // namespace

Resistance::Resistance(const std::vector<Filament>& filaments, MobilityKind kind, double tolerance)
    : mobility_(filaments, kind),
      tolerance_(tolerance),
      factors_(mobility_.unknowns()),
      unpadded_(static_cast<std::size_t>(mobility_.unknowns())),
      gmres_(NodeVectors(mobility_.nodes()).entries().size(), most_iterations),
      force_(mobility_.nodes()),
      factored_(mobility_.nodes()) {}

std::size_t Resistance::memory(std::size_t nodes) {
  constexpr std::size_t vectors = 2 * most_iterations + 4 * history_length + 6;
  return nodes *
         (nodes * (symmetric_size * sizeof(double) + 9 * sizeof(float)) + vectors * 3 * sizeof(double));
}

void Resistance::solve(const NodeVectors& position, const NodeVectors& velocity) {
  const std::vector<double>& v = velocity.entries();
  ++counts_.solves;
  if (dot(v, v) == 0.0) {
    std::ranges::fill(force_.entries(), 0.0);
    return;
  }
  guess(v);
  std::vector<double>& residual = gmres_.residual();
  mobility_.assemble_and_apply(position, force_.entries(), residual);
  subtract_from(v, residual);
  bool fresh = !has_factors_ || wasted_iterations_ >= iterations_per_factorization * mobility_.unknowns();
  if (fresh) refresh(position);
  GmresOutcome outcome = iterate(v);
  if (!outcome.converged && !fresh) {
    fresh = true;
    refresh(position);
    mobility_.apply(force_.entries(), residual);
    subtract_from(v, residual);
    outcome = iterate(v);
  }
  if (!outcome.converged) {
    std::ranges::fill(force_.entries(), std::numeric_limits<double>::quiet_NaN());
    history_.clear();
    return;
  }
  fewest_iterations_ = fresh ? outcome.iterations : std::min(fewest_iterations_, outcome.iterations);
  wasted_iterations_ += outcome.iterations - fewest_iterations_;
  remember(v);
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
  make_factors();
  has_factors_ = true;
  wasted_iterations_ = 0;
  ++counts_.factorizations;
}

/// Of the mobility as it is assembled.
void Resistance::make_factors() {
  mobility_.copy_to(factors_.matrix());
  factors_.factor();
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
  mobility_.assemble(factored_);
  make_factors();
}

/// Improves the forces, whose residual stands in gmres_.
GmresOutcome Resistance::iterate(const std::vector<double>& velocity) {
  const GmresOutcome outcome =
      gmres_.improve([this](const std::vector<double>& force,
                            std::vector<double>& result) { mobility_.apply(force, result); },
                     [this](const std::vector<double>& vector, std::vector<double>& result) {
                       precondition(vector, result);
                     },
                     tolerance_ * norm(velocity), force_.entries());
  counts_.iterations += outcome.iterations;
  return outcome;
}

void Resistance::precondition(const std::vector<double>& vector, std::vector<double>& result) {
  const std::ptrdiff_t nodes = mobility_.nodes();
  const std::ptrdiff_t pitch = force_.pitch();
  for (int c = 0; c < 3; ++c) {
    std::transform(vector.begin() + c * pitch, vector.begin() + c * pitch + nodes,
                   unpadded_.begin() + c * nodes, [](double entry) { return static_cast<float>(entry); });
  }
  factors_.solve(unpadded_);
  for (int c = 0; c < 3; ++c) {
    std::copy(unpadded_.begin() + c * nodes, unpadded_.begin() + (c + 1) * nodes, result.begin() + c * pitch);
  }
}

}  // namespace rodeo::fluid
