#include "start_warnings.hpp"

#include <optional>
#include <sstream>
#include <utility>

#include "rodeo/member/start_state.hpp"

namespace rodeo {

namespace {

/// How many candidates something holds for, and what is said of the first.
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

void lessen(cosserat::StepBound& least, const cosserat::StepBound& bound) {
  if (bound.step < least.step) least = bound;
}

std::string step_text(double step, const cosserat::StepBound& bound) {
  std::ostringstream text;
  text.precision(3);
  text << "the step is " << step << " s, and " << bound.by << " allows " << bound.step << " s";
  return text.str();
}

std::string depth_text(const StartDepth& start) {
  std::ostringstream text;
  text.precision(3);
  text << "element " << start.place.element << " of rod " << start.place.rod << " by " << start.depth
       << " m, with a radius of " << start.radius << " m";
  return text.str();
}

}  // namespace

StartWarnings::StartWarnings(Study& study) {
  const bool adaptive = study.plan().adaptive();
  const std::vector<std::vector<double>> probes = study.plan().probes();
  const std::uint64_t candidates = adaptive ? probes.size() : study.plan().candidates();
  Affected unstable;
  Affected sunk;
  for (std::uint64_t k = 0; k < candidates; ++k) {
    const MemberSpec spec = study.job(k * study.repeats(), adaptive ? probes[k] : study.plan().point(k)).spec;
    if (spec.model != ModelKind::cosserat) continue;
    const cosserat::StepBounds bounds = cosserat::step_bounds(spec);
    lessen(least_.internal, bounds.internal);
    lessen(least_.contact, bounds.contact);
    lessen(least_.ground, bounds.ground);
    lessen(least_.all, bounds.all);
    if (spec.time.step > bounds.all.step) unstable.add(k, step_text(spec.time.step, bounds.all));
    if (const auto start = depth_at_start(spec)) sunk.add(k, depth_text(*start));
  }
  if (unstable.count > 0) {
    texts_.push_back(unstable.sentence(
        "time.step is above its stability bound, so that members may diverge or gain energy", candidates,
        adaptive));
  }
  if (!study.overlap_note().empty()) texts_.push_back(study.overlap_note());
  if (sunk.count > 0) {
    texts_.push_back(sunk.sentence("rods stand in the ground as they start, which throws them out of it",
                                   candidates, adaptive));
  }
}

}  // namespace rodeo
