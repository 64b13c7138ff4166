#include "gltf.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <numbers>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "rodeo/input/json.hpp"
#include "rodeo/math/vec3.hpp"
#include "rodeo/output/errors.hpp"

#include "drawn_member.hpp"

namespace rodeo {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers of glTF are little-endian");

constexpr std::size_t sides = 8;  // of a tube, whose normals are those of a round one
constexpr std::string_view own_beginning = R"({"asset": {"generator": "rodeo", )";  // of what describes it
constexpr const char* asset = R"({"generator": "rodeo", "version": "2.0"})";
constexpr std::size_t before_json = 20;  // bytes: of the head of the file and that of the first chunk's

// Words of glTF.
constexpr int of_floats = 5126;
constexpr int of_indices = 5125;
constexpr int vertices_target = 34962;
constexpr int indices_target = 34963;

constexpr double most_bytes = 4.2e9;  // of all numbers; what describes them takes the rest of 4 GiB

using Vector = std::array<float, 3>;
using Colour = std::array<int, 3>;
/// The colours of matplotlib's lines (tab10), sRGB.
constexpr std::array<Colour, 10> colours = {{{31, 119, 180},
                                             {255, 127, 14},
                                             {44, 160, 44},
                                             {214, 39, 40},
                                             {148, 103, 189},
                                             {140, 86, 75},
                                             {227, 119, 194},
                                             {127, 127, 127},
                                             {188, 189, 34},
                                             {23, 190, 207}}};

double linear(int srgb) {
  const double value = srgb / 255.0;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

/// A unit vector perpendicular to a unit vector.
Vec3 normal_to(const Vec3& tangent) {
  const std::array<double, 3> sizes = {std::abs(tangent.x), std::abs(tangent.y), std::abs(tangent.z)};
  const auto least = std::ranges::min_element(sizes) - sizes.begin();
  return normalized(cross(tangent, least == 0 ? Vec3{1, 0, 0} : least == 1 ? Vec3{0, 1, 0} : Vec3{0, 0, 1}));
}

/// What becomes of a normal of tangent `from` by the smallest turn that takes it to tangent `to`.
Vec3 transported(const Vec3& normal, const Vec3& from, const Vec3& to) {
  const Vec3 axis = cross(from, to);
  const double beside = 1.0 + dot(from, to);
  Vec3 turned = normal;
  if (beside > 1e-9) {  // else they are opposite, and a normal of one is the other's
    const Vec3 once = cross(axis, normal);
    turned = normal + once + (1.0 / beside) * cross(axis, once);
  }
  return normalized(turned - dot(turned, to) * to);
}

Vec3 point(std::span<const double> positions, std::size_t node) {
  return {positions[3 * node], positions[3 * node + 1], positions[3 * node + 2]};
}

/// Unit vectors along a rod at its nodes; `z` where all of them are one point.
std::vector<Vec3> tangents_of(std::span<const double> positions) {
  const std::size_t nodes = positions.size() / 3;
  std::vector<Vec3> along;
  for (std::size_t i = 0; i + 1 < nodes; ++i) {
    const Vec3 edge = point(positions, i + 1) - point(positions, i);
    const bool has_length = norm(edge) > 0.0;
    along.push_back(has_length ? normalized(edge) : along.empty() ? Vec3{0, 0, 1} : along.back());
  }
  if (along.empty()) along.push_back({0, 0, 1});
  std::vector<Vec3> tangents{along.front()};
  for (std::size_t i = 1; i < along.size(); ++i) {
    const Vec3 sum = along[i - 1] + along[i];
    tangents.push_back(norm(sum) > 1e-9 ? normalized(sum) : along[i]);
  }
  if (nodes > 1) tangents.push_back(along.back());
  return tangents;
}

struct Vertices {
  std::vector<Vec3> points;
  std::vector<Vec3> normals;
};

/// The tube round a rod from frame to frame: a ring at each node, and one more at each end for the disc that
/// closes it there. Rings do not turn about the rod, neither along it nor in time, so that what stands
/// between two frames is a tube too.
class Tube {
 public:
  Tube(std::size_t first, std::size_t nodes) : first_(first), nodes_(nodes) {}

  std::size_t vertices() const { return sides * (nodes_ + 2); }
  /// The corners of its triangles, counter-clockwise from outside, where `base` is its first vertex.
  void add_corners(std::uint32_t base, std::vector<std::uint32_t>& corners) const {
    const auto add = [&](std::size_t a, std::size_t b, std::size_t c) {
      for (const std::size_t vertex : {a, b, c}) corners.push_back(base + static_cast<std::uint32_t>(vertex));
    };
    const std::size_t last = sides * (nodes_ + 1);
    for (std::size_t side = 1; side + 1 < sides; ++side) {
      add(0, side + 1, side);
      add(last, last + side, last + side + 1);
    }
    for (std::size_t ring = 1; ring < nodes_; ++ring) {
      for (std::size_t side = 0; side < sides; ++side) {
        const std::size_t a = sides * ring + side;
        const std::size_t b = sides * ring + (side + 1) % sides;
        add(a, b, a + sides);
        add(b, b + sides, a + sides);
      }
    }
  }

  /// Adds its vertices at the next frame, of which these are all positions and radii.
  void add_frame(std::span<const double> all_positions, std::span<const double> all_radii, Vertices& to) {
    const std::span<const double> positions = all_positions.subspan(3 * first_, 3 * nodes_);
    const std::span<const double> radii = all_radii.subspan(first_, nodes_);
    const std::vector<Vec3> tangents = tangents_of(positions);
    normal_ = begun_ ? transported(normal_, tangent_, tangents.front()) : normal_to(tangents.front());
    tangent_ = tangents.front();
    begun_ = true;
    Vec3 normal = normal_;
    const auto add_ring = [&](std::size_t node, const Vec3* disc) {
      const Vec3 second = cross(tangents[node], normal);
      for (std::size_t side = 0; side < sides; ++side) {
        const double angle = 2.0 * std::numbers::pi * static_cast<double>(side) / sides;
        const Vec3 outward = std::cos(angle) * normal + std::sin(angle) * second;
        to.points.push_back(point(positions, node) + radii[node] * outward);
        to.normals.push_back(disc != nullptr ? *disc : outward);
      }
    };
    const Vec3 backward = -1.0 * tangents.front();
    add_ring(0, &backward);
    for (std::size_t node = 0; node < nodes_; ++node) {
      if (node > 0) normal = transported(normal, tangents[node - 1], tangents[node]);
      add_ring(node, nullptr);
    }
    add_ring(nodes_ - 1, &tangents.back());
  }

 private:
  std::size_t first_;  ///< node of the member
  std::size_t nodes_;
  bool begun_ = false;
  Vec3 normal_;  ///< of its first node at the frame before, and the tangent there
  Vec3 tangent_;
};

/// The rods of one colour, which are one part of the mesh.
struct Part {
  std::size_t colour = 0;
  std::string name;
  std::vector<Tube> tubes;

  std::size_t vertices() const {
    std::size_t count = 0;
    for (const Tube& tube : tubes) count += tube.vertices();
    return count;
  }

  std::vector<std::uint32_t> corners() const {
    std::vector<std::uint32_t> all;
    std::size_t first = 0;
    for (const Tube& tube : tubes) {
      tube.add_corners(static_cast<std::uint32_t>(first), all);
      first += tube.vertices();
    }
    return all;
  }
};

std::vector<Part> parts_of(const EnsembleSchema& schema, std::uint64_t member) {
  const std::vector<std::int32_t> nodes = schema.rod_nodes_of(member);
  const std::vector<std::int32_t> numbers = schema.rod_numbers_of(member);
  std::vector<Part> parts(colours.size());
  std::size_t first = 0;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const auto count = static_cast<std::size_t>(nodes[k]);
    Part& part = parts[static_cast<std::size_t>(numbers[k]) % colours.size()];
    part.colour = static_cast<std::size_t>(numbers[k]) % colours.size();
    part.name = part.tubes.empty() ? "rod " + std::to_string(numbers[k]) : part.name;
    part.tubes.emplace_back(first, count);
    first += count;
  }
  std::erase_if(parts, [](const Part& part) { return part.tubes.empty(); });
  for (Part& part : parts) part.name += part.tubes.size() > 1 ? " and others" : "";
  return parts;
}

bool fits(std::span<const double> numbers) {
  return std::ranges::all_of(
      numbers, [](double number) { return std::abs(number) <= std::numeric_limits<float>::max(); });
}

/// The numbers of such a file, and what describes them.
class Glb {
 public:
  /// A view of the numbers that are added until the next one.
  void begin_view(int target) {
    end_view();
    view_ = JsonObject();
    view_begin_ = bytes_.size();
    view_open_ = true;
    view_.add_count("buffer", 0).add_count("byteOffset", view_begin_);
    if (target != 0) view_.add_count("target", static_cast<std::uint64_t>(target));
    if (target == vertices_target) view_.add_count("byteStride", 3 * sizeof(float));
  }

