#pragma once

#include <memory>
#include <rodeo/spec/control_law.hpp>

namespace rodeo::own {

/// A pull by what a number is off, and by how much more that is than at the sample before.
class DampedPull final : public ControlLaw {
 public:
  DampedPull(double gain, double damping) : gain_(gain), damping_(damping) {}

  static ControlLawKind kind() {
    return {"damped_pull", {"off"}, {"gain", "damping"}, {"pull"}, [](std::span<const double> weights) {
              return std::make_unique<DampedPull>(weights[0], weights[1]);
            }};
  }

  void act(const Sample& now, std::span<const double> sees, std::span<double> gives) override {
    if (now.number == 0) before_ = sees[0];
    gives[0] = gain_ * sees[0] + damping_ * (sees[0] - before_);
    before_ = sees[0];
  }

  std::span<double> memory() override { return {&before_, 1}; }

 private:
  double gain_;
  double damping_;
  double before_ = 0.0;
};

}  // namespace rodeo::own
