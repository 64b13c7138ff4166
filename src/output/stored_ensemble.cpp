#include "stored_ensemble.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <hdf5.h>

#include "rodeo/member/status.hpp"
#include "rodeo/observe/observable_list.hpp"
#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/hdf5_handle.hpp"
#include "rodeo/processor/kernel_set.hpp"
#include "rodeo/rodeo.hpp"

#include "attributes.hpp"
#include "datasets.hpp"
#include "layout.hpp"
#include "running_dataset.hpp"
#include "seal.hpp"
#include "study_tables.hpp"

namespace rodeo {

namespace {

struct LongName {
  std::string_view path;  ///< one that ends with a star stands for all that begin so and have no row before
  std::string_view text;
};

constexpr auto long_names = std::to_array<LongName>({
    {"/deck", "deck with all defaults"},
    {"/running", "what members that run have come to"},
    {"/members/parameters", "values of the keys that the study varies"},
    {"/members/parameter_name", "keys that the study varies"},
    {"/members/observables", "observables of the member"},
    {"/members/observable_name", "names of the observables"},
    {"/members/status", "how the member ended"},
    {"/members/candidate", "number of the candidate"},
    {"/members/repeat", "number among the members of the candidate, or of its scenario"},
    {"/members/scenario", "number among the scenarios of the candidate"},
    {"/members/seed", "seed of the member's random numbers"},
    {"/members/steps", "steps that the member took"},
    {"/members/wall_seconds", "wall time of the member, its share of that of its batch"},
    {"/members/rank", "rank that ran the member"},
    {"/members/commit", "not 0 once the row is complete; its checksum"},
    {"/trajectories/time", "time of the frame"},
    {"/trajectories/position", "position of the node"},
    {"/trajectories/offset", "first row of the member"},
    {"/trajectories/nodes", "nodes of the member"},
    {"/trajectories/velocity", "velocity of the node"},
    {"/trajectories/orientation",
     "orientation of the element: quaternion w, x, y, z that turns x, y, z into d1, d2, d3"},
    {"/trajectories/angular_velocity", "angular velocity of the element along d1, d2, d3"},
    {"/trajectories/dilatation", "length over rest length of the element"},
    {"/trajectories/radius", "radius of the element"},
    {"/trajectories/curvature", "curvature at the node along d1, d2, d3; 0 at free ends"},
    {"/trajectories/at_data", "place of the rods at the points of the measured data"},
    {"/trajectories/mode_shapes", "displacement of the node and turn of its element in the mode"},
    {"/trajectories/rod_nodes", "nodes of each rod"},
    {"/trajectories/rod_numbers", "numbers of the rods whose nodes frames hold"},
    {"/convergence/n", "elements"},
    {"/convergence/step", "time step"},
    {"/convergence/spacing", "longest rest length of an element, or the time step"},
    {"/convergence/L1", "L1 norm of the error"},
    {"/convergence/L2", "L2 norm of the error"},
    {"/convergence/Linf", "largest error"},
    {"/convergence/value", "values of the observables"},
    {"/convergence/error", "errors of the observables"},
    {"/convergence/observed_order", "order from this level and the one before"},
    {"/convergence/extrapolated", "what this level and the two before converge to (Richardson)"},
    {"/convergence/band",
     "grid convergence index times the value: 1.25 times the distance to what is extrapolated"},
    {"/boundary/above", "observable less the level, interpolated where no member ran"},
    {"/optimize/evaluations", "evaluations so far; 0: no such generation yet"},
    {"/optimize/best", "best objective so far"},
    {"/optimize/best_candidate", "candidate with the best objective so far"},
    {"/optimize/generation_best", "best objective of the generation"},
    {"/optimize/mean", "mean of the generation's objectives"},
    {"/optimize/median", "median of the generation's objectives"},
    {"/optimize/sigma", "step length of CMA-ES"},
    {"/optimize/axis_ratio", "longest over shortest axis of the distribution"},
    {"/optimize/restart", "number of the restart"},
    {"/optimize/population", "candidates of the generation"},
    {"/optimize/failed", "candidates of the generation that failed"},
    {"/optimize/stop", "why the search stopped"},
    {"/optimize/last", "1 in the last row"},
    {"/optimize/generation", "number of the generation"},
    {"/optimize/mean_vector", "mean of the distribution"},
    {"/optimize/deviation", "standard deviation of each parameter"},
    {"/optimize/eigenvalues", "eigenvalues of the covariance"},
    {"/optimize/level", "level of fidelity"},
    {"/constraints/multiplier", "what the objective would gain if the bound were relaxed by one"},
    {"/constraints/factor", "factor of the quadratic penalty"},
    {"/constraints/fulfilled", "candidates that fulfil all constraints"},
    {"/constraints/evaluations", "evaluations so far"},
    {"/fidelity/level", "number of the level"},
    {"/fidelity/values", "values of the level's keys"},
    {"/fidelity/candidates", "candidates that ran on the level"},
    {"/fidelity/generations", "generations on the level"},
    {"/fidelity/compared", "members by which the level was compared with the next one"},
    {"/fidelity/correlation", "correlation of ranks with the next level (Spearman)"},
    {"/fidelity/best", "best objective on the level"},
    {"/fidelity/best_candidate", "candidate with the best objective on the level"},
    {"/fidelity/state", "what became of the level"},
    {"/pareto/in_set", "1 if no candidate is better in all objectives"},
    {"/pareto/*", "objective of the candidate"},
    {"/sensitivity/evaluations", "evaluations so far"},
    {"/sensitivity/failed", "evaluations that failed"},
    {"/sensitivity/observable", "number of the observable"},
    {"/sensitivity/round", "number of the round"},
    {"/sensitivity/method", "method of the indices: chaos, or Jansen's estimator"},
    {"/sensitivity/prediction_error", "error of the polynomial over the variance"},
    {"/sensitivity/degree", "degree of the polynomial"},
    {"/sensitivity/terms", "terms of the polynomial"},
    {"/sensitivity/change", "largest change of an index since half as many evaluations"},
    {"/sensitivity/mean", "mean of the observable"},
    {"/sensitivity/deviation", "standard deviation of the observable"},
    {"/sensitivity/quantiles", "quantiles of the observable"},
    {"/sensitivity/steady", "1 if no index changed by more than the tolerance"},
    {"/sensitivity/last", "1 in the last round"},
    {"/sensitivity/first", "first Sobol indices"},
    {"/sensitivity/total", "total Sobol indices"},
    {"/sensitivity/first_error", "half of the band of the first indices"},
    {"/sensitivity/total_error", "half of the band of the total indices"},
    {"/boundary/outcome", "outcome at the node of the grid"},
    {"/boundary/probability", "probability of being above the level, or of a bad end"},
    {"/boundary/error", "standard deviation of the probability"},
    {"/boundary/members", "members that tell the outcome; 0: inferred"},
    {"/boundary/point", "values of the keys at the node of the grid"},
    {"/boundary_counts/nodes", "nodes of the grid"},
    {"/boundary_counts/inferred_nodes", "nodes of the grid without members"},
    {"/boundary_counts/members", "members that ran"},
    {"/boundary_counts/spared_members", "members that did not run"},
    {"/boundary_counts/ended", "1 at the end"},
    {"/branch/candidate", "number of the branch"},
    {"/branch/parent", "branch that it leaves"},
    {"/branch/turn", "at which of the parent's bifurcations, with the side as sign"},
    {"/branch/bifurcations", "bifurcations on the branch"},
    {"/branch/folds", "folds on the branch"},
    {"/branch/critical_value", "branch.key at the first bifurcation or fold"},
    {"/branch/last_value", "branch.key at the end of the branch"},
    {"/branch_counts/branches", "branches that are known"},
    {"/branch_counts/to_come", "branches that have not run"},
    {"/scene/candidate", "candidate whose rods these are"},
    {"/scene/rod", "number of the rod"},
    {"/scene/*", "value of the key for the rod"},
});

constexpr std::string_view of_frames = "/trajectories/observables/";
constexpr std::string_view of_rows = "/commit";

bool matches(std::string_view path, std::string_view pattern) {
  if (!pattern.ends_with('*')) return path == pattern;
  return path.starts_with(pattern.substr(0, pattern.size() - 1));
}

/// Text of an observable; its name where the deck itself defines it.
std::string text_of_observable(std::string_view name) {
  const ObservableList known;
  const std::size_t place = known.index(name);
  return std::string(place < known.size() ? known[place].text : name);
}

/// Label of the dataset at this path of a file, as an axis would have it; the manual's page about the file is
/// made of these. The name of the dataset where there is no text for it.
std::string long_name(std::string_view path) {
  if (path.starts_with(of_frames)) return text_of_observable(path.substr(of_frames.size()));
  if (path.ends_with(of_rows)) path = "/members/commit";
  for (const LongName& entry : long_names) {
    if (matches(path, entry.path)) return std::string(entry.text);
  }
  return std::string(path.substr(path.rfind('/') + 1));
}

/// An attribute with a zero behind its text, by which HDF5 knows scales.
void create_terminated_text(hid_t object, const char* name, const std::string& text) {
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "cannot make a text type");
  hdf5_check(H5Tset_size(type.get(), text.size() + 1), "cannot size a text type");
  create_attribute(object, name, type.get(), type.get(), text.c_str());
}

/// The dimension scales of a file, at its root, where all groups see them.
class Scales {
 public:
  explicit Scales(hid_t file) : file_(file) {}

