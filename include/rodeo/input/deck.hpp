#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rodeo/input/assignments.hpp"
#include "rodeo/input/keys.hpp"
#include "rodeo/spec/member_spec.hpp"
#include "rodeo/spec/words.hpp"

namespace rodeo {

/// Bad input: each line of the text names file, line, key, what is allowed and the nearest valid key. Exit
/// code 1.
class DeckError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Calls `use`, and makes a DeckError that `place` begins out of a std::invalid_argument that it throws.
template <class Use>
decltype(auto) located(const std::string& place, const Use& use) {
  try {
    return use();
  } catch (const std::invalid_argument& reason) {
    throw DeckError(place + ": " + reason.what());
  }
}

/// Faults of a deck, collected so that all of them are said in one run.
class DeckFaults {
 public:
  /// Does a part of the work, and keeps the DeckError that it may throw.
  template <class Part>
  void pass(const Part& part) {
    try {
      part();
    } catch (const DeckError& fault) {
      add(fault.what());
    }
  }

  void add(const std::string& fault) {
    if (++count_ <= most_said) text_ += (count_ > 1 ? "\n" : "") + fault;
  }

  /// Throws a DeckError of all faults, a line each; does nothing if there are none.
  void report() const {
    if (count_ == 0) return;
    throw DeckError(count_ <= most_said ? text_
                                        : text_ + "\n" + std::to_string(count_ - most_said) + " more faults");
  }

 private:
  static constexpr int most_said = 20;
  std::string text_;
  int count_ = 0;
};

/// A value in a deck that a study varies: a key, or one entry of a list key (`KEY[i]`).
struct ParameterAddress {
  Key key = no_key;
  int index = -1;             ///< entry of a list, -1 for a plain number or word
  std::string variable = {};  ///< its name, of variable.NAME

  std::string name() const;
  bool operator==(const ParameterAddress&) const = default;
};

/// Values of one key by a `sweep.axis` line: `KEY : linspace(a,b,n) | logspace(a,b,n) | list(v, ...)`.
struct SweepAxis {
  ParameterAddress address;
  std::vector<double>
      values;                ///< the grid points, in the order given; of words their places among the choices
  double lower = 0.0;        ///< smallest value, for samplers
  double upper = 0.0;        ///< largest value, for samplers
  bool logarithmic = false;  ///< samplers draw uniformly in the logarithm
  bool listed = false;       ///< by list(v, ...), so that nothing is known between the values
  std::size_t line = 0;      ///< of the deck's: the axes of one line move together
};

/// A parameter of an optimisation: one number or word of
/// `optimize.parameter = KEY : [lower, upper] start s scale d log` or `KEY : list(v, ...) start v scale d`.
struct SearchParameter {
  ParameterAddress address;
  double lower = 0.0;  ///< may be minus infinity
  double upper = 0.0;  ///< may be infinity
  double start = 0.0;
  double scale = 1.0;               ///< what counts as a large change of it; of a logarithmic one in decades
  bool logarithmic = false;         ///< the search moves in its logarithm
  bool whole = false;               ///< it takes whole numbers alone
  std::vector<double> values = {};  ///< of a list, in whose places the scale counts
  std::size_t line = 0;             ///< of the deck's
};

/// The levels of a ladder, `fidelity.level = KEY = VALUE, ...`, from cheap to dear.
struct FidelityLevels {
  std::vector<ParameterAddress> addresses;  ///< of all levels, in the order in which they are named first
  std::vector<std::vector<double>> values;  ///< [levels, addresses]; of words their places among the choices
  std::vector<bool> replaced;               ///< by address: each level has a value of its own for it
};

/// A random number of a study of sensitivities:
/// `sensitivity.parameter = KEY : DISTRIBUTION`.
struct RandomParameter {
  enum class Kind { uniform, loguniform, normal, lognormal };
  ParameterAddress address;
  Kind kind = Kind::uniform;
  /// The bounds; of normal the mean and the standard deviation, of lognormal the median and the standard
  /// deviation of the natural logarithm.
  double first = 0.0;
  double second = 1.0;
  double lower = 0.0;    ///< end of what it can be, may be minus infinity
  double upper = 1.0;    ///< may be infinity
  std::size_t line = 0;  ///< of the deck's
};

/// Correlation of two numbers of the deck, by `study.correlation`.
struct CorrelatedPair {
  ParameterAddress first;
  ParameterAddress second;
  double coefficient = 0.0;  ///< between -1 and 1
};

/// Conditions that each candidate meets, by `study.scenarios`.
struct ScenarioLines {
  std::vector<SweepAxis> listed;       ///< combined as those of a sweep
  std::vector<RandomParameter> drawn;  ///< anew for each scenario
};

/// One `rod.each` line: `KEY : list(v, ...)`, a value for each rod of a member, or a distribution from which
/// each gets its own.
struct EachRod {
  enum class Kind { list, uniform, normal };
  ParameterAddress address;
  Kind kind = Kind::list;
  std::vector<double> numbers;     ///< of a numeric key; uniform: the bounds, normal: mean and deviation
  std::vector<std::string> words;  ///< of a choice key, or files
  std::vector<std::string> expressions = {};  ///< of `numbers`, where any is more than a number
  std::string place = {};

