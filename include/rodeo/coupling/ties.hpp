#pragma once

#include <vector>

#include "rodeo/connection/build_connections.hpp"
#include "rodeo/member/rods.hpp"

namespace rodeo::coupling {

/// Ties between nodes of a member's rods that coincide: those that joints hold together, and the ends of a
/// closed rod. Each has unknowns of its own among the member's; one of them leads, and the others follow it:
/// their entries of vectors are zero.
class Ties {
 public:
  struct Follower {
    int unknown;     ///< first of its node
    int leader;      ///< first unknown of the leading node
    bool has_entry;  ///< of its own in the arrays, with a mass, loads and a damping
    bool is_ghost;   ///< of the first node of a closed rod
    int entry;
    int leader_entry;
  };

  Ties() = default;

  /// Ties of rods one after the other, with `stride` unknowns from one node of a rod to the next.
  Ties(const Rods& rods, const connection::Parts& parts, const RodView& all, int stride);

  const std::vector<Follower>& followers() const { return followers_; }

  /// Unknown that leads another, or itself.
  int leader(int unknown) const {
    return leader_.empty() ? unknown : leader_[static_cast<std::size_t>(unknown)];
  }
  bool leads(int unknown) const { return leader(unknown) == unknown; }

  /// Copies leading nodes' positions to the nodes that follow.
  void place(const RodView& all) const {
    for (const Follower& f : followers_)
      all.set_vec3(field::position, f.entry, all.vec3(field::position, f.leader_entry));
  }

  /// Zeroes the entries of nodes that follow.
  template <class Number>
  void clear(std::vector<Number>& vector) const {
    for (const Follower& f : followers_) {
      for (int c = 0; c < 3; ++c) vector[static_cast<std::size_t>(f.unknown + c)] = Number(0.0);
    }
  }

  /// Adds the forces on nodes that follow to those on the nodes that lead.
  void gather(std::vector<double>& vector) const {
    for (const Follower& f : followers_) add_to_leader(f, vector);
    clear(vector);
  }

  /// Adds what nodes that follow have in arrays of their own to the entries of the nodes that lead.
  void gather_entries(std::vector<double>& vector) const {
    for (const Follower& f : followers_) {
      if (f.has_entry) add_to_leader(f, vector);
    }
  }

  /// Moves nodes that follow as those that lead.
  void spread(std::vector<double>& vector) const {
    for (const Follower& f : followers_) {
      for (int c = 0; c < 3; ++c)
        vector[static_cast<std::size_t>(f.unknown + c)] = vector[static_cast<std::size_t>(f.leader + c)];
    }
  }

 private:
  static void add_to_leader(const Follower& f, std::vector<double>& vector) {
    for (int c = 0; c < 3; ++c)
      vector[static_cast<std::size_t>(f.leader + c)] += vector[static_cast<std::size_t>(f.unknown + c)];
  }

  std::vector<Follower> followers_;
  std::vector<int> leader_;  ///< of each unknown; nothing where no node follows another
};

}  // namespace rodeo::coupling
