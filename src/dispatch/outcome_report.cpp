#include "outcome_report.hpp"

#include <array>
#include <cmath>
#include <cstdio>

#include "rodeo/input/measures.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/output/member_row.hpp"
#include "rodeo/output/status_report.hpp"

namespace rodeo {

namespace {

template <class... Values>
std::string formatted(const char* format, Values... values) {
  std::array<char, 512> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
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
      "elements so "
      "long, or rods overlap at the start",
      step, bound.step);
}

/// Why a member ended as it did, as far as its specification tells.
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
      return cause_of_divergence(spec);
    case MemberStatus::timed_out:
      return formatted("it took longer than study.deadline = %.4g s",
                       study.deck().number("study.deadline"_key));
    case MemberStatus::too_stiff:
      if (spec.time.step > step_bounds(spec).all.step) return cause_of_divergence(spec);
      return "a step did not converge however short it was made (newton.iterations, newton.tolerance)";
    case MemberStatus::tangled:
      return "a step did not converge however short it was made, while rods were in contact "
             "(contact.tolerance, newton.iterations)";
    case MemberStatus::failed:
      return "more elements came close to each other than there is room for, or it ended two workers";
    case MemberStatus::no_equilibrium:
      if (spec.branch.exists() &&
          row.steps >= static_cast<std::uint64_t>(spec.time.steps - spec.branch.points))
        return "the branch could not be followed from its last point, or has no bifurcation where "
               "branch.turns "
               "leaves it (branch.step, branch.points)";
      return "no equilibrium was found however small a part of the load was added: loads may be larger than "
             "what holds the rods, or nothing holds them (newton.iterations, newton.halvings)";
    case MemberStatus::gained_energy:
      return "its energy grew without work";
    case MemberStatus::passed_through:
      return "rods passed through each other or through a solid";
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
