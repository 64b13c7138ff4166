#pragma once

#include <vector>

#include "rodeo/connection/build_connections.hpp"
#include "rodeo/member/rods.hpp"

namespace rodeo::coupling {

/// Nodes of a member's rods that are one: those that joints hold together, and the ends of a closed rod. Each
/// has unknowns of its own among the member's, and of each such node those of one rod lead. The others follow
/// them: their entries of vectors are zero.
class Ties {
 public:
  struct Follower {
    int unknown;     ///< first of its node
    int leader;      ///< that of the leading node
    bool has_entry;  ///< of its own in the arrays, with a mass, loads and a damping
    bool is_ghost;   ///< of the first node of a closed rod
    int entry;
    int leader_entry;
  };

  Ties() = default;

  /// Of rods one after the other. From one node of a rod to the next are `stride` unknowns.
  Ties(const Rods& rods, const connection::Parts& parts, const RodView& all, int stride);

  const std::vector<Follower>& followers() const { return followers_; }

  /// The unknown that leads one.
  int leader(int unknown) const {
    return leader_.empty() ? unknown : leader_[static_cast<std::size_t>(unknown)];
  }
  bool leads(int unknown) const { return leader(unknown) == unknown; }

  /// Puts those that follow where those are that lead.
  void place(const RodView& all) const {
    for (const Follower& f : followers_)
      all.set_vec3(field::position, f.entry, all.vec3(field::position, f.leader_entry));
  }

  /// Makes the entries of those that follow zero.
  template <class Number>
  void clear(std::vector<Number>& vector) const {
    for (const Follower& f : followers_) {
      for (int c = 0; c < 3; ++c) vector[static_cast<std::size_t>(f.unknown + c)] = Number(0.0);
    }
  }

  /// Adds what acts on those that follow to what acts on those that lead.
  void gather(std::vector<double>& vector) const {
    for (const Follower& f : followers_) add_to_leader(f, vector);
    clear(vector);
  }

  /// The same of what nodes have in the arrays, where some stand for several.
  void gather_entries(std::vector<double>& vector) const {
    for (const Follower& f : followers_) {
      if (f.has_entry) add_to_leader(f, vector);
    }
  }

  /// Moves those that follow as those that lead.
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
