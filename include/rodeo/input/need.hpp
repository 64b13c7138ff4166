#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/observe/observable.hpp"

namespace rodeo {

/// One condition of a need, on one key of the deck.
struct Condition {
  enum class Kind {
    one_of,   ///< KEY = word|word
    above,    ///< KEY > number
    set,      ///< KEY: it has another value than its default
    given,    ///< given KEY: the deck says it, be it the default
    without,  ///< no KEY: it has no value
    drawn,    ///< drawn rod.each, drawn control.signal: a line of it is a distribution, or has noise
  };
  Kind kind = Kind::set;
  Key key = no_key;
  std::vector<std::string_view> words;
  double bound = 0.0;
};

/// Conditions one of which must hold, with their text.
struct Clause {
  std::string_view text;
  std::vector<Condition> conditions;
};

/// The need of all that rods have: "model.kind = cosserat|der".
inline constexpr FixedText needs_rods = [] {
  FixedText text;
  for (const Model& model : model_table) {
    if (!model.has_rods || !is_default(model)) continue;
    text += text.empty() ? "model.kind = " : "|";
    text += model.name;
  }
  return text;
}();

/// Parses the condition for a key to have effect, or for an observable to have a number: clauses joined by
/// "and", each of conditions joined by "or", as in "contact.kind = imc|ipc and contact.friction". Throws
/// std::invalid_argument on another grammar, an unknown key or a word that its key does not have.
std::vector<Clause> parse_need(std::string_view text);

/// The need of an observable; that of rods if the observable names no models.
std::vector<Clause> need_of(const Observable& observable);

/// One line of the deck by which a study or rod.each gives a key values.
struct KeyValues {
  /// sweep.axis, convergence.axis, optimize.parameter, fidelity.level, sensitivity.parameter or rod.each
  Key key = no_key;
  std::string place;
  ParameterAddress address;
  std::vector<double> numbers;  ///< those there are; of a search its bounds
  std::vector<std::string> words;
  bool replaces = true;  ///< the deck's own value, which no member has then
};

/// For each of `observables`, whether members of a deck can have a number of it. Throws DeckError on bad
/// lines of the study.
std::vector<bool> reported_observables(const Deck& deck);

/// The deck that gives nothing.
const Deck& default_deck();

/// Values that keys can have for some candidate of a deck's study and some rod of it.
class PossibleValues {
 public:
  /// Throws DeckError on bad lines of the study.
  explicit PossibleValues(const Deck& deck);

  /// Values of one member whose numbers the study has set: those of each of its rods.
  static PossibleValues of_member(const Deck& deck);

  /// The first clause of a need that holds for no candidate and rod; nullptr if all can hold. `need` must
  /// live as long as what is returned.
  const Clause* unmet(const std::vector<Clause>& need) const;

  bool can_hold(const Condition& condition) const;

  const std::vector<KeyValues>& lines() const { return lines_; }

 private:
  PossibleValues(const Deck& deck, std::vector<KeyValues> lines);

  const Deck& deck_;
  std::vector<KeyValues> lines_;
};

/// The row of the deck's kind and method, with their default scheme; of its kind if that has no such method.
const Model& model_in(const Deck& deck);

/// Throws DeckError if a member's deck, its numbers set, asks for what its model does not have.
void check_features(const Deck& deck, const Model& model);

}  // namespace rodeo
