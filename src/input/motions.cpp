#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "rodeo/input/number_text.hpp"
#include "rodeo/rod/initial_shape.hpp"

#include "formula_text.hpp"
#include "place_text.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

constexpr std::size_t most_motions = 1000;

/// A motion and where it stands in the deck.
struct MotionLine {
  MotionSpec motion;
  std::string place;

  std::string_view key() const {
    return key_info(motion.kind == MotionKind::node ? "motion.position"_key : "motion.rotation"_key).name;
  }
};

bool is_joined_to_next(const MemberSpec& member, int rod) {
  return rod + 1 < member.rod_count() && member.setup(rod + 1).joint != JointKind::none;
}

/// The rest length from node 0 to a place that lies between nodes, m.
double arc_of(const Place& place, const InitialShape& shape) {
  return (place.kind == Place::Kind::middle ? 0.5 : place.arc) * shape.arc_lengths.back();
}

/// Nearest node; of two that are equally near, the one towards the first end.
int nearest_node(double arc, const InitialShape& shape) {
  const double rounding = 1e-9 * shape.rest_lengths.front();
  std::size_t nearest = 0;
  for (std::size_t i = 1; i < shape.arc_lengths.size(); ++i) {
    const double distance = std::abs(shape.arc_lengths[i] - arc);
    if (distance < std::abs(shape.arc_lengths[nearest] - arc) - rounding) nearest = i;
  }
  return static_cast<int>(nearest);
}

/// Element at a place; between two elements, the one towards the first end.
int element_at(double arc, const InitialShape& shape) {
  const double rounding = 1e-9 * shape.rest_lengths.front();
  std::size_t element = 0;
  while (element + 1 < shape.rest_lengths.size() && arc > shape.arc_lengths[element + 1] + rounding)
    ++element;
  return static_cast<int>(element);
}

/// Reads a line of motion.position or motion.rotation.
class MotionParser {
 public:
  MotionParser(const std::string& line, const FormulaScope& scope) : in_(line), scope_(scope) {}

  MotionSpec position() {
    read_place({.of = "a position", .nodes = true, .elements = false});
    in_.expect(':', "a : should stand here, as in PLACE : X, Y, Z");
    for (std::size_t c = 0; c < 3; ++c) {
      if (c > 0) in_.expect(',', "a comma should stand here, as in PLACE : X, Y, Z");
      motion_.held[c] = !in_.take_word("free");
      if (!motion_.held[c]) {
        motion_.course.push_back(Formula::number(0.0));
      } else {
        course("m");
      }
    }
    if (motion_.held == std::array{false, false, false})
      in_.fail(begin_, "a motion holds at least one component");
    window();
    return motion_;
  }

  MotionSpec rotation() {
    motion_.kind = MotionKind::element;
    read_place({.of = "a rotation", .nodes = false, .elements = true});
    const std::size_t at = in_.at();
    if (!in_.take_word("about")) in_.fail(at, "an axis should stand here, as in PLACE about X Y Z : ANGLE");
    in_.skip_blanks();
    const std::size_t axis = in_.at();
    double part[3];
    for (double& number : part) number = parse_single_number(in_, scope_);
    const double largest = std::max({std::abs(part[0]), std::abs(part[1]), std::abs(part[2])});
    if (largest == 0.0) in_.fail(axis, "is the zero vector, which has no direction");
    motion_.axis = normalized({part[0] / largest, part[1] / largest, part[2] / largest});
    in_.skip_blanks();
    const std::size_t word = in_.at();
    motion_.alone = in_.take_word("alone");
    if (motion_.alone) check_alone(word);
    in_.expect(':',
               "a : should stand here, as in PLACE about X Y Z : ANGLE or PLACE about X Y Z alone : ANGLE");
    course("rad");
    window();
    return motion_;
  }

 private:
  void read_place(const PlaceRules& rules) {
    const PlaceText text = parse_place(in_, scope_, rules);
    begin_ = text.begin;
    if (text.place.kind == Place::Kind::whole) {
      in_.fail(text.begin, rules.of + " needs a place: " + rules.choices());
    }
    motion_.rod = text.place.rod;
    const Place place = place_on(in_, text, scope_.member, motion_.rod);
    const RodSpec& rod = rod_of(scope_.member, motion_.rod);
    const bool of_node = motion_.kind == MotionKind::node;
    if (!of_node && (place.kind == Place::Kind::start || place.kind == Place::Kind::end)) {
      motion_.kind = place.kind == Place::Kind::start ? MotionKind::first_end : MotionKind::last_end;
      motion_.index = place.kind == Place::Kind::start ? 0 : rod.elements - 1;
      if (rod.closed) in_.fail(text.begin, "a closed rod has no end: name an element");
      return;
    }
    if (place.kind == Place::Kind::start) {
      motion_.index = 0;
    } else if (place.kind == Place::Kind::end) {
      motion_.index = rod.elements;
    } else if (place.kind == Place::Kind::middle || place.kind == Place::Kind::arc) {
      const InitialShape shape = initial_shape(rod);
      const double arc = arc_of(place, shape);
      motion_.index = of_node ? nearest_node(arc, shape) : element_at(arc, shape);
      if (of_node) motion_.arc = arc;
    } else {
      motion_.index = place.index;
    }
    if (of_node && rod.closed && motion_.index == rod.elements) motion_.index = 0;
  }

