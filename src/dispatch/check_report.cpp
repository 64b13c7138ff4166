#include "rodeo/dispatch/check_report.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iomanip>
#include <limits>
#include <optional>
#include <sstream>

#include <Kokkos_Core.hpp>

#include "rodeo/dispatch/machine.hpp"
#include "rodeo/fluid/stokeslet_drag.hpp"
#include "rodeo/input/kept_frames.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/placement.hpp"
#include "rodeo/member/team.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/member_row.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "cost_trial.hpp"
#include "member_memory.hpp"
#include "method_forecast.hpp"
#include "start_warnings.hpp"
#include "study.hpp"

namespace rodeo {

namespace {

/// How long `rodeo check` times steps.
constexpr std::chrono::milliseconds trial_patience{250};

/// Predicted time of all members, from a trial on this machine where there can be one.
std::string cost_line(Study& study) {
  const CostTrial trial = Kokkos::is_initialized() ? run_cost_trial(study, trial_patience) : CostTrial{};
  const double hours = trial.slowness * study.cost() / 3.6e12;
  std::ostringstream line;
  line << "# predicted        ";
  if (const std::optional<double> expected = study.plan().expected_members()) {
    line << hours * *expected / static_cast<double>(study.members()) << " core-hours or so, " << hours
         << " at most";
  } else {
    line << hours << " core-hours" << study.cost_note();
  }
  if (trial.steps == 0) {
    line << " (from what steps take elsewhere, not measured)\n";
  } else {
    line << " (measured here by the first " << trial.steps << " steps of " << trial.members << " member"
         << (trial.members == 1 ? "" : "s")
         << (trial.contact ? "; contact that comes later takes longer)\n" : ")\n");
  }
  if (const double plain = study.plain_cost(); plain > 0.0) {
    line << "# plain study      " << trial.slowness * plain / 3.6e12 << " core-hours at most, "
         << std::setprecision(3) << plain / study.cost() << " times as many\n";
  }
  return line.str();
}

/// How many threads take the steps of a member of so many elements: on one rank, which has those of this
/// machine.
std::string threads_line(std::uint64_t members, int elements) {
  const int threads = threads_of_rank(MPI_COMM_NULL);
  const int at_once = static_cast<int>(std::min(members, static_cast<std::uint64_t>(threads)));
  const int shared = threads_of_member(threads, std::max(at_once, 1), elements);
  std::ostringstream line;
  line << "# threads          ";
  if (shared > 1) {
    line << shared << " a member on one rank, which share its elements\n";
  } else {
    line << "one a member\n";
  }
  return line.str();
}

/// What varies, an entry a line; `points_file` if that is where the first one comes from.
std::string variation_lines(const Plan& plan, const std::string& points_file) {
  constexpr std::size_t most_lines = 10;
  const std::vector<std::string> entries = plan.variation();
  std::string lines;
  for (std::size_t k = 0; k < std::min(entries.size(), most_lines); ++k) {
    lines += (k == 0 ? "# varied           " : "#                  ") + entries[k];
    if (k == 0 && !points_file.empty()) lines += " of " + points_file;
    lines += '\n';
  }
  if (entries.size() <= most_lines) return lines;
  return lines + "#                  and " + std::to_string(entries.size() - most_lines) + " more\n";
}

/// The bound of the step, and those of its causes where there are several.
std::string bounds_text(const StepBounds& bounds) {
  if (std::isinf(bounds.all.step)) return {};
  std::ostringstream text;
  text << "# stable step      " << bounds.all.step << " s (the smallest bound of all members)\n";
  if (std::isinf(bounds.contact.step) && std::isinf(bounds.ground.step) &&
      std::isinf(bounds.connections.step))
    return text.str();
  text << "#   internal       " << bounds.internal.step << " s by " << bounds.internal.by << '\n';
  if (std::isfinite(bounds.contact.step))
    text << "#   contact        " << bounds.contact.step << " s by " << bounds.contact.by << '\n';
  if (std::isfinite(bounds.ground.step))
    text << "#   ground         " << bounds.ground.step << " s by " << bounds.ground.by << '\n';
  if (std::isfinite(bounds.connections.step))
    text << "#   connections    " << bounds.connections.step << " s by " << bounds.connections.by << '\n';
  return text.str();
}

/// The rods of members, and what they take of rod.region.
class RodLine {
 public:
  void add(const Deck& deck, const MemberSpec& spec) {
    fewest_ = std::min(fewest_, spec.rod_count());
    most_ = std::max(most_, spec.rod_count());
    const std::optional<double> share = volume_share(deck, spec);
    if (!share) return;
    smallest_ = std::min(smallest_, *share);
    largest_ = std::max(largest_, *share);
  }

  /// Empty if no member has several rods.
  std::string text() const {
    if (most_ <= 1) return {};
    std::ostringstream line;
    line.precision(3);
    line << "# rods             " << fewest_;
    if (fewest_ < most_) line << " to " << most_;
    line << " a member";
    if (largest_ > 0.0) {
      line << ", which take " << smallest_;
      if (smallest_ < largest_) line << " to " << largest_;
      line << " of the volume of rod.region";
    }
    line << '\n';
    return line.str();
  }

