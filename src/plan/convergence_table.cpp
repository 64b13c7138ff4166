#include "convergence_table.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace rodeo {

namespace {

constexpr std::array norms = {&ErrorNorms::l1, &ErrorNorms::l2, &ErrorNorms::linf};

void set_orders(ConvergenceTable& table) {
  const double reference = table.against_finest() ? table.rows.back().spacing : 0.0;
  for (std::size_t k = 1; k < table.rows.size(); ++k) {
    const ConvergenceRow& coarse = table.rows[k - 1];
    ConvergenceRow& fine = table.rows[k];
    for (const auto norm : norms) {
      fine.order.*norm =
          observed_order({coarse.spacing, coarse.error.*norm}, {fine.spacing, fine.error.*norm}, reference);
    }
  }
}

}  // namespace

std::string number_or_dash(double value, const char* format) {
  std::array<char, 32> text{"-"};
  if (std::isfinite(value)) std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

ErrorNorms position_error(const std::vector<double>& coarse, const std::vector<double>& fine) {
  const std::size_t coarse_nodes = coarse.size() / 3;
  const std::size_t fine_nodes = fine.size() / 3;
  if (coarse_nodes < 2 || fine_nodes < 2) return no_error_norms();
  const double ratio = static_cast<double>(fine_nodes - 1) / static_cast<double>(coarse_nodes - 1);
  std::vector<double> squares(coarse_nodes, 0.0);
  std::vector<double> component(fine_nodes);
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t i = 0; i < fine_nodes; ++i) component[i] = fine[3 * i + c];
    for (std::size_t i = 0; i < coarse_nodes; ++i) {
      const double difference = coarse[3 * i + c] - interpolate_at(component, ratio * static_cast<double>(i));
      squares[i] += difference * difference;
    }
  }
  for (double& square : squares) square = std::sqrt(square);
  return error_norms(squares, Sampling::nodes);
}

void set_errors(ConvergenceTable& table, const std::vector<LevelResult>& levels) {
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    ErrorNorms& error = table.rows[k].error;
    error = no_error_norms();
    if (!levels[k].done) continue;
    if (!table.against_finest()) {
      error = levels[k].profile_error;
    } else if (k + 1 < table.rows.size() && levels.back().done) {
      error = position_error(levels[k].last_frame, levels.back().last_frame);
    }
  }
  set_orders(table);
}

std::string to_text(const ConvergenceTable& table) {
  std::string text =
      "convergence over " + table.key + " against " + table.reference +
      "\n  elements      step (s)            L1   order            L2   order          Linf   order\n";
  for (const ConvergenceRow& row : table.rows) {
    std::array<char, 64> start{};
    std::snprintf(start.data(), start.size(), "%10lld %13.6g", static_cast<long long>(row.elements),
                  row.step);
    text += start.data();
    for (const auto norm : norms) {
      std::array<char, 64> entry{};
      std::snprintf(entry.data(), entry.size(), " %13s %7s", number_or_dash(row.error.*norm, "%.6g").c_str(),
                    number_or_dash(row.order.*norm, "%.3f").c_str());
      text += entry.data();
    }
    text += '\n';
  }
  return text;
}

}  // namespace rodeo
