#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace rodeo {

/// Text that is put together while the program is compiled; one that is too long does not compile.
class FixedText {
 public:
  constexpr explicit FixedText(std::string_view text = {}) { *this += text; }
  constexpr FixedText& operator+=(std::string_view text) {
    for (const char letter : text) letters_.at(size_++) = letter;
    return *this;
  }

  constexpr bool empty() const { return size_ == 0; }
  constexpr std::string_view view() const { return {letters_.data(), size_}; }

 private:
  std::array<char, 250> letters_{};
  std::size_t size_ = 0;
};

}  // namespace rodeo
