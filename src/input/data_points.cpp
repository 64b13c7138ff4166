#include "data_points.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

#include "rodeo/input/number_text.hpp"

#include "formula_text.hpp"
#include "place_text.hpp"

namespace rodeo {

namespace {

void put_in_time(const LineReader& in, const TimeSpec& time, DataPoint& point) {
  constexpr double rounding = 1e-9;
  const double end = static_cast<double>(time.steps) * time.step;
  if (point.time < 0.0 || point.time > end * (1.0 + rounding)) {
    in.fail(0, "the time " + format_real(point.time) + " s is not within the simulated time, 0 to " +
                   format_real(end) + " s");
  }
  const double steps = std::min(point.time / time.step, static_cast<double>(time.steps));
  const double nearest = std::round(steps);
  const bool whole = std::abs(steps - nearest) <= rounding * std::max(1.0, steps);
  point.step = static_cast<std::int64_t>(whole ? nearest : std::floor(steps));
  point.share = whole ? 0.0 : steps - std::floor(steps);
}

/// A number, or NaN where there is none.
double coordinate(LineReader& in, const FormulaScope& scope) {
  const char next = in.next();
  return next == ',' || next == '\0' ? std::nan("") : parse_constant(in, scope);
}

/// `TIME, PLACE : X, Y, Z [, WEIGHT]`
DataPoint parse_point(const std::string& line, const FormulaScope& scope) {
  const std::string form = "a point is written TIME, PLACE : X, Y, Z [, WEIGHT]";
  LineReader in(line);
  DataPoint point;
  point.time = parse_constant(in, scope);
  in.expect(',', form);
  const PlaceText place = parse_place(in, scope, {.of = "a point", .elements = false});
  if (place.place.kind == Place::Kind::whole)
    in.fail(place.begin, "where on the rod? Add node K or s FRACTION");
  point.at = place_on(in, place, scope.member, place.place.rod);
  in.expect(':', form);
  point.position.x = coordinate(in, scope);
  in.expect(',', form);
  point.position.y = coordinate(in, scope);
  in.expect(',', form);
  point.position.z = coordinate(in, scope);
  if (in.take(',')) {
    in.skip_blanks();
    const std::size_t begin = in.at();
    point.weight = parse_constant(in, scope);
    if (!(point.weight >= 0.0)) in.fail(begin, "a weight is not negative");
  }
  expect_end(in);
  put_in_time(in, scope.member.time, point);
  return point;
}

}  // namespace

void set_data(const Deck& deck, MemberSpec& spec) {
  if (deck.has_value("measure.data"_key)) {
    throw deck.error("measure.data"_key, "is read with the file of a deck, and this is none");
  }
  const std::vector<std::string>& lines = deck.texts("measure.point"_key);
  if (lines.empty()) return;
  auto data = std::make_shared<MeasuredData>();
  data->reserve(lines.size());
  bool any = false;
  deck.for_each_line("measure.point"_key, [&](const std::string& line, const std::string&) {
    const DataPoint& point = data->emplace_back(parse_point(line, {deck, spec}));
    const Vec3& r = point.position;
    any = any || (point.weight > 0.0 && !(std::isnan(r.x) && std::isnan(r.y) && std::isnan(r.z)));
  });
  if (!any) throw deck.error("measure.point"_key, "no coordinate of any point is known");
  spec.data = std::move(data);
}

}  // namespace rodeo
