#include "rodeo/implicit/implicit_member.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "rodeo/member/energy_ledger.hpp"
#include "rodeo/member/halved_steps.hpp"
#include "rodeo/member/held_motions.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "moving_rods.hpp"
#include "scheme.hpp"

namespace rodeo::implicit {

namespace {

class ImplicitMember final : public HostMember {
 public:
  ImplicitMember(const MemberSpec& spec, const MemberArrays& arrays, std::unique_ptr<Scheme> scheme)
      : arrays_(arrays),
        rods_(spec, arrays),
        elements_(arrays.all.elements),
        scheme_(std::move(scheme)),
        steps_(spec.time.step, spec.newton.halvings),
        step_(spec.time.step),
        ledger_(spec) {}

  std::int64_t advance(const SliceTask& task) override {
    // So that a member goes on bit by bit where another process takes it over.
    rods_.pressing().forget();
    scheme_->forget();
    std::int64_t taken = task.first_step;
    const auto take = [&](double end, double step) {
      if (driven_turn(arrays_, taken, end - step, end) > most_driven_turn) return StepEnd(false);
      std::optional<Sample> first;  // of the energy, to which comes what contact holds with its stiffness
      if (contacts() && ledger_.begins(end - step, counts_.energy)) first = rods_.sample(counts_);
      const bool counts_work = ledger_.counts_with_work(end - step);
      const double strained = counts_work ? rods_.change_of_natural_strains(end - step, end) : 0.0;
      const double driven = rods_.work_of_motions();
      const StepOutcome outcome = scheme_->advance(rods_, end, step);
      if (counts_work && outcome.converged) add_work(end, step, strained, driven);
      counts_.iterations += outcome.iterations;
      if (outcome.converged) ++counts_.steps;
      if (outcome.converged && rods_.links()) rods_.links()->break_overloaded();
      rods_.pressing().count(outcome.converged, outcome.iterations, counts_);
      if (outcome.converged && contacts()) {
        touches_ = contacts()->touches();
        friction_loss_ += contacts()->friction_loss();
      }
      if (outcome.converged && first) ledger_.begin(*first, contacts()->energy_at_start(), counts_.energy);
      if (outcome.converged) note_energy(end);
      StepEnd step_end(outcome.converged, outcome.may_grow);
      step_end.is_last = counts_.gained_energy = ledger_.is_gain(counts_.energy);
      return step_end;
    };
    const std::int64_t before = counts_.iterations;
    was_cut_ = false;
    note_start(static_cast<double>(task.first_step) * step_);
    for (std::int64_t k = 0; k < task.steps; ++k) {
      was_cut_ = k > 0 && are_long(counts_.iterations - before, elements_);
      if (was_cut_) return k;
      taken = task.first_step + k;
      if (rods_.has_motions() && rods_.change_motions(taken)) scheme_->begin_anew();
      if (steps_.advance(static_cast<double>(taken), take)) continue;
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
    sample.friction_loss = friction_loss_;
    return sample;
  }

  void visit_state(StateArchive& archive) override {
    steps_.visit_state(archive);
    archive.visit(counts_);
    archive.visit_list(touches_);
    archive.visit(friction_loss_);
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
  /// Before the steps of a slice.
  void note_start(double time) {
    if (time == 0.0 && !contacts()) note_energy(time);
    if (ledger_.counts_with_work(time)) rods_.read_sources(time, sources_);
  }

  void note_energy(double time) {
    if (ledger_.counts(time)) ledger_.add(rods_.sample(counts_), 0.0, counts_.energy);
    if (ledger_.counts_with_work(time))
      ledger_.add_with_work(rods_.sample(counts_), counts_.work, counts_.energy);
  }

  /// The most that the work in a step that has converged may be, at whose start natural strains of its end
  /// changed the energy by `strained`, and before which motions had done so much. Loads and strains may jump
  /// within a step: of what they do at its start and at its end the larger counts. Reactions on motions are
  /// known at the ends of steps only, and count twice.
  void add_work(double end, double step, double strained, double driven) {
    if (sources_.empty()) rods_.read_sources(end - step, sources_);  // the first step that counts
    rods_.read_sources(end, next_sources_);
    counts_.work += std::max(rods_.work_of_sources(sources_), rods_.work_of_sources(next_sources_)) +
                    std::max(strained, rods_.change_of_natural_strains(end - step, end)) +
                    2.0 * std::max(rods_.work_of_motions() - driven, 0.0) + scheme_->work_of_ground();
    sources_.swap(next_sources_);
  }

  const std::optional<coupling::Contacts>& contacts() const { return rods_.pressing().contacts(); }

  MemberArrays arrays_;
  MovingRods rods_;
  int elements_;
  std::unique_ptr<Scheme> scheme_;
  HalvedSteps steps_;
  double step_;  ///< the deck's, s
  EnergyLedger ledger_;
  std::vector<double> sources_;  ///< at the end of the last step, where work is measured
  std::vector<double> next_sources_;
  ImplicitSample counts_;
  std::vector<contact::Touch> touches_;  ///< at the end of the last step that converged
  double friction_loss_ = 0.0;           ///< of rods on rods so far, J
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
