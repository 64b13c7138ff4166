#include "rodeo/input/placement.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <utility>

#include "rodeo/input/number_text.hpp"
#include "rodeo/rod/initial_shape.hpp"
#include "rodeo/rod/rod_properties.hpp"
#include "rodeo/rod/section.hpp"

#include "deck_checks.hpp"
#include "random_fill.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

bool is_random(const Deck& deck) { return deck.choice("rod.placement"_key) == "random"; }

double volume(const RodSpec& rod) {
  return std::numbers::pi * rod.radius * rod.radius * section::mean_square(1.0, rod.end_radius_ratio) *
         rod.length;
}

/// rod.count, if that is given, must be what follows from another key.
void check_given_count(const Deck& deck, int count, Key by) {
  const std::int64_t given = deck.integer("rod.count"_key);
  if (given == 1 || given == count) return;
  throw deck.error("rod.count"_key, "is not the " + std::to_string(count) + " rods of " +
                                        std::string(key_info(by).name) + " (" + deck.place(by) +
                                        "); leave it out");
}

/// Throws if a member had more rods than it may have.
void check_most_rods(const Deck& deck, Key by, double count) {
  const double most = key_info("rod.count"_key).maximum;
  if (count <= most) return;
  throw deck.error(
      by, "gives " + format_real(count) + " rods, and a member may have at most " + format_real(most));
}

int rods_of_lattice(const Deck& deck) {
  double count = 1.0;
  for (const double along : deck.list("rod.lattice"_key)) {
    if (along != std::floor(along)) {
      throw deck.error("rod.lattice"_key, format_real(along) + " is not a whole number of rods");
    }
    count *= along;
  }
  check_most_rods(deck, "rod.lattice"_key, count);
  check_given_count(deck, static_cast<int>(count), "rod.lattice"_key);
  return static_cast<int>(count);
}

Region region_of(const Deck& deck) {
  Region region;
  const std::string_view kind = deck.choice("rod.region"_key);
  const std::string needed = "rod.region = " + std::string(kind) + " needs it";
  region.centre = deck.vec3("rod.region_centre"_key);
  if (kind == "box") {
    require(deck, "rod.region_size"_key, needed);
    region.half_size = 0.5 * deck.vec3("rod.region_size"_key);
    return region;
  }
  require(deck, "rod.region_radius"_key, needed);
  region.radius = deck.number("rod.region_radius"_key);
  region.kind = Region::Kind::sphere;
  if (kind == "sphere") return region;
  require(deck, "rod.region_length"_key, needed);
  region.kind = Region::Kind::cylinder;
  region.half_length = 0.5 * deck.number("rod.region_length"_key);
  region.axis = unit_vector(deck, "rod.region_axis"_key);
  return region;
}

/// The number of rods whose volume is nearest to rod.volume_share.
int rods_of_share(const Deck& deck) {
  constexpr Key key = "rod.volume_share"_key;
  for (const EachRod& each : deck.each_rods()) {
    if (each.kind != EachRod::Kind::list) continue;
    throw deck.error(key, "says how many rods there are, which rod.each (" + each.place +
                              ") lists already; give rod.count in its place, or a distribution in rod.each");
  }
  const double wanted = deck.number(key) * region_of(deck).volume();
  Deck counted = deck;
  counted.set_member_rods(0);
  Deck own = counted;
  counted.give_rod(0, own);
  double total = volume(make_rod_spec(own));
  if (deck.each_rods().empty()) {
    const double count = std::max(1.0, std::round(wanted / total));
    check_most_rods(deck, key, count);
    return static_cast<int>(count);
  }
  for (int count = 1;; ++count) {
    check_most_rods(deck, key, count);
    counted.give_rod(count, own);
    const double next = volume(make_rod_spec(own));
    if (total + 0.5 * next > wanted) return count;
    total += next;
  }
}

bool counts_by_share(const Deck& deck) { return is_random(deck) && deck.has_value("rod.volume_share"_key); }

OrientationLaw orientation_of(const Deck& deck) {
  const std::string_view word = deck.choice("rod.orientation"_key);
  if (word == "aligned") return {};
  if (word == "free") return {OrientationLaw::Kind::uniform};
  require(deck, "rod.orientation_spread"_key, "rod.orientation = distributed needs it");
  const double spread = deck.number("rod.orientation_spread"_key);
  return {OrientationLaw::Kind::distributed,
          derived(deck, "rod.orientation_spread"_key, 1.0 / (spread * spread))};
}