  /// Adds numbers, with the least and the greatest of each component where asked; gives their accessor.
  template <class Number>
  std::string add(const std::vector<Number>& numbers, bool with_bounds) {
    constexpr bool are_vectors = std::is_same_v<Number, Vector>;
    constexpr int type = std::is_same_v<Number, std::uint32_t> ? of_indices : of_floats;
    JsonObject accessor;
    accessor.add_count("bufferView", views_.size())
        .add_count("byteOffset", bytes_.size() - view_begin_)
        .add_count("componentType", type)
        .add_text("type", are_vectors ? "VEC3" : "SCALAR")
        .add_count("count", numbers.size());
    if (with_bounds) {
      std::vector<std::string> least;
      std::vector<std::string> most;
      for (std::size_t k = 0; k < sizeof(Number) / sizeof(float); ++k) {
        const auto component = [&](const Number& number) {
          if constexpr (are_vectors) {
            return number[k];
          } else {
            return number;
          }
        };
        const auto [first, last] = std::ranges::minmax_element(numbers, {}, component);
        least.push_back(json_number(component(*first)));
        most.push_back(json_number(component(*last)));
      }
      accessor.add("min", json_array(least)).add("max", json_array(most));
    }
    bytes_.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
    accessors_.push_back(accessor.text());
    return std::to_string(accessors_.size() - 1);
  }

