#include "controller.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "rodeo/math/random.hpp"

#include "energy_balance.hpp"

namespace rodeo {

namespace {

double within(double value, const ControlSpec::Range& range) {
  return std::isnan(value) ? value : std::clamp(value, range.low, range.high);
}

double activated(ControlSpec::Activation activation, double x) {
  switch (activation) {
    case ControlSpec::Activation::linear:
      break;
    case ControlSpec::Activation::tanh:
      return std::tanh(x);
    case ControlSpec::Activation::relu:
      return std::max(x, 0.0);
    case ControlSpec::Activation::sigmoid:
      return 1.0 / (1.0 + std::exp(-x));
    case ControlSpec::Activation::sine:
      return std::sin(x);
  }
  return x;
}

/// Whether a formula of measures asks for the work of the control.
bool asks_for_work(const MemberSpec& spec) {
  const auto is_work = [&](const OperandSpec& operand) {
    return operand.kind == OperandSpec::Kind::control && operand.place == spec.control.work_place();
  };
  return std::ranges::any_of(spec.measures, [&](const MeasureSpec& measure) {
    return std::ranges::any_of(measure.reductions, [&](const ReductionSpec& reduction) {
      return std::ranges::any_of(reduction.operands, is_work);
    });
  });
}

}  // namespace

Controller::Controller(const MemberJob& job)
    : spec_(job.spec.control),
      seed_(job.seed),
      interval_(static_cast<double>(spec_.interval) * job.spec.time.step),
      last_step_(steps_in_time(job.spec)),
      numbers_(spec_.numbers()),
      live_(spec_.live_at_start()) {
  for (std::size_t k = 0; k < spec_.inputs.size(); ++k) {
    inputs_.push_back(spec_.inputs[k].start);
    numbers_[spec_.first_input() + k] = spec_.inputs[k].start;
  }
  bool works = false;
  for (const ControlSpec::Signal& signal : spec_.signals) {
    signals_.push_back({SampledFormula(signal.formula, signal.operands),
                        std::vector<double>(static_cast<std::size_t>(signal.delay) + 1)});
    const SampledFormula& formula = signals_.back().formula;
    looks_ = looks_ || formula.observes();
    touches_ = touches_ || formula.touches();
    works = works || formula.works();
  }
  for (std::size_t k = 0; k < spec_.states.size(); ++k) {
    numbers_[spec_.first_state() + k] = spec_.states[k].start;
    rates_.emplace_back(spec_.states[k].rate, spec_.first_of_networks());
  }
  for (const ControlSpec::Network& network : spec_.networks)
    laws_.push_back(network.law ? network.law->make(network.weights) : nullptr);
  for (std::size_t k = 0; k < spec_.outputs.size(); ++k) {
    numbers_[spec_.first_output() + k] = spec_.outputs[k].start;
    outputs_.emplace_back(spec_.outputs[k].formula, spec_.first_output() + k);
  }
  if (!exists()) return;
  if (works) powers_ = std::make_unique<LoadPowers>(job.spec);
  if (asks_for_work(job.spec) || asks_for_balance(job.spec))
    work_ = std::make_unique<Work>(Work{LoadPowers(job.spec)});
}

std::int64_t Controller::next_sample(std::int64_t steps) const {
  return (steps / spec_.interval + 1) * spec_.interval;
}

void Controller::see(const Glance& glance, const Look* look) {
  if (!exists() || glance.steps > last_step_ || glance.steps != samples_ * spec_.interval) return;
  if (work_ && samples_ > 0) {
    const Work::Done now = done_by(glance);  // with live numbers as they were up to now
    numbers_[spec_.work_place()] +=
        0.5 * interval_ * (work_->before.power + now.power) + (now.motions - work_->before.motions);
  }
  if (samples_ > 0) {
    take_states_to(glance.time());
  } else {
    take_inputs();
  }
  numbers_[ControlSpec::time_place] = glance.time();
  see_signals(glance, look);
  ++samples_;
  waits_ = true;
}

/// Takes the inputs that were set between the member's construction and its first sample.
void Controller::take_inputs() {
  for (std::size_t k = 0; k < spec_.inputs.size(); ++k) {
    const double value = within(inputs_[k], spec_.inputs[k].range);
    numbers_[spec_.first_input() + k] = live_[LiveNumber::size * k + LiveNumber::value] = value;
  }
}

void Controller::see_signals(const Glance& glance, const Look* look) {
  if (signals_.empty()) return;
  std::optional<Observation> observation;
  if (looks_ && look != nullptr) observation.emplace(look->observe());
  if (powers_) {
    powers_->stand_at(glance);
    if (touches_) powers_->touch(glance.rods.touching());
  }
  const SampledFormula::Instant now = {glance.spec,   glance.rods,
                                       glance.time(), observation ? &*observation : nullptr,
                                       powers_.get(), numbers_};
  for (std::size_t k = 0; k < signals_.size(); ++k) {
    Signal& signal = signals_[k];
    const double value = signal.formula.value(now) + noise(k);
    const auto size = static_cast<std::int64_t>(signal.past.size());
    if (samples_ == 0) std::ranges::fill(signal.past, value);
    signal.past[static_cast<std::size_t>(samples_ % size)] = value;
    numbers_[spec_.first_signal() + k] = signal.past[static_cast<std::size_t>((samples_ + 1) % size)];
  }
}

/// A normal number of its own for each sample and signal.
double Controller::noise(std::size_t signal) const {
  const double size = spec_.signals[signal].noise;
  if (size == 0.0) return 0.0;
  const std::uint64_t pairs = (spec_.signals.size() + 1) / 2;
  const RandomStream stream = {seed_, RandomUse::control};
  double uniform[4];
  stream.uniform(static_cast<std::uint64_t>(samples_) * pairs + signal / 2, uniform);
  const double* const own = uniform + 2 * (signal % 2);
  return size * normal_pair(own[0], own[1])[0];
}

/// Integrates states by a step of the classical Runge-Kutta method, with inputs and signals frozen.
void Controller::take_states_to(double time) {
  const std::size_t count = spec_.states.size();
  if (count == 0) return;
  const double start = numbers_[ControlSpec::time_place];
  const double step = time - start;
  const auto present = std::span(numbers_).subspan(spec_.first_state(), count);
  const std::vector<double> before(present.begin(), present.end());
  std::vector<double> stage = before;
  std::vector<double> rates(count);
  std::vector<double> sum(count, 0.0);
  constexpr std::array part = {0.0, 0.5, 0.5, 1.0};
  constexpr std::array weight = {1.0, 2.0, 2.0, 1.0};
  for (std::size_t s = 0; s < part.size(); ++s) {
    for (std::size_t k = 0; k < count; ++k) stage[k] = before[k] + part[s] * step * rates[k];
    find_rates(stage, start + part[s] * step, rates);
    for (std::size_t k = 0; k < count; ++k) sum[k] += weight[s] * rates[k];
  }
  for (std::size_t k = 0; k < count; ++k) present[k] = before[k] + step / 6.0 * sum[k];
}

void Controller::find_rates(std::span<const double> states, double time, std::span<double> rates) {
  for (std::size_t k = 0; k < rates.size(); ++k) {
    const std::span<double> variables = rates_[k].variables();
    std::copy_n(numbers_.begin(), variables.size(), variables.begin());
    variables[ControlSpec::time_place] = time;
    std::ranges::copy(states, variables.begin() + static_cast<std::ptrdiff_t>(spec_.first_state()));
  }
  for (std::size_t k = 0; k < rates.size(); ++k) rates[k] = rates_[k].value();
}

Controller::Change Controller::act() {
  waits_ = false;
  for (std::size_t k = 0; k < spec_.inputs.size(); ++k)
    numbers_[spec_.first_input() + k] = within(inputs_[k], spec_.inputs[k].range);
  run_networks();
  const std::size_t first_output = spec_.first_output();
  const std::vector<double> before(numbers_.begin() + static_cast<std::ptrdiff_t>(first_output),
                                   numbers_.end());
  find_outputs();
  const double time = numbers_[ControlSpec::time_place];
  Change change;
  double* live = live_.data();
  const auto set = [&](double target) {
    const double reached =
        live[LiveNumber::value] + live[LiveNumber::rate] * (time - live[LiveNumber::since]);
    const double value = spec_.held ? target : reached;
    const double rate = spec_.held ? 0.0 : (target - reached) / interval_;
    change.jumps = change.jumps || value != reached;
    change.bends = change.bends || rate != live[LiveNumber::rate];
    live[LiveNumber::value] = value;
    live[LiveNumber::rate] = rate;
    live[LiveNumber::since] = time;
    live += LiveNumber::size;
  };
  for (std::size_t k = 0; k < spec_.inputs.size(); ++k) {
    const double input = numbers_[spec_.first_input() + k];
    set(input);
    // The first sample took it without a jump; the rods were built with its start.
    change.jumps = change.jumps || (samples_ == 1 && input != spec_.inputs[k].start);
  }
  for (std::size_t k = 0; k < spec_.outputs.size(); ++k) set(numbers_[first_output + k]);
  return change;
}

void Controller::run_networks() {
  std::size_t place = spec_.first_of_networks();
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    const ControlSpec::Network& network = spec_.networks[k];
    std::vector<double> values;
    for (const std::size_t seen : network.sees) values.push_back(numbers_[seen]);
    if (laws_[k]) {
      const ControlLaw::Sample now = {numbers_[ControlSpec::time_place], interval_, samples_ - 1};
      laws_[k]->act(now, values, std::span(numbers_).subspan(place, network.gives()));
      place += network.gives();
      continue;
    }
    const double* weight = network.weights.data();
    for (const ControlSpec::Network::Layer& layer : network.layers) {
      std::vector<double> next;
      for (int unit = 0; unit < layer.units; ++unit) {
        double sum = 0.0;
        for (const double value : values) sum += *weight++ * value;
        next.push_back(activated(layer.activation, sum + *weight++));
      }
      values = std::move(next);
    }
    for (const double value : values) numbers_[place++] = value;
  }
}

