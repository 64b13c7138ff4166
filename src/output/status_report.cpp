#include "rodeo/output/status_report.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <string>
#include <sys/stat.h>

#include "rodeo/input/listing.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/terminal.hpp"
#include "rodeo/output/checkpoint_folder.hpp"
#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"

namespace rodeo {

namespace {

struct Summary {
  double minimum = std::numeric_limits<double>::infinity();
  double maximum = -std::numeric_limits<double>::infinity();
  double sum = 0.0;
  std::uint64_t count = 0;

  void add(double value) {
    if (!std::isfinite(value)) return;
    minimum = std::min(minimum, value);
    maximum = std::max(maximum, value);
    sum += value;
    ++count;
  }
  double mean() const { return sum / static_cast<double>(count); }
};

/// The best member so far, or where candidates meet scenarios the best candidate, with its first member.
struct Best {
  std::uint64_t member = 0;
  std::uint64_t candidate = 0;
  double value = std::numeric_limits<double>::quiet_NaN();
};

struct Totals {
  std::array<std::uint64_t, member_status_count> members{};
  std::vector<Summary> observables;
  double wall_seconds = 0.0;
  std::uint64_t damaged = 0;  ///< rows that have to run again
  Best best;
};

std::size_t column_of(const EnsembleSchema& schema, std::string_view observable) {
  return static_cast<std::size_t>(std::ranges::find(schema.observable_names, observable) -
                                  schema.observable_names.begin());
}

/// `column` is the objective's.
Totals add_up(const EnsembleReader& reader, const StudyState& study, std::size_t column,
              const Objective& objective) {
  const EnsembleSchema& schema = reader.schema();
  Objective in_file = objective;
  in_file.place = column;
  for (Constraint& constraint : in_file.constraints) constraint.place = column_of(schema, constraint.name);
  if (objective.scenarios <= 1) in_file.members = 1;
  CandidateRows candidates(in_file);
  Totals totals;
  totals.observables.resize(schema.observable_names.size());
  const bool compares = column < schema.observable_names.size();
  reader.for_each_row([&](const MemberRow& row) {
    ++totals.members[static_cast<std::size_t>(row.status)];
    if (row.damaged) ++totals.damaged;
    const std::optional<Result> result = compares ? candidates.add(row) : std::nullopt;
    if (row.status == MemberStatus::pending) return;
    totals.wall_seconds += row.wall_seconds;
    if (!ended_well(row.status)) return;
    for (std::size_t i = 0; i < totals.observables.size(); ++i) totals.observables[i].add(row.observables[i]);
    if (!result || !study.counts(schema.of_candidate(row.parameters)) ||
        !fulfils(in_file.constraints, *result))
      return;
    const double sign = objective.largest ? 1.0 : -1.0;
    const double value = in_file.value(*result);
    if (std::isfinite(value) && !(sign * value <= sign * totals.best.value))
      totals.best = {candidates.first_member(), row.candidate, value};
  });
  return totals;
}

/// Rows with whole scalars and damaged frames. Not looked for where that would read so much that it takes
/// seconds.
std::uint64_t rows_of_damaged_frames(const EnsembleReader& reader) {
  constexpr std::uint64_t most_read = std::uint64_t{256} << 20;  // bytes
  if (reader.schema().frames == 0 || ensemble_file_bytes(reader.schema()) > most_read) return 0;
  const std::vector<bool> committed = reader.committed();
  std::uint64_t damaged = 0;
  reader.for_each_row([&](const MemberRow& row) {
    if (row.status != MemberStatus::pending && !committed[row.member]) ++damaged;
  });
  return damaged;
}

/// Seconds from the campaign's start to the last write, or nothing sensible (0) if a clock or text is off.
double elapsed_seconds(const std::string& path, const std::string& start_time) {
  std::tm start{};
  struct stat properties {};
  if (strptime(start_time.c_str(), "%Y-%m-%dT%H:%M:%S", &start) == nullptr ||
      stat(path.c_str(), &properties) != 0) {
    return 0.0;
  }
  return std::max(0.0, static_cast<double>(properties.st_mtim.tv_sec - timegm(&start)));
}

/// Members per second. The clock of a resumed campaign counts the pause too, so there the members' own times
/// tell.
double throughput(const Totals& totals, std::uint64_t finished, const Provenance& provenance,
                  const std::string& path) {
  const double seconds = provenance.resumes > 0 ? totals.wall_seconds / std::max(1, provenance.ranks)
                                                : elapsed_seconds(path, provenance.start_time);
  return seconds > 0.0 ? static_cast<double>(finished) / seconds : 0.0;
}

/// Share of their time that ranks spent in members; empty where the start of the clock is not that of the
/// work, or too little of it has passed to tell.
std::string busy_text(const Totals& totals, const Provenance& provenance, const std::string& path) {
  constexpr double shortest = 20.0;  // s: the start is known to the second
  const double seconds = elapsed_seconds(path, provenance.start_time);
  if (provenance.resumes > 0 || seconds < shortest) return {};
  const double share = totals.wall_seconds / (seconds * provenance.ranks);
  return formatted("ranks were in members %.1f %% of the time\n", std::min(100.0, 100.0 * share));
}

/// Names of the parameters that vary; of many the first ones.
std::string parameters_line(const EnsembleSchema& schema) {
  constexpr std::size_t most = 6;
  const std::size_t count = schema.parameter_names.size();
  if (count == 0) return {};
  const auto list = [&](std::span<const std::string> names) {
    const std::vector<NameRun> runs = runs_of(names);
    std::string text;
    for (std::size_t k = 0; k < std::min(runs.size(), most); ++k)
      text += formatted("%s %.60s", k == 0 ? "" : ",", runs[k].name.c_str());
    return text + (runs.size() > most ? formatted(" and %zu more\n", runs.size() - most) : "\n");
  };
  const std::span<const std::string> names(schema.parameter_names);
  const std::string moved = "varied:" + list(names.first(count - schema.scenario_parameters));
  if (schema.scenario.empty()) return moved;
  const std::uint32_t scenarios = *std::ranges::max_element(schema.scenario) + 1;
  return moved + counted(scenarios, "scenario") + ":" + list(names.last(schema.scenario_parameters));
}

/// Whether each observable of the file is shown.
std::vector<bool> places_shown(const EnsembleSchema& schema, const ShownObservables& shown) {
  const std::vector<std::string>& names = schema.observable_names;
  std::vector<bool> chosen(names.size(), false);
  if (shown.listed) {
    for (std::size_t k = 0; k < names.size(); ++k)
      chosen[k] = names[k].find(*shown.listed) != std::string::npos;
    return chosen;
  }
  for (const std::string& name : shown.asked) {
    if (const std::size_t place = column_of(schema, name); place < names.size()) chosen[place] = true;
  }
  return chosen;
}

const char* unit_at(const EnsembleSchema& schema, const ShownObservables& shown, std::size_t place) {
  return (place < shown.units.size() ? shown.units : schema.observable_units)[place].c_str();
}

/// Table of a file's observables: smallest, mean and largest value over the members that ended well.
std::string observable_table(const EnsembleSchema& schema, const Totals& totals,
                             const ShownObservables& shown) {
  std::string text;
  const std::vector<bool> chosen = places_shown(schema, shown);
  std::size_t count = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (!chosen[i]) continue;
    if (count++ == 0)
      text += formatted("%-28s %-10s %12s %12s %12s\n", "observable", "unit", "min", "mean", "max");
    const Summary& summary = totals.observables[i];
    text += formatted("%-28.60s %-10.20s", schema.observable_names[i].c_str(), unit_at(schema, shown, i));
    text += summary.count == 0
                ? formatted(" %12s %12s %12s\n", "-", "-", "-")
                : formatted(" %12.5g %12.5g %12.5g\n", summary.minimum, summary.mean(), summary.maximum);
  }
  if (count > 0 || !shown.listed) return text;
  return "no observable has " + in_quotes(*shown.listed) + " in its name" +
         question_about(*shown.listed, schema.observable_names) + " (rodeo observables)\n";
}

/// A parameter's number, or the word of "a|b|c" that it stands for.
std::string parameter_text(std::string_view words, double value) {
  const std::vector<std::string_view> choices = split(words, '|');
  if (words.empty() || !(value >= 0.0) || value >= static_cast<double>(choices.size())) {
    return formatted("%.6g", value);
  }
  return std::string(choices[static_cast<std::size_t>(value)]);
}

std::string best_line(const EnsembleReader& reader, const Best& best, std::size_t column, const char* unit,
                      const Objective& objective) {
  const EnsembleSchema& schema = reader.schema();
  const bool scenarios = objective.scenarios > 1;
  std::string text = formatted("best %.60s: %.6g %.20s, %s %llu", schema.observable_names[column].c_str(),
                               best.value, unit, scenarios ? "candidate" : "member",
                               static_cast<unsigned long long>(scenarios ? best.candidate : best.member));
  if (scenarios) text += ", " + objective.reduction();
  const std::vector<double> parameters = reader.read_rows(best.member, 1)[0].parameters;
  const std::string point = point_text(schema, schema.of_candidate(parameters));
  return text + (point.empty() ? "" : " at " + point) + "\n";
}

/// A sentence where the members that ended well all have the same objective; else empty. `parameters`: of the
/// study, which compares nothing without any.
std::string flat_objective_line(const Totals& totals, std::size_t column, const std::string& name,
                                std::size_t parameters) {
  if (parameters == 0 || column >= totals.observables.size()) return {};
  std::uint64_t well = 0;
  for (int status = 0; status < member_status_count; ++status) {
    if (ended_well(static_cast<MemberStatus>(status)))
      well += totals.members[static_cast<std::size_t>(status)];
  }
  const Summary& summary = totals.observables[column];
  if (well < 2 || summary.count != well || summary.minimum != summary.maximum) return {};
  return formatted("all %s that ended well have the same %.60s, %.6g: it tells no candidate from another\n",
                   counted(well, "member").c_str(), name.c_str(), summary.minimum);
}

/// Line about the running members, as the campaign noted them last.
std::string running_line(const RunningNote& note) {
  return formatted(
      "%.0f running, which took %.4g steps so far; %.4g steps/s in all, %.1f %% of the work done\n",
      note.members, note.steps, note.steps_per_second, 100.0 * std::min(1.0, note.share_done));
}

/// Seconds since the campaign wrote the note; a clock that is off counts as none.
double age(const RunningNote& note) {
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  return std::max(0.0, now.count() - note.written);
}

/// Seconds that an incomplete campaign has left; 0: not known. A note of running members knows better than
/// the rows of ended ones.
double seconds_left(const std::optional<RunningNote>& note, std::uint64_t members_left, double rate) {
  if (note && note->seconds_left > 0.0) return std::max(1.0, note->seconds_left - age(*note));
  return rate > 0.0 ? static_cast<double>(members_left) / rate : 0.0;
}

}  // namespace

