#include "rodeo/output/member_state.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "rodeo/input/number_text.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/file_records.hpp"

namespace rodeo {

namespace {

constexpr std::array<std::string_view, 4> state_fields = {"position", "orientation", "velocity",
                                                          "angular_velocity"};

/// Throws FileError if frames of the file do not hold whole states of all rods.
void require_states(const EnsembleSchema& schema, const std::string& path) {
  if (schema.frames == 0) {
    throw FileError(path +
                    " holds no frames, in which a state could stand: give its deck output.frames = 2 or more "
                    "and output.fields = velocity, orientation, angular_velocity");
  }
  std::string missing;
  for (const std::string_view name : state_fields) {
    if (std::ranges::find(schema.fields, name, &FieldFormat::name) != schema.fields.end()) continue;
    missing.append(missing.empty() ? "" : ", ").append(name);
  }
  if (missing.empty()) return;
  throw FileError("the frames of " + path + " hold no " + missing +
                  ", without which they are no whole states: give its deck output.fields = velocity, "
                  "orientation, angular_velocity");
}

/// The frame that is asked for: the last one that the member reached, or the one at a time.
std::size_t frame_of(const MemberRow& row, const StateSource& source, const std::string& name) {
  const auto reached = static_cast<std::size_t>(
      std::ranges::find_if(row.time, [](double t) { return std::isnan(t); }) - row.time.begin());
  if (reached == 0) throw FileError(name + " has no frame: it ended before its first one");
  if (!source.time) return reached - 1;
  const double interval = row.time.size() > 1 && reached > 1 ? row.time[1] - row.time[0] : 1.0;
  constexpr double rounding = 1e-6;  // of the time between frames
  std::size_t nearest = 0;
  for (std::size_t k = 1; k < reached; ++k) {
    if (std::abs(row.time[k] - *source.time) < std::abs(row.time[nearest] - *source.time)) nearest = k;
  }
  if (std::abs(row.time[nearest] - *source.time) <= rounding * interval) return nearest;
  throw FileError(name + " has no frame at " + format_real(*source.time) + " s; the nearest is at " +
                  format_real(row.time[nearest]) + " s, its last at " + format_real(row.time[reached - 1]) +
                  " s");
}

/// The numbers of a rod's nodes, or of its elements, which stand at their first nodes.
std::vector<double> numbers_of(const std::vector<double>& frame, std::size_t components,
                               std::size_t first_node, std::size_t count) {
  const auto begin = frame.begin() + static_cast<std::ptrdiff_t>(components * first_node);
  return {begin, begin + static_cast<std::ptrdiff_t>(components * count)};
}

}  // namespace

std::vector<RodNumbers> read_member_state(const StateSource& source) {
  const EnsembleReader reader(source.path);
  const EnsembleSchema& schema = reader.schema();
  if (source.member >= schema.members) {
    throw FileError(source.path + " has members 0 to " + std::to_string(schema.members - 1) + ", not " +
                    std::to_string(source.member));
  }
  require_states(schema, source.path);
  const std::string name = "member " + std::to_string(source.member) + " of " + source.path;
  const MemberRow row = reader.read_member(source.member);
  if (row.status == MemberStatus::pending) throw FileError(name + " is not finished");
  const std::vector<std::int32_t> numbers = schema.rod_numbers_of(source.member);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (numbers[k] == static_cast<std::int32_t>(k)) continue;
    throw FileError("the frames of " + source.path +
                    " hold some rods only, not whole states: give its deck output.rods = all");
  }
  const std::size_t frame = frame_of(row, source, name);
  std::array<std::vector<double>, state_fields.size()> fields;
  for (std::size_t k = 0; k < state_fields.size(); ++k) {
    const auto field = static_cast<std::size_t>(
        std::ranges::find(schema.fields, state_fields[k], &FieldFormat::name) - schema.fields.begin());
    const std::vector<double>& all = row.fields[field];
    const auto entries = static_cast<std::ptrdiff_t>(all.size() / row.time.size());
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(frame) * entries;
    fields[k].assign(begin, begin + entries);
    if (std::ranges::all_of(fields[k], [](double number) { return std::isfinite(number); })) continue;
    throw FileError(name + " has numbers that are not finite in that frame");
  }
  std::vector<RodNumbers> rods;
  std::size_t first = 0;
  for (const std::int32_t count : schema.rod_nodes_of(source.member)) {
    const auto nodes = static_cast<std::size_t>(count);
    rods.push_back({numbers_of(fields[0], 3, first, nodes), numbers_of(fields[1], 4, first, nodes - 1),
                    numbers_of(fields[2], 3, first, nodes), numbers_of(fields[3], 3, first, nodes - 1)});
    first += nodes;
  }
  return rods;
}

}  // namespace rodeo