  /// Says which scale each dimension of a dataset has. Written here instead of by H5DSattach_scale, whose
  /// list of those that use a scale has bytes that mean nothing, other ones in each file.
  void attach(const std::string& path, const std::vector<std::string>& names) {
    const Hdf5Handle dataset = open_dataset(file_, path);
    const std::vector<hsize_t> extent = extent_of(dataset.get());
    if (extent.size() != names.size()) throw Hdf5Error("dimensions of " + path + " are misnamed");
    std::vector<hobj_ref_t> references;
    for (std::size_t k = 0; k < names.size(); ++k) references.push_back(scale(names[k], extent[k]));
    std::vector<hvl_t> entries;
    for (hobj_ref_t& reference : references) entries.push_back({1, &reference});
    const Hdf5Handle type(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose, "cannot make a type of references");
    create_attribute(dataset.get(), "DIMENSION_LIST", type.get(), type.get(), entries.data(), entries.size());
  }

 private:
  /// A dimension without values of its own, as netCDF has them, made when it is first asked for.
  hobj_ref_t scale(const std::string& name, hsize_t length) {
    const std::string path = "/" + name;
    if (!lengths_.contains(name)) {
      lengths_[name] = length;
      const Hdf5Handle dataset = create_unwritten_dataset(file_, path, H5T_IEEE_F32LE, length);
      char text[80];
      std::snprintf(text, sizeof text, "This is a netCDF dimension but not a netCDF variable.%10llu",
                    static_cast<unsigned long long>(length));
      create_terminated_text(dataset.get(), "CLASS", "DIMENSION_SCALE");
      create_terminated_text(dataset.get(), "NAME", text);
    }
    if (lengths_[name] != length) throw Hdf5Error("dimension " + name + " has two lengths");
    hobj_ref_t reference{};
    hdf5_check(H5Rcreate(&reference, file_, path.c_str(), H5R_OBJECT, -1), "cannot refer to a dimension");
    return reference;
  }

