#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

namespace rodeo {

/// A text by a format of std::printf, of which "%s" takes a std::string too; at most 511 letters.
template <class... Values>
std::string formatted(const char* format, const Values&... values) {
  const auto plain = [](const auto& value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
      return value.c_str();
    } else {
      return value;
    }
  };
  std::array<char, 512> text{};
  std::snprintf(text.data(), text.size(), format, plain(values)...);
  return text.data();
}

/// "1 rank", "2 ranks".
inline std::string counted(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// Tone of a text on a terminal.
enum class Tone : std::uint8_t { plain, strong, good, caution, bad, faint };

/// Destination of printed text: a terminal of so many columns and rows, or a file or pipe, which has neither.
struct Screen {
  std::size_t columns = 0;
  std::size_t rows = 0;
  bool colours = false;  ///< not where NO_COLOR is set (no-color.org) or TERM is "dumb" or not known

  /// Screen of a stream, 1 or 2, as it is now. Open MPI gives every process a terminal of its own, also when
  /// mpirun's output goes to a file, so under a launcher it is the launcher's output that counts.
  static Screen of(int descriptor);

  bool is_terminal() const { return columns > 0; }

  /// The text in the colour of its tone, where there are colours. A line feed at its end stays the last.
  std::string painted(Tone tone, std::string_view text) const;
};

/// Width of texts of listings and help: that of the terminal, at most 100 columns.
std::size_t text_columns();

/// "[=====>    ]" of so many columns, of which that share is filled.
std::string bar(double share, std::size_t columns);

/// A rate of so many a second in a unit of which there is at least one: "2.13 members/s", "12 members/min",
/// "3 members/h"; from a thousand on "340 k steps/s".
std::string format_rate(double per_second, std::string_view noun);

/// "rodeo: error:" and "rodeo: warning:", with which lines on the error stream begin.
const char* error_mark();
const char* warning_mark();

/// Writes each line of a text to the error stream, as an error.
void print_errors(std::string_view text);

/// Redraws a text in place, on the rows that it took before. Lines that are wider than the terminal are cut,
/// and so is what would not fit its rows.
class Redrawn {
 public:
  /// Characters to print so that `text` replaces the text drawn last.
  std::string over(std::string_view text, const Screen& screen);

  /// Leaves what was drawn where it is: the next text begins below.
  void leave() { rows_ = 0; }

 private:
  std::size_t rows_ = 0;
};

}  // namespace rodeo