std::string point_text(const EnsembleSchema& schema, std::span<const double> parameters) {
  constexpr std::size_t most_of_list = 6;
  std::string text;
  const std::span<const std::string> names(schema.parameter_names);
  for (const NameRun& run : runs_of(names.first(parameters.size()))) {
    // Few entries of a list each with its name; of a long one those that a line has room for.
    const bool together = run.count > most_of_list;
    const std::size_t shown = std::min(run.count, most_of_list);
    for (std::size_t i = run.first; i < run.first + shown; ++i) {
      text.append(i == 0 ? "" : ", ");
      if (!together || i == run.first)
        text += formatted("%.60s = ", (together ? run.name : schema.parameter_names[i]).c_str());
      text += parameter_text(schema.parameter_words[i], parameters[i]);
    }
    if (shown < run.count) text += ", ...";
  }
  return text;
}

std::optional<std::uint64_t> best_member(const EnsembleReader& reader, const Objective& objective) {
  const StudyState study = reader.study_state();
  const Best best = add_up(reader, study, column_of(reader.schema(), objective.name), objective).best;
  return std::isnan(best.value) ? std::nullopt : std::optional(best.member);
}

namespace {

/// Standing of a campaign, from its file and lock.
struct Standing {
  StudyState study;
  std::size_t column = 0;  ///< the objective's; that of no observable without one
  Totals totals;
  std::uint64_t finished = 0;
  bool running = false;
  bool complete = false;
  std::optional<RunningNote> note;
  double rate = 0.0;          ///< members/s; 0: not known
  double seconds_left = 0.0;  ///< 0: not known, or none
};

Standing standing_of(const EnsembleReader& reader, const std::string& path,
                     const std::optional<Objective>& objective) {
  const EnsembleSchema& schema = reader.schema();
  Standing now;
  now.column = objective ? column_of(schema, objective->name) : schema.observable_names.size();
  now.study = reader.study_state();
  now.totals = add_up(reader, now.study, now.column, objective.value_or(Objective{}));
  now.finished = schema.members - now.totals.members[0];
  now.running = reader.was_being_written();
  if (!now.running) now.totals.damaged += rows_of_damaged_frames(reader);
  now.complete = now.totals.damaged == 0 && (now.finished == schema.members || now.study.ended);
  if (now.running) now.note = reader.running();
  now.rate = throughput(now.totals, now.finished, reader.provenance(), path);
  if (!now.complete) now.seconds_left = seconds_left(now.note, schema.members - now.finished, now.rate);
  return now;
}

/// Line about the best member, or about there being none yet.
std::string objective_line(const EnsembleReader& reader, const Standing& now, const ShownObservables& shown) {
  const Objective& objective = *shown.objective;
  if (now.column >= reader.schema().observable_names.size()) return {};
  if (!std::isnan(now.totals.best.value))
    return best_line(reader, now.totals.best, now.column, unit_at(reader.schema(), shown, now.column),
                     objective);
  return formatted("%s %.60s: no member that counts has a number for it yet\n",
                   objective.largest ? "largest" : "smallest", objective.name.c_str());
}

/// Counts of members by status; those that ended badly in the colour of alarm.
std::string status_counts(const Totals& totals, const Screen& screen) {
  std::string text;
  for (int k = 0; k < member_status_count; ++k) {
    const auto status = static_cast<MemberStatus>(k);
    const std::uint64_t count = totals.members[static_cast<std::size_t>(k)];
    const bool always_told = k <= static_cast<int>(MemberStatus::diverged);
    if (count == 0 && !always_told) continue;
    const bool bad =
        count > 0 && status != MemberStatus::pending && status != MemberStatus::pruned && !ended_well(status);
    const std::string_view name = to_string(status);
    text += screen.painted(bad ? Tone::bad : Tone::plain,
                           formatted("  %-14.*s %10llu\n", static_cast<int>(name.size()), name.data(),
                                     static_cast<unsigned long long>(count)));
  }
  return text;
}

/// Share of the campaign's work that is done, as far as anybody knows.
double share_done(const Standing& now, const EnsembleSchema& schema) {
  if (now.complete) return 1.0;
  if (now.note && now.note->share_done > 0.0) return std::min(1.0, now.note->share_done);
  return static_cast<double>(now.finished) / static_cast<double>(schema.members);
}

/// Whether the campaign runs or has ended.
std::string state_text(const Standing& now, const Provenance& provenance) {
  if (now.running) return "running (" + provenance.writer + ")";
  if (now.complete) return "complete";
  if (now.totals.damaged == 0) return "not running; rodeo resume goes on with it";
  return "not running; " + counted(now.totals.damaged, "row") +
         (now.totals.damaged == 1 ? " is damaged: rodeo resume runs its member again"
                                  : " are damaged: rodeo resume runs their members again");
}

/// Lines for a screen: bytes of a damaged file are made printable, and lines wider than a terminal go on at
/// words.
std::string fitted(std::string_view text, const Screen& screen) {
  if (!screen.is_terminal()) return printable(text);
  std::string lines;
  while (!text.empty()) {
    const std::string line = printable(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(text.size(), text.find('\n')));
    if (!text.empty()) text.remove_prefix(1);
    if (line.size() < screen.columns) {
      lines.append(line).append("\n");
      continue;
    }
    std::string begin;
    for (const std::string& part : wrapped(line, screen.columns - 3)) {
      lines.append(begin).append(part).append("\n");
      begin = "  ";
    }
  }
  return lines;
}

}  // namespace

