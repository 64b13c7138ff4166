#include "drawn_member.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

#include "rodeo/input/deck.hpp"
#include "rodeo/rod/initial_shape.hpp"
#include "rodeo/rod/rod_properties.hpp"

namespace rodeo {

namespace {

/// The radii of a member's nodes at rest; nothing where this revision cannot read its deck.
std::optional<std::vector<double>> radii_of_deck(const EnsembleSchema& schema, const MemberRow& row) {
  try {
    Deck deck = Deck::parse_stored(schema.deck, "the deck");
    for (std::size_t k = 0; k < row.parameters.size(); ++k) {
      deck.set(parse_parameter_address(schema.parameter_names[k]), row.parameters[k]);
    }
    const MemberSpec spec = make_member_spec(deck);
    const std::vector<std::int32_t> nodes = schema.rod_nodes_of(row.member);
    const std::vector<std::int32_t> numbers = schema.rod_numbers_of(row.member);
    std::vector<double> radii;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const auto number = static_cast<std::size_t>(numbers[k]);
      const RodSpec& rod = number == 0 ? spec.rod : spec.further_rods.at(number - 1).rod;
      const std::vector<double> places = initial_shape(rod).arc_lengths;
      if (places.size() != static_cast<std::size_t>(nodes[k])) return std::nullopt;
      for (const double place : places) radii.push_back(radius_at(rod, place));
    }
    return radii;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

std::vector<std::size_t> reached_frames(const MemberRow& row) {
  std::vector<std::size_t> frames;
  for (std::size_t frame = 0; frame < row.time.size(); ++frame) {
    if (std::isfinite(row.time[frame])) frames.push_back(frame);
  }
  return frames;
}

NodeRadii::NodeRadii(const EnsembleSchema& schema, const MemberRow& row)
    : nodes_(static_cast<std::size_t>(schema.nodes_of(row.member))) {
  const auto field = std::ranges::find(schema.fields, "radius", &FieldFormat::name);
  if (field != schema.fields.end()) {
    stored_ = &row.fields[static_cast<std::size_t>(field - schema.fields.begin())];
  } else {
    of_deck_ = radii_of_deck(schema, row);
  }
}

std::vector<double> NodeRadii::at(std::size_t frame) const {
  if (stored_ == nullptr) return *of_deck_;
  const auto first = stored_->begin() + static_cast<std::ptrdiff_t>(nodes_ * frame);
  return {first, first + static_cast<std::ptrdiff_t>(nodes_)};
}

bool y_is_up(const EnsembleSchema& schema) {
  try {
    const Vec3 gravity = Deck::parse_stored(schema.deck, "the deck").vec3("gravity.acceleration"_key);
    return std::abs(gravity.y) > std::abs(gravity.z);
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace rodeo
