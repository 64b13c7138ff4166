#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rodeo {

/// `text` without blanks (space, tab, carriage return, line feed) at its ends.
std::string_view trimmed(std::string_view text);

/// The parts of `text` between separators, trimmed; "a,,b" has an empty part.
std::vector<std::string_view> split(std::string_view text, char separator);

/// `text` in quotes for a message: bytes other than printable ASCII as \xNN, long texts cut with an ellipsis.
std::string in_quotes(std::string_view text);

/// Text from a file that may be damaged, for a terminal: control characters other than line feeds and bytes
/// that are no UTF-8 as \xNN.
std::string printable(std::string_view text);

/// The number that all of `text` spells in decimal ("0.25", "-1e-5"), in any locale; nothing for an empty
/// text, units, hexadecimal, nan, inf, and numbers too large or too small for a double.
std::optional<double> parse_real(std::string_view text);

/// The whole number in [0, 2^64) that `text` spells: exact for plain digits; a real ("1e3") must have an
/// integral value of at most 2^53, beyond which doubles skip whole numbers.
std::optional<std::uint64_t> parse_seed(std::string_view text);

/// A time in s, rounded up, as "12:03:45".
std::string format_duration(double seconds);

/// A time in s as "0.083 s", "2.4 min" or "130 h", in the largest unit of which there are two.
std::string format_time(double seconds);

/// The time `seconds` from now, as "2026-01-31 12:03 UTC".
std::string format_utc_after(double seconds);

/// "4.0 MiB", in the largest unit of which there is at least one.
std::string format_bytes(double bytes);

/// The shortest decimal text that parse_real() reads back to the same bits.
std::string format_real(double value);

/// Names of entries of a list that follow one another, for people: "variable.w[0:82]" for variable.w[0] to
/// variable.w[81]; or a single name.
struct NameRun {
  std::string name;
  std::size_t first = 0;  ///< of the names
  std::size_t count = 1;
};

/// The runs of names, in their order.
std::vector<NameRun> runs_of(std::span<const std::string> names);

}  // namespace rodeo
