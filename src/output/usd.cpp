#include "usd.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <sstream>
#include <string_view>
#include <vector>

#include "rodeo/input/deck.hpp"

namespace rodeo {

namespace {

constexpr int frames_a_second = 24;  // as USD has it where nothing is said

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

/// The radius of each rod of a member by its deck; nothing where it does not say it as one number a rod.
std::optional<std::vector<double>> radii_of_deck(const EnsembleSchema& schema, const MemberRow& row) {
  try {
    Deck deck = Deck::parse_stored(schema.deck, "the deck");
    for (std::size_t k = 0; k < row.parameters.size(); ++k) {
      deck.set(parse_parameter_address(schema.parameter_names[k]), row.parameters[k]);
    }
    std::vector<double> radii;
    const std::vector<std::int32_t> nodes = schema.rod_nodes_of(row.member);
    const std::vector<std::int32_t> numbers = schema.rod_numbers_of(row.member);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const Deck own = deck.for_rod(numbers[k]);
      if (!own.has_value("rod.radius"_key)) return std::nullopt;
      radii.insert(radii.end(), static_cast<std::size_t>(nodes[k]), own.number("rod.radius"_key));
    }
    return radii;
  } catch (const std::exception&) {
    return std::nullopt;  // a deck of another revision, of which the positions are all there is to draw
  }
}

/// Which axis is up: the one against gravity, of the two that USD knows.
std::string_view up_axis(const EnsembleSchema& schema) {
  try {
    const Vec3 gravity = Deck::parse_stored(schema.deck, "the deck").vec3("gravity.acceleration"_key);
    return std::abs(gravity.y) > std::abs(gravity.z) ? "Y" : "Z";
  } catch (const std::exception&) {
    return "Z";
  }
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
  std::vector<std::size_t> frames;
  for (std::size_t frame = 0; frame < row.time.size(); ++frame) {
    if (std::isfinite(row.time[frame])) frames.push_back(frame);
  }
  const auto nodes = static_cast<std::size_t>(schema.nodes_of(row.member));
  std::ostringstream text;
  text.precision(17);
  text << "#usda 1.0\n(\n    defaultPrim = \"rods\"\n    doc = \"member " << row.member
       << " of a campaign of rodeo\"\n    metersPerUnit = 1\n    upAxis = \"" << up_axis(schema)
       << "\"\n    startTimeCode = 0\n    endTimeCode = " << (frames.empty() ? 0 : frames.back())
       << "\n    timeCodesPerSecond = " << frames_a_second << "\n)\n\ndef BasisCurves \"rods\"\n{\n"
       << "    uniform token type = \"linear\"\n    uniform token wrap = \"nonperiodic\"\n"
       << "    int[] curveVertexCounts = " << list_text(schema.rod_nodes_of(row.member), 1.0) << "\n";
  append_samples(text, "point3f[] points", frames, [&](std::size_t frame) {
    return points_text(row.fields.front(), 3 * nodes * frame, nodes);
  });
  const auto radius = std::ranges::find(schema.fields, "radius", &FieldFormat::name);
  if (radius != schema.fields.end()) {
    const std::vector<double>& radii = row.fields[static_cast<std::size_t>(radius - schema.fields.begin())];
    append_samples(text, "float[] widths", frames, [&](std::size_t frame) {
      return list_text(std::span(radii).subspan(nodes * frame, nodes), 2.0);
    });
  } else if (const auto radii = radii_of_deck(schema, row)) {
    text << "    float[] widths = " << list_text(*radii, 2.0) << " (interpolation = \"vertex\")\n";
  }
  append_samples(text, "custom double rodeo:time", frames,
                 [&](std::size_t frame) { return row.time[frame]; });
  text << "}\n";
  return text.str();
}

}  // namespace rodeo
