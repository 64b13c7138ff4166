#include "outcome_report.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rodeo/input/deck_observables.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/terminal.hpp"
#include "rodeo/member/energy_ledger.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/output/status_report.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

namespace {

/// A member whose state has exploded has no observables; one whose elements are twisted too far has.
bool is_twisted_too_far(const MemberRow& row) {
  return row.status == MemberStatus::diverged && !row.observables.empty() &&
         std::isfinite(row.observables[observable_index("end_twist")]);
}

std::string cause_of_twist(const MemberSpec& spec) {
  return formatted(
      "two elements next to each other are twisted or bent by 3 rad or more against each other, and half a "
      "turn or more is none but a smaller one the other way; with rod.elements = %d they would be by half as "
      "much",
      2 * spec.rod.elements);
}

/// An explicit step that is too long throws elements about, and so does a load that they cannot bear.
std::string cause_of_crush(const MemberSpec& spec) {
  return formatted(
      "an element was pressed to less than a tenth of its natural length, which the linear law of stretch "
      "lets a finite force do: the most that it bears by then is 0.9 of rod.stretch_stiffness, which is %.4g "
      "N; smaller loads, a larger stiffness, or model.section = incompressible, which grows stiffer as it is "
      "pressed",
      spec.rod.stretch_stiffness);
}

std::string cause_of_divergence(const MemberSpec& spec) {
  const double step = spec.time.step;
  const StepBound bound = step_bounds(spec).all;
  if (std::isinf(bound.step)) {
    return formatted("a node moved by more than an element in one step of %.4g s; try a smaller time.step",
                     step);
  }
  const std::string by(bound.by);
  if (step > bound.step) {
    return formatted("time.step = %.4g s is above the stable step, %.4g s, which comes from %s", step,
                     bound.step, by.c_str());
  }
  return formatted(
      "not the step, as time.step = %.4g s is below the stable step, %.4g s; loads may be too large for "
      "elements so long or press them to nothing, or rods overlap at the start",
      step, bound.step);
}

/// Words for the end of a branch.
std::string end_of_branch(const BranchSpec& branch) {
  const std::string range = "its value left " + format_real(std::min(branch.from, branch.to)) + " to " +
                            format_real(std::max(branch.from, branch.to));
  switch (branch.stop) {
    case BranchStop::first_bifurcation:
      return "it came to a bifurcation, or " + range;
    case BranchStop::first_fold:
      return "it came to a fold, or " + range;
    case BranchStop::first_flutter:
      return "a vibration began to grow, or " + range;
    case BranchStop::range:
      break;
  }
  return range;
}

/// Stiffness of penalty contact with which all the energy of rods would take elements no deeper than half the
/// sum of the smallest radii, and which bears at that depth the force at the depth found, N/m.
double holding_stiffness(const MemberSpec& spec, double depth, double energy) {
  const double most = smallest_radius(spec);
  const double stiffness = spec.contact.stiffness;
  return std::max({2.0 * stiffness, stiffness * depth / most, 2.0 * energy / (most * most)});
}

/// Likely cause of rods having passed through each other.
std::string cause_of_passing(const MemberSpec& spec, const MemberRow& row, Study& study) {
  if (spec.contact.kind == ContactKind::none)
    return "elements passed through a ball or cylinder of the ground, which yields too much or is hit in too "
           "long steps (ground.stiffness, ground.damping, time.step)";
  if (spec.contact.kind != ContactKind::penalty)
    return "elements passed through each other or through a solid (time.step, contact.tolerance)";
  const ObservableList list = observables_of(study.deck());
  const auto value = [&](std::string_view name) { return row.observables[list.index(name)]; };
  const double depth = value("contact_depth_max");
  const double share = depth / (2.0 * smallest_radius(spec));
  MemberSpec stiffer = spec;
  stiffer.contact.stiffness = holding_stiffness(spec, depth, value("total_energy"));
  std::string text = formatted(
      "elements overlapped by %.3g m, %.2g of the sum of the smallest radii, and came from one side of each "
      "other to the other or nearly so; contact.stiffness = %.2g N/m",
      depth, share, stiffer.contact.stiffness);
  const double stable = step_bounds(stiffer).all.step;
  if (spec.time.step > stable) text += formatted(" and time.step = %.2g s", 0.5 * stable);
  return text + " would have held them apart";
}

/// True if the deck can run with a scheme that conserves energy.
bool may_keep_energy(const Deck& deck) {
  try {
    make_member_spec(Deck::parse(deck.resolved(), "the deck", {"time.scheme=energy_momentum"}));
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

/// Likely cause of an energy that grew without work.
std::string cause_of_gain(const MemberSpec& spec, const MemberRow& row, const Deck& deck) {
  const std::string grew = formatted(
      "its energy grew without work by more than observe.energy_tolerance = %g: ", spec.energy_tolerance);
  const double step = spec.time.step;
  const StepBound bound = step_bounds(spec).all;
  if (step > bound.step) {
    return grew + formatted("time.step = %.4g s is above the stable step, %.4g s, which comes from %s", step,
                            bound.step, std::string(bound.by).c_str());
  }
  constexpr double many = 100.0;  // times what rounding makes of rods at rest
  const double gain = row.observables[observable_index("energy_gain")];
  if (spec.single_precision && gain < many * rounding_growth(spec) * static_cast<double>(row.steps)) {
    return grew +
           formatted("by %.3g J, which rounding may add to rods as stiff as these: model.precision = double",
                     gain);
  }
  const double narrow = 0.15 * smallest_radius(spec);
  if (spec.contact.kind == ContactKind::imc && spec.contact.tolerance > narrow) {
    return grew + formatted(
                      "contact.tolerance = %.3g m is so wide beside the smallest radius of %.3g m that rods "
                      "part more stiffly than they met; contact.tolerance = %.2g m or contact.kind = ipc "
                      "keep them from it",
                      spec.contact.tolerance, smallest_radius(spec), narrow);
  }
  if (!spec.steps_explicitly() && may_give_back_energy(spec.scheme)) {
    std::string text = grew + formatted("time.step = %.4g s is too long for the motion", step);
    if (spec.time.spectral_radius > 0.0)
      text += formatted(", or time.spectral_radius = %g keeps too much of what is faster",
                        spec.time.spectral_radius);
    if (may_keep_energy(deck)) text += "; time.scheme = energy_momentum keeps the energy";
    return text;
  }
  if (!spec.steps_explicitly())
    return grew + formatted("time.step = %.4g s is too long for the motion", step);
  if (spec.sections_shrink > 0.0 && !spec.sections_have_energy && !spec.has_impacts())
    return grew +
           "sections by model.section = published have none that they keep; rigid and incompressible ones do";
  const bool answers = spec.ground.exists() && spec.ground.response == GroundResponse::net_force;
  const bool is_short = step <= 0.1 * bound.step;  // for impacts
  if (answers && (spec.contact.kind == ContactKind::none || is_short)) {
    return grew +
           formatted(
               "a ground that answers the net force throws up what falls on it or starts in it where too "
               "little is damped (ground.damping = %.3g kg/s); ground.response = springs keeps the energy",
               spec.ground.damping);
  }
  if (spec.has_impacts()) {
    return grew + formatted(
                      "impacts last too few steps of time.step = %.4g s, which may be %.4g s and should be a "
                      "tenth of that or less (%s)",
                      step, bound.step, std::string(bound.by).c_str());
  }
  return grew +
         formatted("time.step = %.4g s is too long for waves of stretch and shear in elements so short",
                   step);
}

std::string cause_of_tangle(const MemberSpec& spec) {
  const std::string what = "a step did not converge however short it was made, while rods were in contact";
  if (spec.contact.friction == 0.0)
    return what +
           " (contact.tolerance, newton.iterations); elements that meet exactly side by side have no one "
           "nearest point, and a turn of 0.01 rad gives them one";
  return what + formatted(
                    " with friction: try a larger contact.slip_tolerance than %.4g m/s, below which they "
                    "count as at rest (also contact.tolerance, newton.iterations)",
                    spec.contact.slip_tolerance);
}

/// Likely cause of a member's end, as far as its specification tells.
std::string likely_cause(const MemberRow& row, Study& study) {
  MemberSpec spec;
  try {
    spec = study.job(row.member, row.parameters).spec;
    if (row.status == MemberStatus::failed) study.require_start(spec);
  } catch (const DeckError& error) {
    return error.what();
  }
  switch (row.status) {
    case MemberStatus::diverged:
      return is_twisted_too_far(row) ? cause_of_twist(spec) : cause_of_divergence(spec);
    case MemberStatus::crushed:
      return spec.steps_explicitly() && spec.time.step > step_bounds(spec).all.step
                 ? cause_of_divergence(spec)
                 : cause_of_crush(spec);
    case MemberStatus::timed_out:
      return formatted("it took longer than study.deadline = %.4g s",
                       study.deck().number("study.deadline"_key));
    case MemberStatus::too_stiff:
      if (spec.time.step > step_bounds(spec).all.step) return cause_of_divergence(spec);
      if (spec.time.tolerance > 0.0)
        return "a step did not converge, or its error was above time.tolerance, however short it was made "
               "(time.tolerance, newton.halvings)";
      return "a step did not converge however short it was made (newton.iterations, newton.tolerance)";
    case MemberStatus::tangled:
      return cause_of_tangle(spec);
    case MemberStatus::failed:
      return "more elements came close to each other than there is room for, or it ended two workers";
    case MemberStatus::no_equilibrium:
      if (row.steps >= static_cast<std::uint64_t>(spec.time.steps))
        return "an equilibrium was found, but rounding hides how it answers the slowest displacements: their "
               "stiffness is too small beside that of the stiffest parts (rod.elements, stiffnesses)";
      if (spec.branch.exists() &&
          row.steps >= static_cast<std::uint64_t>(spec.time.steps - spec.branch.points))
        return "the branch could not be followed from its last point, as where nothing holds the rods "
               "against the loads, or has no bifurcation where branch.turns leaves it (branch.step, "
               "branch.points)";
      return std::string(
                 "no equilibrium was found however small a part of the load was added: loads may be larger "
                 "than what holds the rods, or nothing holds them") +
             (spec.contact.kind != ContactKind::none ? ", or rods are in the way of what moves others" : "") +
             " (newton.iterations, newton.halvings)";
    case MemberStatus::gained_energy:
      return cause_of_gain(spec, row, study.deck());
    case MemberStatus::passed_through:
      return cause_of_passing(spec, row, study);
    case MemberStatus::out_of_points:
      return formatted(
          "its branch took the %d points of branch.points before %s: give it more of them, or a longer "
          "branch.step than %.4g",
          spec.branch.points, end_of_branch(spec.branch).c_str(), spec.branch.step);
    case MemberStatus::pending:
    case MemberStatus::done:
    case MemberStatus::unstable:
    case MemberStatus::stopped_early:
    case MemberStatus::pruned:
    case MemberStatus::settled:
      break;
  }
  return {};
}

std::string names_of(const std::vector<std::uint64_t>& members, const EnsembleFile& file) {
  std::string text;
  for (const std::uint64_t member : members) {
    const std::string point = point_text(file.schema(), file.read_rows(member, 1)[0].parameters);
    text += (text.empty() ? "member " : ", member ") + std::to_string(member);
    if (!point.empty()) text += " (" + point + ")";
  }
  return text;
}

}  // namespace

void EndCounts::add(const EndedMember& ended) {
  const auto status = static_cast<std::size_t>(ended.status);
  ++count_[status];
  std::vector<std::uint64_t>& first = first_[status];
  if (first.size() < most_named || ended.member < first.back()) {
    first.insert(std::ranges::upper_bound(first, ended.member), ended.member);
    if (first.size() > most_named) first.pop_back();
  }
  if (!ended_well(ended.status) || !objective_place_) return;
  const double objective = ended.observable(*objective_place_);
  if (!std::isfinite(objective)) {
    ++unmeasured_;
    first_unmeasured_ = std::min(first_unmeasured_, ended.member);
    return;
  }
  ++measured_;
  least_ = std::min(least_, objective);
  most_ = std::max(most_, objective);
}

std::uint64_t EndCounts::all() const {
  return std::accumulate(count_.begin(), count_.end(), std::uint64_t{0});
}

std::uint64_t EndCounts::well() const {
  std::uint64_t sum = 0;
  for (int status = 0; status < member_status_count; ++status) {
    if (ended_well(static_cast<MemberStatus>(status))) sum += count_[static_cast<std::size_t>(status)];
  }
  return sum;
}

std::string outcome_report(const EndCounts& ends, bool none_well, const EnsembleFile& file, Study& study) {
  if (ends.badly() == 0) return {};
  const auto all = static_cast<unsigned long long>(ends.all());
  std::string text = all == 1 ? "the only member did not end well:\n"
                              : formatted("none of the %llu members ended well:\n", all);
  if (!none_well) {
    text = formatted("%llu of %llu members that ended did not end well:\n",
                     static_cast<unsigned long long>(ends.badly()), all);
  }
  for (int place = 1; place < member_status_count; ++place) {
    const auto status = static_cast<MemberStatus>(place);
    const std::vector<std::uint64_t>& first = ends.first(status);
    if (first.empty() || ended_well(status) || status == MemberStatus::pruned) continue;
    text += "  " + std::string(to_string(status)) + ": " + std::to_string(ends.of(status)) + ", " +
            (ends.of(status) > first.size() ? "first " : "") + names_of(first, file) + "\n    likely cause" +
            (first.size() > 1 ? " for member " + std::to_string(first[0]) : "") + ": " +
            likely_cause(file.read_rows(first[0], 1)[0], study) + "\n";
  }
  return text;
}

std::string unmeasured_report(const EndCounts& ends, const EnsembleFile& file, Study& study) {
  if (ends.unmeasured() == 0 || ends.unmeasured() < ends.well()) return {};
  const std::size_t place = study.objectives().front().place;
  const ObservableList list = observables_of(study.deck());
  const ObservableList::Entry objective = list[place];
  const std::uint64_t first = ends.first_unmeasured();
  const double value = file.read_rows(first, 1)[0].observables[place];
  std::string text = "no member has a finite " + std::string(objective.name) +
                     ", the study's objective: of " + std::to_string(ends.unmeasured()) +
                     " that ended well " + (std::isnan(value) ? "it is no number (nan)" : "it is infinite") +
                     ", first of " + names_of({first}, file) + "\n    " + std::string(objective.name) + ": " +
                     std::string(objective.text) + "\n";
  const Deck& deck = study.deck();
  const std::size_t measures =
      deck.has_value("measure.define"_key) ? deck.texts("measure.define"_key).size() : 0;
  if (place + measures >= list.size()) {
    text +=
        "    an expression has no number where it divides by zero, takes a root or logarithm of a negative "
        "number, or is of observables that have none\n";
  }
  return text;
}

std::string flat_objective_note(const EndCounts& ends, Study& study) {
  const bool compares = !study.objectives().empty() && study.plan().candidates() > 1 &&
                        study.plan().compares_candidates() && !study.plan().parameters().empty();
  if (!compares || !ends.flat()) return {};
  const ObservableList list = observables_of(study.deck());
  return formatted(
      "all %llu members that ended well have the same %s, %.6g: it tells no candidate from another\n",
      static_cast<unsigned long long>(ends.well()),
      std::string(list[study.objectives().front().place].name).c_str(), ends.objective());
}

}  // namespace rodeo