  /// The whole file, whose description begins with this.
  std::string bytes(JsonObject description) {
    end_view();
    description.add("accessors", json_array(accessors_)).add("bufferViews", json_array(views_));
    description.add("buffers", json_array({JsonObject().add_count("byteLength", bytes_.size()).text()}));
    std::string json = description.text();
    json.append((4 - json.size() % 4) % 4, ' ');
    std::string file = "glTF";
    append(file, 2);
    append(file, before_json + json.size() + 8 + bytes_.size());
    append(file, json.size());
    file += "JSON" + json;
    append(file, bytes_.size());
    return file.append("BIN\0", 4) + bytes_;
  }

 private:
  static void append(std::string& file, std::uint64_t number) {
    const auto word = static_cast<std::uint32_t>(number);
    file.append(reinterpret_cast<const char*>(&word), sizeof word);
  }

  void end_view() {
    if (view_open_) views_.push_back(view_.add_count("byteLength", bytes_.size() - view_begin_).text());
    view_open_ = false;
  }

  std::string bytes_;
  std::vector<std::string> accessors_;
  std::vector<std::string> views_;
  JsonObject view_;
  std::size_t view_begin_ = 0;
  bool view_open_ = false;
};

Vector rounded(const Vec3& a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}

std::vector<Vector> rounded(const std::vector<Vec3>& vectors) {
  std::vector<Vector> all;
  for (const Vec3& vector : vectors) all.push_back(rounded(vector));
  return all;
}

/// What is to be added to `from`, as it is stored, to get `to`.
std::vector<Vector> between(const std::vector<Vector>& from, const std::vector<Vec3>& to) {
  std::vector<Vector> all;
  for (std::size_t k = 0; k < to.size(); ++k) {
    all.push_back(rounded(to[k] - Vec3{from[k][0], from[k][1], from[k][2]}));
  }
  return all;
}

/// The frames that there are numbers for.
struct Frames {
  Frames(const EnsembleSchema& schema, const MemberRow& row, const NodeRadii& radii)
      : nodes(static_cast<std::size_t>(schema.nodes_of(row.member))), positions(row.fields.front()) {
    numbers = reached_frames(row);
    std::erase_if(numbers, [&](std::size_t frame) { return !fits(of(frame)) || !fits(radii.at(frame)); });
  }
  std::span<const double> of(std::size_t frame) const {
    return std::span(positions).subspan(3 * nodes * frame, 3 * nodes);
  }