  std::size_t count() const { return numbers.size() + words.size(); }

  /// Whether an expression names the key that the line gives values.
  bool names_itself() const;
};

/// One `rod.lists` line, `K KEY : v, ...`: the numbers of a list key of one rod.
struct RodList {
  int rod = 0;
  Key key = no_key;
  std::shared_ptr<const std::vector<double>> numbers;
  std::string place = {};
};

/// Numbers under a name of the deck's own: `variable.NAME = v, ...`.
struct Variable {
  std::string name;
  std::vector<double> numbers;
  std::string place;
  /// Its numbers are set while members run. Formulas of the control and of measures alone may name it, of
  /// whose inputs its numbers are the last.
  bool free = false;
};

struct PointColumn;

/// A column of a scene that an HDF5 file holds: a key, or an entry of one, and its value for each rod. Words
/// may be given by their places among the choices of their key.
struct SceneColumn {
  std::string key;
  std::vector<std::string> values;
};

/// Reads the columns of a group of an HDF5 file.
using SceneReader =
    std::function<std::vector<SceneColumn>(const std::string& path, const std::string& group)>;

/// A deck with all its values checked against the key table.
class Deck {
 public:
  /// Reads a deck file, then applies `overrides` (each "section.key=value", as on the command line).
  /// The points that sweep.points names become a line of sweep.axis, the rods of rod.scene lines of rod.each,
  /// the points of measure.data lines of measure.point, and the tables that formulas name lines of
  /// table.column, so that nothing else has to see those files.
  /// Throws DeckError on an unreadable file, bad syntax, all unknown keys, bad values and repeated keys, or
  /// all that have no effect (key_effects.hpp).
  static Deck read(const std::string& path, const std::vector<std::string>& overrides = {},
                   const SceneReader& read_scene = {});

  /// Reads a deck from text, which may have keys without effect, as stored decks do; `name` stands for the
  /// file in messages.
  static Deck parse(const std::string& text, const std::string& name,
                    const std::vector<std::string>& overrides = {});

  /// The deck that a campaign's file holds. One of an earlier revision gets the values that this implied.
  static Deck parse_stored(const std::string& text, const std::string& name);

  /// The deck that a campaign's file holds, with `overrides`. A line of sweep.axis among them stands in the
  /// place of the one for the same keys, and sweep.points in the place of the line that a file with these
  /// columns became. Throws DeckError as read() does, and where there is no such line.
  static Deck parse_extended(const std::string& text, const std::string& name,
                             const std::vector<std::string>& overrides);

  /// True if the deck (or an override) gives the key; false if its default, if any, is used.
  bool is_given(Key key) const;
  /// True if the key has a value: given or by default.
  bool has_value(Key key) const;

  // The value of a key. Those that return one value throw DeckError ("… is missing") if the key has none.
  double number(Key key) const;                          ///< real and integer keys
  std::int64_t integer(Key key) const;                   ///< integer keys other than seeds
  std::uint64_t seed() const;                            ///< study.seed, exact over its whole range
  std::string_view choice(Key key) const;                ///< choice keys
  Vec3 vec3(Key key) const;                              ///< real_list keys of length 3
  const std::vector<double>& list(Key key) const;        ///< real_list keys
  const std::vector<std::string>& texts(Key key) const;  ///< text keys, one entry a line; empty if not given

