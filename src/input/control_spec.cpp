#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/observe/signals.hpp"

#include "formula_text.hpp"
#include "measure_text.hpp"
#include "nearest_name.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

constexpr int most_numbers = 1000;
constexpr std::int64_t most_delay = 1'000'000;  ///< intervals
constexpr std::size_t longest_array_name = 64;

/// The name that a line gives, and how many numbers it stands for.
struct Defined {
  std::string name;
  int count = 0;  ///< 0: one, without an index

  int lines() const { return std::max(count, 1); }
  std::string entry(int k) const { return count > 0 ? name + "[" + std::to_string(k) + "]" : name; }
};

/// The names of a control's formulas: numbers of its list, up to a place of it.
class ControlTerms final : public FormulaTerms {
 public:
  ControlTerms(const LineReader& in, const ControlSpec& control, std::size_t seen, std::string_view seen_text)
      : in_(in), control_(control), seen_(seen), seen_text_(seen_text) {}

  std::optional<Formula> named(std::size_t place, std::string_view name) override {
    if (name == "t") return Formula::slot(static_cast<int>(ControlSpec::time_place));
    const std::optional<std::size_t> number = control_.find(name);
    if (!number) return std::nullopt;
    if (*number >= seen_) in_.fail(place, in_quotes(name) + " cannot stand here: " + std::string(seen_text_));
    return Formula::slot(static_cast<int>(*number));
  }

  std::optional<Formula> called(std::size_t place, std::string_view name) override {
    if (std::ranges::find(signals(), name, &Signal::name) != signals().end())
      in_.fail(place, "what is measured stands in a line of its own: control.signal = NAME : " +
                          std::string(name) + "(PLACE)");
    return std::nullopt;
  }

  [[noreturn]] void unknown(std::size_t place, std::string_view name) const override {
    const std::vector<std::string> own = control_.names();
    std::vector<std::string_view> names(own.begin(), own.end());
    for (const FormulaFunction& function : formula_functions()) names.push_back(function.name);
    in_.fail(place, in_quotes(name) + " is no number of the control above, variable or function" +
                        did_you_mean(name, names));
  }

 private:
  const LineReader& in_;
  const ControlSpec& control_;
  std::size_t seen_;
  std::string_view seen_text_;
};

/// Reads the lines of the section.
class ControlReader {
 public:
  ControlReader(const Deck& deck, MemberSpec& member)
      : deck_(deck), member_(member), control_(member.control) {}

  void read() {
    set_interval();
    control_.held = deck_.choice("control.hold"_key) == "zero";
    each_line("control.input"_key, [this](LineReader& in) { read_input(in); });
    add_free_variables();
    each_line("control.signal"_key, [this](LineReader& in) { read_signal(in); });
    each_line("control.state"_key, [this](LineReader& in) { read_state(in); });
    // Rates may name states of later lines.
    std::size_t next = 0;
    each_line("control.state"_key, [&](LineReader& in) { read_rates(in, next); });
    each_line("control.network"_key, [this](LineReader& in) { read_network(in); });
    each_line("control.output"_key, [this](LineReader& in) { read_output(in); });
    if (control_.numbers() == ControlSpec::first_input() + 1)
      throw deck_.error("control.interval"_key,
                        "samples nothing: give control.input, control.signal or control.output");
  }

  /// Throws unless something takes every input and output: a formula that drives the member, another line of
  /// the control, or a measure.
  void check_use() const {
    for (const Key key : {"control.input"_key, "control.output"_key}) {
      const std::vector<std::string>& lines = deck_.texts(key);
      for (std::size_t k = 0; k < lines.size(); ++k) {
        const std::string name(LineReader(lines[k]).word());
        if (is_named(name, lines[k])) continue;
        throw DeckError(deck_.places(key)[k] + ": " + std::string(key_info(key).name) + ": nothing names " +
                        name +
                        ": write it in a formula of actuation, motion or ground.platen, or in a measure");
      }
    }
  }

 private:
  template <class Read>
  void each_line(Key key, const Read& read) {
    deck_.for_each_line(key, [&](const std::string& line, const std::string&) {
      LineReader in(line);
      read(in);
    });
  }

