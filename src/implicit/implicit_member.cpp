#include "rodeo/implicit/implicit_member.hpp"

#include <algorithm>
#include <utility>

#include "rodeo/member/halved_steps.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "moving_rods.hpp"
#include "scheme.hpp"

namespace rodeo::implicit {

namespace {

class ImplicitMember final : public HostMember {
 public:
  ImplicitMember(const MemberSpec& spec, const MemberArrays& arrays, std::unique_ptr<Scheme> scheme)
      : rods_(spec, arrays),
        elements_(arrays.all.elements),
        scheme_(std::move(scheme)),
        steps_(spec.time.step, spec.newton.halvings) {}

  std::int64_t advance(const SliceTask& task) override {
    // So that a member goes on bit by bit where another process takes it over.
    rods_.pressing().forget();
    scheme_->forget();
    const auto take = [&](double end, double step) {
      const StepOutcome outcome = scheme_->advance(rods_, end, step);
      counts_.iterations += outcome.iterations;
      if (outcome.converged) ++counts_.steps;
      if (outcome.converged && rods_.links()) rods_.links()->break_overloaded();
      rods_.pressing().count(outcome.converged, outcome.iterations, counts_);
      if (outcome.converged && contacts()) touches_ = contacts()->touches();
      return StepEnd(outcome.converged, outcome.may_grow);
    };
    const std::int64_t before = counts_.iterations;
    was_cut_ = false;
    for (std::int64_t k = 0; k < task.steps; ++k) {
      was_cut_ = k > 0 && are_long(counts_.iterations - before, elements_);
      if (was_cut_) return k;
      if (rods_.has_motions() && rods_.change_motions(task.first_step + k)) scheme_->begin_anew();
      if (steps_.advance(static_cast<double>(task.first_step + k), take)) continue;
      counts_.failed = true;
      return k;
    }
    return task.steps;
  }

  Sample sample() const override {
    Sample sample = rods_.sample(counts_);
    sample.contact.touching = counts_.contact_pairs;
    sample.contact.deepest = counts_.deepest_overlap;
    sample.contact.passed_through = counts_.passed_through;
    return sample;
  }

  void visit_state(StateArchive& archive) override {
    steps_.visit_state(archive);
    archive.visit(counts_);
    archive.visit_list(touches_);
    rods_.pressing().visit_state(archive);
    rods_.visit_state(archive);
    scheme_->visit_state(archive);
  }
  std::vector<connection::PointLink>* links() override {
    return rods_.links() ? &rods_.links()->points() : nullptr;
  }
  std::vector<double>* platen_record() override { return rods_.pressing().platen_record(); }
  const std::vector<contact::Touch>* touches() const override { return contacts() ? &touches_ : nullptr; }

 private:
  const std::optional<coupling::Contacts>& contacts() const { return rods_.pressing().contacts(); }

  MovingRods rods_;
  int elements_;
  std::unique_ptr<Scheme> scheme_;
  HalvedSteps steps_;
  ImplicitSample counts_;
  std::vector<contact::Touch> touches_;  ///< at the end of the last step that converged
};

}  // namespace

std::unique_ptr<HostMember> make_member(const MemberSpec& spec, const MemberArrays& arrays) {
  const bool conserves = spec.scheme == TimeScheme::energy_momentum;
  return std::make_unique<ImplicitMember>(
      spec, arrays, conserves ? make_energy_momentum(spec) : make_generalized_alpha(spec));
}

std::size_t memory(const MemberSpec& spec) {
  const bool conserves = spec.scheme == TimeScheme::energy_momentum;
  const std::size_t band = (conserves ? 3 : 2) * (tangent::half_bandwidth + 1);
  const bool closed = spec.rod.closed || std::ranges::any_of(spec.further_rods, [](const RodSetup& setup) {
                        return setup.rod.closed;
                      });
  const std::size_t vectors = closed ? 27 : 18;  // with what a seam has eight of
  const std::vector<RodPlace> places = rod_places(spec);
  const bool have_joints =
      std::ranges::any_of(places, [](const RodPlace& rod) { return rod.joint != JointKind::none; });
  const bool are_coupled =
      spec.has_impacts() || !spec.connections.empty() || have_joints || (conserves && closed);
  // A matrix with the fill of its factors, and the pattern's values with their copy; each entry with its row.
  const std::size_t coupled =
      !are_coupled ? 0
                   : (3 * tangent::half_bandwidth + 1) * sizeof(double) +
                         3 * (2 * tangent::half_bandwidth + 1) * (sizeof(double) + sizeof(int));
  std::size_t unknowns = 0;
  for (const RodPlace& rod : places) unknowns += static_cast<std::size_t>(tangent::unknowns(rod.elements));
  return unknowns * ((band + vectors) * sizeof(double) + coupled) + coupling::GroundContact::memory(spec);
}

}  // namespace rodeo::implicit
