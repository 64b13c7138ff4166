#pragma once

#include <span>
#include <vector>

#include "rodeo/contact/build_contact.hpp"
#include "rodeo/contact/contact_view.hpp"

namespace rodeo::contact {

/// Finds the pairs of a member's elements that are near each other, on a host: by the same cells as those of
/// explicit steps (cells.hpp).
class NearPairs {
 public:
  /// `all` are the member's arrays, which have to stay where they are. Pairs that are left out, in rising
  /// order, never touch.
  NearPairs(const MemberSpec& spec, const ConstRodView& all, std::vector<ElementPair> left_out);

  double radius(int element) const { return radii_[static_cast<std::size_t>(element)]; }  ///< at rest, m

  /// Pairs whose surfaces are up to `gap` (m) apart in the arrays' state, in rising order.
  std::vector<ElementPair> find(double gap);
  /// Pairs whose surfaces may come as near where element i moves by up to moves[i] (m), in rising order.
  std::vector<ElementPair> find(double gap, std::span<const double> moves);

 private:
  ConstRodView all_;
  std::vector<ElementPair> left_out_;
  std::vector<double> radii_;  ///< [elements]
  std::vector<double> reals_;
  std::vector<int> integers_;
  std::vector<double> cells_;
};

}  // namespace rodeo::contact
