#pragma once

#include <vector>

#include "rodeo/der/scheme.hpp"

namespace rodeo::der {

/// One solve with what acts on the rods at its start, but for what depends on time alone: of first order.
class BackwardEuler final : public Scheme {
 public:
  SolveOutcome advance(LoadedRods& rods, double end, double step) override;
  double loss() const override { return loss_; }
  void begin_anew() override { acceleration_.clear(); }
  void hold_anew() override { acceleration_.clear(); }
  void forget() override {}  // what it keeps is saved
  void visit_state(StateArchive& archive) override { archive.visit_list(acceleration_); }

 private:
  void note_loss(LoadedRods& rods, const std::vector<double>& start_rates, double step);

  /// Of the forces with which the last step ended; empty where these are not those with which the next one
  /// starts.
  std::vector<double> acceleration_;
  double loss_ = 0.0;  ///< of the last step, J
};

}  // namespace rodeo::der
