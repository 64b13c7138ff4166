#include "rodeo/output/ensemble_schema.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "attributes.hpp"
#include "layout.hpp"
#include "study_tables.hpp"

namespace rodeo {

namespace {

void check_rod_nodes(const EnsembleSchema& schema) {
  if (!schema.rod_numbers.empty() && schema.rod_numbers.size() != schema.rod_nodes.size()) {
    throw std::invalid_argument("rods must have a number each and a node count each");
  }
  if (schema.rod_nodes.empty()) return;
  if (schema.rod_nodes.size() % schema.members != 0) {
    throw std::invalid_argument("rods must have a node count each in every member");
  }
  for (std::uint64_t member = 0; member < schema.members; ++member) {
    std::int64_t sum = 0;
    for (const std::int32_t nodes : schema.rod_nodes_of(member)) {
      if (nodes < 0) throw std::invalid_argument("a rod has a negative number of nodes");
      sum += nodes;
    }
    if (sum != schema.nodes_of(member)) {
      throw std::invalid_argument("the nodes of a member's rods are not those of the member");
    }
    if (schema.rod_numbers.empty()) continue;
    const std::vector<std::int32_t> numbers = schema.rod_numbers_of(member);
    if (numbers.front() < 0 ||
        std::ranges::adjacent_find(numbers, std::ranges::greater_equal()) != numbers.end()) {
      throw std::invalid_argument("the numbers of a member's rods do not ascend");
    }
  }
}

}  // namespace

EnsembleSchema normalized(EnsembleSchema schema) {
  if (schema.members == 0) throw std::invalid_argument("an ensemble file needs at least one member");
  if (schema.frames < 0) throw std::invalid_argument("the number of frames is negative");
  if (schema.observable_names.size() != schema.observable_units.size()) {
    throw std::invalid_argument("observables and their units differ in number");
  }
  if (schema.observable_definitions.size() > schema.observable_names.size()) {
    throw std::invalid_argument("more observables are defined than there are");
  }
  if (!schema.scenario.empty() && schema.scenario.size() != schema.members)
    throw std::invalid_argument("members must be in a scenario each");
  if (schema.scenario_parameters > schema.parameter_names.size())
    throw std::invalid_argument("scenarios set more parameters than there are");
  schema.parameter_words.resize(schema.parameter_names.size());
  schema.parameter_units.resize(schema.parameter_names.size(), "1");
  for (const auto* names :
       {&schema.parameter_names, &schema.parameter_words, &schema.parameter_units, &schema.observable_names,
        &schema.observable_units, &schema.observable_definitions}) {
    if (stored_bytes(*names) <= most_attribute_bytes) continue;
    throw std::invalid_argument("an ensemble file has room for " + std::to_string(most_attribute_bytes) +
                                " bytes of names of parameters or observables, all counted as long as the "
                                "longest; here are " +
                                std::to_string(names->size()) + " names");
  }
  for (const Table& table : schema.tables) {
    for (const TableColumn& column : table.columns) {
      if (stored_bytes(column.names) <= most_attribute_bytes) continue;
      throw std::invalid_argument("the names of column " + column.name + " of table " + table.name +
                                  " take more than " + std::to_string(most_attribute_bytes) + " bytes");
    }
  }
  if (schema.fields.empty()) throw std::invalid_argument("frames have no field");
  if (schema.frames == 0) {
    schema.fields.erase(schema.fields.begin() + 1, schema.fields.end());
    schema.nodes.clear();
    schema.rod_nodes.clear();
    schema.rod_numbers.clear();
    return schema;
  }
  if (schema.nodes.empty() || (schema.nodes.size() != 1 && schema.nodes.size() != schema.members)) {
    throw std::invalid_argument("node counts must be one for all members or one for each");
  }
  if (std::any_of(schema.nodes.begin(), schema.nodes.end(), [](std::int32_t nodes) { return nodes < 1; })) {
    throw std::invalid_argument("a member without nodes has no trajectory");
  }
  if (std::all_of(schema.nodes.begin(), schema.nodes.end(),
                  [&](std::int32_t nodes) { return nodes == schema.nodes[0]; })) {
    schema.nodes.erase(schema.nodes.begin() + 1, schema.nodes.end());
  }
  check_rod_nodes(schema);
  return schema;
}

std::vector<std::int32_t> EnsembleSchema::rod_nodes_of(std::uint64_t member) const {
  if (rod_nodes.empty()) return {nodes_of(member)};
  const auto row = rod_nodes.begin() + static_cast<std::ptrdiff_t>(member * rods());
  const auto row_end = row + static_cast<std::ptrdiff_t>(rods());
  return {row, std::find(row, row_end, 0)};
}

std::vector<std::int32_t> EnsembleSchema::rod_numbers_of(std::uint64_t member) const {
  const std::size_t count = rod_nodes_of(member).size();
  if (!rod_numbers.empty()) {
    const auto row = rod_numbers.begin() + static_cast<std::ptrdiff_t>(member * rods());
    return {row, row + static_cast<std::ptrdiff_t>(count)};
  }
  std::vector<std::int32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

const Table& stored_table(const EnsembleSchema& schema, const Table& table) {
  const auto found = std::ranges::find(schema.tables, table.name, &Table::name);
  const auto stored = [&](const TableColumn& column) {
    return std::ranges::any_of(found->columns, [&](const TableColumn& other) {
      return other.name == column.name && other.type == column.type && other.width == column.width;
    });
  };
  if (found == schema.tables.end() || found->rows != table.rows ||
      found->columns.size() != table.columns.size() || !std::ranges::all_of(table.columns, stored)) {
    throw std::invalid_argument("the file has no such table " + table.name);
  }
  return *found;
}

std::uint64_t ensemble_file_bytes(const EnsembleSchema& schema) {
  const EnsembleSchema stored = normalized(schema);
  // HDF5's own bookkeeping: superblock, groups, headers, heap pages, the attributes of fixed size.
  std::uint64_t metadata = 49152;
  for (const auto* names :
       {&stored.parameter_names, &stored.parameter_words, &stored.parameter_units, &stored.observable_names,
        &stored.observable_units, &stored.observable_definitions}) {
    metadata += stored_bytes(*names);
  }
  std::uint64_t tables = 0;
  for (const Table& table : stored.tables) tables = saturating_sum(tables, table_bytes(table));
  const std::uint64_t rows = saturating_product(stored.members, column_bytes_per_row(stored));
  const std::uint64_t node_tables = (stored.ragged() ? saturating_product(stored.members, 12) : 0) +
                                    4 * stored.rod_nodes.size() + 4 * stored.rod_numbers.size() +
                                    4 * stored.scenario.size();
  std::uint64_t fields = 0;
  for (const FieldFormat& field : stored.fields) {
    metadata += 1024;
    fields = saturating_sum(fields, FieldLayout(stored, field).bytes());
  }
  return saturating_sum(saturating_sum(metadata + stored.deck.size(), saturating_sum(rows, tables)),
                        saturating_sum(node_tables, fields));
}

}  // namespace rodeo
