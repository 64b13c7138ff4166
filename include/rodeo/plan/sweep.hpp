#pragma once

#include "rodeo/plan/part.hpp"
#include "rodeo/plan/plan.hpp"

namespace rodeo {

/// Points of a design that is known in advance: a grid, a Latin hypercube, a Sobol sequence, or the deck
/// alone.
class Sweep final : public Plan {
 public:
  /// `study.kind = single`: one candidate, no parameters.
  static std::unique_ptr<Sweep> single();

  /// `study.kind = sweep`, or the part of it that study.part names. Throws DeckError.
  static std::unique_ptr<Sweep> from_deck(const Deck& deck);

  /// All combinations of the values of axes; those of one line move together. Throws std::invalid_argument if
  /// there are too many.
  static std::unique_ptr<Sweep> grid(std::span<const SweepAxis> axes);

  /// A candidate for each of `points`, a value for each of `addresses` in each.
  static std::unique_ptr<Sweep> of_points(std::span<const ParameterAddress> addresses,
                                          const std::vector<std::vector<double>>& points);

  std::span<const ParameterAddress> parameters() const override { return addresses_; }
  std::vector<std::string> variation() const override { return variation_; }
  std::uint64_t candidates() const override { return part_.candidates(count_); }
  std::vector<double> point(std::uint64_t candidate) const override;
  std::vector<std::uint64_t> ask() override;
  void tell(std::span<const Result>) override {}
  bool done() const override { return asked_; }

 private:
  static std::unique_ptr<Sweep> whole_from_deck(const Deck& deck);

  std::vector<ParameterAddress> addresses_;
  /// Values that the parameters of one line of the deck take together: [parameters of the line, points].
  using Line = std::vector<std::vector<double>>;

  std::vector<Line> lines_;      ///< grid: the last line varies fastest
  std::vector<double> samples_;  ///< of samplers and lists of points: [candidates, P]
  std::vector<std::string> variation_;
  std::uint64_t count_ = 1;  ///< candidates of the whole
  Part part_;
  bool asked_ = false;
};

}  // namespace rodeo