std::string status_report(const EnsembleReader& reader, const std::string& path,
                          const ShownObservables& shown, const Screen& screen) {
  constexpr std::size_t widest_bar = 60;
  const EnsembleSchema& schema = reader.schema();
  const Provenance& provenance = reader.provenance();
  const std::optional<Objective>& objective = shown.objective;
  const Standing now = standing_of(reader, path, objective);

  const std::string finished =
      path + ": " + std::to_string(now.finished) + " of " + counted(schema.members, "member") +
      formatted(" finished (%.1f %%), ",
                100.0 * static_cast<double>(now.finished) / static_cast<double>(schema.members));
  std::string report = screen.painted(now.running || now.complete ? Tone::good : Tone::caution,
                                      fitted(finished + state_text(now, provenance) + "\n", screen));
  if (screen.is_terminal() && !now.complete) {
    const std::size_t columns = std::min(screen.columns - 1, widest_bar);
    report += screen.painted(Tone::good, bar(share_done(now, schema), columns)) + "\n";
  }
  if (objective) {
    report += screen.painted(Tone::strong, fitted(objective_line(reader, now, shown), screen));
  }
  std::string text;
  if (now.complete && objective && now.study.compares) {
    text += flat_objective_line(now.totals, now.column, objective->name, schema.parameter_names.size());
  }
  if (!now.study.line.empty()) text += now.study.line + "\n";
  text += parameters_line(schema);
  text += observable_table(schema, now.totals, shown);
  report += fitted(text, screen) + status_counts(now.totals, screen);
  text.clear();
  if (now.note && now.note->members > 0.0) text += running_line(*now.note);
  if (const std::size_t kept = now.complete ? 0 : checkpointed_members(path).size(); kept > 0) {
    text += formatted("checkpoints of %s in %.200s\n", counted(kept, "member").c_str(),
                      checkpoint_folder(path).c_str());
  }
  text += formatted("started %.80s on %s (%.80s), resumed %s\n", provenance.start_time.c_str(),
                    counted(static_cast<std::uint64_t>(provenance.ranks), "rank").c_str(),
                    provenance.hosts.c_str(),
                    counted(static_cast<std::uint64_t>(provenance.resumes), "time").c_str());
  text += "time in members: " + format_time(now.totals.wall_seconds);
  if (now.rate > 0.0) text += ", " + format_rate(now.rate, "members");
  if (now.seconds_left > 0.0) {
    text += (now.study.adaptive ? ", at most " : ", about ") + format_time(now.seconds_left) + " left";
    if (now.running) text += ", until " + format_utc_after(now.seconds_left);
  }
  text.append("\n").append(busy_text(now.totals, provenance, path));
  if (!shown.listed) {
    text.append(counted(schema.observable_names.size(), "observable")).append(" in all: rodeo status ");
    text.append(path).append(" --observables\n");
  }
  return report + fitted(text, screen);
}