  void set_interval() {
    const double interval = deck_.number("control.interval"_key);
    const double steps = std::round(interval / member_.time.step);
    if (steps < 1.0 || std::abs(interval / member_.time.step - steps) > 1e-6 * steps) {
      const double nearest = std::max(1.0, steps) * member_.time.step;
      throw deck_.error("control.interval"_key, "is no whole number of time steps of " +
                                                    format_real(member_.time.step) + " s; the nearest is " +
                                                    format_real(nearest) + " s");
    }
    control_.interval = static_cast<std::int64_t>(steps);
  }

  double interval() const { return static_cast<double>(control_.interval) * member_.time.step; }

  FormulaScope scope_of(const Defined& defined, int k, FormulaTerms* terms = nullptr) const {
    FormulaScope scope{.deck = deck_, .member = member_, .terms = terms};
    if (defined.count > 0) scope.index = k;
    return scope;
  }

  Defined defined_by(LineReader& in) const {
    in.skip_blanks();
    const std::size_t begin = in.at();
    const std::string_view written = in.name();
    const std::size_t bracket = std::min(written.find('['), written.size());
    Defined defined{std::string(written.substr(0, bracket))};
    if (defined.name.empty()) in.fail(begin, "a name should stand here");
    if (defined.name.find('.') != defined.name.npos) in.fail(begin, "a name has no dot");
    if (defined.name.size() > longest_array_name) in.fail(begin, "the name is too long");
    check_name(in, begin, defined.name);
    if (bracket == written.size()) return defined;
    defined.count = index_in(in, begin, written, scope_of({}, 0));
    if (defined.count < 1 || defined.count > most_numbers)
      in.fail(begin + bracket + 1, "an array has 1 to " + std::to_string(most_numbers) + " numbers");
    return defined;
  }

  void check_name(const LineReader& in, std::size_t place, const std::string& name) const {
    const auto refuse = [&](const std::string& what) {
      in.fail(place, in_quotes(name) + " is " + what + ": give it another name");
    };
    constexpr auto built_in = std::to_array<std::string_view>(
        {"t", "s", "k", "pi", "t_end", "period", "table", ControlSpec::work_name});
    if (std::ranges::find(built_in, name) != built_in.end()) refuse("built into formulas");
    if (std::ranges::find(formula_functions(), name, &FormulaFunction::name) != formula_functions().end())
      refuse("a function");
    if (std::ranges::find(signals(), name, &Signal::name) != signals().end()) refuse("a signal of measures");
    if (observable_index(name) < observables.size()) refuse("an observable");
    if (std::ranges::find(deck_.variables(), name, &Variable::name) != deck_.variables().end())
      refuse("a variable of the deck");
    std::vector<std::string> above = control_.names();
    for (const ControlSpec::Signal& signal : pending_signals_) above.push_back(signal.name);
    for (const std::string& other : above) {
      if (other.substr(0, other.find('[')) == name && !reads_again_) refuse("defined above");
    }
  }

  static void expect_colon(LineReader& in, const char* example) {
    in.expect(':', std::string("a : should stand here, as in ") + example);
  }

  ControlSpec::Range range(LineReader& in, const FormulaScope& scope) const {
    in.expect('[', "a range is written as in [LOW, HIGH]");
    in.skip_blanks();
    const std::size_t begin = in.at();
    ControlSpec::Range range;
    range.low = parse_constant(in, scope);
    in.expect(',', "a range is written as in [LOW, HIGH]");
    range.high = parse_constant(in, scope);
    in.expect(']', "a range is written as in [LOW, HIGH]");
    if (range.high <= range.low) in.fail(begin, "a range ends above where it begins");
    return range;
  }

  /// Reads a word and the number behind it; nothing if the word does not stand here.
  std::optional<double> number_after(LineReader& in, std::string_view word, const FormulaScope& scope) const {
    if (!in.take_word(word)) return std::nullopt;
    in.skip_blanks();
    return parse_constant(in, scope);
  }

