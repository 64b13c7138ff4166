#include "ladder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "rodeo/input/number_text.hpp"
#include "rodeo/input/terminal.hpp"

#include "generation_table.hpp"
#include "samplers.hpp"

namespace rodeo {

namespace {

constexpr double worst_fitness = std::numeric_limits<double>::infinity();

constexpr std::array<std::string_view, 4> state_names = {"waiting", "running", "done", "left"};

/// Ranks of fewer candidates say nothing.
constexpr std::size_t least_compared = 4;

std::string rounded(double value) { return formatted("%.3g", value); }

/// "level 1 was left: its ranks correlate by 0.21 with those of the next"
std::string left_text(std::size_t level, double correlation) {
  const std::string start = "level " + std::to_string(level + 1) + " was left: ";
  if (std::isnan(correlation)) return start + "its members came to no objective";
  return start + "its ranks correlate by " + rounded(correlation) + " with those of the next";
}

}  // namespace

bool Ladder::has_levels(const Deck& deck) { return deck.has_value("fidelity.level"_key); }

Ladder::Ladder(const Deck& deck)
    : keys_(deck.fidelity_levels()),
      least_correlation_(deck.number("fidelity.correlation"_key)),
      sigma_(deck.number("fidelity.sigma"_key)),
      share_(deck.number("fidelity.share"_key)),
      compared_(static_cast<std::size_t>(deck.integer("fidelity.compared"_key))),
      runners_up_(static_cast<std::size_t>(deck.integer("fidelity.runners_up"_key))),
      records_(keys_.values.size(), Record{.correlation = std::nan(""), .best = worst_fitness}) {
  const std::vector<Objective> objectives = objectives_of(deck);
  if (objectives.empty()) {
    throw deck.missing_error("study.objective"_key, "fidelity.level needs what candidates are compared by");
  }
  objective_ = objectives.front();
  named_observable(deck, "study.objective"_key, objective_.name);  // throws if it is none
  if (deck.has_value("fidelity.population"_key)) {
    population_ = static_cast<int>(deck.integer("fidelity.population"_key));
  }
  if (deck.has_value("fidelity.tolerance"_key)) tolerance_ = deck.number("fidelity.tolerance"_key);
  if (compared_ > 0 && compared_ < least_compared) {
    throw deck.error("fidelity.compared"_key, "must be 0 or at least " + std::to_string(least_compared) +
                                                  ": the ranks of " + std::to_string(compared_) +
                                                  " say nothing");
  }
}

std::vector<double> Ladder::point(std::span<const double> own, std::size_t level) const {
  std::vector<double> point(own.begin(), own.end());
  point.insert(point.end(), values(level).begin(), values(level).end());
  return point;
}

bool Ladder::counts(std::span<const double> point) const {
  return std::ranges::equal(point.last(addresses().size()), values(last()));
}

std::string Ladder::text(std::size_t level) const {
  std::string text;
  for (std::size_t k = 0; k < addresses().size(); ++k) {
    text.append(k == 0 ? "" : ", ").append(addresses()[k].name()).append(" = ");
    text.append(value_text(addresses()[k], values(level)[k]));
  }
  return text;
}

std::size_t Ladder::next(std::size_t level) const {
  do ++level;
  while (level < last() && !is_kept(level));
  return level;
}

std::vector<std::size_t> Ladder::spread(std::span<const double> fitness) const {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < fitness.size(); ++k) {
    if (std::isfinite(fitness[k])) order.push_back(k);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return fitness[k]; });
  const std::size_t count = std::min(compared_, order.size());
  if (count < least_compared) return {};
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < count; ++k) chosen.push_back(order[k * (order.size() - 1) / (count - 1)]);
  return chosen;
}

Ladder::Record& Ladder::change(std::size_t level) {
  records_[level].changed = true;
  return records_[level];
}

void Ladder::add(std::size_t level, std::uint64_t candidate, double fitness,
                 const std::vector<double>& point) {
  Record& record = change(level);
  ++record.candidates;
  const auto number = static_cast<std::int64_t>(candidate);
  // The first of equal candidates counts, whatever the order in which they ended.
  if (!(fitness < record.best || (fitness == record.best && number < record.best_candidate))) return;
  if (!std::isfinite(fitness)) return;
  record.best = fitness;
  record.best_candidate = number;
  record.best_point = point;
}

std::size_t Ladder::add_compared() {
  known_.emplace_back(levels(), std::nan(""));
  return known_.size() - 1;
}

void Ladder::compare(std::size_t number, std::size_t level, double fitness) {
  // A failed candidate is worse than all others.
  known_[number][level] = std::isnan(fitness) ? worst_fitness : fitness;
}

void Ladder::fail(std::size_t level) {
  Record& record = change(level);
  record.state = LevelState::left;
  record.correlation = std::nan("");
}

