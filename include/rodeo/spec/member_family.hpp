#pragma once

#include <optional>

#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// Members that differ in one number of their deck.
class MemberFamily {
 public:
  virtual ~MemberFamily() = default;

  /// The member with this value; nothing if decks do not allow it.
  virtual std::optional<MemberSpec> at(double value) const = 0;
};

}  // namespace rodeo
