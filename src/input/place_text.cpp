#include "place_text.hpp"

#include "rodeo/input/number_text.hpp"

namespace rodeo {

namespace {

using Kind = Place::Kind;

/// Reads a fraction, a length or a range behind the word s.
void parse_arc(LineReader& in, const FormulaScope& scope, const PlaceRules& rules, PlaceText& text) {
  in.skip_blanks();
  text.index = in.at();
  text.place.kind = Kind::arc;
  text.place.arc = parse_constant(in, scope);
  text.in_metres = in.take_word("m");
  if (!rules.ranges || !in.take_word("to")) return;
  in.skip_blanks();
  text.to = in.at();
  text.place.kind = Kind::range;
  text.place.to = parse_constant(in, scope);
  const std::size_t unit = in.at();
  if (in.take_word("m") != text.in_metres)
    in.fail(unit, "both ends of a range are fractions, or both are lengths in m");
}

/// A place along a rod as a fraction of its rest length.
double fraction_on(const LineReader& in, std::size_t at, double arc, bool in_metres, const RodSpec& rod) {
  const double fraction = in_metres ? arc / rod.length : arc;
  if (fraction >= 0.0 && fraction <= 1.0 + 1e-12) return fraction;
  in.fail(at, in_metres ? "the rod is " + format_real(rod.length) + " m long"
                        : "a place along the rod is a fraction from 0 to 1, or a length in m");
}

}  // namespace

std::string PlaceRules::choices() const {
  return std::string(nodes ? "node K, " : "") + (elements ? "element K, " : "") + "s FRACTION, s LENGTH m, " +
         (ranges ? "s A to B, " : "") + "start, middle or end";
}

bool begins_place(std::string_view word) {
  return word == "rod" || word == "node" || word == "element" || word == "s" || word == "start" ||
         word == "middle" || word == "end";
}

int parse_rod(LineReader& in, const FormulaScope& scope) {
  in.skip_blanks();
  const std::size_t begin = in.at();
  const int count = scope.member.rod_count();
  const int number = parse_whole_number(in, scope);
  if (number < -count || number >= count) {
    in.fail(begin, "there is no such rod: " +
                       (count == 1 ? "rod 0 is the only one" : "they are 0 to " + std::to_string(count - 1)));
  }
  return number < 0 ? number + count : number;
}

PlaceText parse_place(LineReader& in, const FormulaScope& scope, const PlaceRules& rules) {
  PlaceText text;
  Place& place = text.place;
  in.skip_blanks();
  text.begin = in.at();
  do {
    in.skip_blanks();
    const std::size_t begin = in.at();
    const std::string_view word = in.word();
    if (word == "rod" ? place.rod >= 0 : begins_place(word) && place.kind != Kind::whole)
      in.fail(begin, "a second place");
    if (word == "rod") {
      place.rod = parse_rod(in, scope);
    } else if (word == "node" || word == "element") {
      const bool fits = word == "node" ? rules.nodes : rules.elements;
      if (!fits) {
        in.fail(begin, rules.of + " is of " + (rules.nodes ? "nodes" : "elements") + ": " + rules.choices());
      }
      in.skip_blanks();
      text.index = in.at();
      place.index = parse_whole_number(in, scope);
      place.kind = word == "node" ? Kind::node : Kind::element;
    } else if (word == "s") {
      parse_arc(in, scope, rules, text);
    } else if (begins_place(word)) {
      place.kind = word == "start" ? Kind::start : word == "middle" ? Kind::middle : Kind::end;
    } else {
      in.fail(begin, "a place should stand here: " + rules.choices());
    }
  } while (in.take(','));
  in.skip_blanks();
  const std::size_t after = in.at();
  if (begins_place(in.word())) in.fail(after, "a comma should stand here, as in rod 1, middle");
  in.go_to(after);
  const int rods = scope.member.rod_count();
  if (place.rod < 0 && rods == 1 && place.kind != Kind::whole) place.rod = 0;
  if (place.rod < 0 && !rules.all_rods && place.kind != Kind::whole) {
    in.fail(text.begin, "of which rod? This deck has " + std::to_string(rods) + ": add rod K, from 0");
  }
  return text;
}

Place place_on(const LineReader& in, const PlaceText& text, const MemberSpec& member, int rod) {
  const RodSpec& spec = rod_of(member, rod);
  Place place = text.place;
  place.rod = rod;
  if (place.kind == Kind::arc || place.kind == Kind::range) {
    place.arc = fraction_on(in, text.index, place.arc, text.in_metres, spec);
  }
  if (place.kind == Kind::range) {
    place.to = fraction_on(in, text.to, place.to, text.in_metres, spec);
    if (place.to <= place.arc) in.fail(text.to, "a range ends after it begins");
  }
  if (place.kind != Kind::node && place.kind != Kind::element) return place;
  const int count = spec.elements + (place.kind == Kind::node ? 1 : 0);
  if (place.index < -count || place.index >= count) {
    in.fail(text.index, std::string("there is no such ") + (place.kind == Kind::node ? "node" : "element") +
                            ": this rod has 0 to " + std::to_string(count - 1) + ", and -1 is the last one");
  }
  if (place.index < 0) place.index += count;
  return place;
}

const RodSpec& rod_of(const MemberSpec& member, int rod) {
  return rod == 0 ? member.rod : member.further_rods[static_cast<std::size_t>(rod) - 1].rod;
}

}  // namespace rodeo