  /// The variables, in the order in which the deck names them first.
  const std::vector<Variable>& variables() const { return variables_; }

  /// Sets whether a variable of the deck is free.
  void set_free(std::string_view variable, bool free);

  /// The number at an address. Throws std::invalid_argument if the deck has none there, or that of a free
  /// variable.
  double number(const ParameterAddress& address) const;

  /// Sets the fields of a specification that take the values of keys as they are (KeyInfo::field), where keys
  /// have values.
  template <class Spec>
  void fill(Spec& spec) const {
    for (const Field<Spec>& field : fields_of<Spec>) {
      if (has_value(field.key)) field.set(spec, value(field.key));
    }
  }

  /// Sets a number, or the word at that place among the choices of its key, as a study does for each
  /// candidate. Throws DeckError if it is out of range.
  void set(const ParameterAddress& address, double value);

  /// Puts the coordinates read from the file rod.shape_file in its place; `place` is where they come from.
  void set_shape_nodes(std::vector<double> coordinates, const std::string& place);

  /// Puts the numbers of a file in the place of the key that names it, of one rod (from 0) where rod.each
  /// names a file for each, or `rod` is not -1.
  void set_list(Key key, int rod, std::vector<double> numbers, const std::string& place);

  /// Forgets the files that rod.each or a key names, once their numbers are there.
  void drop_files(Key key);

  /// The axes of a sweep. Throws DeckError on bad grammar, an unknown key or one of free text, a bad value,
  /// two axes over the same key, axes of different lengths that move together, words or lists that move
  /// together without a grid, and for study.kind = sweep on no axis or on missing sweep.samples.
  std::vector<SweepAxis> sweep_axes() const;

  /// The axis of a convergence ladder. Throws DeckError as sweep_axes does, and if there is none.
  SweepAxis convergence_axis() const;

  /// The number that changes along a branch of equilibria. Throws DeckError if branch.key names none.
  ParameterAddress branch_address() const;

  /// The parameters of an optimisation. Throws DeckError as sweep_axes does, on words without a list, on
  /// bounds that the key does not allow, and on a start that is not between them, or not in the list.
  std::vector<SearchParameter> search_parameters() const;

  /// The levels of a ladder; none where the deck has no fidelity.level. Throws DeckError on bad grammar, a
  /// key that cannot be varied, that the study varies already or that the objective is made of, a bad value,
  /// two equal ones that follow one another, and a key for which neither a level nor the deck has a value.
  /// One level alone has the deck itself above it.
  FidelityLevels fidelity_levels() const;

  /// The random numbers of a study of sensitivities, one a line. Throws DeckError as sweep_axes does, on
  /// whole numbers and words, on a distribution that reaches what the key does not allow, and on fewer than
  /// two.
  std::vector<RandomParameter> random_parameters() const;

  /// The pairs of study.correlation. Throws DeckError on bad grammar, on a coefficient of 1 or more and on a
  /// pair that stands there twice.
  std::vector<CorrelatedPair> correlated_pairs() const;

  /// Scenarios of a search; nothing without study.scenarios, and in other studies. Throws DeckError as
  /// sweep_axes and random_parameters do, and on a key that the search moves, or a level of a ladder sets.
  ScenarioLines scenario_lines() const;

  /// Whether rod.each or rod.lists gives rods values of their own.
  bool rods_differ() const { return !each_rod_.empty() || !lists_.empty(); }

  /// The deck as it holds for the k-th rod (from 0) of a member, with that rod's values of rod.each. Throws
  /// DeckError if a line of rod.each has not as many values as the member has rods.
  Deck for_rod(int k) const;

  /// Gives `own`, the deck of another rod, the values that rod.each has for the k-th one, which saves a copy
  /// of the deck for each rod.
  void give_rod(int k, Deck& own) const;

  /// Says how many rods a member has, of which this is the deck of one; 0 while they are counted, when no
  /// number may name rod.count.
  void set_member_rods(int rods) { member_rods_ = rods; }

