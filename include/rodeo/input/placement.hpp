#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// Number of rods of a member, by rod.placement. Throws DeckError where keys contradict each other.
int rod_count(const Deck& deck);

/// The key that gives the number of rods.
Key count_key(const Deck& deck);

/// Whether rod.placement gives rods values of this key of their own: not those of a file, which rod.each has.
bool is_placed(const Deck& deck, Key key);

/// The decks of a member's rods, one after the other, with the values of rod.each and where rod.placement
/// puts them. What is made of such a deck cannot tell a placement from rod.each.
class RodDecks {
 public:
  /// Throws DeckError on a lattice or region that is none, and if the rods do not fit into the region.
  explicit RodDecks(const Deck& deck);

  int count() const { return count_; }
  bool are_alike() const { return !own_; }

  /// The keys that the placement says of each rod.
  std::vector<Key> placed_keys() const;

  /// The deck of the k-th rod (from 0), until the next call.
  const Deck& of(int k);

 private:
  struct Place {
    Vec3 origin;
    std::vector<Vec3> axes;           ///< direction and normal, if they are not the deck's
    std::vector<double> shape_nodes;  ///< likewise
  };
  void set_lattice();
  void set_random();

  const Deck& deck_;
  int count_;
  std::optional<Deck> own_;    ///< of the rod asked for; nothing where all are as the deck says
  std::vector<Place> places_;  ///< of each rod; empty: where the deck says
};

/// The share of rod.region that the rods of a member take; nothing if rod.placement is not random.
std::optional<double> volume_share(const Deck& deck, const MemberSpec& spec);

/// Values of keys that each rod of a member has for itself. Read again as a scene (rod.scene) they give the
/// same rods.
struct PlacedRods {
  struct Column {
    std::string key;  ///< or an entry of one, "rod.origin[2]"
    std::string_view unit;
    std::size_t width = 1;
    std::string_view words;  ///< "a|b|c" if 0, 1, 2 stand for them
  };
  std::vector<Column> columns;
  std::vector<std::vector<double>> rods;  ///< the numbers of all columns for each
};

/// Whether random numbers or expressions say where a deck's rods stand, or what they are like.
bool has_computed_rods(const Deck& deck);

/// The rods of such a deck, or of any.
PlacedRods placed_rods(const Deck& deck);

}  // namespace rodeo