  std::size_t nodes;
  const std::vector<double>& positions;
  std::vector<std::size_t> numbers;
};

/// Adds the frames of a part: the first, and what is to be added to that at each later one.
JsonObject add_frames(Glb& glb, Part& part, const Frames& frames, const NodeRadii& radii) {
  JsonObject first;
  std::vector<std::string> later;
  std::vector<Vector> points;
  std::vector<Vector> normals;
  for (const std::size_t frame : frames.numbers) {
    Vertices vertices;
    const std::vector<double> of_nodes = radii.at(frame);
    for (Tube& tube : part.tubes) tube.add_frame(frames.of(frame), of_nodes, vertices);
    const auto add = [&glb](const std::vector<Vector>& places, const std::vector<Vector>& directions) {
      return JsonObject().add("POSITION", glb.add(places, true)).add("NORMAL", glb.add(directions, false));
    };
    if (frame == frames.numbers.front()) {
      points = rounded(vertices.points);
      normals = rounded(vertices.normals);
      first = add(points, normals);
    } else {
      later.push_back(add(between(points, vertices.points), between(normals, vertices.normals)).text());
    }
  }
  JsonObject primitive;
  primitive.add("attributes", first.text());
  if (!later.empty()) primitive.add("targets", json_array(later));
  return primitive;
}

std::string material(const Part& part) {
  std::vector<std::string> colour;
  for (const int channel : colours[part.colour]) colour.push_back(json_number(linear(channel)));
  colour.push_back("1");
  const JsonObject surface = JsonObject()
                                 .add("baseColorFactor", json_array(colour))
                                 .add_number("metallicFactor", 0.0)
                                 .add_number("roughnessFactor", 0.5);
  return JsonObject().add_text("name", part.name).add("pbrMetallicRoughness", surface.text()).text();
}

/// An animation whose weights are those of one frame at its instant, and in between those of two.
std::string animation(Glb& glb, const std::vector<std::size_t>& frames) {
  const std::size_t later = frames.size() - 1;
  std::vector<float> times;
  std::vector<float> weights(frames.size() * later, 0.0F);
  for (std::size_t k = 0; k < frames.size(); ++k) {
    times.push_back(static_cast<float>(frames[k]) / frames_a_second);
    if (k > 0) weights[k * later + k - 1] = 1.0F;
  }
  JsonObject sampler;
  sampler.add("input", glb.add(times, true)).add("output", glb.add(weights, false));
  const std::string target = JsonObject().add_count("node", 0).add_text("path", "weights").text();
  return JsonObject()
      .add_text("name", "motion")
      .add("samplers", json_array({sampler.add_text("interpolation", "LINEAR").text()}))
      .add("channels", json_array({JsonObject().add_count("sampler", 0).add("target", target).text()}))
      .text();
}

/// What the mesh is called, and what turns it.
std::string node(const EnsembleSchema& schema, const MemberRow& row, const std::vector<std::size_t>& frames) {
  std::vector<std::string> instants;
  for (const std::size_t frame : frames) instants.push_back(json_number(row.time[frame]));
  JsonObject node;
  node.add_text("name", "member " + std::to_string(row.member)).add_count("mesh", 0);
  if (!y_is_up(schema)) {
    const double half = std::sqrt(0.5);
    node.add("rotation", json_array({json_number(-half), "0", "0", json_number(half)}));
  }
  return node.add("extras", JsonObject().add("time", json_array(instants)).text()).text();
}

/// Bytes of the numbers of such a file.
double bytes_of(const std::vector<Part>& parts, std::size_t frames) {
  double vertices = 0.0;
  for (const Part& part : parts) vertices += static_cast<double>(part.vertices());
  const auto count = static_cast<double>(frames);
  constexpr double of_vertex = 2 * sizeof(Vector);
  constexpr double of_corners = 6 * sizeof(std::uint32_t);  // two triangles a vertex, at most
  return vertices * (count * of_vertex + of_corners) + count * count * sizeof(float);
}

}  // namespace

std::string glb_bytes(const EnsembleSchema& schema, const MemberRow& row) {
  const std::string member = "member " + std::to_string(row.member);
  const NodeRadii radii(schema, row);
  if (!radii.known()) {
    throw FileError("the deck does not tell the radii of " + member + ": run it with output.fields = radius");
  }
  const Frames frames(schema, row, radii);
  if (frames.numbers.empty()) throw FileError(member + " has no frame that could be drawn");
  std::vector<Part> parts = parts_of(schema, row.member);
  if (bytes_of(parts, frames.numbers.size()) > most_bytes) {
    throw FileError(member + " is too large for glTF, whose files have 4 GiB at most: run it with fewer " +
                    "output.frames or output.rods");
  }
  Glb glb;
  glb.begin_view(vertices_target);
  std::vector<JsonObject> primitives;
  for (Part& part : parts) primitives.push_back(add_frames(glb, part, frames, radii));
  glb.begin_view(indices_target);
  std::vector<std::string> of_mesh;
  std::vector<std::string> materials;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    primitives[k].add("indices", glb.add(parts[k].corners(), false)).add_count("material", k);
    of_mesh.push_back(primitives[k].text());
    materials.push_back(material(parts[k]));
  }
  JsonObject mesh = JsonObject().add_text("name", member).add("primitives", json_array(of_mesh));
  JsonObject file = JsonObject()
                        .add("asset", asset)
                        .add_count("scene", 0)
                        .add("scenes", R"([{"nodes": [0]}])")
                        .add("nodes", json_array({node(schema, row, frames.numbers)}))
                        .add("materials", json_array(materials));
  if (frames.numbers.size() > 1) {
    glb.begin_view(0);
    file.add("animations", json_array({animation(glb, frames.numbers)}));
    std::vector<std::string> names;
    for (const std::size_t frame : frames.numbers) names.push_back("frame " + std::to_string(frame));
    names.erase(names.begin());
    mesh.add("extras", JsonObject().add("targetNames", json_texts(names)).text());
  }
  return glb.bytes(file.add("meshes", json_array({mesh.text()})));
}

bool is_own_glb(const std::string& path) {
  std::string text(before_json + own_beginning.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  return file.read(text.data(), static_cast<std::streamsize>(text.size())) && text.starts_with("glTF") &&
         text.ends_with(own_beginning);
}

}  // namespace rodeo