  /// Puts a rod elsewhere: rod.origin, and where they are not empty rod.direction, rod.normal and
  /// rod.shape_nodes.
  void set_place(const Vec3& origin, const std::vector<Vec3>& axes, std::vector<double> shape_nodes);

  /// The file of rod.scene, whose rods the deck holds; empty if there is none.
  const std::string& scene_file() const { return scene_file_; }

  /// The file of sweep.points, whose points the deck holds; empty if there is none.
  const std::string& points_file() const { return points_file_; }

  /// The first column and another one of a table that lines of formulas name. Throws std::invalid_argument if
  /// there is none.
  std::pair<std::vector<double>, std::vector<double>> table(std::string_view file,
                                                            std::string_view column) const;

  /// Leaves out the axes of a sweep and the scenarios of a search, which may hold a hundred thousand points:
  /// a deck of one member, which is copied for each, has no use for them.
  void drop_sweep_axes();

  /// The file of measure.data, whose points the deck holds; empty if there is none.
  const std::string& data_file() const { return data_file_; }

  /// A deck text with every key that has a value, defaults written out; parses back to the same deck.
  std::string resolved() const { return text(false); }

  /// A deck text for people: it names the files of sweep.points, rod.scene and measure.data instead of
  /// listing their contents.
  std::string printed() const { return text(true); }

  /// The first key whose value is another one in `other`, or no_key; only among keys for which `matters` is
  /// true, if given.
  Key first_difference(const Deck& other, bool (*matters)(const KeyInfo& key) = nullptr) const;

  /// The lines of rod.each. One of the command line stands in the place of the deck's for the same key.
  const std::vector<EachRod>& each_rods() const { return each_rod_; }

  /// study.member_seed, exact likewise; nothing if it is not given.
  std::optional<std::uint64_t> member_seed() const;

  /// Whether an expression of the deck names the number of a key, by any name that expressions have for it.
  bool names(Key key) const;

  /// Calls `use` with each line of a text key and its place, located there. Throws the DeckErrors of all
  /// lines.
  template <class Use>
  void for_each_line(Key key, const Use& use) const {
    const Value& lines = values_[key.place];
    DeckFaults faults;
    for (std::size_t line = 0; line < lines.texts.size(); ++line) {
      faults.pass([&] {
        located(lines.places[line] + ": " + std::string(key_info(key).name),
                [&] { use(lines.texts[line], lines.places[line]); });
      });
    }
    faults.report();
  }

  /// Calls `use`, located where a key has its value.
  template <class Use>
  decltype(auto) reading(Key key, const Use& use) const {
    return located(place(key) + ": " + std::string(key_info(key).name), use);
  }

  /// Source of each line of a repeatable key.
  const std::vector<std::string>& places(Key key) const;

  /// Source of the key's value: "deck.ini:12", "command line", "the study", "deck.ini (not given)".
  std::string place(Key key) const;

  /// A DeckError about `key` with its place and name in front: "deck.ini:12: rod.length: <message>".
  DeckError error(Key key, const std::string& message) const;

  /// A DeckError that says what a key without a value would hold: "deck.ini: rod.length is missing (real > 0,
  /// m): rest length of the rod; <reason>".
  DeckError missing_error(Key key, const std::string& reason = {}) const;

 private:
  struct Value {
    bool given = false;
    std::vector<double> numbers;      ///< of a numeric key
    std::vector<std::string> texts;   ///< of a choice or text key; one entry a line
    std::vector<std::string> places;  ///< one entry a line: "deck.ini:12" or "command line"
  };

