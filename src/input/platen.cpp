#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "formula_text.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

PlatenSpec parse_platen(const std::string& line, const FormulaScope& scope) {
  constexpr const char* example = ", as in X, Y, Z, NX, NY, NZ : DX, DY, DZ";
  LineReader in(line);
  PlatenSpec platen;
  double numbers[6];
  std::size_t normal_at = 0;
  for (int k = 0; k < 6; ++k) {
    if (k > 0) in.expect(',', std::string("a comma should stand here") + example);
    in.skip_blanks();
    if (k == 3) normal_at = in.at();
    numbers[k] = parse_constant(in, scope);
  }
  platen.point = {numbers[0], numbers[1], numbers[2]};
  const double largest = std::max({std::abs(numbers[3]), std::abs(numbers[4]), std::abs(numbers[5])});
  if (largest == 0.0) in.fail(normal_at, "is the zero vector, which has no direction");
  platen.normal = normalized({numbers[3] / largest, numbers[4] / largest, numbers[5] / largest});
  in.expect(':', std::string("a : should stand here") + example);
  in.skip_blanks();
  const std::size_t course_at = in.at();
  for (int k = 0; k < 3; ++k) {
    if (k > 0) in.expect(',', std::string("a comma should stand here") + example);
    in.skip_blanks();
    const std::size_t at = in.at();
    platen.course.push_back(parse_formula(in, scope));
    if (!platen.course.back().has_live_numbers()) continue;
    if (!scope.member.steps_explicitly())
      in.fail(at,
              "numbers of the control move planes in explicit steps alone (model cosserat, time.method = "
              "dynamic)");
    if (scope.member.control.held)
      in.fail(at, "a plane cannot jump, as numbers of the control do: give control.hold = linear");
  }
  if (!in.at_end()) in.fail(in.at(), "the line should end here");
  in.read_at(course_at, [&] {
    std::vector<double> tables;
    compile_all(platen.course, tables);
  });
  return platen;
}

}  // namespace

void set_platen(const Deck& deck, MemberSpec& spec) {
  deck.for_each_line("ground.platen"_key, [&](const std::string& line, const std::string&) {
    spec.ground.platen = parse_platen(line, {deck, spec, true, false});
  });
}

}  // namespace rodeo
