#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "rodeo/der/loaded_rods.hpp"
#include "rodeo/der/scheme.hpp"
#include "rodeo/member/energy_ledger.hpp"
#include "rodeo/member/halved_steps.hpp"
#include "rodeo/member/host_stepper.hpp"

namespace rodeo::der {

/// A member of discrete elastic rods: the arrays, loads and ends of Cosserat rods, advanced by a scheme with
/// an adaptive step. A step of the deck is halved, and its halves again, until Newton's method converges;
/// after some that do, steps grow back.
class DerMember final : public HostMember {
 public:
  /// The arrays have to stay where they are.
  DerMember(const MemberSpec& spec, const MemberArrays& arrays, std::unique_ptr<Scheme> scheme);

  std::int64_t advance(const SliceTask& task) override;
  Sample sample() const override;
  void visit_state(StateArchive& archive) override {
    steps_.visit_state(archive);
    archive.visit(counts_);
    archive.visit(stability_);
    archive.visit_list(touches_);
    archive.visit(friction_loss_);
    rods_.visit_state(archive);
  }
  std::vector<connection::PointLink>* links() override {
    return rods_.links() ? &rods_.links()->points() : nullptr;
  }
  std::vector<double>* platen_record() override {
    return rods_.ground() ? &rods_.ground()->platen_record() : nullptr;
  }
  const std::vector<contact::Touch>* touches() const override {
    return rods_.contacts() ? &touches_ : nullptr;
  }

 private:
  bool turns_little(std::int64_t steps, double end, double step) const;
  bool converges(double end, double step);
  void note_energy(double time);

  std::unique_ptr<Scheme> scheme_;
  LoadedRods rods_;
  int elements_;
  double step_;  ///< the deck's, s
  HalvedSteps steps_;
  std::optional<EnergyLedger> ledger_;  ///< of motion
  ImplicitSample counts_;
  std::vector<contact::Touch> touches_;  ///< at the end of the last step that converged
  double friction_loss_ = 0.0;           ///< of rods on rods so far, J
  Stability stability_;
  std::int64_t last_step_;  ///< of the deck
  int asked_modes_;
  std::optional<FoundModes> modes_;
};

/// One whose steps are those of a scheme: a rodeo::MakeHostMember.
template <class S>
std::unique_ptr<HostMember> make_member(const MemberSpec& spec, const MemberArrays& arrays) {
  return std::make_unique<DerMember>(spec, arrays, std::make_unique<S>());
}

}  // namespace rodeo::der
