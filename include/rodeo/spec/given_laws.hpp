#pragma once

#include <any>
#include <vector>

namespace rodeo {

/// Laws of one's own (rodeo_add_law) with the numbers that a deck gives them: the fields that their keys
/// fill.
class GivenLaws {
 public:
  /// A law with the numbers of the deck, or with its defaults where the deck gives none.
  template <class L>
  L get() const {
    for (const std::any& given : laws_) {
      if (const L* const law = std::any_cast<L>(&given)) return *law;
    }
    return {};
  }

  /// The law to fill, with its defaults where the deck has said nothing yet.
  template <class L>
  L& change() {
    for (std::any& given : laws_) {
      if (L* const law = std::any_cast<L>(&given)) return *law;
    }
    return laws_.emplace_back().template emplace<L>();
  }

 private:
  std::vector<std::any> laws_;
};

}  // namespace rodeo
