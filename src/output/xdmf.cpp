#include "xdmf.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "layout.hpp"

namespace rodeo {

namespace {

/// A text as XML has it between tags and in attributes.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char character : text) {
    const char* const word = character == '&'   ? "&amp;"
                             : character == '<' ? "&lt;"
                             : character == '>' ? "&gt;"
                             : character == '"' ? "&quot;"
                                                : nullptr;
    result += word != nullptr ? std::string(word) : std::string(1, character);
  }
  return result;
}

/// XDMF's word for an attribute of so many numbers.
const char* attribute_type(int components) {
  return components == 1 ? "Scalar" : components == 3 ? "Vector" : "Matrix";
}

std::string joined(const std::vector<hsize_t>& numbers) {
  std::string result;
  for (const hsize_t number : numbers) {
    if (!result.empty()) result += ' ';
    result += std::to_string(number);
  }
  return result;
}

/// Start, stride and count of one frame's numbers in the dataset of a field.
std::string frame_selection(const FieldLayout& layout, std::uint64_t member, std::uint64_t frame) {
  if (layout.extent().size() == 2 && layout.offsets().empty()) return joined({member, frame}) + "  1 1  1 1";
  const hsize_t nodes = layout.nodes_of(member);
  const hsize_t components = layout.extent().back();
  if (layout.offsets().empty()) {
    return joined({member, frame, 0, 0}) + "  1 1 1 1  " + joined({1, 1, nodes, components});
  }
  return joined({layout.offsets()[member] + frame * nodes, 0}) + "  1 1  " + joined({nodes, components});
}

/// The numbers of a field in one frame.
std::string data_item(const EnsembleSchema& schema, const FieldFormat& field, std::uint64_t member,
                      std::uint64_t frame, const std::string& data_file) {
  const FieldLayout layout(schema, field);
  const std::vector<hsize_t> extent = layout.extent();
  const std::string dimensions = joined({layout.nodes_of(member), static_cast<hsize_t>(field.components)});
  return "    <DataItem ItemType=\"HyperSlab\" Dimensions=\"" + dimensions +
         "\">\n      <DataItem Dimensions=\"3 " + std::to_string(extent.size()) +
         "\" NumberType=\"Int\" Format=\"XML\">" + frame_selection(layout, member, frame) +
         "</DataItem>\n      <DataItem Dimensions=\"" + joined(extent) +
         "\" NumberType=\"Float\" Precision=\"" + (layout.single_precision() ? "4" : "8") +
         "\" Format=\"HDF\">" + escaped(data_file) + ":" + field_path(field) +
         "</DataItem>\n    </DataItem>\n";
}

/// "velocity_x", …; the name alone where there is one component.
std::vector<std::string> column_names(const FieldFormat& field) {
  if (field.name == "position") return {"x", "y", "z"};
  if (field.components == 1) return {field.name};
  std::vector<std::string> names;
  for (const char letter : std::string(field.components == 4 ? "wxyz" : "xyz")) {
    names.push_back(field.name + '_' + letter);
  }
  return names;
}

/// One polyline for each rod.
std::string topology(const std::vector<std::int32_t>& rods) {
  constexpr int polyline = 2;  // as a part of a mixed topology
  const bool alike = std::ranges::all_of(rods, [&](std::int32_t nodes) { return nodes == rods.front(); });
  std::vector<hsize_t> numbers;
  hsize_t node = 0;
  for (const std::int32_t nodes : rods) {
    if (!alike) numbers.insert(numbers.end(), {polyline, static_cast<hsize_t>(nodes)});
    for (std::int32_t i = 0; i < nodes; ++i) numbers.push_back(node++);
  }
  const std::string count = std::to_string(rods.size());
  const std::string each = std::to_string(rods.front());
  const std::string type = alike ? "\"Polyline\" NodesPerElement=\"" + each + "\"" : "\"Mixed\"";
  const std::string extent = alike ? count + " " + each : std::to_string(numbers.size());
  return "  <Topology TopologyType=" + type + " NumberOfElements=\"" + count +
         "\">\n    <DataItem Dimensions=\"" + extent + "\" NumberType=\"Int\" Format=\"XML\">" +
         joined(numbers) + "</DataItem>\n  </Topology>\n";
}

}  // namespace

