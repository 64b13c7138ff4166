#include "random_parameter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "rodeo/input/number_text.hpp"

#include "edit_distance.hpp"
#include "parameter_range.hpp"
#include "value_check.hpp"

namespace rodeo {

namespace {

using RandomKind = RandomParameter::Kind;

constexpr double no_end = std::numeric_limits<double>::infinity();

/// More parameters than this is taken for a mistake in the deck.
constexpr std::size_t most_random_parameters = 100;

struct DistributionForm {
  std::string_view name;
  RandomKind kind;
  std::string_view arguments;
  std::string_view second;  ///< what the second number must be
};
constexpr auto distribution_forms = std::to_array<DistributionForm>(
    {{"uniform", RandomKind::uniform, "(lower,upper)", "an upper number above the lower one"},
     {"loguniform", RandomKind::loguniform, "(lower,upper)", "an upper number above the lower one"},
     {"normal", RandomKind::normal, "(mean,deviation)", "a deviation above 0"},
     {"lognormal", RandomKind::lognormal, "(median,deviation)", "a deviation above 0"}});

[[noreturn]] void refuse_distribution(const std::string& reason) { throw std::invalid_argument(reason); }

double distribution_number(std::string_view text, std::string_view of) {
  const std::optional<double> value = parse_real(text);
  if (!value) refuse_distribution(in_quotes(text) + " is no finite decimal number for " + std::string(of));
  return *value;
}

double distribution_end(std::string_view text) {
  if (text == "-inf") return -no_end;
  if (text == "inf") return no_end;
  return distribution_number(text, "an end of a distribution");
}

const DistributionForm& distribution_form(std::string_view name) {
  const auto* const form = std::ranges::find(distribution_forms, name, &DistributionForm::name);
  if (form != distribution_forms.end()) return *form;
  std::vector<std::string_view> names;
  for (const DistributionForm& known : distribution_forms) names.push_back(known.name);
  const std::string_view near = nearest_name(name, names);
  refuse_distribution(in_quotes(name) + " is no distribution (uniform, loguniform, normal, lognormal)" +
                      (near.empty() ? "" : "; did you mean " + std::string(near) + "?"));
}

/// Cuts a distribution off at the ends of "[lower, upper]".
void cut_off(std::string_view text, RandomParameter& parameter) {
  const std::vector<std::string_view> ends = text.size() > 1 && text.front() == '[' && text.back() == ']'
                                                 ? split(text.substr(1, text.size() - 2), ',')
                                                 : std::vector<std::string_view>{};
  if (ends.size() != 2) refuse_distribution(in_quotes(text) + " is not of the form [lower, upper]");
  const double lower = distribution_end(ends[0]);
  const double upper = distribution_end(ends[1]);
  if (!(lower < upper)) refuse_distribution(in_quotes(text) + " has no numbers: lower must be below upper");
  // Far from its middle a distribution is as good as its end: a mistake.
  constexpr double farthest = 8.0;
  const bool logarithmic = parameter.kind == RandomKind::lognormal;
  const auto deviations = [&](double end) {
    if (logarithmic && end <= 0.0) return -no_end;
    const double from = logarithmic ? std::log(end / parameter.first) : end - parameter.first;
    return from / parameter.second;
  };
  if (deviations(lower) > farthest || deviations(upper) < -farthest) {
    refuse_distribution(in_quotes(text) +
                        " holds hardly any of the distribution, whose middle is more than " +
                        format_real(farthest) + " deviations away");
  }
  parameter.lower = std::max(lower, parameter.lower);
  parameter.upper = upper;
}

/// Throws std::invalid_argument unless all values of a parameter are allowed for its key.
void check_reach(const RandomParameter& parameter, const DistributionForm& form) {
  const KeyInfo& info = key_info(parameter.address.key);
  for (const double end : {parameter.lower, parameter.upper}) {
    const double limit = end < parameter.upper ? info.minimum : info.maximum;
    // A lognormal number is above 0, which is as good a bound as one that is excluded.
    const bool open = parameter.kind == RandomKind::lognormal && end == 0.0;
    if (std::isfinite(end) && !open) {
      const std::string_view problem = number_problem(info, end);
      if (!problem.empty()) refuse_distribution(value_message(info, format_real(end), problem));
    } else if (open ? limit > 0.0 : std::isfinite(limit)) {
      refuse_distribution(std::string(form.name) + " reaches numbers that " + parameter.address.name() +
                          " cannot take (" + allowed_with_unit(info) + "): cut it off, as in " +
                          std::string(form.name) + std::string(form.arguments) + " in [lower, upper]");
    }
  }
}

/// Reads the distribution behind the address, which `parameter` has already.
void parse_distribution(std::string_view call, RandomParameter& parameter) {
  const std::size_t open = call.find('(');
  const std::size_t close = call.find(')');
  const KeyInfo& info = key_info(parameter.address.key);
  if (info.type == ValueType::choice || info.type == ValueType::integer) {
    refuse_distribution(parameter.address.name() +
                        (info.type == ValueType::choice ? " takes words" : " is a whole number") +
                        ", and distributions are of real numbers");
  }
  const DistributionForm& form = distribution_form(trimmed(call.substr(0, open)));
  const std::string_view list = trimmed(call.substr(open + 1, close - open - 1));
  const std::vector<std::string_view> arguments = split(list, ',');
  const std::string signature = std::string(form.name) + std::string(form.arguments);
  if (list.empty() || arguments.size() != 2) {
    refuse_distribution(signature + " takes two numbers, not " +
                        std::to_string(list.empty() ? 0 : arguments.size()));
  }
  parameter.kind = form.kind;
  parameter.first = distribution_number(arguments[0], signature);
  parameter.second = distribution_number(arguments[1], signature);
  const bool of_bounds = form.kind == RandomKind::uniform || form.kind == RandomKind::loguniform;
  if (!(parameter.second > (of_bounds ? parameter.first : 0.0))) {
    refuse_distribution(signature + " takes " + std::string(form.second) + ", not " +
                        format_real(parameter.second));
  }
  const bool logarithmic = form.kind == RandomKind::loguniform || form.kind == RandomKind::lognormal;
  if (logarithmic && parameter.first <= 0.0) {
    refuse_distribution(signature + " takes numbers above 0, not " + format_real(parameter.first));
  }
  parameter.lower = of_bounds ? parameter.first : logarithmic ? 0.0 : -no_end;
  parameter.upper = of_bounds ? parameter.second : no_end;

  const std::string_view rest = trimmed(call.substr(close + 1));
  if (!rest.empty()) {
    constexpr std::string_view in = "in";
    if (of_bounds || !rest.starts_with(in)) {
      refuse_distribution(in_quotes(rest) + " is left over behind " + signature);
    }
    cut_off(trimmed(rest.substr(in.size())), parameter);
  }
  check_reach(parameter, form);
}

}  // namespace

std::vector<RandomParameter> parse_random_parameters(std::string_view text) {
  const std::size_t colon = end_of_address(text);
  const std::string_view call = colon == text.npos ? "" : trimmed(text.substr(colon + 1));
  const std::size_t open = call.find('(');
  if (open == call.npos || call.find(')', open) == call.npos) {
    refuse_distribution(in_quotes(text) + " is not of the form KEY : normal(mean,deviation)");
  }
  RandomParameter parameter;
  std::vector<RandomParameter> parameters;
  for (const ParameterAddress& address : parse_parameter_addresses(text.substr(0, colon))) {
    parameter.address = address;
    if (parameters.empty()) parse_distribution(call, parameter);
    parameters.push_back(parameter);
  }
  return parameters;
}

std::vector<RandomParameter> Deck::random_parameters() const {
  const Key key = "sensitivity.parameter"_key;
  if (!has_value(key)) throw missing_error(key, "study.kind = sensitivity needs two at least");
  std::vector<RandomParameter> parameters;
  std::size_t line = 0;
  for_each_line(key, [&](const std::string& text, const std::string&) {
    std::vector<RandomParameter> alike = parse_random_parameters(text);
    check_entries(alike.front().address, alike.size());
    for (RandomParameter& parameter : alike) {
      if (std::ranges::count(parameters, parameter.address, &RandomParameter::address) > 0) {
        refuse_distribution(parameter.address.name() + " is a parameter already");
      }
      check_varied(parameter.address);
      parameter.line = line;
      parameters.push_back(parameter);
      if (parameters.size() > most_random_parameters) {
        refuse_distribution("is one of more than " + std::to_string(most_random_parameters) + " parameters");
      }
    }
    ++line;
  });
  if (parameters.size() > 1) return parameters;
  throw error(key,
              "is the only parameter, to which all variance belongs: give two at least, or study.kind = "
              "sweep");
}

}  // namespace rodeo
