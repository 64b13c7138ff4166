#include "rodeo/output/xdmf.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "rodeo/output/schema.hpp"

namespace rodeo {

namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char character : text) {
    switch (character) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += character;
    }
  }
  return result;
}

std::string joined(const std::vector<hsize_t>& numbers) {
  std::string result;
  for (const hsize_t number : numbers) {
    if (!result.empty()) result += ' ';
    result += std::to_string(number);
  }
  return result;
}

/// Start, stride and count of one frame's nodes in /trajectories/position.
std::string frame_selection(const PositionLayout& layout, std::uint64_t member, std::uint64_t frame) {
  const hsize_t nodes = layout.nodes_of(member);
  if (layout.offsets().empty()) {
    return joined({member, frame, 0, 0}) + "  1 1 1 1  " + joined({1, 1, nodes, 3});
  }
  return joined({layout.offsets()[member] + frame * nodes, 0}) + "  1 1  " + joined({nodes, 3});
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
  const PositionLayout layout(schema);
  const std::uint64_t nodes = layout.nodes_of(row.member);
  const std::vector<hsize_t> extent = layout.extent();
  const char* precision = schema.single_precision ? "4" : "8";
  const std::string lines = topology(schema.rod_nodes_of(row.member));

  std::ostringstream text;
  text.precision(17);
  text << "<?xml version=\"1.0\" ?>\n<Xdmf Version=\"2.0\">\n<Domain>\n"
       << "<Grid Name=\"member " << row.member << "\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  for (std::uint64_t frame = 0; frame < row.time.size(); ++frame) {
    if (!std::isfinite(row.time[frame])) continue;
    text << "<Grid Name=\"frame " << frame << "\" GridType=\"Uniform\">\n"
         << "  <Time Value=\"" << row.time[frame] << "\"/>\n"
         << lines << "  <Geometry GeometryType=\"XYZ\">\n"
         << "    <DataItem ItemType=\"HyperSlab\" Dimensions=\"" << nodes << " 3\">\n"
         << "      <DataItem Dimensions=\"3 " << extent.size() << "\" NumberType=\"Int\" Format=\"XML\">"
         << frame_selection(layout, row.member, frame) << "</DataItem>\n"
         << "      <DataItem Dimensions=\"" << joined(extent) << "\" NumberType=\"Float\" Precision=\""
         << precision << "\" Format=\"HDF\">" << escaped(data_file) << ":" << position_path << "</DataItem>\n"
         << "    </DataItem>\n  </Geometry>\n</Grid>\n";
  }
  text << "</Grid>\n</Domain>\n</Xdmf>\n";
  return text.str();
}

std::string csv_text(const EnsembleSchema& schema, const MemberRow& row) {
  const std::vector<std::int32_t> rods = schema.rod_nodes_of(row.member);
  const bool several = !schema.rod_nodes.empty();
  std::ostringstream text;
  text.precision(17);
  text << (several ? "time,rod,node,x,y,z\n" : "time,node,x,y,z\n");
  const std::size_t numbers = 3 * static_cast<std::size_t>(schema.nodes_of(row.member));
  for (std::size_t frame = 0; frame < row.time.size(); ++frame) {
    if (!std::isfinite(row.time[frame])) continue;
    const double* point = row.position.data() + frame * numbers;
    for (std::size_t rod = 0; rod < rods.size(); ++rod) {
      for (std::int32_t node = 0; node < rods[rod]; ++node, point += 3) {
        text << row.time[frame] << ",";
        if (several) text << rod << ",";
        text << node << "," << point[0] << "," << point[1] << "," << point[2] << "\n";
      }
    }
  }
  return text.str();
}

}  // namespace rodeo
