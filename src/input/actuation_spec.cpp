#include <algorithm>
#include <array>
#include <cmath>

#include "rodeo/forces/actuation_table.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/placement.hpp"

#include "place_text.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

constexpr std::size_t most_lines = 50;

/// A key of lines, and what may stand in them.
struct ActuationKey {
  Key key;
  ActuationKind kind;
  std::string_view axes;  ///< those it may act along; empty: all
  bool nodes;
  bool elements;
};

constexpr auto actuation_keys = std::to_array<ActuationKey>({
    {"actuation.force"_key, ActuationKind::force, "", true, true},
    {"actuation.couple"_key, ActuationKind::couple, "", true, true},
    {"actuation.internal_couple"_key, ActuationKind::internal_couple, "", true, false},
    {"actuation.curvature"_key, ActuationKind::curvature, "d1 or d2", true, false},
    {"actuation.twist"_key, ActuationKind::curvature, "d3", true, false},
    {"actuation.stretch"_key, ActuationKind::stretch, "d3", false, true},
});

/// Reads `AXIS [, PLACE] : FORMULA`.
class ActuationParser {
 public:
  ActuationParser(std::string_view line, const ActuationKey& key, const FormulaScope& scope)
      : in_(line), key_(key), scope_(scope) {}

  ActuationSpec parse() {
    ActuationSpec spec;
    spec.kind = key_.kind;
    set_axis(spec);
    const PlaceRules rules{.of = std::string(key_info(key_.key).name),
                           .nodes = key_.nodes,
                           .elements = key_.elements,
                           .ranges = true,
                           .all_rods = true};
    if (in_.take(',')) place_ = parse_place(in_, scope_, rules);
    in_.expect(':', "a : should stand here, between the place and the formula: AXIS, PLACE : FORMULA");
    begin_ = in_.at();
    spec.formula = parse_formula(in_, scope_);
    expect_end(in_);
    check_values(spec.formula);
    return spec;
  }

  bool is_on(int rod) const { return place_.place.rod < 0 || place_.place.rod == rod; }

  /// The place on a rod.
  Place place(int rod) const {
    const Place place = place_on(in_, place_, scope_.member, rod);
    if (key_.kind == ActuationKind::internal_couple) check_end(place, rod);
    return place;
  }

  /// Fails at the formula.
  [[noreturn]] void fail(const std::string& problem) const { in_.fail(begin_, problem); }

 private:
  void set_axis(ActuationSpec& spec) {
    in_.skip_blanks();
    const std::size_t begin = in_.at();
    if (in_.take('(')) {
      spec.in_laboratory = true;
      spec.axis = direction(begin);
    } else {
      const std::string_view word = in_.word();
      constexpr auto names = std::to_array<std::string_view>({"d1", "d2", "d3", "x", "y", "z"});
      const auto found = std::ranges::find(names, word);
      if (found == names.end())
        in_.fail(begin, "an axis should stand here: d1, d2, d3, x, y, z or a direction (X, Y, Z)");
      const auto k = static_cast<std::size_t>(found - names.begin());
      spec.in_laboratory = k >= 3;
      spec.axis = std::array<Vec3, 3>{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}[k % 3];
      if (key_.axes.empty() || key_.axes.find(word) != key_.axes.npos) return;
    }
    if (!key_.axes.empty()) {
      std::string problem(key_info(key_.key).name);
      in_.fail(begin, problem.append(" is about ").append(key_.axes));
    }
  }

  /// Reads a direction up to its closing parenthesis, as a unit vector.
  Vec3 direction(std::size_t begin) {
    double components[3];
    for (int c = 0; c < 3; ++c) {
      if (c > 0) in_.expect(',', "a direction has three components: (X, Y, Z)");
      components[c] = parse_constant(in_, scope_);
    }
    in_.expect(')', "the parenthesis of character " + std::to_string(begin + 1) + " is not closed here");
    const Vec3 vector = {components[0], components[1], components[2]};
    if (norm(vector) == 0.0) in_.fail(begin, "a direction has a length");
    return normalized(vector);
  }

  /// Couples pass through an end only where something holds its directors.
  void check_end(const Place& place, int rod) const {
    const RodSpec& spec = rod_of(scope_.member, rod);
    if (spec.closed) return;
    const bool node = place.kind == Place::Kind::node;
    const bool first = place.kind == Place::Kind::start || (node && place.index == 0);
    const bool last = place.kind == Place::Kind::end || (node && place.index == spec.elements);
    if (!first && !last) return;
    const BoundarySpec& boundary = boundary_of(rod);
    const EndCondition end = first ? boundary.first : boundary.last;
    if (end == EndCondition::clamped || end == EndCondition::clamped_sliding) return;
    in_.fail(place_.begin, std::string("nothing holds the directors of the ") + (first ? "first" : "last") +
                               " end, so that no couple passes through it");
  }

  const BoundarySpec& boundary_of(int rod) const {
    const MemberSpec& member = scope_.member;
    return rod == 0 ? member.boundary : member.further_rods[static_cast<std::size_t>(rod) - 1].boundary;
  }

  /// Fails if a formula has no value while the member runs, as far as samples tell.
  void check_values(const Formula& formula) const {
    const int samples = formula.depends_on_clock() ? 32 : 0;
    for (const std::vector<double>& live : scope_.member.control.live_at_extremes()) {
      std::vector<double> tables = live;
      const FormulaProgram program = formula.compile(tables);
      for (int k = 0; k <= samples; ++k) {
        const double time = end_of(scope_.member) * k / std::max(samples, 1);
        for (const double s : {0.0, 0.25, 0.5, 0.75, 1.0}) {
          if (std::isfinite(program.value(time, s, tables.data()))) continue;
          fail("this has no value at t = " + format_real(time) + " s, s = " + format_real(s));
        }
      }
    }
  }

  LineReader in_;
  const ActuationKey& key_;
  const FormulaScope& scope_;
  PlaceText place_;
  std::size_t begin_ = 0;
};

RodSetup& setup_of(MemberSpec& spec, int rod) {
  return rod == 0 ? spec : spec.further_rods[static_cast<std::size_t>(rod) - 1];
}

void check_stretch(const ActuationParser& parser, const MemberSpec& spec, int rod) {
  const double least = forces::natural_stretch_range(rod_alone(spec, rod)).least;
  if (least > 0.0) return;
  parser.fail("gives a natural length of " + format_real(least) + " times the rest length; it takes > 0");
}

/// Adds a line for each of its rods: where rods have values of their own, a formula differs between them.
void add_line(const ActuationKey& key, const std::string& line, const Deck& deck, RodDecks& rods,
              MemberSpec& spec) {
  const bool alike = rods.are_alike();
  for (int k = 0; k < spec.rod_count(); ++k) {
    const FormulaScope scope{alike ? deck : rods.of(k), spec, true, true, !alike};
    ActuationParser parser(line, key, scope);
    ActuationSpec one = parser.parse();
    if (!parser.is_on(k)) continue;
    one.place = parser.place(k);
    setup_of(spec, k).actuation.push_back(std::move(one));
    if (key.kind == ActuationKind::stretch) check_stretch(parser, spec, k);
  }
}

}  // namespace

void set_actuation(const Deck& deck, RodDecks& rods, MemberSpec& spec) {
  for (const ActuationKey& key : actuation_keys) {
    std::size_t count = 0;
    deck.for_each_line(key.key, [&](const std::string& line, const std::string&) {
      if (count++ == most_lines) throw std::invalid_argument("more than 50 lines");
      add_line(key, line, deck, rods, spec);
    });
  }
}

}  // namespace rodeo
