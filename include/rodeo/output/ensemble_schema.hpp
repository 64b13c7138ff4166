#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rodeo/observe/equilibrium.hpp"
#include "rodeo/plan/table.hpp"

namespace rodeo {

/// Field of frames, or of a member once at points of measured data.
struct FieldFormat {
  std::string name;
  std::string unit;
  int components = 0;       ///< C
  bool of_nodes = true;     ///< of every node; else double, and an observable without components or at points
  std::int32_t points = 0;  ///< of data; 0: it belongs to frames
  std::int32_t modes = 0;   ///< of which it holds the shapes, in place of frames

  bool operator==(const FieldFormat&) const = default;
};

/// Field of rod positions at so many points of measured data.
inline FieldFormat at_data_field(std::int32_t points) { return {"at_data", "m", 3, false, points}; }

/// Field of the shapes of so many modes.
inline FieldFormat mode_shapes_field(std::int32_t modes) {
  return {"mode_shapes", "m, rad", mode_components, true, 0, modes};
}

/// Contents of an ensemble file, known before its first member runs.
struct EnsembleSchema {
  std::string deck;                                 ///< resolved deck
  std::vector<std::string> parameter_names;         ///< P; the deck keys that vary
  std::vector<std::string> parameter_units;         ///< P; of numbers of a member's row; "1" for words
  std::vector<std::string> parameter_words;         ///< P; "a|b|c" if 0, 1, 2 stand for words; or empty
  std::vector<std::string> observable_names;        ///< O
  std::vector<std::string> observable_units;        ///< O
  std::vector<std::string> observable_definitions;  ///< of the last ones: those that the deck defines
  std::uint64_t members = 0;                        ///< M
  std::vector<std::uint32_t> scenario = {};         ///< M entries; empty if the study has no scenarios
  std::size_t scenario_parameters = 0;              ///< how many of the last parameters scenarios set
  int frames = 0;                                   ///< F; 0: no trajectories
  std::vector<FieldFormat> fields = {{"position", "m", 3}};  ///< the position first
  std::vector<std::int32_t> nodes;  ///< M entries, or one if all members have as many; empty if F = 0
  /// M x R, nodes of each rod that a member's frames hold, which share its nodes out in order, and 0 beyond
  /// the last; empty if every member is one rod, or if F = 0.
  std::vector<std::int32_t> rod_nodes;
  /// M x R, their numbers in ascending order, and -1 beyond the last; empty where frames hold all rods of
  /// every member.
  std::vector<std::int32_t> rod_numbers;
  bool single_precision = false;  ///< trajectories as float
  std::vector<Table> tables;      ///< that the study leaves

  /// The first ones of a member's parameters, which belong to its candidate.
  std::span<const double> of_candidate(std::span<const double> parameters) const {
    return parameters.first(parameters.size() - scenario_parameters);
  }
  std::int32_t nodes_of(std::uint64_t member) const {
    if (nodes.empty()) return 0;
    return nodes.size() == 1 ? nodes[0] : nodes[member];
  }
  bool ragged() const { return nodes.size() > 1; }
  /// R, the most rods that frames of a member hold.
  std::uint64_t rods() const { return rod_nodes.empty() ? 1 : rod_nodes.size() / members; }
  /// Nodes of each rod that frames of a member hold.
  std::vector<std::int32_t> rod_nodes_of(std::uint64_t member) const;
  /// The numbers of these rods.
  std::vector<std::int32_t> rod_numbers_of(std::uint64_t member) const;
};

/// Whether rows have more than their scalars.
inline bool holds_trajectories(const EnsembleSchema& schema) {
  return schema.frames > 0 || std::ranges::any_of(schema.fields, [](const FieldFormat& field) {
           return field.points > 0 || field.modes > 0;
         });
}

/// Brings a schema into the form that is stored: no nodes without frames, one entry if all members have as
/// many. Throws std::invalid_argument where counts contradict each other.
EnsembleSchema normalized(EnsembleSchema schema);

/// The table of a schema that has the name, the columns and the room of `table`; its columns may stand in
/// another order. Throws std::invalid_argument if there is none.
const Table& stored_table(const EnsembleSchema& schema, const Table& table);

/// Bytes a file of this schema takes, at most some KiB more than it really does.
std::uint64_t ensemble_file_bytes(const EnsembleSchema& schema);

}  // namespace rodeo