void Ladder::measure(std::size_t level) {
  const std::size_t above = next(level);
  std::vector<double> here;
  std::vector<double> there;
  for (const std::vector<double>& fitness : known_) {
    if (std::isnan(fitness[level]) || std::isnan(fitness[above])) continue;
    here.push_back(fitness[level]);
    there.push_back(fitness[above]);
  }
  Record& record = change(level);
  record.compared = here.size();
  record.correlation = rank_correlation(here, there);
  if (here.size() >= least_compared && record.correlation < least_correlation_) {
    record.state = LevelState::left;
  }
}

Table Ladder::table() const {
  std::vector<std::string> names;
  for (const ParameterAddress& address : addresses()) names.push_back(address.name());
  using enum NumberType;
  const std::size_t width = names.size();
  return {.name = std::string(fidelity_table_name),
          .columns = {{.name = "level", .unit = "1", .type = natural},
                      {.name = "values", .width = width, .names = std::move(names)},
                      {.name = "candidates", .unit = "1", .type = natural},
                      {.name = "generations", .unit = "1", .type = natural},
                      {.name = "compared", .unit = "1", .type = natural},
                      {.name = "correlation", .unit = "1"},
                      {.name = "best", .unit = objective_.unit},
                      {.name = "best_candidate", .unit = "1", .type = integer},
                      {.name = "state",
                       .unit = "1",
                       .type = byte,
                       .names = {state_names.begin(), state_names.end()}}},
          .rows = levels()};
}

std::vector<TableRow> Ladder::take_rows(std::size_t table) {
  std::vector<TableRow> rows;
  for (std::size_t level = 0; level < levels(); ++level) {
    Record& record = records_[level];
    if (!std::exchange(record.changed, false)) continue;
    TableRow& row = rows.emplace_back(TableRow{.table = table, .row = level});
    row.numbers.push_back(static_cast<double>(level + 1));
    row.numbers.insert(row.numbers.end(), values(level).begin(), values(level).end());
    const bool has_best = record.best_candidate >= 0;
    for (const double number :
         {static_cast<double>(record.candidates), static_cast<double>(record.generations),
          static_cast<double>(record.compared), record.correlation,
          has_best ? objective(record.best) : std::nan(""), static_cast<double>(record.best_candidate),
          static_cast<double>(record.state)}) {
      row.numbers.push_back(number);
    }
  }
  return rows;
}

std::string Ladder::conclusion(std::span<const ParameterAddress> names) const {
  std::string lines;
  for (std::size_t level = 0; level < levels(); ++level) {
    const Record& record = records_[level];
    lines += "level " + std::to_string(level + 1) + " (" + text(level) +
             "): " + std::to_string(record.candidates) + " evaluations";
    if (record.generations > 0) lines += " in " + std::to_string(record.generations) + " generations";
    if (record.compared > 0) {
      lines += ", rank correlation with the next " + rounded(record.correlation) + " of " +
               std::to_string(record.compared) + " members";
    }
    lines += "\n";
    if (record.state == LevelState::left) lines += left_text(level, record.correlation) + "\n";
  }
  const Record& top = records_[last()];
  const std::string level = " on level " + std::to_string(levels());
  if (top.best_candidate < 0) return lines + "no candidate has a finite " + objective_.name + level + "\n";
  lines += "best " + objective_.name + level + ": " + format_real(objective(top.best)) + " (candidate " +
           std::to_string(top.best_candidate) +
           (objective_.scenarios > 1 ? ", " + objective_.reduction() : "") + ")\n";
  return lines + point_lines(names, top.best_point);
}

void add_levels(StudyState& state, const Table& table, std::span<const TableRow> rows) {
  if (rows.size() != table.rows || rows.empty()) return;  // the file has been made just now
  const auto number = [&](const TableRow& row, std::string_view column) {
    return numbers_in(table, row, column).front();
  };
  const auto state_of = [&](const TableRow& row) { return static_cast<LevelState>(number(row, "state")); };
  std::string evaluations;
  std::string correlations;
  std::string left;
  std::size_t running = 0;
  for (std::size_t level = 0; level < rows.size(); ++level) {
    const TableRow& row = rows[level];
    evaluations.append(level == 0 ? "" : " + ").append(format_real(number(row, "candidates")));
    if (state_of(row) == LevelState::running) running = level + 1;
    if (state_of(row) == LevelState::left) {
      left.append("\n").append(left_text(level, number(row, "correlation")));
    }
    if (!(number(row, "compared") > 0.0)) continue;
    correlations.append(correlations.empty() ? "" : ", ").append(rounded(number(row, "correlation")));
  }
  if (!state.line.empty()) state.line += "\n";
  state.line += running > 0 ? "level " + std::to_string(running) + " of " + std::to_string(rows.size())
                            : std::to_string(rows.size()) + " levels";
  state.line += ", " + evaluations + " evaluations";
  if (!correlations.empty()) state.line += ", rank correlation " + correlations;
  state.line += left;
  state.adaptive = true;
  state.ended = state_of(rows.back()) == LevelState::done;
  const double best = number(rows.back(), "best_candidate");
  state.best_candidate.reset();
  if (best >= 0.0) state.best_candidate = static_cast<std::uint64_t>(best);
  const std::span<const double> last = numbers_in(table, rows.back(), "values");
  state.counted.assign(last.begin(), last.end());
}

}  // namespace rodeo
