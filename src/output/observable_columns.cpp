#include "observable_columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

namespace rodeo {

namespace {

/// The place of a name in a list; the list's size if it is not there.
std::size_t place_of(std::string_view name, const std::vector<std::string>& list) {
  return static_cast<std::size_t>(std::ranges::find(list, name) - list.begin());
}

std::vector<std::optional<std::size_t>> places_of(const std::vector<std::string>& names,
                                                  const std::vector<std::string>& list) {
  std::vector<std::optional<std::size_t>> places;
  for (const std::string& name : names) {
    const std::size_t place = place_of(name, list);
    places.push_back(place < list.size() ? std::optional(place) : std::nullopt);
  }
  return places;
}

/// The places that the fields of a file have in rows whose observables stand in this order.
std::vector<std::size_t> field_order(const std::vector<FieldFormat>& fields,
                                     const std::vector<std::string>& observables) {
  std::vector<std::size_t> order(fields.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::size_t> of_observables;
  for (const std::size_t k : order) {
    if (!fields[k].of_nodes && fields[k].points == 0) of_observables.push_back(k);
  }
  std::vector<std::size_t> in_rows = of_observables;
  std::ranges::sort(in_rows, {}, [&](std::size_t k) { return place_of(fields[k].name, observables); });
  for (std::size_t k = 0; k < in_rows.size(); ++k) order[in_rows[k]] = of_observables[k];
  return order;
}

std::vector<double> taken(const std::vector<double>& values,
                          const std::vector<std::optional<std::size_t>>& places) {
  if (values.empty()) return {};
  std::vector<double> result;
  result.reserve(places.size());
  for (const auto& place : places) result.push_back(place ? values[*place] : std::nan(""));
  return result;
}

}  // namespace

ObservableColumns::ObservableColumns(const std::vector<std::string>& observables,
                                     const EnsembleSchema& schema)
    : as_they_are_(observables == schema.observable_names),
      of_columns_(places_of(schema.observable_names, observables)),
      of_observables_(places_of(observables, schema.observable_names)),
      fields_(field_order(schema.fields, observables)) {}

std::vector<double> ObservableColumns::stored(const std::vector<double>& observables) const {
  return as_they_are_ ? observables : taken(observables, of_columns_);
}

void ObservableColumns::restore(MemberRow& row) const {
  if (as_they_are_) return;
  row.observables = taken(row.observables, of_observables_);
  if (row.fields.size() != fields_.size()) return;
  std::vector<std::vector<double>> fields(row.fields.size());
  for (std::size_t k = 0; k < fields.size(); ++k) fields[fields_[k]] = std::move(row.fields[k]);
  row.fields = std::move(fields);
}

}  // namespace rodeo
