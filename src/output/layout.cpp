#include "layout.hpp"

#include <algorithm>

namespace rodeo {

namespace {

/// Spans of trajectories are at most so large (a single frame excepted): it bounds buffers, and MPI counts
/// bytes in an int.
constexpr std::uint64_t span_bytes = std::uint64_t{64} << 20;

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

std::string field_path(const FieldFormat& field) {
  return (field.of_nodes || field.points > 0 ? "/trajectories/" : frame_observables_path + std::string("/")) +
         field.name;
}

FieldLayout::FieldLayout(const EnsembleSchema& schema, const FieldFormat& field)
    : members_(schema.members),
      frames_(field.points > 0 ? 1
                               : static_cast<std::uint64_t>(field.modes > 0 ? field.modes : schema.frames)),
      of_nodes_(field.of_nodes),
      of_points_(field.points > 0),
      nodes_(of_points_                 ? static_cast<std::uint64_t>(field.points)
             : !field.of_nodes          ? 1
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
  if (of_points_) return {members_, nodes_, components_};
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
    // HDF5 takes the first two entries for an observable, which has two dimensions.
    const std::array<hsize_t, 4> start{span.member, of_points_ ? 0 : span.frame, 0, 0};
    const std::array<hsize_t, 4> count{span.members, of_points_ ? nodes_ : span.frames,
                                       of_points_ ? components_ : nodes_, components_};
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

}  // namespace rodeo
