#include "start_warnings.hpp"

#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "rodeo/models/models.hpp"

#include "data_doubts.hpp"

namespace rodeo {

namespace {

/// Number of candidates that something holds for, and what is said of the first.
struct Affected {
  std::uint64_t count = 0;
  std::uint64_t first = 0;
  std::string text;

  void add(std::uint64_t candidate, std::string about) {
    if (count++ > 0) return;
    first = candidate;
    text = std::move(about);
  }

  /// `what` is said of some of them, all of which `whole` counts.
  std::string sentence(const std::string& what, std::uint64_t whole, bool adaptive) const {
    std::ostringstream sentence;
    sentence << what;
    if (whole == 1) {
      sentence << ": " << text;
      return sentence.str();
    }
    sentence << ", in " << count << " of " << whole
             << (adaptive ? " points at the parameters' bounds" : " candidates") << "; in "
             << (adaptive ? "point " : "candidate ") << first << ' ' << text;
    return sentence.str();
  }
};

void lessen(StepBound& least, const StepBound& bound) {
  if (bound.step < least.step) least = bound;
}

std::string step_text(double step, const StepBound& bound) {
  std::ostringstream text;
  text.precision(3);
  text << "the step is " << step << " s, and " << bound.by << " allows " << bound.step << " s";
  return text.str();
}

}  // namespace

StartWarnings::StartWarnings(Study& study, const Look& look) {
  const bool adaptive = study.plan().adaptive();
  const std::vector<std::vector<double>> probes = study.probes();
  const std::uint64_t candidates = adaptive ? probes.size() : study.plan().candidates();
  Affected unstable;
  std::map<std::string_view, Affected> of_start;
  for (std::uint64_t k = 0; k < candidates; ++k) {
    const std::vector<double> point = adaptive ? probes[k] : study.plan().point(k);
    std::optional<MemberSpec> changed;
    if (study.has_reruns()) changed = study.job(k * study.members_of_candidate(), point).spec;
    const MemberSpec& spec = changed ? *changed : study.spec(point);
    if (look) look(k, point, spec);
    const StepBounds bounds = step_bounds(spec);
    lessen(least_.internal, bounds.internal);
    lessen(least_.contact, bounds.contact);
    lessen(least_.ground, bounds.ground);
    lessen(least_.connections, bounds.connections);
    lessen(least_.loads, bounds.loads);
    lessen(least_.all, bounds.all);
    if (spec.time.step > bounds.all.step) unstable.add(k, step_text(spec.time.step, bounds.all));
    for (const StartWarning& warning : warnings_at_start(spec))
      of_start[warning.what].add(k, warning.details);
    for (const StartWarning& doubt : data_doubts(spec, study.deck().places("measure.point"_key))) {
      of_start[doubt.what].add(k, doubt.details);
    }
  }
  if (unstable.count > 0) {
    texts_.push_back(unstable.sentence(
        "time.step is above its stability bound, so that members may diverge or gain energy", candidates,
        adaptive));
  }
  if (!study.start_note().empty()) texts_.push_back(study.start_note());
  for (const auto& [what, affected] : of_start) {
    texts_.push_back(affected.sentence(std::string(what), candidates, adaptive));
  }
}

}  // namespace rodeo
