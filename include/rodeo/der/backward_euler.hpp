#pragma once

#include <vector>

#include "rodeo/der/scheme.hpp"

namespace rodeo::der {

/// Scheme of first order: one solve with the loads at its start, except those that depend on time alone.
class BackwardEuler final : public Scheme {
 public:
  SolveOutcome advance(LoadedRods& rods, double end, double step) override;
  double loss() const override { return loss_; }
  void begin_anew() override { begins_anew_ = true; }
  void hold_anew() override { begins_anew_ = true; }
  void forget() override {}  // all data kept are saved
  void visit_state(StateArchive& archive) override {
    archive.visit(begins_anew_);
    archive.visit_list(acceleration_);
  }

 private:
  void find_first_accelerations(LoadedRods& rods, const std::vector<double>& rates, double start,
                                double step);
  void note_loss(LoadedRods& rods, const std::vector<double>& start_rates, double step);

  std::vector<double> start_;         ///< state before the step
  bool begins_anew_ = true;           ///< loads, or held places, have jumped since the last step
  std::vector<double> acceleration_;  ///< of the forces with which that ended
  double loss_ = 0.0;                 ///< of the last step, J
};

}  // namespace rodeo::der