  void read_input(LineReader& in) {
    const Defined defined = defined_by(in);
    expect_colon(in, "NAME : START in [LOW, HIGH]");
    const std::size_t begin = in.at();
    for (int k = 0; k < defined.lines(); ++k) {
      in.go_to(begin);
      const FormulaScope scope = scope_of(defined, k);
      ControlSpec::Input input{defined.entry(k), parse_constant(in, scope), {}};
      if (!in.take_word("in")) in.fail(in.at(), "an input has a range: NAME : START in [LOW, HIGH]");
      input.range = range(in, scope);
      if (!(input.start >= input.range.low && input.start <= input.range.high))
        in.fail(begin, "the start is " + format_real(input.start) + ", outside of the range");
      expect_end(in);
      control_.inputs.push_back(std::move(input));
    }
  }

  void add_free_variables() {
    for (const Variable& variable : deck_.variables()) {
      if (!variable.free) continue;
      const bool is_list = variable.numbers.size() > 1;
      for (std::size_t k = 0; k < variable.numbers.size(); ++k) {
        const std::string name = variable.name + (is_list ? "[" + std::to_string(k) + "]" : "");
        control_.inputs.push_back({name, variable.numbers[k], {}});
      }
    }
  }

  void read_signal(LineReader& in) {
    const Defined defined = defined_by(in);
    std::string unit;
    if (in.take('[')) {
      unit = in.text_before(']', "the bracket of the unit is not closed");
      in.take(']');
    }
    expect_colon(in, "NAME [UNIT] : EXPRESSION");
    const std::size_t begin = in.at();
    std::vector<ControlSpec::Signal> found;
    for (int k = 0; k < defined.lines(); ++k) {
      in.go_to(begin);
      const FormulaScope scope = scope_of(defined, k);
      SampledText text = parse_sampled(in, deck_, member_, scope.index);
      in.go_to(text.end);
      ControlSpec::Signal signal{defined.entry(k), unit, text.formula, std::move(text.operands)};
      in.skip_blanks();
      const std::size_t at_delay = in.at();
      if (const auto delay = number_after(in, "delay", scope)) signal.delay = delay_of(in, at_delay, *delay);
      in.skip_blanks();
      const std::size_t at_noise = in.at();
      signal.noise = number_after(in, "noise", scope).value_or(0.0);
      if (signal.noise < 0.0) in.fail(at_noise, "noise is a standard deviation, >= 0");
      expect_end(in);
      found.push_back(std::move(signal));
    }
    // Signals become known only now, as they do not see each other.
    for (ControlSpec::Signal& signal : found) pending_signals_.push_back(std::move(signal));
    if (++signal_lines_ == deck_.texts("control.signal"_key).size())
      control_.signals = std::move(pending_signals_);
  }

  std::int64_t delay_of(const LineReader& in, std::size_t place, double delay) const {
    const double intervals = std::round(delay / interval());
    if (!(delay >= 0.0)) in.fail(place, "a delay is >= 0 s");
    if (std::abs(delay / interval() - intervals) > 1e-6 * std::max(1.0, intervals)) {
      in.fail(place, "a delay is a whole number of intervals of " + format_real(interval()) +
                         " s; the nearest is " + format_real(intervals * interval()) + " s");
    }
    if (intervals > static_cast<double>(most_delay)) in.fail(place, "the delay is too long");
    return static_cast<std::int64_t>(intervals);
  }

  void read_state(LineReader& in) {
    const Defined defined = defined_by(in);
    expect_colon(in, "NAME : START, RATE");
    const std::size_t begin = in.at();
    for (int k = 0; k < defined.lines(); ++k) {
      in.go_to(begin);
      const double start = parse_constant(in, scope_of(defined, k));
      in.expect(',', "a comma and the rate should stand here: NAME : START, RATE");
      control_.states.push_back({defined.entry(k), start});
    }
  }

  void read_rates(LineReader& in, std::size_t& next) {
    reads_again_ = true;
    const Defined defined = defined_by(in);
    reads_again_ = false;
    in.take(':');
    const std::size_t begin = in.at();
    ControlTerms terms(in, control_, control_.first_of_networks(), "rates see inputs, signals and states");
    for (int k = 0; k < defined.lines(); ++k) {
      in.go_to(begin);
      const FormulaScope scope = scope_of(defined, k, &terms);
      parse_constant(in, scope);
      in.take(',');
      control_.states[next++].rate = parse_host_formula(in, scope);
      expect_end(in);
    }
  }