  void course(const char* unit) {
    in_.skip_blanks();
    courses_.push_back({in_.at(), unit});
    motion_.course.push_back(parse_formula(in_, scope_));
    check_course(courses_.back().place, motion_.course.back());
  }

  /// Fails on numbers that jump: a prescribed motion would have an infinite velocity.
  void check_course(std::size_t place, const Formula& course) const {
    if (!scope_.member.control.held || !course.has_live_numbers()) return;
    in_.fail(place, "a place cannot jump, as numbers of the control do: give control.hold = linear");
  }

  std::int64_t step_at(std::size_t place, double time) const {
    const double steps = std::round(time / scope_.member.time.step);
    if (!(steps >= 0.0)) in_.fail(place, "a motion begins at t = 0 at the earliest");
    return steps < 1e18 ? static_cast<std::int64_t>(steps) : MotionSpec::forever;
  }

  /// Fails if steps are so long that the nearest one is another time.
  void check_rounding(std::size_t place, double time, std::int64_t steps) const {
    constexpr double most = 0.01;  // of how long the motion lasts
    const double step = scope_.member.time.step;
    const std::int64_t last = std::min(motion_.last_step, scope_.member.time.steps);
    const double rounding = std::abs(step * static_cast<double>(steps) - time);
    if (rounding <= most * step * static_cast<double>(last - motion_.first_step)) return;
    in_.fail(place, "is no whole number of time steps of " + format_real(step) + " s; shorten time.step");
  }

  /// A turn that is held while the others are free is twist.
  void check_alone(std::size_t word) const {
    if (motion_.kind == MotionKind::element)
      in_.fail(word, "one turn alone is held at start or end; an element is held against all turns");
    const InitialShape shape = initial_shape(rod_of(scope_.member, motion_.rod));
    const bool is_first = motion_.kind == MotionKind::first_end;
    const Vec3 tangent = directors(is_first ? shape.frames.front() : shape.frames.back()).d3;
    if (norm(cross(tangent, motion_.axis)) <= 1e-6) return;
    in_.fail(word, "the turn that is held alone is that about the tangent of the end, " +
                       format_real(tangent.x) + " " + format_real(tangent.y) + " " + format_real(tangent.z));
  }

  /// Steps are cut where they begin and end.
  void window() {
    const bool begins = in_.take_word("from");
    in_.skip_blanks();
    const std::size_t first = in_.at();
    const double from = begins ? parse_constant(in_, scope_) : 0.0;
    motion_.first_step = step_at(first, from);
    if (motion_.first_step >= scope_.member.time.steps) {
      in_.fail(first, "the motion begins when the member has ended, at " +
                          format_real(end_of(scope_.member)) + " s");
    }
    const bool ends = in_.take_word("until");
    in_.skip_blanks();
    const std::size_t last = in_.at();
    const double until = ends ? parse_constant(in_, scope_) : 0.0;
    if (ends) motion_.last_step = step_at(last, until);
    if (motion_.last_step <= motion_.first_step)
      in_.fail(last, "a motion ends a step after it begins at the earliest");
    check_rounding(first, from, motion_.first_step);
    if (ends) check_rounding(last, until, motion_.last_step);
    if (!in_.at_end()) in_.fail(in_.at(), "from T0, until T1 or the end of the line should stand here");
    check_start();
    in_.read_at(courses_.front().place, [&] {
      std::vector<double> tables;
      compile_all(motion_.course, tables);
    });
  }

  /// A motion goes on from where its place stands.
  void check_start() const {
    const double start = static_cast<double>(motion_.first_step) * scope_.member.time.step;
    const double most =
        1e-9 * (motion_.kind == MotionKind::node ? rod_of(scope_.member, motion_.rod).length : 1.0);
    auto course = courses_.begin();
    for (std::size_t c = 0; c < motion_.course.size(); ++c) {
      if (motion_.kind == MotionKind::node && !motion_.held[c]) continue;
      const double value = motion_.course[c].value(start, 0.0, scope_.member.control.live_at_start());
      if (!(std::abs(value) <= most)) {
        in_.fail(course->place, "is " + format_real(value) + " " + course->unit +
                                    " at t = " + format_real(start) +
                                    " s, where the motion begins: it says how far the place is from where it "
                                    "stands then, so it must begin at 0");
      }
      ++course;
    }
  }

  struct CourseText {
    std::size_t place;
    const char* unit;
  };

  LineReader in_;
  const FormulaScope& scope_;
  MotionSpec motion_;
  std::size_t begin_ = 0;
  std::vector<CourseText> courses_;  ///< of what is not free
};

