#include "sampled_formula.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "rodeo/observe/observable_list.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

namespace {

bool needs_contacts(std::string_view signal) {
  return signal.starts_with("contact_") || signal == "touching_rods";
}

bool needs_powers(std::string_view signal) {
  return signal.starts_with("power_") || signal.starts_with("work_") || signal.starts_with("reaction_") ||
         signal.starts_with("platen_") || signal == "connection_energy" || needs_contacts(signal);
}

/// Rest length around a node, m.
double rest_length_at(const RodAtInstant& r, int node) {
  const double* const length = r.rod.array(field::rest_length);
  const int n = r.rod.elements;
  const double before = node > 0 ? length[node - 1] : r.closed ? length[n - 1] : 0.0;
  return 0.5 * (before + (node < n ? length[node] : 0.0));
}

}  // namespace

double extremum(double so_far, double value, bool largest) {
  if (std::isnan(so_far) || std::isnan(value)) return std::nan("");
  return (largest ? value > so_far : value < so_far) ? value : so_far;
}

SampledFormula::SampledFormula(const Formula& formula, const std::vector<OperandSpec>& specs) {
  if (!formula.is_slot(0)) expression_.emplace(formula, specs.size());
  for (const OperandSpec& spec : specs) {
    Operand& operand = operands_.emplace_back(Operand{spec, {}, {}});
    if (spec.kind == OperandSpec::Kind::along) operand.along.emplace(spec.formula, spec.operands);
    observes_ = observes_ || spec.kind == OperandSpec::Kind::observable;
    touches_ = touches_ || (operand.along && operand.along->touches_) ||
               (spec.kind == OperandSpec::Kind::signal && needs_contacts(signals()[spec.place].name));
    works_ = works_ || (operand.along && operand.along->works_) ||
             (spec.kind == OperandSpec::Kind::signal && needs_powers(signals()[spec.place].name));
  }
}

double SampledFormula::value(const Instant& now) {
  if (!expression_) return value(operands_.front(), now);
  const std::span<double> variables = expression_->variables();
  for (std::size_t k = 0; k < operands_.size(); ++k) variables[k] = value(operands_[k], now);
  return expression_->value();
}

double SampledFormula::value(Operand& operand, const Instant& now) {
  const OperandSpec& spec = operand.spec;
  switch (spec.kind) {
    case OperandSpec::Kind::time:
      return now.time;
    case OperandSpec::Kind::observable:
      return value_of(spec.place, *now.observation);
    case OperandSpec::Kind::control:
      return now.control[spec.place];
    case OperandSpec::Kind::along:
      return value_along(operand, now);
    case OperandSpec::Kind::signal:
      break;
  }
  const std::vector<ConstRodView>& rods = now.rods.each();
  double sum = 0.0;
  for (int k = 0; k < static_cast<int>(rods.size()); ++k) {
    if (spec.at.rod >= 0 && spec.at.rod != k) continue;
    sum += value_at(operand,
                    {now.spec, rods[static_cast<std::size_t>(k)], k, is_closed(now.spec, k), now.powers});
  }
  return sum;
}

double SampledFormula::value_at(Operand& operand, const RodAtInstant& r) {
  const Signal& signal = signals()[operand.spec.place];
  const Place& at = operand.spec.at;
  const int n = r.rod.elements;
  const bool of_elements = signal.site == SignalSite::element || signal.site == SignalSite::share;
  switch (at.kind) {
    case Place::Kind::whole: {
      if (signal.whole != nullptr) return signal.whole(r);
      double sum = 0.0;
      for (int i = 0; i < n; ++i) sum += signal.value(r, i);
      return sum;
    }
    case Place::Kind::start:
      return signal.value(r, 0);
    case Place::Kind::end:
      return signal.value(r, of_elements ? n - 1 : n);
    case Place::Kind::node:
    case Place::Kind::element:
      return signal.value(r, at.index);
    case Place::Kind::every:
    case Place::Kind::middle:
    case Place::Kind::arc:
    case Place::Kind::range:  // which signals do not take
      break;
  }
  if (!operand.place) operand.place = arc_place(at, r.rod);
  const auto [element, fraction] = *operand.place;
  if (of_elements) return signal.value(r, element);
  if (signal.site == SignalSite::region) return signal.value(r, fraction < 0.5 ? element : element + 1);
  if (fraction == 0.0) return signal.value(r, element);
  return (1.0 - fraction) * signal.value(r, element) + fraction * signal.value(r, element + 1);
}

/// Evaluates an operand over the nodes, elements or regions of the rods, whichever its signals belong to.
double SampledFormula::value_along(Operand& operand, const Instant& now) {
  SampledFormula& formula = *operand.along;
  SignalSite site = SignalSite::node;
  for (Operand& part : formula.operands_) {
    const bool every = part.spec.kind == OperandSpec::Kind::signal && part.spec.at.kind == Place::Kind::every;
    if (every) site = signals()[part.spec.place].site;
  }
  const bool of_elements = site == SignalSite::element || site == SignalSite::share;
  std::vector<double> fixed;
  for (Operand& part : formula.operands_) {
    const bool every = part.spec.kind == OperandSpec::Kind::signal && part.spec.at.kind == Place::Kind::every;
    fixed.push_back(every ? 0.0 : value(part, now));
  }
  const AlongKind kind = operand.spec.along;
  double extreme = std::nan("");
  double sum = 0.0;
  double length = 0.0;
  bool first = true;
  const std::vector<ConstRodView>& rods = now.rods.each();
  const auto rod_at = [&](int k) {
    return RodAtInstant{now.spec, rods[static_cast<std::size_t>(k)], k, is_closed(now.spec, k), now.powers};
  };
  const auto value_at = [&](const RodAtInstant& r, int i) {
    const auto part_value = [&](std::size_t p) {
      const OperandSpec& spec = formula.operands_[p].spec;
      const bool every = spec.kind == OperandSpec::Kind::signal && spec.at.kind == Place::Kind::every;
      return every ? signals()[spec.place].value(r, i) : fixed[p];
    };
    if (!formula.expression_) return part_value(0);
    const std::span<double> variables = formula.expression_->variables();
    for (std::size_t p = 0; p < formula.operands_.size(); ++p) variables[p] = part_value(p);
    return formula.expression_->value();
  };
  for (int k = 0; k < static_cast<int>(rods.size()); ++k) {
    if (operand.spec.at.rod >= 0 && operand.spec.at.rod != k) continue;
    const RodAtInstant r = rod_at(k);
    const int n = r.rod.elements;
    const int begin = site == SignalSite::region && r.closed ? 1 : 0;
    const int end = of_elements || (site == SignalSite::node && r.closed) ? n : n + 1;
    for (int i = begin; i < end; ++i) {
      if (site == SignalSite::region && !has_region(r, i)) continue;
      const double value = value_at(r, i);
      const double weight = of_elements ? r.rod.array(field::rest_length)[i]
                            : site == SignalSite::region
                                ? 1.0 / r.rod.array(field::inverse_rest_voronoi)[i - 1]
                                : rest_length_at(r, i);
      extreme = first ? value : extremum(extreme, value, kind == AlongKind::max);
      sum += weight * value;
      length += weight;
      first = false;
    }
  }
  // Rods of one element have no region, and the value that places on them have.
  if (first && kind != AlongKind::integral) return value_at(rod_at(std::max(0, operand.spec.at.rod)), 0);
  switch (kind) {
    case AlongKind::max:
    case AlongKind::min:
      return extreme;
    case AlongKind::mean:
      return sum / length;
    case AlongKind::integral:
      break;
  }
  return sum;
}

}  // namespace rodeo
