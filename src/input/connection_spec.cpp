#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "rodeo/connection/build_connections.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/member/build_rod.hpp"
#include "rodeo/member/start_state.hpp"
#include "rodeo/rod/initial_shape.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "nearest_name.hpp"
#include "place_text.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

/// A word after the colon, and what takes its number.
struct ConnectionWord {
  std::string_view name;
  std::string_view unit;
  std::string_view kinds;  ///< the first letters of those that have it: s, b(all), h, r, and B of bonds
  bool positive;           ///< the number must be above 0; else it may be 0
  void (*set)(ConnectionSpec& connection, double number);
};

using C = ConnectionSpec;
constexpr auto words_of_connections = std::to_array<ConnectionWord>({
    {"stiffness", "N/m", "sbhr", true, [](C& c, double x) { c.stiffness = x; }},
    {"stiffness", "N/m^2", "B", true, [](C& c, double x) { c.stiffness = x; }},
    {"length", "m", "s", false, [](C& c, double x) { c.length = x; }},
    {"damping", "kg/s", "sbhr", false, [](C& c, double x) { c.damping = x; }},
    {"damping", "kg/(m s)", "B", false, [](C& c, double x) { c.damping = x; }},
    {"strength", "N/m", "B", true, [](C& c, double x) { c.strength = x; }},
    {"rotational_stiffness", "N m", "hr", true, [](C& c, double x) { c.rotational_stiffness = x; }},
    {"rotational_damping", "N m s", "hr", false, [](C& c, double x) { c.rotational_damping = x; }},
});

constexpr char letter_of(ConnectionKind kind) {
  switch (kind) {
    case ConnectionKind::spring:
      return 's';
    case ConnectionKind::ball:
      return 'b';
    case ConnectionKind::hinge:
      return 'h';
    case ConnectionKind::rigid:
      return 'r';
    case ConnectionKind::bond:
      break;
  }
  return 'B';
}

/// A line of connection.spring and its like, `PLACE to PLACE : WORD NUMBER ...`, or of connection.bond, `rod
/// A to rod B [s FROM to TO] : WORD NUMBER ...`. Throws std::invalid_argument that tells the character.
class ConnectionParser {
 public:
  ConnectionParser(ConnectionKind kind, std::string_view line, const Deck& deck, const MemberSpec& member)
      : in_(line), scope_{deck, member}, member_(member) {
    made_.kind = kind;
  }

  ConnectionSpec parse() {
    if (made_.kind == ConnectionKind::bond) {
      rods();
    } else {
      made_.ends[0] = end();
      expect_to();
      made_.ends[1] = end();
    }
    if (!in_.at_end()) {
      in_.expect(':', "a : should stand here, before what the connection is like: " + choices());
      while (!in_.at_end()) word();
    }
    const bool needs_stiffness = made_.kind == ConnectionKind::spring || made_.kind == ConnectionKind::bond;
    if (needs_stiffness && !made_.stiffness) in_.fail(in_.at(), "stiffness K is missing");
    return made_;
  }

 private:
  void expect_to() {
    if (!in_.take_word("to")) in_.fail(in_.at(), "the word to should stand here: PLACE to PLACE");
  }

  ConnectionEnd end() {
    const PlaceText text = parse_place(in_, scope_, {.of = "a connection"});
    if (text.place.kind == Place::Kind::whole) {
      in_.fail(text.begin, "a place should stand here: " + PlaceRules{}.choices());
    }
    const Place place = place_on(in_, text, member_, text.place.rod);
    const int last = rod_of(member_, place.rod).elements;
    ConnectionEnd made{.rod = place.rod};
    switch (place.kind) {
      case Place::Kind::start:
        made.node = 0;
        break;
      case Place::Kind::end:
        made.node = last;
        break;
      case Place::Kind::node:
        made.node = place.index;
        break;
      case Place::Kind::element:
        made.element = place.index;
        break;
      default:
        set_arc(place.kind == Place::Kind::middle ? 0.5 : place.arc, made);
    }
    return made;
  }

  /// Sets the node that stands there, else a point of an element.
  void set_arc(double part, ConnectionEnd& made) const {
    const InitialShape shape = initial_shape(rod_of(member_, made.rod));
    const double arc = part * shape.arc_lengths.back();
    std::size_t k = 0;
    while (k + 1 < shape.rest_lengths.size() && arc >= shape.arc_lengths[k + 1]) ++k;
    const double fraction = (arc - shape.arc_lengths[k]) / shape.rest_lengths[k];
    constexpr double rounding = 1e-9;
    if (fraction < rounding || fraction > 1.0 - rounding) {
      made.node = static_cast<int>(fraction < 0.5 ? k : k + 1);
    } else {
      made.element = static_cast<int>(k);
      made.fraction = fraction;
    }
  }

