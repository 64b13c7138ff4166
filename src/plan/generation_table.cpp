#include "generation_table.hpp"

#include <array>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "rodeo/input/listing.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/terminal.hpp"

namespace rodeo {

namespace {

/// A column of one number.
struct Scalar {
  const char* name;
  NumberType type;
  double (*get)(const GenerationRow& row);
  void (*set)(GenerationRow& row, double value);
  bool of_objective;  ///< in its unit; else a pure number
};

template <auto member>
Scalar scalar(const char* name, NumberType type, bool of_objective = false) {
  using Value = std::remove_reference_t<decltype(std::declval<GenerationRow>().*member)>;
  return {name, type, [](const GenerationRow& row) { return static_cast<double>(row.*member); },
          [](GenerationRow& row, double value) { row.*member = static_cast<Value>(value); }, of_objective};
}

/// As GenerationRow documents them. A generation that is there has evaluations, so that the last column
/// tells.
std::array<Scalar, 14> scalars() {
  using enum NumberType;
  return {scalar<&GenerationRow::restart>("restart", integer),
          scalar<&GenerationRow::population>("population", integer),
          scalar<&GenerationRow::failed>("failed", integer),
          scalar<&GenerationRow::best>("best", real, true),
          scalar<&GenerationRow::best_candidate>("best_candidate", integer),
          scalar<&GenerationRow::generation_best>("generation_best", real, true),
          scalar<&GenerationRow::generation_mean>("mean", real, true),
          scalar<&GenerationRow::generation_median>("median", real, true),
          scalar<&GenerationRow::sigma>("sigma", real),
          scalar<&GenerationRow::axis_ratio>("axis_ratio", real),
          scalar<&GenerationRow::stop>("stop", byte),
          scalar<&GenerationRow::last>("last", byte),
          scalar<&GenerationRow::generation>("generation", natural),
          scalar<&GenerationRow::evaluations>("evaluations", natural)};
}

/// A column with a number for each parameter.
struct Vector {
  const char* name;
  std::vector<double> GenerationRow::*member;
  bool of_parameters;  ///< each number belongs to one of them, in its unit
};
constexpr std::array vectors = {Vector{"mean_vector", &GenerationRow::mean_vector, true},
                                Vector{"deviation", &GenerationRow::deviation, true},
                                Vector{"eigenvalues", &GenerationRow::eigenvalues, false}};

constexpr std::size_t widest_line = 96;

}  // namespace

Table generation_table(std::span<const ParameterAddress> parameters, std::uint64_t generations,
                       std::string_view unit) {
  std::vector<std::string> names;
  for (const ParameterAddress& parameter : parameters) names.push_back(parameter.name());
  Table table{.name = std::string(generation_table_name), .rows = generations};
  for (const Vector& vector : vectors) {
    table.columns.push_back({.name = vector.name,
                             .unit = vector.of_parameters ? "" : "1",
                             .width = parameters.size(),
                             .names = vector.of_parameters ? names : std::vector<std::string>{}});
  }
  for (const Scalar& scalar : scalars()) {
    table.columns.push_back(
        {.name = scalar.name, .unit = scalar.of_objective ? std::string(unit) : "1", .type = scalar.type});
    if (table.columns.back().name == "stop") {
      table.columns.back().names.assign(stop_reason_names.begin(), stop_reason_names.end());
    }
  }
  return table;
}

TableRow to_table_row(const GenerationRow& generation) {
  TableRow row{.row = generation.generation};
  for (const Vector& vector : vectors) {
    const std::vector<double>& numbers = generation.*vector.member;
    row.numbers.insert(row.numbers.end(), numbers.begin(), numbers.end());
  }
  for (const Scalar& scalar : scalars()) row.numbers.push_back(scalar.get(generation));
  return row;
}

GenerationRow generation_of(const Table& table, const TableRow& row) {
  GenerationRow generation;
  for (const Vector& vector : vectors) {
    const std::span<const double> numbers = numbers_in(table, row, vector.name);
    (generation.*vector.member).assign(numbers.begin(), numbers.end());
  }
  for (const Scalar& scalar : scalars()) scalar.set(generation, numbers_in(table, row, scalar.name).front());
  if (static_cast<std::size_t>(generation.stop) >= stop_reason_names.size()) {
    throw std::invalid_argument("a generation stopped for no known reason");
  }
  return generation;
}

StudyState generation_state(const Table& table, const std::optional<TableRow>& newest) {
  if (!newest) return {.line = "generation 0", .adaptive = true};
  const GenerationRow row = generation_of(table, *newest);
  const std::string line =
      formatted("generation %lu of at most %lu, %lu evaluations, best %.10g, sigma %.4g, axis ratio %.3g",
                row.generation + 1, table.rows, row.evaluations, row.best, row.sigma, row.axis_ratio);
  StudyState state{.line = line, .adaptive = true, .ended = row.last};
  if (row.restart > 0) {
    state.line += ", restarted " + counted(static_cast<std::uint64_t>(row.restart), "time");
  }
  if (row.last) state.line += ", stopped by " + std::string(to_string(row.stop));
  if (row.best_candidate >= 0) state.best_candidate = static_cast<std::uint64_t>(row.best_candidate);
  return state;
}

std::string value_text(const ParameterAddress& address, double value) {
  const KeyInfo& info = key_info(address.key);
  if (info.type != ValueType::choice) return format_real(value);
  return std::string(split(info.choices, '|')[static_cast<std::size_t>(value)]);
}

std::string point_lines(std::span<const ParameterAddress> addresses, std::span<const double> point) {
  std::vector<std::string> names;
  for (const ParameterAddress& address : addresses) names.push_back(address.name());
  std::string lines;
  for (const NameRun& run : runs_of(names)) {
    std::string text = run.name + " = ";
    for (std::size_t k = run.first; k < run.first + run.count; ++k) {
      text.append(k == run.first ? "" : ", ").append(value_text(addresses[k], point[k]));
    }
    std::string begin = "  ";
    for (const std::string& part : wrapped(text, widest_line)) {
      lines.append(begin).append(part).append("\n");
      begin = "    ";
    }
  }
  return lines;
}

}  // namespace rodeo