/// A rod, from its origin.
LooseRod loose_rod(const RodSpec& rod) {
  const InitialShape shape = initial_shape(rod);
  LooseRod loose;
  const std::size_t step = rod.shape == RodShape::straight ? shape.nodes.size() - 1 : 1;
  for (std::size_t i = 0; i < shape.nodes.size(); i += step) {
    loose.nodes.push_back(shape.nodes[i] - rod.origin);
    loose.radii.push_back(radius_at(rod, shape.arc_lengths[i]));
  }
  return loose;
}

/// Why a rod finds no place in a region of which others fill some m^3 already.
DeckError no_place(const Deck& deck, const Region& region, const RodSpec& rod, std::size_t number, int count,
                   const RandomFill& fill, double filled) {
  const std::string tries = std::to_string(RandomFill::most_tries) + " places";
  if (!fill.was_inside() && !fill.has_given_up()) {
    const bool box = region.kind == Region::Kind::box;
    return deck.error(box ? "rod.region_size"_key : "rod.region_radius"_key,
                      "makes a region too small for rod " + std::to_string(number) + ", " +
                          format_real(rod.length) + " m long with a radius of " + format_real(rod.radius) +
                          " m, which reached out of it in all of " + tries +
                          "; make it larger, or turn the rod (rod.orientation)");
  }
  std::ostringstream share;
  share.precision(3);
  share << filled / region.volume();
  return deck.error(count_key(deck),
                    "only " + std::to_string(number) + " of " + std::to_string(count) +
                        " rods found a place in rod.region, at a volume share of " + share.str() + "; " +
                        (fill.has_given_up() ? "hardly any of the places tried was free"
                                             : "the next one met others in all of " + tries) +
                        ": ask for fewer rods, make the region larger, or align the rods");
}

}  // namespace

int rod_count(const Deck& deck) {
  const std::string_view placement = deck.choice("rod.placement"_key);
  if (placement == "file") {
    throw deck.error("rod.placement"_key,
                     "= file: its scene is read with the file of a deck, and this is none");
  }
  if (placement == "lattice") return rods_of_lattice(deck);
  if (!counts_by_share(deck)) return static_cast<int>(deck.integer("rod.count"_key));
  const int count = rods_of_share(deck);
  check_given_count(deck, count, "rod.volume_share"_key);
  return count;
}

Key count_key(const Deck& deck) {
  if (deck.choice("rod.placement"_key) == "lattice") return "rod.lattice"_key;
  return counts_by_share(deck) ? "rod.volume_share"_key : "rod.count"_key;
}

bool is_placed(const Deck& deck, Key key) {
  if (key == "rod.origin"_key) return is_random(deck) || deck.choice("rod.placement"_key) == "lattice";
  const bool is_turned = key == "rod.direction"_key || key == "rod.normal"_key;
  return is_turned && is_random(deck) && deck.choice("rod.orientation"_key) != "aligned";
}

RodDecks::RodDecks(const Deck& deck) : deck_(deck), count_(rod_count(deck)) {
  const bool on_lattice = deck.choice("rod.placement"_key) == "lattice";
  if (!deck.rods_differ() && !on_lattice && !is_random(deck)) return;
  own_ = deck.for_rod(0);
  if (on_lattice) set_lattice();
  if (is_random(deck)) set_random();
}

void RodDecks::set_lattice() {
  const std::vector<double>& counts = deck_.list("rod.lattice"_key);
  const std::vector<double>& spacings = deck_.list("rod.lattice_spacing"_key);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (counts[axis] == 1.0 || spacings[axis] > 0.0) continue;
    throw deck_.error("rod.lattice_spacing"_key,
                      "is 0 along " + std::string(1, "xyz"[axis]) + ", where rod.lattice (" +
                          deck_.place("rod.lattice"_key) + ") has " + format_real(counts[axis]) +
                          " rods, which would stand in one place");
  }
  const auto along_x = static_cast<int>(counts[0]);
  const auto along_y = static_cast<int>(counts[1]);
  for (int k = 0; k < count_; ++k) {
    deck_.give_rod(k, *own_);
    const Vec3 steps = {static_cast<double>(k % along_x), static_cast<double>(k / along_x % along_y),
                        static_cast<double>(k / along_x / along_y)};
    places_.push_back({own_->vec3("rod.origin"_key) +
                           Vec3{steps.x * spacings[0], steps.y * spacings[1], steps.z * spacings[2]},
                       {},
                       {}});
  }
}