/// Key that already holds the place of a motion, as messages name it; empty if none does.
std::string holder(const Deck& deck, const MemberSpec& member, const MotionSpec& motion) {
  const RodSetup& own = member.setup(motion.rod);
  const int n = own.rod.elements;
  const bool joined[2] = {own.joint != JointKind::none, is_joined_to_next(member, motion.rod)};
  const EndCondition conditions[2] = {own.boundary.first, own.boundary.last};
  const Key keys[2] = {"boundary.first"_key, "boundary.last"_key};
  for (const int end : {0, 1}) {
    const bool element_held = conditions[end] == EndCondition::clamped_element && !joined[end];
    const int node = end == 0 ? 0 : n;
    const int next_node = end == 0 ? 1 : n - 1;
    const bool at_node = motion.kind == MotionKind::node && !own.rod.closed && motion.index == node;
    const bool at_end = motion.kind == (end == 0 ? MotionKind::first_end : MotionKind::last_end);
    if (joined[end] && (at_node || at_end)) return "joint.kind (" + deck.place("joint.kind"_key) + ")";
    if (joined[end]) continue;
    const bool holds_directors = conditions[end] == EndCondition::clamped ||
                                 conditions[end] == EndCondition::clamped_sliding || element_held;
    const bool holds =
        (at_node && conditions[end] != EndCondition::free) || (at_end && holds_directors) ||
        (element_held && motion.kind == MotionKind::node && motion.index == next_node) ||
        (element_held && motion.kind == MotionKind::element && motion.index == (end == 0 ? 0 : n - 1));
    if (!holds) continue;
    return std::string(key_info(keys[end]).name) + " = " + std::string(word_of(conditions[end])) + " (" +
           deck.place(keys[end]) + ")";
  }
  return {};
}

bool at_one_time(const MotionSpec& a, const MotionSpec& b) {
  return a.first_step < b.last_step && b.first_step < a.last_step;
}

/// True if both hold the same degrees of freedom at one time.
bool contradict(const MotionSpec& a, const MotionSpec& b) {
  if (a.kind != b.kind || a.rod != b.rod || a.index != b.index || !at_one_time(a, b)) return false;
  if (a.kind != MotionKind::node) return true;
  return (a.held[0] && b.held[0]) || (a.held[1] && b.held[1]) || (a.held[2] && b.held[2]);
}

/// Other source of an element's direction, where rods do not shear: elements go along their nodes then.
std::string other_direction(const Deck& deck, const MemberSpec& member,
                            const std::vector<MotionLine>& motions, const MotionSpec& turn) {
  if (member.shears || turn.kind != MotionKind::element) return {};
  std::string nodes;
  int held = 0;
  for (const int node : {turn.index, turn.index + 1}) {
    MotionSpec at_node;
    at_node.rod = turn.rod;
    at_node.index = node;
    std::string by = holder(deck, member, at_node);
    for (const MotionLine& other : motions) {
      const MotionSpec& m = other.motion;
      const bool here = m.kind == MotionKind::node && m.rod == turn.rod && m.index == node;
      if (here && at_one_time(m, turn)) by = other.place;
    }
    if (by.empty()) continue;
    ++held;
    nodes.append(nodes.empty() ? "" : " and ").append(by);
  }
  if (held == 2) return nodes + ", which hold both of its nodes";
  for (const MotionLine& other : motions) {
    const MotionSpec& m = other.motion;
    const bool beside =
        m.kind == MotionKind::element && m.rod == turn.rod && std::abs(m.index - turn.index) == 1;
    if (beside && at_one_time(m, turn)) return other.place + ", which turns the element beside it";
  }
  return {};
}

}  // namespace

void set_motions(const Deck& deck, MemberSpec& spec) {
  std::vector<MotionLine> motions;
  const FormulaScope scope{deck, spec, true, false};
  const auto read = [&](Key key, auto parse) {
    std::size_t count = 0;
    deck.for_each_line(key, [&](const std::string& line, const std::string& place) {
      if (count++ == most_motions) throw std::invalid_argument("more than 1000 motions");
      MotionParser parser(line, scope);
      motions.push_back({(parser.*parse)(), place});
      const std::string held_by = holder(deck, spec, motions.back().motion);
      if (!held_by.empty())
        throw std::invalid_argument("moves a place that " + held_by + " holds; leave it free there");
    });
  };
  read("motion.position"_key, &MotionParser::position);
  read("motion.rotation"_key, &MotionParser::rotation);
  for (std::size_t k = 0; k < motions.size(); ++k) {
    const std::string in_front = motions[k].place + ": " + std::string(motions[k].key()) + ": ";
    for (std::size_t m = 0; m < k; ++m) {
      if (!contradict(motions[k].motion, motions[m].motion)) continue;
      throw DeckError(in_front + "moves the same place at the same time as " + motions[m].place +
                      "; let one end, by until T1, before the other begins");
    }
    const std::string other = other_direction(deck, spec, motions, motions[k].motion);
    if (other.empty()) continue;
    throw DeckError(in_front + "gives an element of a rod without shear a direction against " + other);
  }
  std::ranges::stable_sort(motions, {}, [](const MotionLine& line) { return line.motion.first_step; });
  for (MotionLine& line : motions) spec.motions.push_back(std::move(line.motion));
}

}  // namespace rodeo
