#include "schema.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "attributes.hpp"
#include "optimize_group.hpp"

namespace rodeo {

namespace {

/// Spans of trajectories are at most so large (a single frame excepted): it bounds buffers, and MPI counts
/// bytes in an int.
constexpr std::uint64_t span_bytes = std::uint64_t{64} << 20;

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::numeric_limits<std::uint64_t>::max() : result;
}

std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? std::numeric_limits<std::uint64_t>::max() : result;
}

/// Bytes of an attribute with these texts.
std::uint64_t stored_bytes(const std::vector<std::string>& texts) {
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  return texts.size() * longest;
}

void check_rod_nodes(const EnsembleSchema& schema) {
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
  }
}

}  // namespace

std::array<ColumnFormat, column_count> column_formats(const EnsembleSchema& schema) {
  const auto parameters = schema.parameter_names.size();
  const auto observables = schema.observable_names.size();
  const auto frames = static_cast<std::uint64_t>(schema.frames);
  return {{{"/members/parameters", H5T_IEEE_F64LE, 8, parameters, true, false},
           {"/members/candidate", H5T_STD_U64LE, 8, 1, false, false},
           {"/members/repeat", H5T_STD_U32LE, 4, 1, false, false},
           {"/members/seed", H5T_STD_U64LE, 8, 1, false, false},
           {"/members/status", H5T_STD_U8LE, 1, 1, false, true},
           {"/members/observables", H5T_IEEE_F64LE, 8, observables, true, false},
           {"/members/steps", H5T_STD_U64LE, 8, 1, false, false},
           {"/members/wall_seconds", H5T_IEEE_F64LE, 8, 1, false, false},
           {"/members/rank", H5T_STD_I32LE, 4, 1, false, false},
           {"/trajectories/time", H5T_IEEE_F64LE, 8, frames, true, false}}};
}