void Controller::find_outputs() {
  for (std::size_t k = 0; k < spec_.outputs.size(); ++k) {
    const ControlSpec::Output& output = spec_.outputs[k];
    const std::span<double> variables = outputs_[k].variables();
    std::copy_n(numbers_.begin(), variables.size(), variables.begin());
    double& value = numbers_[spec_.first_output() + k];
    const double most = output.rate * interval_;
    const double wanted = within(outputs_[k].value(), output.range);
    value = std::isnan(wanted) ? wanted : std::clamp(wanted, value - most, value + most);
  }
}

Controller::Work::Done Controller::done_by(const Glance& glance) const {
  LoadPowers& powers = work_->powers;
  powers.stand_at(glance);
  Work::Done done;
  for (int rod = 0; rod < static_cast<int>(glance.places.size()); ++rod) {
    for (int i = 0; i < glance.places[static_cast<std::size_t>(rod)].elements; ++i) {
      done.power += powers.of(PowerSource::actuation, rod, i);
      done.motions += powers.motion_work(rod, i);
    }
  }
  return done;
}

void Controller::begin_interval(const Glance& glance, double jump_of_energy) {
  numbers_[spec_.work_place()] += jump_of_energy;
  work_->before = done_by(glance);
}

void Controller::visit(StateArchive& archive) {
  if (!exists()) return;
  archive.visit(samples_);
  archive.visit(waits_);
  archive.visit(std::span(numbers_));
  archive.visit(std::span(inputs_));
  archive.visit(std::span(live_));
  for (Signal& signal : signals_) archive.visit(std::span(signal.past));
  for (const std::unique_ptr<ControlLaw>& law : laws_) {
    if (law) archive.visit(law->memory());
  }
  if (work_) archive.visit(work_->before);
}

}  // namespace rodeo
