#include "rodeo/fluid/mobility_operator.hpp"

#include <algorithm>

#include "rodeo/fluid/clustered_mobility.hpp"
#include "rodeo/fluid/rodwise_inverse.hpp"
#include "rodeo/linear/dense.hpp"

namespace rodeo::fluid {

namespace {

class DenseOperator final : public MobilityOperator {
 public:
  DenseOperator(const std::vector<Filament>& filaments, MobilityKind kind)
      : mobility_(filaments, kind),
        factors_(mobility_.unknowns()),
        unpadded_(static_cast<std::size_t>(mobility_.unknowns())) {}

  void assemble(const NodeVectors& position) override { mobility_.assemble(position); }

  void assemble_and_apply(const NodeVectors& position, const std::vector<double>& force,
                          std::vector<double>& velocity) override {
    mobility_.assemble_and_apply(position, force, velocity);  // reads the matrix no second time
  }

  void apply(const std::vector<double>& force, std::vector<double>& velocity) override {
    mobility_.apply(force, velocity);
  }

  void factor(const NodeVectors&) override {
    mobility_.copy_to(factors_.matrix());
    factors_.factor();
  }

  void precondition(const std::vector<double>& vector, std::vector<double>& result) override {
    const std::ptrdiff_t nodes = mobility_.nodes();
    const std::ptrdiff_t pitch = NodeVectors::pitch_of(mobility_.nodes());
    for (int c = 0; c < 3; ++c) {
      std::transform(vector.begin() + c * pitch, vector.begin() + c * pitch + nodes,
                     unpadded_.begin() + c * nodes, [](double entry) { return static_cast<float>(entry); });
    }
    factors_.solve(unpadded_);
    for (int c = 0; c < 3; ++c) {
      std::copy(unpadded_.begin() + c * nodes, unpadded_.begin() + (c + 1) * nodes,
                result.begin() + c * pitch);
    }
  }

  double iterations_per_factorization() const override {
    constexpr double per_unknown = 0.1;
    return per_unknown * mobility_.unknowns();
  }

 private:
  Mobility mobility_;
  DenseFactors factors_;
  std::vector<float> unpadded_;
};

class ClusteredOperator final : public MobilityOperator {
 public:
  explicit ClusteredOperator(const std::vector<Filament>& filaments)
      : mobility_(filaments), inverse_(filaments) {}

  void assemble(const NodeVectors& position) override { mobility_.assemble(position); }

  void assemble_and_apply(const NodeVectors& position, const std::vector<double>& force,
                          std::vector<double>& velocity) override {
    mobility_.assemble(position);
    mobility_.apply(force, velocity);
  }

  void apply(const std::vector<double>& force, std::vector<double>& velocity) override {
    mobility_.apply(force, velocity);
  }

  void factor(const NodeVectors& position) override { inverse_.factor(position); }

  void precondition(const std::vector<double>& vector, std::vector<double>& result) override {
    inverse_.apply(vector, result);
  }

  double iterations_per_factorization() const override { return 5.0; }  // of 100 flagella

 private:
  ClusteredMobility mobility_;
  RodwiseInverse inverse_;
};

}  // namespace

std::unique_ptr<MobilityOperator> make_dense_operator(const std::vector<Filament>& filaments,
                                                      MobilityKind kind) {
  return std::make_unique<DenseOperator>(filaments, kind);
}

std::unique_ptr<MobilityOperator> make_clustered_operator(const std::vector<Filament>& filaments) {
  return std::make_unique<ClusteredOperator>(filaments);
}

}  // namespace rodeo::fluid