EnsembleSchema normalized(EnsembleSchema schema) {
  if (schema.members == 0) throw std::invalid_argument("an ensemble file needs at least one member");
  if (schema.frames < 0) throw std::invalid_argument("the number of frames is negative");
  if (schema.observable_names.size() != schema.observable_units.size()) {
    throw std::invalid_argument("observables and their units differ in number");
  }
  schema.parameter_words.resize(schema.parameter_names.size());
  for (const auto* names : {&schema.parameter_names, &schema.parameter_words, &schema.observable_names,
                            &schema.observable_units}) {
    if (stored_bytes(*names) <= most_attribute_bytes) continue;
    throw std::invalid_argument("an ensemble file has room for " + std::to_string(most_attribute_bytes) +
                                " bytes of names of parameters or observables, all counted as long as the "
                                "longest; here are " +
                                std::to_string(names->size()) + " names");
  }
  if (schema.fields.empty()) throw std::invalid_argument("frames have no field");
  if (schema.frames == 0) {
    schema.fields.erase(schema.fields.begin() + 1, schema.fields.end());
    schema.nodes.clear();
    schema.rod_nodes.clear();
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

std::string field_path(const FieldFormat& field) {
  return (field.of_nodes ? "/trajectories/" : frame_observables_path + std::string("/")) + field.name;
}

FieldLayout::FieldLayout(const EnsembleSchema& schema, const FieldFormat& field)
    : members_(schema.members),
      frames_(static_cast<std::uint64_t>(schema.frames)),
      of_nodes_(field.of_nodes),
      nodes_(!field.of_nodes            ? 1
             : schema.nodes.size() == 1 ? static_cast<std::uint64_t>(schema.nodes[0])
                                        : 0),
      components_(static_cast<std::uint64_t>(field.components)),
      bytes_per_number_(field.of_nodes && schema.single_precision ? 4 : 8) {
  if (!of_nodes_ || !schema.ragged()) return;
  offsets_.reserve(schema.nodes.size() + 1);
  offsets_.push_back(0);
  for (const std::int32_t nodes : schema.nodes) {
    offsets_.push_back(
        saturating_sum(offsets_.back(), saturating_product(frames_, static_cast<std::uint64_t>(nodes))));
  }
}

std::vector<hsize_t> FieldLayout::extent() const {
  if (!of_nodes_) return {members_, frames_};
  if (!offsets_.empty()) return {offsets_.back(), components_};
  return {members_, frames_, nodes_, components_};
}

hid_t FieldLayout::type() const { return single_precision() ? H5T_IEEE_F32LE : H5T_IEEE_F64LE; }

std::uint64_t FieldLayout::nodes_of(std::uint64_t member) const {
  return offsets_.empty() ? nodes_ : (offsets_[member + 1] - offsets_[member]) / frames_;
}

std::uint64_t FieldLayout::bytes() const {
  std::uint64_t result = bytes_per_number_;
  for (const hsize_t length : extent()) result = saturating_product(result, length);
  return result;
}

void FieldLayout::select(hid_t space, const Span& span) const {
  if (offsets_.empty()) {
    // Of an observable's two dimensions the first two are meant.
    const std::array<hsize_t, 4> start{span.member, span.frame, 0, 0};
    const std::array<hsize_t, 4> count{span.members, span.frames, nodes_, components_};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    return;
  }
  const std::array<hsize_t, 2> start{offsets_[span.member] + span.frame * nodes_of(span.member), 0};
  const std::array<hsize_t, 2> count{span.members == 1
                                         ? span.frames * nodes_of(span.member)
                                         : offsets_[span.member + span.members] - offsets_[span.member],
                                     components_};
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
}

std::uint64_t FieldLayout::bytes(const Span& span) const {
  if (span.members == 1) return span.frames * bytes_per_frame(span.member);
  if (offsets_.empty()) return span.members * bytes_per_row(span.member);
  return (offsets_[span.member + span.members] - offsets_[span.member]) * components_ * bytes_per_number_;
}

std::vector<FieldLayout::Span> FieldLayout::spans(std::uint64_t first, std::uint64_t count) const {
  if (frames_ == 0) return {};
  if (count > 1) return {{first, count, 0, frames_}};
  std::vector<Span> result;
  const std::uint64_t step = std::max<std::uint64_t>(1, span_bytes / bytes_per_frame(first));
  for (std::uint64_t frame = 0; frame < frames_; frame += step) {
    result.push_back({first, 1, frame, std::min(step, frames_ - frame)});
  }
  return result;
}

std::uint64_t column_bytes_per_row(const EnsembleSchema& schema) {
  std::uint64_t result = sizeof(std::uint64_t);  // the commit word
  for (const ColumnFormat& format : column_formats(schema)) {
    result += format.bytes_per_entry * format.entries_per_row;
  }
  return result;
}

std::uint64_t ensemble_file_bytes(const EnsembleSchema& schema) {
  const EnsembleSchema stored = normalized(schema);
  // HDF5's own bookkeeping: superblock, groups, headers, heap pages, the attributes of fixed size.
  std::uint64_t metadata = 32768;
  for (const auto* names : {&stored.parameter_names, &stored.parameter_words, &stored.observable_names,
                            &stored.observable_units}) {
    metadata += stored_bytes(*names);
  }
  // Six datasets of a level's numbers, with their headers.
  if (!stored.convergence.rows.empty()) metadata += 8192 + 72 * stored.convergence.rows.size();
  // Seventeen datasets, two of them with the names of parameters, one with those of stop criteria.
  if (stored.generations > 0) metadata += 32768 + 2 * stored_bytes(stored.parameter_names);
  const std::uint64_t generations = saturating_product(stored.generations, generation_bytes(stored));
  const std::uint64_t rows = saturating_product(stored.members, column_bytes_per_row(stored));
  const std::uint64_t node_tables =
      (stored.ragged() ? saturating_product(stored.members, 12) : 0) + 4 * stored.rod_nodes.size();
  std::uint64_t fields = 0;
  for (const FieldFormat& field : stored.fields) {
    metadata += 1024;
    fields = saturating_sum(fields, FieldLayout(stored, field).bytes());
  }
  return saturating_sum(saturating_sum(metadata + stored.deck.size(), saturating_sum(rows, generations)),
                        saturating_sum(node_tables, fields));
}

}  // namespace rodeo