  void read_network(LineReader& in) {
    const std::string example = "NAME[N] : tanh 16, tanh of SIGNALS with variable.WEIGHTS";
    const Defined defined = defined_by(in);
    if (defined.count == 0) in.fail(0, "a network gives several numbers, or NAME[1]: " + example);
    expect_colon(in, example.c_str());
    ControlSpec::Network network;
    network.name = defined.name;
    network.law = law_at(in);
    if (!network.law) read_layers(in, defined, example, network);
    if (!in.take_word("of")) in.fail(in.at(), "what the network sees should stand here: " + example);
    do {
      see(in, network);
    } while (in.take(','));
    const bool takes_weights = !network.law || !network.law->weights.empty();
    if (!in.take_word("with") && takes_weights)
      in.fail(in.at(),
              "weights should stand here: " +
                  (network.law ? listed(network.law->weights) + ", of " + network.law->name : example));
    in.skip_blanks();
    const std::size_t at_weights = in.at();
    if (takes_weights) network.weights = weights(in);
    expect_end(in);
    network.law ? check_law(in, defined, network) : check_weights(in, at_weights, network);
    control_.networks.push_back(std::move(network));
  }

  /// The law of control that stands in the place of layers, if one does.
  static std::shared_ptr<const ControlLawKind> law_at(LineReader& in) {
    in.skip_blanks();
    const std::size_t begin = in.at();
    std::shared_ptr<const ControlLawKind> law = find_control_law(in.word());
    if (!law) in.go_to(begin);
    return law;
  }

