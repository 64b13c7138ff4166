#include "rodeo/dispatch/check_report.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <Kokkos_Core.hpp>

#include "rodeo/dispatch/machine.hpp"
#include "rodeo/fluid/stokeslet_drag.hpp"
#include "rodeo/input/frame_contents.hpp"
#include "rodeo/input/listing.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/placement.hpp"
#include "rodeo/member/team.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "cost_trial.hpp"
#include "start_warnings.hpp"
#include "study.hpp"

namespace rodeo {

std::vector<std::pair<std::string, std::string>> method_lines(const MethodForecast& forecast) {
  if (!forecast.by_implicit) return {};
  const auto in_steps = [](const MethodCost& cost) {
    std::ostringstream text;
    text.precision(2);
    text << ", in steps of " << cost.step << " s";
    return text.str();
  };
  std::vector<std::pair<std::string, std::string>> lines;
  if (const auto& cost = forecast.by_explicit) {
    lines.emplace_back("explicit",
                       format_time(cost->seconds) + " a member or so" + in_steps(*cost) +
                           (forecast.is_stable ? "" : ": 0.9 of the stable one, whatever the motion"));
  }
  std::string implicit =
      format_time(forecast.by_implicit->seconds) + " or so" + in_steps(*forecast.by_implicit);
  if (!forecast.is_implicit)
    implicit += ": for errors of 1e-3 where motion has a period of " + format_time(forecast.period);
  lines.emplace_back("implicit", implicit);
  if (forecast.at_rest)
    lines.emplace_back("static",
                       format_time(forecast.at_rest->seconds) + " or so, for the equilibrium alone");
  lines.emplace_back("cheapest",
                     std::string(forecast.implicit_wins() ? "implicit" : "explicit") +
                         " steps for such motion; explicit ones for what waves of stretch and shear do" +
                         (forecast.at_rest ? "; static where only the rest counts" : ""));
  return lines;
}

namespace {

/// How long `rodeo check` times steps.
constexpr std::chrono::milliseconds trial_patience{250};

/// Text under a name, one line or several.
struct Line {
  std::string name;
  std::string text;
};

/// Members that a deck would run, and the time and memory that they take.
struct Findings {
  std::string study;  ///< its kind
  std::vector<std::string> variation;
  std::string points_file;
  std::uint64_t candidates = 0;
  std::uint32_t scenarios = 1;
  std::uint32_t repeats = 1;
  std::vector<std::string> scenario_variation;
  std::uint64_t members = 0;
  bool adaptive = false;
  std::optional<double> expected_members;
  std::string size_note;
  std::string cost_note;
  std::vector<Line> rods_and_fluid;
  double steps = 0.0;
  int most_shared_elements = 0;
  CostTrial trial;
  double seconds = 0.0;        ///< of all members on one core
  double plain_seconds = 0.0;  ///< of the plain study; 0: there is none
  double plain_times = 0.0;
  std::uint64_t file_bytes = 0;
  std::uint64_t kept_bytes = 0;  ///< of the file of kept frames; 0: there is none
  std::uint64_t kept_members = 0;
  double memory = 0.0;  ///< of a member in flight, bytes
  std::optional<MethodForecast> forecast;
  StepBounds bounds;
  std::vector<std::string> warnings;
};

template <class... Parts>
std::string joined(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

/// Predicted time of all members, from a trial on this machine where there can be one.
std::vector<Line> cost_lines(const Findings& found) {
  std::string text = format_time(found.seconds) + " on one core";
  if (found.expected_members) {
    text = format_time(found.seconds * *found.expected_members / static_cast<double>(found.members)) +
           " on one core or so, " + format_time(found.seconds) + " at most";
  } else {
    text += found.cost_note;
  }
  const CostTrial& trial = found.trial;
  if (trial.steps == 0) {
    text += " (from what steps take elsewhere, not measured)";
  } else {
    text += joined(" (measured here by the first ", trial.steps, " steps of ", trial.members, " member",
                   trial.members == 1 ? "" : "s",
                   trial.contact ? "; contact that comes later takes longer)" : ")");
  }
  std::vector<Line> lines{{"predicted", text}};
  if (found.plain_seconds > 0.0) {
    std::ostringstream plain;
    plain.precision(3);
    plain << format_time(found.plain_seconds) << " on one core at most, " << found.plain_times
          << " times as many";
    lines.push_back({"plain study", plain.str()});
  }
  return lines;
}

/// Line on the threads that take the steps of a member of so many elements: on one rank, which has all
/// threads of this machine.
Line threads_line(std::uint64_t members, int elements) {
  const int threads = threads_of_rank(MPI_COMM_NULL);
  const int at_once = static_cast<int>(std::min(members, static_cast<std::uint64_t>(threads)));
  const int shared = threads_of_member(threads, std::max(at_once, 1), elements);
  return {"threads",
          shared > 1 ? joined(shared, " a member on one rank, which share its elements") : "one a member"};
}

/// Lines of varied values under a name, one entry each; `points_file` if the first one comes from there.
std::vector<Line> variation_lines(const std::string& name, const std::vector<std::string>& entries,
                                  const std::string& points_file) {
  constexpr std::size_t most_lines = 10;
  std::vector<Line> lines;
  for (std::size_t k = 0; k < std::min(entries.size(), most_lines); ++k) {
    const bool from_file = k == 0 && !points_file.empty();
    lines.push_back({k == 0 ? name : "", entries[k] + (from_file ? " of " + points_file : "")});
  }
  if (entries.size() > most_lines)
    lines.push_back({"", joined("and ", entries.size() - most_lines, " more")});
  return lines;
}

/// Lines of the step's bound, and of its causes where there are several.
std::vector<Line> bounds_lines(const StepBounds& bounds) {
  if (std::isinf(bounds.all.step)) return {};
  std::vector<Line> lines{{"stable step", joined(bounds.all.step, " s (the smallest bound of all members)")}};
  if (std::isinf(bounds.contact.step) && std::isinf(bounds.ground.step) &&
      std::isinf(bounds.connections.step) && std::isinf(bounds.loads.step))
    return lines;
  const auto add = [&](const char* cause, const StepBound& bound) {
    if (std::isfinite(bound.step)) lines.push_back({cause, joined(bound.step, " s by ", bound.by)});
  };
  add("  internal", bounds.internal);
  add("  contact", bounds.contact);
  add("  ground", bounds.ground);
  add("  connections", bounds.connections);
  add("  loads", bounds.loads);
  return lines;
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

  /// Nothing if no member has several rods.
  std::optional<Line> line() const {
    if (most_ <= 1) return std::nullopt;
    std::ostringstream line;
    line.precision(3);
    line << fewest_;
    if (fewest_ < most_) line << " to " << most_;
    line << " a member";
    if (largest_ > 0.0) {
      line << ", which take " << smallest_;
      if (smallest_ < largest_) line << " to " << largest_;
      line << " of the volume of rod.region";
    }
    return Line{"rods", line.str()};
  }

 private:
  int fewest_ = std::numeric_limits<int>::max();
  int most_ = 0;
  double smallest_ = std::numeric_limits<double>::infinity();
  double largest_ = 0.0;
};

/// Method by which the fluid of members is summed.
class FluidLine {
 public:
  void add(const MemberSpec& spec) {
    if (!spec.fluid.acts_by(FluidKind::stokeslets)) return;
    (fluid::stokeslet_summation(spec) == fluid::Summation::clusters ? have_clusters_ : have_matrix_) = true;
  }

  /// Nothing without Stokeslets.
  std::optional<Line> line() const {
    if (!have_clusters_ && !have_matrix_) return std::nullopt;
    const std::string matrix = have_matrix_ ? "a matrix of all pairs of nodes" : "";
    const std::string clusters = have_clusters_ ? "sums over clusters of nodes" : "";
    const std::string both = have_matrix_ && have_clusters_ ? ", of large members " : "";
    return Line{"fluid", matrix + both + clusters};
  }

 private:
  bool have_matrix_ = false;
  bool have_clusters_ = false;
};

/// Whether the deck could have these values instead.
bool allows(const Deck& deck, const std::vector<std::string>& instead) {
  try {
    make_member_spec(Deck::parse(deck.printed(), "deck", instead));
    return true;
  } catch (const DeckError&) {
    return false;
  }
}

Findings look_at(const Deck& deck) {
  Study study(deck);
  Findings found;
  const Plan& plan = study.plan();
  found.study = deck.choice("study.kind"_key);
  found.variation = plan.variation();
  found.points_file = deck.points_file();
  found.candidates = plan.candidates();
  found.scenarios = study.scenarios().count();
  found.scenario_variation = study.scenarios().variation();
  found.repeats = study.repeats();
  found.members = study.members();
  found.expected_members = plan.expected_members();
  // Probes stand for the candidates of a plan that does not know them yet.
  found.adaptive = plan.adaptive();
  if (found.adaptive || found.expected_members) found.size_note = plan.size_note();
  const std::vector<std::vector<double>> probes = study.probes();
  const std::uint64_t looked_at = found.adaptive ? probes.size() : found.candidates;
  const std::vector<double> stand_for = plan.probe_candidates();
  RodLine rods;
  FluidLine fluid;
  Deck own = deck;
  const auto set_own = [&](const std::vector<double>& point) {
    for (std::size_t p = 0; p < point.size(); ++p) own.set(study.parameters()[p], point[p]);
  };
  const StartWarnings start(
      study, [&](std::uint64_t k, const std::vector<double>& point, const MemberSpec& spec) {
        if (!model_of(spec).has_rods) return;
        set_own(point);
        rods.add(own, spec);
        fluid.add(spec);
        const double share = static_cast<double>(found.candidates) / static_cast<double>(looked_at);
        const double counted = stand_for.empty() ? share : k < stand_for.size() ? stand_for[k] : 0.0;
        found.steps += static_cast<double>(spec.time.steps) * counted;
        if (spec.steps_explicitly())
          found.most_shared_elements = std::max(found.most_shared_elements, array_elements(spec));
      });
  found.bounds = start.bounds();
  found.steps *= study.members_of_candidate();
  for (const std::optional<Line>& line : {rods.line(), fluid.line()}) {
    if (line) found.rods_and_fluid.push_back(*line);
  }
  found.trial = Kokkos::is_initialized() ? run_cost_trial(study, trial_patience) : CostTrial{};
  found.cost_note = study.cost_note();
  found.seconds = 1e-9 * found.trial.slowness * study.cost();
  if (const double plain = study.plain_cost(); plain > 0.0) {
    found.plain_seconds = 1e-9 * found.trial.slowness * plain;
    found.plain_times = plain / study.cost();
  }
  found.file_bytes = ensemble_file_bytes(study.schema());
  if (const KeptFrames kept = kept_frames(deck); kept.kind == KeptFrames::Kind::best && looked_at > 0) {
    MemberRow row;
    row.parameters = found.adaptive ? probes.front() : study.point(0);
    found.kept_members = std::min(kept.count, study.members());
    const Study again(deck, std::vector<MemberRow>(found.kept_members, row));
    found.kept_bytes = ensemble_file_bytes(again.schema());
  }
  found.memory = study.largest_memory();
  if (looked_at > 0) {
    const std::vector<double> point = found.adaptive ? probes.front() : study.point(0);
    set_own(point);
    found.forecast =
        forecast_methods(study.spec(point), [&own](const auto& instead) { return allows(own, instead); });
  }
  if (found.memory > machine_memory()) {
    found.warnings.push_back("a member in flight takes more than the " + format_bytes(machine_memory()) +
                             " of memory that this machine has: run refuses it here");
  }
  found.warnings.insert(found.warnings.end(), start.texts().begin(), start.texts().end());
  return found;
}

void append(std::vector<Line>& lines, const std::vector<Line>& further) {
  lines.insert(lines.end(), further.begin(), further.end());
}

/// Lines of the report: members, time and warnings first, then steps, methods and further costs.
std::vector<Line> lines_of(const Findings& found) {
  const char* const at_most = found.adaptive || found.expected_members ? " at most" : "";
  std::vector<Line> lines{{"study", found.study}};
  append(lines, variation_lines("varied", found.variation, found.points_file));
  append(lines, variation_lines("scenarios", found.scenario_variation, ""));
  const std::string scenarios =
      found.scenario_variation.empty() ? "" : joined(found.scenarios, " scenarios x ");
  lines.push_back({"members", joined(found.members, at_most, " (", found.candidates, " candidates x ",
                                     scenarios, found.repeats, " repeats)")});
  if (found.adaptive)
    lines.push_back({"evaluations", joined(found.candidates, " at most, ", found.size_note)});
  if (found.expected_members) {
    lines.push_back(
        {"expected", joined(std::llround(*found.expected_members), " members or so",
                            found.adaptive || found.size_note.empty() ? "" : ", " + found.size_note)});
  }
  append(lines, cost_lines(found));
  for (const std::string& warning : found.warnings) lines.push_back({"warning:", warning});
  append(lines, found.rods_and_fluid);
  lines.push_back({"steps", joined(found.steps, " in all", found.cost_note)});
  append(lines, bounds_lines(found.bounds));
  if (found.forecast) {
    for (const auto& [name, text] : method_lines(*found.forecast)) lines.push_back({name, text});
  }
  if (found.most_shared_elements > 0)
    lines.push_back(threads_line(found.members, found.most_shared_elements));
  if (found.memory > 0.0) lines.push_back({"memory", format_bytes(found.memory) + " a member in flight"});
  lines.push_back({"file size", format_bytes(static_cast<double>(found.file_bytes))});
  if (found.kept_bytes > 0) {
    lines.push_back(
        {"kept frames", joined(format_bytes(static_cast<double>(found.kept_bytes)), " beside it, of ",
                               found.kept_members, " members that run once more")});
  }
  return lines;
}

std::string method_json(const MethodCost& cost) {
  return JsonObject().add_number("seconds", cost.seconds).add_number("step", cost.step).text();
}

}  // namespace

std::string check_report(const Deck& deck, bool whole_deck, const Screen& screen) {
  constexpr std::size_t indent = 17;
  const std::string comment = whole_deck ? "# " : "";
  const std::size_t columns = screen.is_terminal() ? text_columns() : std::numeric_limits<int>::max();
  std::string report;
  for (const Line& line : lines_of(look_at(deck))) {
    const bool warns = line.name == "warning:";
    const std::string name =
        line.name + std::string(warns ? 1 : indent - std::min(line.name.size(), indent), ' ');
    const Tone tone = warns                      ? Tone::caution
                      : line.name == "members"   ? Tone::strong
                      : line.name == "predicted" ? Tone::strong
                                                 : Tone::plain;
    std::string begin = comment + screen.painted(warns ? tone : Tone::faint, name);
    for (const std::string& part : wrapped(line.text, columns - name.size() - comment.size())) {
      report.append(begin).append(screen.painted(warns ? Tone::plain : tone, part)).append("\n");
      begin = comment + std::string(name.size(), ' ');
    }
  }
  return whole_deck ? report + "\n" + deck.printed() : report;
}

std::string check_report_as_json(const Deck& deck) {
  const Findings found = look_at(deck);
  JsonObject report;
  report.add_text("study", found.study).add("varied", json_texts(found.variation));
  report.add_count("candidates", found.candidates).add_count("scenarios", found.scenarios);
  report.add("scenarios_varied", json_texts(found.scenario_variation)).add_count("repeats", found.repeats);
  report.add_count("members", found.members)
      .add_flag("members_at_most", found.adaptive || found.expected_members);
  report.add("expected_members", found.expected_members ? json_number(*found.expected_members) : "null");
  report.add_number("steps", found.steps).add_number("core_seconds", found.seconds);
  report.add_flag("core_seconds_measured", found.trial.steps > 0);
  report.add_count("file_bytes", found.file_bytes).add_count("kept_frames_bytes", found.kept_bytes);
  report.add_number("member_bytes", found.memory);
  JsonObject bounds;
  bounds.add_number("all", found.bounds.all.step).add_number("internal", found.bounds.internal.step);
  bounds.add_number("contact", found.bounds.contact.step).add_number("ground", found.bounds.ground.step);
  bounds.add_number("connections", found.bounds.connections.step);
  bounds.add_number("loads", found.bounds.loads.step);
  report.add("stable_step", bounds.text());
  JsonObject methods;
  if (found.forecast && found.forecast->by_explicit)
    methods.add("dynamic", method_json(*found.forecast->by_explicit));
  if (found.forecast && found.forecast->by_implicit)
    methods.add("implicit", method_json(*found.forecast->by_implicit));
  if (found.forecast && found.forecast->at_rest) methods.add("static", method_json(*found.forecast->at_rest));
  report.add("methods", methods.text()).add("warnings", json_texts(found.warnings));
  return report.add_text("deck", deck.printed()).text() + "\n";
}

}  // namespace rodeo
