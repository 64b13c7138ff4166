#include "usd.hpp"

#include <array>
#include <charconv>
#include <sstream>
#include <string_view>
#include <vector>

#include "drawn_member.hpp"

namespace rodeo {

namespace {

/// Numbers of single precision, as points and widths of USD are.
void append(std::string& text, double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), static_cast<float>(value)).ptr;
  text.append(digits.data(), end);
}

std::string points_text(const std::vector<double>& positions, std::size_t first, std::size_t nodes) {
  std::string text = "[";
  for (std::size_t node = 0; node < nodes; ++node) {
    text += node > 0 ? ", (" : "(";
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (axis > 0) text += ", ";
      append(text, positions[first + 3 * node + axis]);
    }
    text += ")";
  }
  return text + "]";
}

template <class Numbers>
std::string list_text(const Numbers& numbers, double factor) {
  std::string text = "[";
  for (const auto number : numbers) {
    if (text.size() > 1) text += ", ";
    append(text, factor * static_cast<double>(number));
  }
  return text + "]";
}

/// Lines of `name.timeSamples`, one for each frame that was reached.
template <class Value>
void append_samples(std::ostream& text, std::string_view name, const std::vector<std::size_t>& frames,
                    const Value& value) {
  text << "    " << name << ".timeSamples = {\n";
  for (const std::size_t frame : frames) text << "        " << frame << ": " << value(frame) << ",\n";
  text << "    }\n";
}

}  // namespace

std::string usd_text(const EnsembleSchema& schema, const MemberRow& row) {
  const std::vector<std::size_t> frames = reached_frames(row);
  const auto nodes = static_cast<std::size_t>(schema.nodes_of(row.member));
  std::ostringstream text;
  text.precision(17);
  text << "#usda 1.0\n(\n    defaultPrim = \"rods\"\n    doc = \"member " << row.member
       << " of a campaign of rodeo\"\n    metersPerUnit = 1\n    upAxis = \"" << (y_is_up(schema) ? "Y" : "Z")
       << "\"\n    startTimeCode = 0\n    endTimeCode = " << (frames.empty() ? 0 : frames.back())
       << "\n    timeCodesPerSecond = " << frames_a_second << "\n)\n\ndef BasisCurves \"rods\"\n{\n"
       << "    uniform token type = \"linear\"\n    uniform token wrap = \"nonperiodic\"\n"
       << "    int[] curveVertexCounts = " << list_text(schema.rod_nodes_of(row.member), 1.0) << "\n";
  append_samples(text, "point3f[] points", frames, [&](std::size_t frame) {
    return points_text(row.fields.front(), 3 * nodes * frame, nodes);
  });
  const NodeRadii radii(schema, row);
  if (radii.change()) {
    append_samples(text, "float[] widths", frames,
                   [&](std::size_t frame) { return list_text(radii.at(frame), 2.0); });
  } else if (radii.known()) {
    text << "    float[] widths = " << list_text(radii.at(0), 2.0) << " (interpolation = \"vertex\")\n";
  }
  append_samples(text, "custom double rodeo:time", frames,
                 [&](std::size_t frame) { return row.time[frame]; });
  text << "}\n";
  return text.str();
}

}  // namespace rodeo