std::string xdmf_text(const EnsembleSchema& schema, const MemberRow& row, const std::string& data_file) {
  const std::string lines = topology(schema.rod_nodes_of(row.member));
  // The topology of many rods stands in the first frame alone. XDMFReader follows such references,
  // Xdmf3Reader does not.
  constexpr std::size_t most_repeated = std::size_t{4} << 20;  // bytes
  const bool once = lines.size() * row.time.size() > most_repeated;
  const std::string same = "  <Topology Reference=\"XML\">/Xdmf/Domain/Grid/Grid[1]/Topology</Topology>\n";

  std::ostringstream text;
  text.precision(17);
  text << "<?xml version=\"1.0\" ?>\n<Xdmf Version=\"2.0\">\n<Domain>\n"
       << "<Grid Name=\"member " << row.member << "\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  for (std::uint64_t frame = 0; frame < row.time.size(); ++frame) {
    if (!std::isfinite(row.time[frame])) continue;
    text << "<Grid Name=\"frame " << frame << "\" GridType=\"Uniform\">\n"
         << "  <Time Value=\"" << row.time[frame] << "\"/>\n"
         << (once && frame > 0 ? same : lines) << "  <Geometry GeometryType=\"XYZ\">\n"
         << data_item(schema, schema.fields.front(), row.member, frame, data_file) << "  </Geometry>\n";
    for (std::size_t field = 1; field < schema.fields.size(); ++field) {
      const FieldFormat& format = schema.fields[field];
      if (format.points > 0 || format.modes > 0) continue;
      text << "  <Attribute Name=\"" << format.name << "\" AttributeType=\""
           << attribute_type(format.components) << "\" Center=\"" << (format.of_nodes ? "Node" : "Grid")
           << "\">\n"
           << data_item(schema, format, row.member, frame, data_file) << "  </Attribute>\n";
    }
    text << "</Grid>\n";
  }
  text << "</Grid>\n</Domain>\n</Xdmf>\n";
  return text.str();
}

std::string csv_text(const EnsembleSchema& schema, const MemberRow& row) {
  const std::vector<std::int32_t> rods = schema.rod_nodes_of(row.member);
  const std::vector<std::int32_t> numbers = schema.rod_numbers_of(row.member);
  const bool several = !schema.rod_nodes.empty();
  std::ostringstream text;
  text.precision(17);
  text << (several ? "time,rod,node" : "time,node");
  for (const FieldFormat& field : schema.fields) {
    if (field.points > 0 || field.modes > 0) continue;
    for (const std::string& name : column_names(field)) text << ',' << name;
  }
  text << '\n';
  const auto nodes = static_cast<std::size_t>(schema.nodes_of(row.member));
  for (std::size_t frame = 0; frame < row.time.size(); ++frame) {
    if (!std::isfinite(row.time[frame])) continue;
    std::size_t entry = frame * nodes;
    for (std::size_t rod = 0; rod < rods.size(); ++rod) {
      for (std::int32_t node = 0; node < rods[rod]; ++node, ++entry) {
        text << row.time[frame] << ",";
        if (several) text << numbers[rod] << ",";
        text << node;
        for (std::size_t field = 0; field < schema.fields.size(); ++field) {
          if (schema.fields[field].points > 0 || schema.fields[field].modes > 0) continue;
          const auto components = static_cast<std::size_t>(schema.fields[field].components);
          const std::size_t place = schema.fields[field].of_nodes ? entry * components : frame;
          for (std::size_t c = 0; c < components; ++c) text << ',' << row.fields[field][place + c];
        }
        text << '\n';
      }
    }
  }
  return text.str();
}

}  // namespace rodeo