  hid_t file_;
  std::map<std::string, hsize_t> lengths_;
};

std::vector<std::string> dimensions_of(const FieldFormat& field, const EnsembleSchema& schema) {
  const std::string components = field.name + "_component";
  if (field.points > 0) return {"member", "data_point", components};
  if (!field.of_nodes) return {"member", "frame"};
  if (field.modes > 0) {
    return schema.ragged() ? std::vector<std::string>{"mode_row", components}
                           : std::vector<std::string>{"member", "mode", "node", components};
  }
  return schema.ragged() ? std::vector<std::string>{"row", components}
                         : std::vector<std::string>{"member", "frame", "node", components};
}

/// Says what a dataset holds and in which unit, by the names of netCDF's conventions.
void describe(hid_t file, const std::string& path, std::string_view unit) {
  const Hdf5Handle dataset = open_dataset(file, path);
  create_text(dataset.get(), "long_name", long_name(path));
  if (!unit.empty()) create_text(dataset.get(), "units", std::string(unit));
}

/// The words of the statuses, as the conventions of climate and forecast files have flags.
void name_statuses(hid_t dataset) {
  std::array<std::uint8_t, member_status_count> values{};
  std::string meanings;
  for (int k = 0; k < member_status_count; ++k) {
    values[static_cast<std::size_t>(k)] = static_cast<std::uint8_t>(k);
    std::string word(to_string(static_cast<MemberStatus>(k)));
    std::ranges::replace(word, ' ', '_');
    meanings.append(k > 0 ? " " : "").append(word);
  }
  create_attribute(dataset, "flag_values", H5T_STD_U8LE, H5T_NATIVE_UINT8, values.data(), values.size());
  create_text(dataset, "flag_meanings", meanings);
}

/// Writes names as rows of characters, of which readers of netCDF make labels along a dimension.
void create_labels(hid_t file, Scales& scales, const std::string& path, const std::string& dimension,
                   const std::vector<std::string>& names) {
  if (names.empty()) return;
  const std::string characters = padded(names);
  const Hdf5Handle type = text_type(1);
  const Hdf5Handle dataset =
      create_filled(file, path, type.get(), type.get(), {names.size(), characters.size() / names.size()},
                    characters.data());
  create_text(dataset.get(), "_Encoding", "utf-8");
  scales.attach(path, {dimension, dimension + "_name_character"});
  describe(file, path, "");
}

/// Unit of a column of members; empty for a matrix whose numbers differ in unit.
std::string_view unit_of_column(const ColumnFormat& format) {
  const std::string_view path = format.path;
  if (path == "/members/wall_seconds" || path == "/trajectories/time") return "s";
  return format.matrix ? "" : "1";
}

/// The units of numbers that belong to parameters or observables of these names; none if one does not.
std::vector<std::string> units_of(const std::vector<std::string>& names, const EnsembleSchema& schema) {
  std::vector<std::string> units;
  for (const std::string& name : names) {
    const auto find = [&](const std::vector<std::string>& known, const std::vector<std::string>& its_units) {
      const auto place = static_cast<std::size_t>(std::ranges::find(known, name) - known.begin());
      if (place < known.size()) units.push_back(its_units[place]);
      return place < known.size();
    };
    if (!find(schema.parameter_names, schema.parameter_units) &&
        !find(schema.observable_names, schema.observable_units)) {
      return {};
    }
  }
  return units;
}

void describe_table(hid_t file, const Table& table, const EnsembleSchema& schema, Scales& scales) {
  const std::string row = table.name + "_row";
  for (const TableColumn& column : table.columns) {
    const std::string path = table_path(table, column.name);
    std::vector<std::string> names = {row};
    if (column.width) names.push_back(table.name + "_" + column.name + "_entry");
    scales.attach(path, names);
    describe(file, path, column.unit);
    const std::vector<std::string> units = units_of(column.names, schema);
    if (column.unit.empty() && !units.empty()) {
      create_texts(open_dataset(file, path).get(), "units", units);
    }
  }
  const std::string commit = table_path(table, "commit");
  scales.attach(commit, {row});
  describe(file, commit, "1");
}

/// Tells readers of netCDF, xarray and h5py what the datasets of a new file are: which dimension runs along
/// each extent (as dimension scales), what they hold (`long_name`) and in which units. All must be there.
void describe_datasets(hid_t file, const EnsembleSchema& schema) {
  Scales scales(file);
  for (const ColumnFormat& format : column_formats(schema)) {
    const std::string path = format.path;
    std::vector<std::string> names = {"member"};
    if (format.matrix) {
      names.emplace_back(path.ends_with("/parameters")    ? "parameter"
                         : path.ends_with("/observables") ? "observable"
                                                          : "frame");
    }
    scales.attach(path, names);
    describe(file, path, unit_of_column(format));
  }
  name_statuses(open_dataset(file, "/members/status").get());
  const auto label = [&](const char* path, const std::string& dimension,
                         const std::vector<std::string>& names) {
    create_labels(file, scales, path, dimension, names);
    create_text(open_dataset(file, "/members/" + dimension + "s").get(), "coordinates",
                "candidate " + std::string(schema.scenario.empty() ? "" : "scenario ") +
                    "repeat seed status" + (names.empty() ? "" : " " + dimension + "_name"));
  };
  label(parameter_labels_path, "parameter", schema.parameter_names);
  label(observable_labels_path, "observable", schema.observable_names);
  scales.attach(commit_path, {"member"});
  describe(file, commit_path, "1");
  for (const FieldFormat& field : schema.fields) {
    const std::string path = field_path(field);
    scales.attach(path, dimensions_of(field, schema));
    describe(file, path, field.unit);
    const bool in_time = field.of_nodes && field.modes == 0 && !schema.ragged();
    if (in_time) create_text(open_dataset(file, path).get(), "coordinates", "time");
  }
  const auto describe_count = [&](const char* path, const std::vector<std::string>& dimensions) {
    if (H5Lexists(file, path, H5P_DEFAULT) <= 0) return;
    scales.attach(path, dimensions);
    describe(file, path, "1");
  };
  describe_count(scenario_path, {"member"});
  describe_count(nodes_path, {"member"});
  describe_count(offset_path, {"member"});
  describe_count(rod_nodes_path, {"member", "rod"});
  describe_count(rod_numbers_path, {"member", "rod"});
  for (const Table& table : schema.tables) describe_table(file, table, schema, scales);
  scales.attach("/running", {"running_entry"});
  describe(file, "/running", "");
  describe(file, deck_path, "");
}

/// Creates the per-member datasets in a new file: contiguous and allocated at once, so that any rank can
/// write rows on its own and nothing but data is written after creation. Returns them open: HDF5 opens one
/// again in a fifth of the time then.
std::vector<Hdf5Handle> create_row_tables(hid_t file, const EnsembleSchema& schema) {
  std::vector<Hdf5Handle> created;
  create_group(file, "/members");
  create_group(file, "/trajectories");
  for (const ColumnFormat& format : column_formats(schema)) {
    std::vector<hsize_t> extent{schema.members};
    if (format.matrix) extent.push_back(format.entries_per_row);
    created.push_back(create_dataset(file, format.path, format.type, extent, format.zero_filled));
  }
  created.push_back(create_dataset(file, commit_path, H5T_STD_U64LE, {schema.members}, true));
  if (std::ranges::any_of(schema.fields,
                          [](const FieldFormat& field) { return !field.of_nodes && field.points == 0; })) {
    create_group(file, frame_observables_path);
  }
  for (const FieldFormat& field : schema.fields) {
    const FieldLayout layout(schema, field);
    created.push_back(create_dataset(file, field_path(field), layout.type(), layout.extent(), false));
  }
  if (!schema.scenario.empty()) {
    created.push_back(create_filled(file, scenario_path, H5T_STD_U32LE, H5T_NATIVE_UINT32,
                                    {schema.scenario.size()}, schema.scenario.data()));
    const auto keys = schema.parameter_names.end() - static_cast<std::ptrdiff_t>(schema.scenario_parameters);
    create_texts(created.back().get(), "keys", {keys, schema.parameter_names.end()});
  }
  if (schema.ragged()) {
    created.push_back(create_filled(file, nodes_path, H5T_STD_I32LE, H5T_NATIVE_INT32, {schema.nodes.size()},
                                    schema.nodes.data()));
    // Signed, since numpy makes a float of an unsigned 64-bit number plus a signed one, which is no index.
    const FieldLayout layout(schema, schema.fields.front());
    created.push_back(create_filled(file, offset_path, H5T_STD_I64LE, H5T_NATIVE_UINT64,
                                    {schema.nodes.size()}, layout.offsets().data()));
  }
  const auto create_rod_table = [&](const char* path, const std::vector<std::int32_t>& values) {
    if (values.empty()) return;
    created.push_back(create_filled(file, path, H5T_STD_I32LE, H5T_NATIVE_INT32,
                                    {schema.members, schema.rods()}, values.data()));
  };
  create_rod_table(rod_nodes_path, schema.rod_nodes);
  create_rod_table(rod_numbers_path, schema.rod_numbers);
  return created;
}

constexpr std::size_t hosts_capacity = 4096;
constexpr std::size_t writer_capacity = 256;

/// Text about the present writer, for programs that find the file locked.
std::string writer_text(const Provenance& provenance) {
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  return "process " + std::to_string(getpid()) + " on " + host + ", started " + provenance.start_time;
}

}  // namespace