std::string status_as_json(const EnsembleReader& reader, const std::string& path,
                           const ShownObservables& shown) {
  const EnsembleSchema& schema = reader.schema();
  const Standing now = standing_of(reader, path, shown.objective);
  JsonObject status;
  status.add_text("file", path).add_count("members", schema.members).add_count("finished", now.finished);
  status.add_flag("running", now.running).add_flag("complete", now.complete);
  status.add_count("damaged", now.totals.damaged);
  JsonObject counts;
  for (int k = 0; k < member_status_count; ++k) {
    counts.add_count(to_string(static_cast<MemberStatus>(k)),
                     now.totals.members[static_cast<std::size_t>(k)]);
  }
  status.add("statuses", counts.text()).add("varied", json_texts(schema.parameter_names));
  status.add_count("scenarios", schema.scenario.empty() ? 0 : *std::ranges::max_element(schema.scenario) + 1);
  status.add("objective", shown.objective ? json_text(shown.objective->name) : "null");
  std::string best = "null";
  if (!std::isnan(now.totals.best.value)) {
    const std::uint64_t member = now.totals.best.member;
    const std::vector<double> row = reader.read_rows(member, 1)[0].parameters;
    const std::span<const double> point = schema.of_candidate(row);
    JsonObject parameters;
    for (std::size_t k = 0; k < point.size(); ++k) {
      const std::string text = parameter_text(schema.parameter_words[k], point[k]);
      parameters.add(schema.parameter_names[k],
                     schema.parameter_words[k].empty() ? json_number(point[k]) : json_text(text));
    }
    best = JsonObject()
               .add_count("member", member)
               .add_count("candidate", now.totals.best.candidate)
               .add_number("value", now.totals.best.value)
               .add("parameters", parameters.text())
               .text();
  }
  status.add("best", best).add_text("study", now.study.line).add("asked", json_texts(shown.asked));
  JsonObject observables;
  const std::vector<bool> chosen = places_shown(schema, {.listed = shown.listed.value_or("")});
  for (std::size_t k = 0; k < schema.observable_names.size(); ++k) {
    const Summary& summary = now.totals.observables[k];
    if (!chosen[k]) continue;
    const bool any = summary.count > 0;
    observables.add(schema.observable_names[k], JsonObject()
                                                    .add_text("unit", unit_at(schema, shown, k))
                                                    .add_count("count", summary.count)
                                                    .add("min", any ? json_number(summary.minimum) : "null")
                                                    .add("mean", any ? json_number(summary.mean()) : "null")
                                                    .add("max", any ? json_number(summary.maximum) : "null")
                                                    .text());
  }
  status.add("observables", observables.text());
  status.add_number("member_seconds", now.totals.wall_seconds).add_number("members_per_second", now.rate);
  status.add("seconds_left", now.seconds_left > 0.0 ? json_number(now.seconds_left) : "null");
  status.add_flag("seconds_left_at_most", now.study.adaptive);
  status.add_number("share_done", share_done(now, schema));
  status.add("running_members", now.note ? json_number(now.note->members) : "null");
  status.add("steps_per_second", now.note ? json_number(now.note->steps_per_second) : "null");
  const Provenance& provenance = reader.provenance();
  status.add_text("started", provenance.start_time)
      .add_count("ranks", static_cast<std::uint64_t>(provenance.ranks));
  return status.add_count("resumes", static_cast<std::uint64_t>(provenance.resumes)).text() + "\n";
}

}  // namespace rodeo
