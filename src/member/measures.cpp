#include "measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rodeo/observe/observable_list.hpp"

namespace rodeo {

namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

bool is_closed(const MemberSpec& spec, int rod) {
  return rod == 0 ? spec.rod.closed : spec.further_rods[static_cast<std::size_t>(rod) - 1].rod.closed;
}

/// The greater, or the smaller, of two; NaN if one is.
double extremum(double so_far, double value, bool largest) {
  if (std::isnan(so_far) || std::isnan(value)) return std::nan("");
  return (largest ? value > so_far : value < so_far) ? value : so_far;
}

bool has_time(ReductionKind kind, std::int64_t samples) {
  return kind == ReductionKind::first_time && samples > 0;
}

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

Measures::SampledFormula::SampledFormula(const Formula& formula, const std::vector<OperandSpec>& specs) {
  if (!formula.is_slot(0)) expression.emplace(formula, specs.size());
  for (const OperandSpec& spec : specs) {
    Operand& operand = operands.emplace_back(Operand{spec, {}, {}});
    if (spec.kind == OperandSpec::Kind::along) operand.along.emplace(spec.formula, spec.operands);
    observes = observes || spec.kind == OperandSpec::Kind::observable;
    touches = touches || (operand.along && operand.along->touches) ||
              (spec.kind == OperandSpec::Kind::signal && needs_contacts(signals()[spec.place].name));
    works = works || (operand.along && operand.along->works) ||
            (spec.kind == OperandSpec::Kind::signal && needs_powers(signals()[spec.place].name));
  }
}

void Measures::start(const MemberJob& job, MemberOutcome&) {
  interval_ = job.spec.measure_steps;
  last_step_ = job.spec.time.steps;
  period_ = LastPeriod(job.spec);
  for (const MeasureSpec& measure : job.spec.measures) {
    for (const ReductionSpec& spec : measure.reductions) {
      const bool slides = spec.over_period && job.spec.settle.acts();
      const std::int64_t first = slides ? period_.first() : spec.first_step;
      reductions_.push_back(
          {spec.kind, first, spec.last_step, slides, SampledFormula(spec.formula, spec.operands)});
      touches_ = touches_ || reductions_.back().formula.touches;
      if (reductions_.back().formula.works && !powers_) powers_ = std::make_unique<LoadPowers>(job.spec);
    }
    counts_.push_back(measure.reductions.size());
    expressions_.emplace_back(measure.formula, expressions_.size() + measure.reductions.size());
  }
  found_.resize(reductions_.size());
}

/// Those that need observables are looked at, others glanced at.
std::int64_t Measures::next_sample(std::int64_t steps, bool looks) const {
  std::int64_t next = never;
  for (std::size_t k = 0; k < reductions_.size(); ++k) {
    const Reduction& r = reductions_[k];
    if (r.formula.observes != looks || r.kind == ReductionKind::last || steps >= r.last_step) continue;
    if (has_time(r.kind, found_[k].now.samples)) continue;
    next = std::min(next, steps < r.first_step ? r.first_step
                                               : std::min(r.last_step, (steps / interval_ + 1) * interval_));
  }
  return next;
}

bool Measures::is_due(const Reduction& r, const Found& found, std::int64_t step) const {
  if (step < r.first_step || step > r.last_step || r.kind == ReductionKind::last) return false;
  if (r.slides && period_.begins_at(step)) return true;
  if (has_time(r.kind, found.samples)) return false;
  return step == r.first_step || step == r.last_step || step % interval_ == 0;
}

MemberStatus Measures::slice(const Look& look) {
  sample(look, &look);
  return MemberStatus::pending;
}

void Measures::glance(const Glance& glance) { sample(glance, nullptr); }

void Measures::sample(const Glance& glance, const Look* look) {
  std::optional<Observation> observation;
  bool begun = false;
  for (std::size_t k = 0; k < reductions_.size(); ++k) {
    Reduction& r = reductions_[k];
    OfPeriod<Found>& found = found_[k];
    if (!is_due(r, found.now, glance.steps)) continue;
    if (r.formula.observes && !observation) observation.emplace(look->observe());
    if (!begun && powers_) stand_at(glance);
    begun = true;
    const Instant now{glance.spec, glance.rods, glance.time(), observation ? &*observation : nullptr,
                      powers_.get()};
    const double sampled = value(r.formula, now);
    add(r.kind, glance.time(), sampled, found.now);
    if (!r.slides || !period_.begins_at(glance.steps)) continue;
    found.turn({});  // the sample is of both quarters
    add(r.kind, glance.time(), sampled, found.now);
  }
  sampled_ = glance.steps;
}

void Measures::stand_at(const Glance& glance) const {
  powers_->stand_at(glance.rods.all(), glance.time(), glance.rods.motions(), glance.rods.platen(),
                    glance.rods.links());
  if (touches_) powers_->touch(glance.rods.touching());
}

void Measures::add(ReductionKind kind, double time, double value, Found& found) {
  if (has_time(kind, found.samples)) return;
  const bool first = found.samples++ == 0;
  switch (kind) {
    case ReductionKind::last:
    case ReductionKind::at:
      found.value = value;
      break;
    case ReductionKind::max:
    case ReductionKind::min:
      found.value = first ? value : extremum(found.value, value, kind == ReductionKind::max);
      break;
    case ReductionKind::first_time:
      if (value == 0.0 || std::isnan(value)) {
        found.samples = 0;
      } else {
        found.value = time;
      }
      break;
    case ReductionKind::mean:
    case ReductionKind::rms:
    case ReductionKind::integral: {
      const double integrand = kind == ReductionKind::rms ? value * value : value;
      if (first) {
        found.value = 0.0;
        found.first_time = time;
      } else {
        found.value += 0.5 * (time - found.last_time) * (found.last_value + integrand);
      }
      found.last_time = time;
      found.last_value = integrand;
      break;
    }
  }
}

/// Takes in what was found after it.
void Measures::join(ReductionKind kind, Found& all, const Found& next) {
  if (next.samples == 0 || has_time(kind, all.samples)) return;
  if (all.samples == 0) {
    all = next;
    return;
  }
  switch (kind) {
    case ReductionKind::last:
    case ReductionKind::at:
    case ReductionKind::first_time:
      break;  // which have no window, or no time yet
    case ReductionKind::max:
    case ReductionKind::min:
      all.value = extremum(all.value, next.value, kind == ReductionKind::max);
      break;
    case ReductionKind::mean:
    case ReductionKind::rms:
    case ReductionKind::integral:
      all.value += next.value;
      break;
  }
  all.samples += next.samples;
  all.last_time = next.last_time;
  all.last_value = next.last_value;
}

double Measures::result(ReductionKind kind, const Found& found) {
  if (found.samples == 0) return std::nan("");
  const bool is_mean = kind == ReductionKind::mean || kind == ReductionKind::rms;
  const double duration = found.last_time - found.first_time;
  const double mean = is_mean ? (duration > 0.0 ? found.value / duration : found.last_value) : found.value;
  return kind == ReductionKind::rms ? std::sqrt(mean) : mean;
}

/// With a sample of this instant, where it is one of none yet.
void Measures::finish(const Look& look, Observation& observation) const {
  if (counts_.empty()) return;
  if (powers_) stand_at(look);
  const Instant now{look.spec, look.rods, look.time(), &observation, powers_.get()};
  std::size_t next = 0;
  for (std::size_t m = 0; m < counts_.size(); ++m) {
    const std::span<double> variables = expressions_[m].variables();
    std::ranges::copy(observation.measures, variables.begin());
    for (std::size_t k = 0; k < counts_[m]; ++k, ++next) {
      Reduction& r = reductions_[next];
      const auto joined = [&](Found& all, const Found& later) { join(r.kind, all, later); };
      Found found = r.slides ? found_[next].last(period_, look.steps, joined) : found_[next].now;
      const bool within = look.steps >= r.first_step && look.steps <= r.last_step;
      const bool adds =
          r.kind == ReductionKind::last ||
          (r.kind == ReductionKind::at ? look.steps == r.first_step && found.samples == 0
                                       : within && !has_time(r.kind, found.samples) &&
                                             !(sampled_ == look.steps && is_due(r, found, look.steps)));
      if (adds) add(r.kind, look.time(), value(r.formula, now), found);
      variables[m + k] = result(r.kind, found);
    }
    observation.measures.push_back(expressions_[m].value());
  }
}

void Measures::visit(StateArchive& archive) {
  archive.visit(std::span(found_));
  archive.visit(sampled_);
}

double Measures::value(SampledFormula& formula, const Instant& now) {
  if (!formula.expression) return value(formula.operands.front(), now);
  const std::span<double> variables = formula.expression->variables();
  for (std::size_t k = 0; k < formula.operands.size(); ++k) variables[k] = value(formula.operands[k], now);
  return formula.expression->value();
}

double Measures::value(Operand& operand, const Instant& now) {
  const OperandSpec& spec = operand.spec;
  switch (spec.kind) {
    case OperandSpec::Kind::time:
      return now.time;
    case OperandSpec::Kind::observable:
      return value_of(spec.place, *now.observation);
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

double Measures::value_at(Operand& operand, const RodAtInstant& r) {
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

/// Over the nodes, elements or regions of the rods, whichever its signals are of.
double Measures::value_along(Operand& operand, const Instant& now) {
  SampledFormula& formula = *operand.along;
  SignalSite site = SignalSite::node;
  for (Operand& part : formula.operands) {
    const bool every = part.spec.kind == OperandSpec::Kind::signal && part.spec.at.kind == Place::Kind::every;
    if (every) site = signals()[part.spec.place].site;
  }
  const bool of_elements = site == SignalSite::element || site == SignalSite::share;
  std::vector<double> fixed;
  for (Operand& part : formula.operands) {
    const bool every = part.spec.kind == OperandSpec::Kind::signal && part.spec.at.kind == Place::Kind::every;
    fixed.push_back(every ? 0.0 : value(part, now));
  }
  const AlongKind kind = operand.spec.along;
  double extreme = std::nan("");
  double sum = 0.0;
  double length = 0.0;
  bool first = true;
  const std::vector<ConstRodView>& rods = now.rods.each();
  for (int k = 0; k < static_cast<int>(rods.size()); ++k) {
    if (operand.spec.at.rod >= 0 && operand.spec.at.rod != k) continue;
    const RodAtInstant r{now.spec, rods[static_cast<std::size_t>(k)], k, is_closed(now.spec, k), now.powers};
    const int n = r.rod.elements;
    const int begin = site == SignalSite::region && r.closed ? 1 : 0;
    const int end = of_elements || (site == SignalSite::node && r.closed) ? n : n + 1;
    for (int i = begin; i < end; ++i) {
      if (site == SignalSite::region && !has_region(r, i)) continue;
      const auto part_value = [&](std::size_t p) {
        const OperandSpec& spec = formula.operands[p].spec;
        const bool every = spec.kind == OperandSpec::Kind::signal && spec.at.kind == Place::Kind::every;
        return every ? signals()[spec.place].value(r, i) : fixed[p];
      };
      double value = 0.0;
      if (formula.expression) {
        const std::span<double> variables = formula.expression->variables();
        for (std::size_t p = 0; p < formula.operands.size(); ++p) variables[p] = part_value(p);
        value = formula.expression->value();
      } else {
        value = part_value(0);
      }
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