void write_new_ensemble(hid_t file, const EnsembleSchema& schema, const Provenance& provenance) {
  create_text(file, "schema", schema_name);
  create_integer(file, "schema_version", schema_version);
  create_text(file, "program_version", std::string(version()));
  create_text(file, "git_revision", std::string(revision()));
  create_text(file, "kernels", provenance.kernels.empty() ? std::string(kernel_set()) : provenance.kernels);
  create_text(file, "command_line", provenance.command_line);
  create_text(file, "backend", provenance.backend);
  create_text(file, "start_time", provenance.start_time);
  create_text(file, "precision", schema.single_precision ? "float" : "double");
  create_integer(file, "frames", schema.frames);
  create_integer(file, "ranks", provenance.ranks);
  create_integer(file, "resumes", 0);
  create_fixed_text(file, "hosts", provenance.hosts, hosts_capacity);
  create_fixed_text(file, "writer", writer_text(provenance), writer_capacity);
  const Hdf5Handle text = text_type(schema.deck.size() + 1);
  const Hdf5Handle deck = create_filled(file, deck_path, text.get(), text.get(), {}, schema.deck.c_str());
  const std::vector<Hdf5Handle> open = create_row_tables(file, schema);
  create_running_note(file);
  create_tables(file, schema.tables);
  const Hdf5Handle parameters = open_dataset(file, "/members/parameters");
  create_texts(parameters.get(), "names", schema.parameter_names);
  create_texts(parameters.get(), "units", schema.parameter_units);
  const bool words = std::ranges::any_of(schema.parameter_words, [](const auto& w) { return !w.empty(); });
  if (words) create_texts(parameters.get(), "words", schema.parameter_words);
  const Hdf5Handle observables = open_dataset(file, "/members/observables");
  create_texts(observables.get(), "names", schema.observable_names);
  create_texts(observables.get(), "units", schema.observable_units);
  if (!schema.observable_definitions.empty()) {
    create_texts(observables.get(), "definitions", schema.observable_definitions);
  }
  describe_datasets(file, schema);
  seal(file);
}

Provenance read_provenance(hid_t file) {
  Provenance result;
  result.command_line = read_text(file, "command_line");
  result.backend = read_text(file, "backend");
  result.hosts = read_text(file, "hosts");
  result.start_time = read_text(file, "start_time");
  result.ranks = static_cast<int>(read_integer(file, "ranks"));
  result.resumes = static_cast<int>(read_integer(file, "resumes"));
  result.writer = read_text(file, "writer");
  result.program_version = read_text(file, "program_version");
  result.git_revision = read_text(file, "git_revision");
  if (H5Aexists(file, "kernels") > 0) result.kernels = read_text(file, "kernels");
  return result;
}

void note_resume(hid_t file, const Provenance& provenance) {
  update_integer(file, "ranks", provenance.ranks);
  update_integer(file, "resumes", read_integer(file, "resumes") + 1);
  update_fixed_text(file, "hosts", provenance.hosts);
  update_fixed_text(file, "writer", writer_text(provenance));
  write_running_note(file, {});
}

}  // namespace rodeo