  /// `rod A to rod B [s FROM to TO]`
  void rods() {
    for (ConnectionEnd& end : made_.ends) {
      if (&end != made_.ends) expect_to();
      in_.skip_blanks();
      if (!in_.take_word("rod")) in_.fail(in_.at(), "a rod should stand here: rod A to rod B");
      end.rod = parse_rod(in_, scope_);
      end.node = 0;
    }
    if (!in_.take_word("s")) return;
    for (double& part : made_.arc) {
      if (&part != made_.arc) expect_to();
      in_.skip_blanks();
      const std::size_t place = in_.at();
      part = parse_constant(in_, scope_);
      const double length = rod_of(member_, made_.ends[0].rod).length;
      if (in_.take_word("m")) part /= length;
      if (!(part >= 0.0 && part <= 1.0 + 1e-12)) {
        in_.fail(place, "a place along the rod is a fraction from 0 to 1, or a length in m up to " +
                            format_real(length) + " m");
      }
      part = std::min(part, 1.0);
      if (&part != made_.arc && part <= made_.arc[0]) in_.fail(place, "the arc ends after it begins");
    }
  }

  std::vector<std::string_view> names() const {
    std::vector<std::string_view> list;
    for (const ConnectionWord& row : words_of_connections) {
      if (row.kinds.find(letter_of(made_.kind)) != row.kinds.npos) list.push_back(row.name);
    }
    if (made_.kind == ConnectionKind::hinge) list.push_back("axis");
    return list;
  }

  std::string choices() const {
    std::string text;
    for (const std::string_view name : names()) {
      text.append(text.empty() ? "" : ", ").append(name).append(name == "axis" ? " X Y Z" : " NUMBER");
    }
    return text;
  }

  void word() {
    in_.skip_blanks();
    const std::size_t begin = in_.at();
    in_.take(',');
    in_.skip_blanks();
    const std::size_t place = in_.at();
    const std::string_view name = in_.word();
    if (std::ranges::find(given_, name) != given_.end()) in_.fail(place, in_quotes(name) + " stands twice");
    given_.push_back(name);
    if (name == "axis" && made_.kind == ConnectionKind::hinge) return axis(place);
    for (const ConnectionWord& row : words_of_connections) {
      if (row.name != name || row.kinds.find(letter_of(made_.kind)) == row.kinds.npos) continue;
      in_.skip_blanks();
      const std::size_t at = in_.at();
      const double number = parse_constant(in_, scope_);
      if (number < 0.0 || (row.positive && number == 0.0)) {
        in_.fail(at, std::string(name) + " is " + (row.positive ? "above 0" : "0 or more") + ", in " +
                         std::string(row.unit));
      }
      return row.set(made_, number);
    }
    in_.fail(name.empty() ? begin : place, name.empty() ? "a word should stand here: " + choices()
                                                        : in_quotes(name) + " is none of its words (" +
                                                              choices() + ")" + did_you_mean(name, names()));
  }

  void axis(std::size_t place) {
    Vec3 axis;
    for (double* const number : {&axis.x, &axis.y, &axis.z}) *number = parse_single_number(in_, scope_);
    if (!(norm(axis) > 0.0)) in_.fail(place, "an axis of no length has no direction");
    made_.axis = normalized(axis);
  }

  LineReader in_;
  FormulaScope scope_;
  const MemberSpec& member_;
  ConnectionSpec made_;
  std::vector<std::string_view> given_;
};

struct ConnectionKey {
  ConnectionKind kind;
  Key key;
};
constexpr auto connection_keys =
    std::to_array<ConnectionKey>({{ConnectionKind::spring, "connection.spring"_key},
                                  {ConnectionKind::ball, "connection.ball"_key},
                                  {ConnectionKind::hinge, "connection.hinge"_key},
                                  {ConnectionKind::rigid, "connection.rigid"_key},
                                  {ConnectionKind::bond, "connection.bond"_key}});

}  // namespace

void set_connections(const Deck& deck, MemberSpec& spec) {
  std::vector<std::string> lines;  // where each connection stands
  for (const auto& [kind, key] : connection_keys) {
    deck.for_each_line(key, [&, kind = kind, key = key](const std::string& line, const std::string& place) {
      lines.push_back(place + ": " + std::string(key_info(key).name) + ": ");
      spec.connections.push_back(ConnectionParser(kind, line, deck, spec).parse());
    });
  }
  if (spec.connections.empty()) return;
  std::vector<double> storage(rod_size(array_elements(spec), spec.has_circular_sections()));
  const RodView arrays(storage.data(), array_elements(spec), spec.sections_shrink,
                       spec.has_circular_sections());
  build_rods(spec, arrays);
  try {
    connection::build_connections(spec, arrays);
  } catch (const connection::Impossible& reason) {
    throw DeckError(lines[reason.number] + reason.what());
  }
  const std::optional<HeldPair> held = held_beside_others(spec);
  if (!held) return;
  const auto name = [](const ElementPlace& place) {
    return "element " + std::to_string(place.element) + " of rod " + std::to_string(place.rod);
  };
  throw deck.error("contact.kind"_key,
                   "leaves out what connections hold, but for each element in one place only: " +
                       name(held->first) + " is held to elements in two or more, " + name(held->second) +
                       " among them; model.kind = der can leave out any number");
}

}  // namespace rodeo
