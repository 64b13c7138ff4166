#include "measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rodeo/member/seen_steps.hpp"

namespace rodeo {

namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

bool has_time(ReductionKind kind, std::int64_t samples) {
  return kind == ReductionKind::first_time && samples > 0;
}

}  // namespace

void Measures::start(const MemberJob& job, MemberOutcome&) {
  interval_ = job.spec.measure_steps;
  within_ = are_steps_seen(job.spec);
  last_step_ = job.spec.time.steps;
  period_ = LastPeriod(job.spec);
  for (const MeasureSpec& measure : job.spec.measures) {
    for (const ReductionSpec& spec : measure.reductions) {
      const bool slides = spec.over_period && job.spec.settle.acts();
      const std::int64_t first = slides ? period_.first() : spec.first_step;
      reductions_.push_back(
          {spec.kind, first, spec.last_step, slides, SampledFormula(spec.formula, spec.operands)});
      touches_ = touches_ || reductions_.back().formula.touches();
      if (reductions_.back().formula.works() && !powers_) powers_ = std::make_unique<LoadPowers>(job.spec);
    }
    counts_.push_back(measure.reductions.size());
    expressions_.emplace_back(measure.formula, expressions_.size() + measure.reductions.size());
  }
  found_.resize(reductions_.size());
}

/// Renews formulas, which contain numbers of the deck; findings stay.
void Measures::become(const MemberSpec& spec) {
  expressions_.clear();
  std::size_t next = 0;
  for (const MeasureSpec& measure : spec.measures) {
    for (const ReductionSpec& of : measure.reductions)
      reductions_[next++].formula = SampledFormula(of.formula, of.operands);
    expressions_.emplace_back(measure.formula, expressions_.size() + measure.reductions.size());
  }
  if (powers_) powers_ = std::make_unique<LoadPowers>(spec);
}

/// Next sample of reductions that need observables if `looks`, else of those that need only a glance.
std::int64_t Measures::next_sample(std::int64_t steps, bool looks) const {
  std::int64_t next = never;
  if (within_) return next;
  for (std::size_t k = 0; k < reductions_.size(); ++k) {
    const Reduction& r = reductions_[k];
    if (r.formula.observes() != looks || r.kind == ReductionKind::last || steps >= r.last_step) continue;
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
  if (look.steps != seen_) sample(look, &look);
  return MemberStatus::pending;
}

void Measures::glance(const Glance& glance) {
  if (!within_) sample(glance, nullptr);
}

/// Asks for a look at each sample, since it may need the internal forces.
Need Measures::needs_within(std::int64_t steps) const {
  for (std::size_t k = 0; k < reductions_.size(); ++k) {
    if (is_due(reductions_[k], found_[k].now, steps)) return Need::look;
  }
  return Need::nothing;
}

void Measures::within(const Glance& glance, const Look* look) {
  if (look == nullptr || needs_within(glance.steps) == Need::nothing) return;
  sample(glance, look);
  seen_ = glance.steps;
}

void Measures::sample(const Glance& glance, const Look* look) {
  std::optional<Observation> observation;
  bool begun = false;
  for (std::size_t k = 0; k < reductions_.size(); ++k) {
    Reduction& r = reductions_[k];
    OfPeriod<Found>& found = found_[k];
    if (!is_due(r, found.now, glance.steps)) continue;
    if (r.formula.observes() && !observation) observation.emplace(look->observe());
    if (!begun && powers_) stand_at(glance);
    begun = true;
    const double sampled = r.formula.value(instant(glance, observation ? &*observation : nullptr));
    add(r.kind, glance.time(), sampled, found.now);
    if (!r.slides || !period_.begins_at(glance.steps)) continue;
    found.turn({});  // the sample is of both quarters
    add(r.kind, glance.time(), sampled, found.now);
  }
  sampled_ = glance.steps;
}

SampledFormula::Instant Measures::instant(const Glance& glance, const Observation* observation) const {
  return {glance.spec, glance.rods, glance.time(), observation, powers_.get(), control_at(glance)};
}

/// Numbers of the control, with inputs and outputs that change linearly evaluated at this time.
std::span<const double> Measures::control_at(const Glance& glance) const {
  const ControlSpec& control = glance.spec.control;
  if (control.held || glance.live.empty()) return glance.control;
  control_.assign(glance.control.begin(), glance.control.end());
  const double* live = glance.live.data();
  const auto set = [&](double& number) {
    number = live[LiveNumber::value] + live[LiveNumber::rate] * (glance.time() - live[LiveNumber::since]);
    live += LiveNumber::size;
  };
  for (std::size_t k = 0; k < control.inputs.size(); ++k) set(control_[control.first_input() + k]);
  for (std::size_t k = 0; k < control.outputs.size(); ++k) set(control_[control.first_output() + k]);
  return control_;
}

void Measures::stand_at(const Glance& glance) const {
  powers_->stand_at(glance);
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

/// Adds later findings to earlier ones.
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

/// Completes reductions by a sample of this instant, unless they have one.
void Measures::finish(const Look& look, Observation& observation) const {
  if (counts_.empty()) return;
  if (powers_) stand_at(look);
  const SampledFormula::Instant now = instant(look, &observation);
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
      if (adds) add(r.kind, look.time(), r.formula.value(now), found);
      // A window of a time of its own that ends after a member has settled has no result.
      const bool cut_short = look.spec.settle.acts() && look.steps < r.last_step &&
                             r.last_step < last_step_ && !has_time(r.kind, found.samples);
      variables[m + k] = cut_short ? std::nan("") : result(r.kind, found);
    }
    observation.measures.push_back(expressions_[m].value());
  }
}

void Measures::visit(StateArchive& archive) {
  archive.visit(std::span(found_));
  archive.visit(sampled_);
}

}  // namespace rodeo