  static std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text.append(text.empty() ? "" : ", ").append(name);
    return text;
  }

  static void check_law(const LineReader& in, const Defined& defined, const ControlSpec::Network& network) {
    const auto check = [&](const std::string& verb, const std::vector<std::string>& names,
                           std::size_t count) {
      if (names.size() == count) return;
      in.fail(0, network.law->name + " " + verb + " " + std::to_string(names.size()) + " (" + listed(names) +
                     "); there are " + std::to_string(count));
    };
    check("sees so many numbers:", network.law->sees, network.sees.size());
    check("takes so many weights:", network.law->weights, network.weights.size());
    check("gives so many numbers:", network.law->gives, static_cast<std::size_t>(defined.count));
  }

  void read_layers(LineReader& in, const Defined& defined, const std::string& example,
                   ControlSpec::Network& network) const {
    do {
      network.layers.push_back(layer(in));
    } while (in.take(','));
    ControlSpec::Network::Layer& last = network.layers.back();
    if (last.units == 0) last.units = defined.count;
    if (last.units != defined.count)
      in.fail(in.at(), "the last layer has as many units as the network gives numbers: " +
                           std::to_string(defined.count));
    for (const ControlSpec::Network::Layer& one : network.layers) {
      if (one.units == 0) in.fail(in.at(), "layers before the last say how many units they have: " + example);
    }
  }

  static void check_weights(const LineReader& in, std::size_t at_weights,
                            const ControlSpec::Network& network) {
    std::size_t before = network.sees.size();
    std::size_t count = 0;
    for (const ControlSpec::Network::Layer& one : network.layers) {
      count += (before + 1) * static_cast<std::size_t>(one.units);
      before = static_cast<std::size_t>(one.units);
    }
    if (network.weights.size() != count) {
      in.fail(
          at_weights,
          "there are " + std::to_string(network.weights.size()) + " weights; this network of " +
              std::to_string(network.sees.size()) + " numbers takes " + std::to_string(count) +
              " (layer by layer, unit by unit: a weight for each number that the layer sees, then the bias)");
    }
  }

  ControlSpec::Network::Layer layer(LineReader& in) const {
    in.skip_blanks();
    const std::size_t begin = in.at();
    const auto activation = find_word<ControlSpec::Activation>(in.word());
    if (!activation) {
      std::vector<std::string> choices;
      for (const auto& word : words<ControlSpec::Activation>) choices.emplace_back(word.text);
      const std::vector<std::string> laws = control_law_names();
      in.fail(begin, "a layer is one of " + listed(choices) + ", and its number of units" +
                         (laws.empty() ? "" : "; laws of control of this program are " + listed(laws)));
    }
    ControlSpec::Network::Layer layer{0, *activation};
    if (is_digit(in.next())) layer.units = in.integer();
    if (layer.units > most_numbers)
      in.fail(begin, "a layer has at most " + std::to_string(most_numbers) + " units");
    return layer;
  }

  /// A number of the control, or all of an array.
  void see(LineReader& in, ControlSpec::Network& network) const {
    in.skip_blanks();
    const std::size_t begin = in.at();
    const std::string name(in.name());
    const std::vector<std::string> names = control_.names();
    const std::size_t before = network.sees.size();
    for (std::size_t place = ControlSpec::first_input(); place < control_.first_output(); ++place) {
      const std::string& own = names[place];
      if (own == name || own.substr(0, own.find('[')) == name) network.sees.push_back(place);
    }
    if (network.sees.size() > before) return;
    const std::vector<std::string_view> own_names(names.begin() + 1, names.end() - 1);
    in.fail(begin, in_quotes(name) + " is no input, signal, state or network of a line above" +
                       did_you_mean(name, own_names));
  }

  /// A list of the deck, or a column of a table.
  std::vector<double> weights(LineReader& in) const {
    const std::size_t begin = in.at();
    if (in.take_word("table")) {
      const std::string why = "a table is written as table(FILE, COLUMN)";
      in.expect('(', why);
      const std::string file(in.text_before(',', why));
      in.take(',');
      in.skip_blanks();
      const std::string column(in.text_before(')', why));
      in.take(')');
      return in.read_at(begin, [&] { return deck_.table(file, column).second; });
    }
    std::string_view name = in.name();
    if (name.starts_with(variable_section)) name.remove_prefix(variable_section.size());
    const auto found = std::ranges::find(deck_.variables(), name, &Variable::name);
    if (found == deck_.variables().end() || found->free)
      in.fail(begin, "weights are a list of the deck, variable.NAME, or table(FILE, COLUMN)");
    return found->numbers;
  }

  void read_output(LineReader& in) {
    const Defined defined = defined_by(in);
    expect_colon(in, "NAME : EXPRESSION in [LOW, HIGH] rate MOST_PER_SECOND");
    const std::size_t begin = in.at();
    const std::size_t seen = control_.work_place();
    ControlTerms terms(in, control_, seen, "outputs see what is defined above them");
    std::vector<ControlSpec::Output> found;
    for (int k = 0; k < defined.lines(); ++k) {
      in.go_to(begin);
      const FormulaScope scope = scope_of(defined, k, &terms);
      const FormulaScope constants = scope_of(defined, k);
      ControlSpec::Output output;
      output.name = defined.entry(k);
      output.formula = parse_host_formula(in, scope);
      if (in.take_word("in")) output.range = range(in, constants);
      in.skip_blanks();
      const std::size_t at_rate = in.at();
      if (const auto rate = number_after(in, "rate", constants)) output.rate = *rate;
      if (!(output.rate > 0.0)) in.fail(at_rate, "a rate is > 0, per second");
      const std::optional<double> start = number_after(in, "from", constants);
      output.start = start.value_or(std::clamp(0.0, output.range.low, output.range.high));
      if (!(output.start >= output.range.low && output.start <= output.range.high))
        in.fail(begin, "begins from " + format_real(output.start) + ", outside of the range");
      expect_end(in);
      found.push_back(std::move(output));
    }
    for (ControlSpec::Output& output : found) control_.outputs.push_back(std::move(output));
  }

  bool is_named(const std::string& name, const std::string& own_line) const {
    for (const KeyInfo& info : key_table()) {
      const bool takes = info.name.starts_with("actuation.") || info.name.starts_with("motion.") ||
                         info.name.starts_with("control.") || info.key == "ground.platen"_key ||
                         info.key == "measure.define"_key;
      if (!takes || info.type != ValueType::text) continue;
      for (const std::string& line : deck_.texts(info.key)) {
        if (&line != &own_line && names_word(line, name)) return true;
      }
    }
    return false;
  }

  const Deck& deck_;
  MemberSpec& member_;
  ControlSpec& control_;
  bool reads_again_ = false;
  std::vector<ControlSpec::Signal> pending_signals_;
  std::size_t signal_lines_ = 0;
};

}  // namespace

void set_control(const Deck& deck, MemberSpec& spec) {
  if (!deck.has_value("control.interval"_key)) return;
  ControlReader reader(deck, spec);
  reader.read();
  reader.check_use();
}

}  // namespace rodeo