  /// Gives the keys their values, in place of those they had; to those of rod.each it adds. A key may stand
  /// in `assignments` once, a repeatable one any number of times.
  void assign(const std::vector<Assignment>& assignments, DeckFaults& faults);
  void add_value(const KeyInfo& info, const std::string& text);
  void assign_variable(const Assignment& assignment);
  void set_variable(const ParameterAddress& address, double value);
  double entry(const ParameterAddress& address) const;
  /// Throws std::invalid_argument, with the nearest name, if the deck has no such variable.
  const Variable& variable(std::string_view name) const;
  const Value& required_value(Key key) const;
  KeyValue value(Key key) const;
  void read_each_rod();
  void read_lists();
  /// The number of the k-th rod. Throws DeckError.
  double each_number(const EachRod& each, std::uint64_t seed, int k) const;
  /// The line `KEY : list(v, ...) with ...` of the columns of a file.
  std::string line_of(const std::vector<PointColumn>& columns) const;
  void take_points(const std::string& deck_path);
  void take_scenarios(const std::string& deck_path);
  void take_points_again();
  void take_data(const std::string& deck_path);
  void take_scene(const std::string& deck_path, const SceneReader& read_scene);
  void take_tables(const std::string& deck_path);
  void place_reused(const std::string& deck_path);
  std::string text(bool names_files) const;

  /// Throws std::invalid_argument if a study cannot vary what stands there: a variable that the deck lacks,
  /// or a number that rod.each gives each rod for itself.
  void check_varied(const ParameterAddress& address) const;

  /// Throws std::invalid_argument if the deck has no numbers at an entry of a list and the `count` - 1 after
  /// it.
  void check_entries(const ParameterAddress& first, std::size_t count) const;

  /// Adds the parameters of a line to those of others. Throws std::invalid_argument as above, and if one is
  /// among them.
  template <class Parameter>
  void add_parameters(std::vector<Parameter> alike, std::size_t line, std::vector<Parameter>& all) const {
    check_entries(alike.front().address, alike.size());
    for (Parameter& parameter : alike) {
      for (const Parameter& earlier : all) {
        if (earlier.address == parameter.address)
          throw std::invalid_argument(parameter.address.name() + " is a parameter already");
      }
      check_varied(parameter.address);
      parameter.line = line;
      all.push_back(std::move(parameter));
    }
  }

  std::array<Value, key_table().size()> values_;
  std::vector<EachRod> each_rod_;
  std::vector<RodList> lists_;  ///< in the order of rods
  std::vector<Variable> variables_;
  std::optional<int> member_rods_;  ///< nothing: rod.count, or what rod.placement gives
  std::uint64_t seed_ = 0;          ///< beside its value as a double, which is not exact beyond 2^53
  std::uint64_t member_seed_ = 0;   ///< likewise, where it is given
  std::string name_;
  std::string points_file_;
  std::string scene_file_;
  std::string data_file_;
  std::size_t data_points_ = 0;    ///< of the lines of measure.point the first so many, which that file holds
  std::size_t scene_columns_ = 0;  ///< of the lines of rod.each the first so many, which that file holds
};

/// The address written `section.key` or `section.key[i]` for a numeric key that may differ between members
/// (none of study, sweep, refine, convergence, optimize, fidelity, sensitivity and output). Throws
/// std::invalid_argument with a message that names the nearest valid key.
ParameterAddress parse_parameter_address(std::string_view text);

/// The typed, cross-checked specification of one member. Throws DeckError when required keys are missing or
/// given keys contradict each other (rod.density and rod.mass, time.step and time.step_per_length, …). Made
/// once for each candidate: parses nothing but output.fields, output.rods, output.observables and
/// measure.define.
MemberSpec make_member_spec(const Deck& deck);

/// The places in trajectory_fields of the names in output.fields, in the order of that list. Throws DeckError
/// on a name that is not there or stands twice, and on fields without frames.
std::vector<std::size_t> further_fields(const Deck& deck);

/// The place in observables_of(deck) of the observable that a key names. Throws DeckError with the nearest
/// name on one that is not there.
std::size_t named_observable(const Deck& deck, Key key, std::string_view name);

/// The places in observables_of(deck) of the names in output.observables, in the order of that list. Throws
/// DeckError on a name that is not there or stands twice, on one that is known at the end only, and without
/// frames.
std::vector<std::size_t> frame_observables(const Deck& deck);

/// The value that the deck's word of a choice key stands for. Throws DeckError if the key has words that the
/// enumeration lacks.
template <class Enum>
Enum chosen(const Deck& deck, Key key) {
  const std::string_view word = deck.choice(key);
  if (const std::optional<Enum> value = find_word<Enum>(word)) return *value;
  throw deck.error(key, "'" + std::string(word) + "' has no meaning here, though the key allows it");
}

}  // namespace rodeo
