#include "xdmf3.hpp"

#include <cmath>
#include <cstdint>
#include <sstream>
#include <string_view>
#include <vector>

#include "attributes.hpp"
#include "file_in_memory.hpp"
#include "put_dataset.hpp"
#include "xdmf_words.hpp"

namespace rodeo {

namespace {

constexpr std::string_view kind = "rodeo frames";
constexpr const char* lines_path = "/lines";
constexpr const char* rods_path = "/rod";

std::string frame_path(const FieldFormat& field, std::size_t frame) {
  return "/" + field.name + "/" + std::to_string(frame);
}

bool of_nodes_in_time(const FieldFormat& field) { return field.of_nodes && field.modes == 0; }

/// "5 3", or "5" of scalars.
std::string extent_text(hsize_t nodes, int components) {
  return std::to_string(nodes) + (components > 1 ? " " + std::to_string(components) : "");
}

std::string item(const std::string& dimensions, std::string_view type, int precision,
                 const std::string& data_file, const std::string& path) {
  return "<DataItem Dimensions=\"" + dimensions + "\" NumberType=\"" + std::string(type) + "\" Precision=\"" +
         std::to_string(precision) + "\" Format=\"HDF\">" + escaped(data_file) + ":" + path + "</DataItem>";
}

std::uint64_t elements_of(const EnsembleSchema& schema, std::uint64_t member) {
  std::uint64_t elements = 0;
  for (const std::int32_t nodes : schema.rod_nodes_of(member))
    elements += static_cast<std::uint64_t>(nodes - 1);
  return elements;
}

void put_segments(hid_t file, const EnsembleSchema& schema, std::uint64_t member) {
  std::vector<std::int64_t> lines;
  std::vector<std::int64_t> rods;
  const std::vector<std::int32_t> nodes = schema.rod_nodes_of(member);
  const std::vector<std::int32_t> numbers = schema.rod_numbers_of(member);
  std::int64_t first = 0;
  for (std::size_t rod = 0; rod < nodes.size(); ++rod) {
    for (std::int64_t i = first; i + 1 < first + nodes[rod]; ++i) {
      lines.insert(lines.end(), {i, i + 1});
      rods.push_back(numbers[rod]);
    }
    first += nodes[rod];
  }
  put(file, lines_path, H5T_STD_I64LE, {rods.size(), 2}, lines);
  put(file, rods_path, H5T_STD_I64LE, {rods.size()}, rods);
}

}  // namespace

std::string xdmf3_bytes(const EnsembleSchema& schema, const MemberRow& row) {
  const FileInMemory file;
  create_text(file.get(), "schema", std::string(kind));
  put_segments(file.get(), schema, row.member);
  const auto nodes = static_cast<hsize_t>(schema.nodes_of(row.member));
  const hid_t number = schema.single_precision ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
  for (std::size_t k = 0; k < schema.fields.size(); ++k) {
    const FieldFormat& field = schema.fields[k];
    if (!of_nodes_in_time(field)) continue;
    create_group(file.get(), "/" + field.name);
    const auto components = static_cast<hsize_t>(field.components);
    const auto size = static_cast<std::ptrdiff_t>(nodes * components);
    for (std::size_t frame = 0; frame < row.time.size(); ++frame) {
      if (!std::isfinite(row.time[frame])) continue;
      const auto begin = row.fields[k].begin() + static_cast<std::ptrdiff_t>(frame) * size;
      std::vector<hsize_t> extent{nodes};
      if (components > 1) extent.push_back(components);
      put(file.get(), frame_path(field, frame), number, extent, std::vector<double>(begin, begin + size));
    }
  }
  return file.bytes();
}

bool is_xdmf3_data(hid_t file) { return H5Aexists(file, "schema") > 0 && read_text(file, "schema") == kind; }

std::string xdmf3_text(const EnsembleSchema& schema, const MemberRow& row, const std::string& data_file) {
  const std::string elements = std::to_string(elements_of(schema, row.member));
  const auto nodes = static_cast<hsize_t>(schema.nodes_of(row.member));
  const int precision = schema.single_precision ? 4 : 8;
  constexpr int of_integers = 8;
  std::ostringstream text;
  text.precision(17);
  text << "<?xml version=\"1.0\" ?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"
       << "<Grid Name=\"member " << row.member << "\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  for (std::size_t frame = 0; frame < row.time.size(); ++frame) {
    if (!std::isfinite(row.time[frame])) continue;
    text << "<Grid Name=\"frame " << frame << "\" GridType=\"Uniform\">\n"
         << "  <Time Value=\"" << row.time[frame] << "\"/>\n"
         << "  <Topology TopologyType=\"Polyline\" NodesPerElement=\"2\" NumberOfElements=\"" << elements
         << "\">" << item(elements + " 2", "Int", of_integers, data_file, lines_path) << "</Topology>\n"
         << "  <Geometry GeometryType=\"XYZ\">"
         << item(extent_text(nodes, 3), "Float", precision, data_file,
                 frame_path(schema.fields.front(), frame))
         << "</Geometry>\n"
         << "  <Attribute Name=\"rod\" AttributeType=\"Scalar\" Center=\"Cell\">"
         << item(elements, "Int", of_integers, data_file, rods_path) << "</Attribute>\n";
    for (std::size_t k = 0; k < schema.fields.size(); ++k) {
      const FieldFormat& field = schema.fields[k];
      if (of_nodes_in_time(field)) {
        text << "  <Attribute Name=\"" << field.name << "\" AttributeType=\""
             << attribute_type(field.components) << "\" Center=\"Node\">"
             << item(extent_text(nodes, field.components), "Float", precision, data_file,
                     frame_path(field, frame))
             << "</Attribute>\n";
      } else if (!field.of_nodes && field.points == 0) {
        text << "  <Information Name=\"" << field.name << "\" Value=\"" << row.fields[k][frame] << "\"/>\n";
      }
    }
    text << "</Grid>\n";
  }
  text << "</Grid>\n</Domain>\n</Xdmf>\n";
  return text.str();
}

}  // namespace rodeo