 private:
  int fewest_ = std::numeric_limits<int>::max();
  int most_ = 0;
  double smallest_ = std::numeric_limits<double>::infinity();
  double largest_ = 0.0;
};

/// How the fluid of members is summed.
class FluidLine {
 public:
  void add(const MemberSpec& spec) {
    if (!spec.fluid.acts_by(FluidKind::stokeslets)) return;
    (fluid::stokeslet_summation(spec) == fluid::Summation::clusters ? have_clusters_ : have_matrix_) = true;
  }

  /// Empty without Stokeslets.
  std::string text() const {
    if (!have_clusters_ && !have_matrix_) return {};
    const std::string matrix = have_matrix_ ? "a matrix of all pairs of nodes" : "";
    const std::string clusters = have_clusters_ ? "sums over clusters of nodes" : "";
    const std::string both = have_matrix_ && have_clusters_ ? ", of large members " : "";
    return "# fluid            " + matrix + both + clusters + '\n';
  }

 private:
  bool have_matrix_ = false;
  bool have_clusters_ = false;
};

}  // namespace

std::string check_report(const Deck& deck) {
  Study study(deck);
  std::ostringstream report;
  report << deck.printed() << '\n';
  const std::uint64_t candidates = study.plan().candidates();
  // Of a plan whose candidates are not known yet, its probes stand for them.
  const bool adaptive = study.plan().adaptive();
  const std::vector<std::vector<double>> probes = study.plan().probes();
  const std::uint64_t looked_at = adaptive ? probes.size() : candidates;
  const std::vector<double> stand_for = study.plan().probe_candidates();
  double steps = 0.0;
  int most_shared_elements = 0;
  RodLine rods;
  FluidLine fluid;
  Deck own = deck;
  for (std::uint64_t k = 0; k < looked_at; ++k) {
    const std::vector<double> point = adaptive ? probes[k] : study.plan().point(k);
    const MemberSpec spec = study.job(k * study.repeats(), point).spec;
    if (!model_of(spec).has_rods) continue;
    for (std::size_t p = 0; p < point.size(); ++p) own.set(study.plan().parameters()[p], point[p]);
    rods.add(own, spec);
    fluid.add(spec);
    const double share = static_cast<double>(candidates) / static_cast<double>(looked_at);
    steps += static_cast<double>(spec.time.steps) * (stand_for.empty() ? share : stand_for[k]);
    // What takes explicit steps.
    if (model_of(spec).make_batch == models::cosserat::make_batch)
      most_shared_elements = std::max(most_shared_elements, array_elements(spec));
  }
  const char* const at_most = adaptive || study.plan().expected_members() ? " at most" : "";
  report << variation_lines(study.plan(), deck.points_file());
  report << "# members          " << study.members() << at_most << " (" << candidates << " candidates x "
         << study.repeats() << " repeats)\n";
  if (adaptive) {
    report << "# evaluations      " << candidates << " at most, " << study.plan().size_note() << '\n';
  }
  if (const std::optional<double> expected = study.plan().expected_members()) {
    report << "# expected         " << std::llround(*expected) << " members or so, "
           << study.plan().size_note() << '\n';
  }
  report << rods.text() << fluid.text();
  if (most_shared_elements > 0) report << threads_line(study.members(), most_shared_elements);
  report << "# steps            " << steps * study.repeats() << " in all" << study.cost_note() << '\n'
         << cost_line(study) << "# file size        "
         << format_bytes(static_cast<double>(ensemble_file_bytes(study.schema()))) << '\n';
  if (const KeptFrames kept = kept_frames(deck); kept.kind == KeptFrames::Kind::best && looked_at > 0) {
    MemberRow row;
    row.parameters = adaptive ? probes.front() : study.plan().point(0);
    const std::uint64_t count = std::min(kept.count, study.members());
    const Study again(deck, std::vector<MemberRow>(count, row));
    report << "# kept frames      " << format_bytes(static_cast<double>(ensemble_file_bytes(again.schema())))
           << " beside it, of " << count << " members that run once more\n";
  }
  const double memory = study.largest_memory();
  if (memory > 0.0) report << "# memory           " << format_bytes(memory) << " a member in flight\n";
  if (looked_at > 0) {
    const std::vector<double> point = adaptive ? probes.front() : study.plan().point(0);
    for (std::size_t p = 0; p < point.size(); ++p) own.set(study.plan().parameters()[p], point[p]);
    report << method_lines(own, study.job(0, point).spec);
  }
  const StartWarnings start(study);
  report << bounds_text(start.bounds());
  if (memory > machine_memory()) {
    report << "# warning: a member in flight takes more than the " << format_bytes(machine_memory())
           << " of memory that this machine has: run refuses it here\n";
  }
  for (const std::string& text : start.texts()) report << "# warning: " << text << '\n';
  return report.str();
}

}  // namespace rodeo
