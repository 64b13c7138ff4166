#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/number_text.hpp"

#include "csv_lines.hpp"
#include "formula_text.hpp"
#include "nearest_name.hpp"
#include "place_text.hpp"
#include "spec_parts.hpp"

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

namespace {

constexpr std::size_t most_data_points = 1'000'000;

/// The columns that a file of data may have.
enum class DataColumn : std::size_t { time, rod, node, fraction, arc_length, x, y, z, weight };
constexpr std::array<std::string_view, 9> data_column_names = {"time", "rod", "node", "s",     "arc_length",
                                                               "x",    "y",   "z",    "weight"};

/// Which column of the file each of these is, if there is such a column.
class DataColumns {
 public:
  std::optional<std::size_t>& operator[](DataColumn column) {
    return places_[static_cast<std::size_t>(column)];
  }
  const std::optional<std::size_t>& operator[](DataColumn column) const {
    return places_[static_cast<std::size_t>(column)];
  }

 private:
  std::array<std::optional<std::size_t>, data_column_names.size()> places_;
};

std::string column_list() {
  std::string list;
  for (const std::string_view name : data_column_names) list.append(list.empty() ? "" : ", ").append(name);
  return list;
}

DataColumns read_data_header(const std::vector<CsvField>& fields, const CsvLines& lines) {
  lines.check_names(fields);
  DataColumns columns;
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const std::string place = lines.place(fields[k].column) + ": ";
    const auto found = std::ranges::find(data_column_names, fields[k].text);
    if (found == data_column_names.end()) {
      throw DeckError(place + in_quotes(fields[k].text) + " is no column of measured data (" + column_list() +
                      ")" + did_you_mean(fields[k].text, data_column_names));
    }
    columns[static_cast<DataColumn>(found - data_column_names.begin())] = k;
  }
  const std::string header = lines.place(1) + ": the header of measured data ";
  if (!columns[DataColumn::time]) throw DeckError(header + "lacks the column time (s)");
  if (columns[DataColumn::node].has_value() + columns[DataColumn::fraction].has_value() +
          columns[DataColumn::arc_length].has_value() !=
      1) {
    throw DeckError(header +
                    "takes one of the columns node, s (fraction of the rest length) and arc_length (m)");
  }
  if (!columns[DataColumn::x] && !columns[DataColumn::y] && !columns[DataColumn::z])
    throw DeckError(header + "has none of the columns x, y and z (m)");
  return columns;
}

bool is_coordinate(DataColumn column) {
  return column == DataColumn::x || column == DataColumn::y || column == DataColumn::z;
}

/// A gap: an empty field, or what programs write for a number that is none.
bool is_gap(std::string_view text) { return text.empty() || text == "nan" || text == "NaN"; }

/// A row as a line of measure.point.
class DataRow {
 public:
  DataRow(const DataColumns& columns, const std::vector<CsvField>& fields, const CsvLines& lines)
      : columns_(columns), fields_(fields), lines_(lines) {}

  std::string line() const {
    std::string text = number(DataColumn::time) + ", ";
    if (columns_[DataColumn::rod]) text += "rod " + number(DataColumn::rod, true) + ", ";
    if (columns_[DataColumn::node]) text += "node " + number(DataColumn::node, true);
    if (columns_[DataColumn::fraction]) text += "s " + number(DataColumn::fraction);
    if (columns_[DataColumn::arc_length]) text += "s " + number(DataColumn::arc_length) + " m";
    for (const DataColumn coordinate : {DataColumn::x, DataColumn::y, DataColumn::z}) {
      const bool known = columns_[coordinate] && !is_gap(fields_[*columns_[coordinate]].text);
      text += coordinate == DataColumn::x ? " : " : ", ";
      if (known) text += number(coordinate);
    }
    return columns_[DataColumn::weight] ? text + ", " + number(DataColumn::weight) : text;
  }

 private:
  std::string number(DataColumn column, bool whole = false) const {
    const CsvField& field = fields_[*columns_[column]];
    const std::optional<double> value = parse_real(field.text);
    const auto refuse = [&](const std::string& reason) {
      throw DeckError(lines_.place(field.column) + ": " +
                      std::string(data_column_names[static_cast<std::size_t>(column)]) + " " +
                      in_quotes(field.text) + " " + reason);
    };
    if (!value) refuse(field.text.empty() ? "has no value" : "is not a finite decimal number");
    if (whole && *value != std::floor(*value)) refuse("is not a whole number");
    const bool signed_column = column == DataColumn::node || is_coordinate(column);
    if (*value < 0.0 && !signed_column) refuse("is negative");
    if (*value > 1.0 && column == DataColumn::fraction)
      refuse("is above 1, and a fraction of the rest length; give arc_length");
    return format_real(*value);
  }

  const DataColumns& columns_;
  const std::vector<CsvField>& fields_;
  const CsvLines& lines_;
};

}  // namespace

void Deck::take_data(const std::string& deck_path) {
  constexpr Key key = "measure.data"_key;
  if (!has_value(key)) return;
  const std::filesystem::path path = texts(key).front();
  const std::string file = (std::filesystem::path(deck_path).parent_path() / path).string();
  const std::string table = "file of measured data (measure.data, " + place(key) + ")";
  const std::string text = read_table_text(file, table);
  CsvLines lines(text, file);
  std::vector<CsvField> fields;
  if (!lines.next(fields)) throw DeckError(file + ":1:1: no header of columns in this " + table);
  const DataColumns columns = read_data_header(fields, lines);
  const std::size_t width = fields.size();
  Value points{true, {}, {}, {}};
  while (lines.next(fields)) {
    if (fields.size() != width) {
      throw DeckError(lines.place(fields.size() > width ? fields[width].column : lines.end_column()) + ": " +
                      std::to_string(fields.size()) + " fields in this row, and " + std::to_string(width) +
                      " in the header");
    }
    if (points.texts.size() == most_data_points) {
      throw DeckError(lines.place(1) + ": more than " + std::to_string(most_data_points) + " points");
    }
    points.texts.push_back(DataRow(columns, fields, lines).line());
    points.places.push_back(lines.place(1));
  }
  if (points.texts.empty()) {
    throw DeckError(lines.place(lines.end_column()) + ": no row follows the header in this " + table);
  }
  data_points_ = points.texts.size();
  data_file_ = file;
  Value& all = values_["measure.point"_key.place];
  points.texts.insert(points.texts.end(), all.texts.begin(), all.texts.end());
  points.places.insert(points.places.end(), all.places.begin(), all.places.end());
  all = std::move(points);
  values_[key.place] = {};
}

}  // namespace rodeo