void RodDecks::set_random() {
  const Region region = region_of(deck_);
  const OrientationLaw law = orientation_of(deck_);
  std::vector<RodSpec> rods;
  double largest_radius = 0.0;
  double length = 0.0;
  for (int k = 0; k < count_; ++k) {
    deck_.give_rod(k, *own_);
    rods.push_back(make_rod_spec(*own_));
    rods.back().origin = {};
    largest_radius =
        std::max(largest_radius, rods.back().radius * std::max(1.0, rods.back().end_radius_ratio));
    length += rods.back().length;
  }
  RandomFill fill(region, static_cast<std::uint64_t>(deck_.integer("rod.placement_seed"_key)), largest_radius,
                  length);
  double filled = 0.0;
  for (const RodSpec& rod : rods) {
    const std::optional<Placed> placed = fill.add(loose_rod(rod), rod.direction, law);
    if (!placed) throw no_place(deck_, region, rod, places_.size(), count_, fill, filled);
    filled += volume(rod);
    Place place{placed->shift, {}, {}};
    if (law.kind != OrientationLaw::Kind::aligned) {
      const Directors axes = directors(placed->turn);
      place.axes = {axes.to_laboratory(rod.direction), axes.to_laboratory(rod.normal)};
      for (const Vec3& node : rod.shape_nodes) {
        const Vec3 turned = axes.to_laboratory(node);
        place.shape_nodes.insert(place.shape_nodes.end(), {turned.x, turned.y, turned.z});
      }
    }
    places_.push_back(std::move(place));
  }
}

const Deck& RodDecks::of(int k) {
  if (!own_) return deck_;
  deck_.give_rod(k, *own_);
  if (!places_.empty()) {
    const Place& place = places_[static_cast<std::size_t>(k)];
    own_->set_place(place.origin, place.axes, place.shape_nodes);
  }
  return *own_;
}

std::vector<Key> RodDecks::placed_keys() const {
  std::vector<Key> keys;
  if (places_.empty()) return keys;
  keys.push_back("rod.origin"_key);
  if (!places_.front().axes.empty()) keys.insert(keys.end(), {"rod.direction"_key, "rod.normal"_key});
  if (!places_.front().shape_nodes.empty()) keys.push_back("rod.shape_nodes"_key);
  return keys;
}

bool has_computed_rods(const Deck& deck) {
  return is_random(deck) || std::ranges::any_of(deck.each_rods(), [](const EachRod& each) {
           return each.kind != EachRod::Kind::list || !each.expressions.empty();
         });
}

PlacedRods placed_rods(const Deck& deck) {
  RodDecks decks(deck);
  std::vector<ParameterAddress> addresses;
  for (const Key key : decks.placed_keys()) addresses.push_back({key, -1});
  for (const EachRod& each : deck.each_rods()) {
    const auto placed = [&](const ParameterAddress& address) { return address.key == each.address.key; };
    if (std::ranges::none_of(addresses, placed) || each.address.index >= 0) addresses.push_back(each.address);
  }
  PlacedRods placed;
  for (int k = 0; k < decks.count(); ++k) {
    const Deck& own = decks.of(k);
    std::vector<double>& numbers = placed.rods.emplace_back();
    for (const ParameterAddress& address : addresses) {
      const KeyInfo& info = key_info(address.key);
      const std::size_t before = numbers.size();
      if (info.type == ValueType::choice) {
        numbers.push_back(choice_number(info, own.choice(address.key)));
      } else if (address.index >= 0) {
        numbers.push_back(own.list(address.key)[static_cast<std::size_t>(address.index)]);
      } else {
        const std::vector<double>& list = own.list(address.key);
        numbers.insert(numbers.end(), list.begin(), list.end());
      }
      if (k > 0) continue;
      placed.columns.push_back({address.name(), info.unit, numbers.size() - before, info.choices});
    }
  }
  return placed;
}

std::optional<double> volume_share(const Deck& deck, const MemberSpec& spec) {
  if (!is_random(deck)) return std::nullopt;
  double rods = volume(spec.rod);
  for (const RodSetup& setup : spec.further_rods) rods += volume(setup.rod);
  return rods / region_of(deck).volume();
}

}  // namespace rodeo
