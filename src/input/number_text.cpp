#include "rodeo/input/number_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <optional>
#include <string_view>
#include <system_error>

namespace rodeo {

namespace {

/// std::from_chars knows no plus sign, people do.
std::string_view without_plus(std::string_view text) {
  const bool plus_before_number = text.size() > 1 && text[0] == '+' && text[1] != '-';
  return plus_before_number ? text.substr(1) : text;
}

std::string escaped(unsigned char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  return {'\\', 'x', digits[byte / 16], digits[byte % 16]};
}

/// Bytes of the UTF-8 character beyond ASCII that `text` begins with; 0 if it begins with none, or with a
/// control character.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const std::size_t length = byte(0) < 0xc2   ? 0
                             : byte(0) < 0xe0 ? 2
                             : byte(0) < 0xf0 ? 3
                             : byte(0) < 0xf5 ? 4
                                              : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return 0;
  }
  const bool control = byte(0) == 0xc2 && byte(1) < 0xa0;
  return control ? 0 : length;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(separator); end != std::string_view::npos;
       end = text.find(separator, begin)) {
    parts.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  parts.push_back(trimmed(text.substr(begin)));
  return parts;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string result = "'";
  for (const char character : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(character);
    // Bytes from 0x80 on are parts of UTF-8 characters, which a terminal garbles when one is cut in half.
    if (byte >= 0x20 && byte < 0x7f) {
      result += character;
    } else {
      result += escaped(byte);
    }
  }
  return result + (text.size() > longest ? "...'" : "'");
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.front());
    const std::size_t length = utf8_length(text);
    if (byte < 0x80 ? (byte >= 0x20 && byte != 0x7f) || byte == '\n' : length > 0) {
      result += text.substr(0, std::max<std::size_t>(length, 1));
    } else {
      result += escaped(byte);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::optional<double> parse_real(std::string_view text) {
  text = without_plus(text);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> parse_seed(std::string_view text) {
  text = without_plus(text);
  std::uint64_t whole = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (error == std::errc{} && end == text.data() + text.size()) return whole;
  constexpr double largest_exact = 9007199254740992.0;  // 2^53
  const std::optional<double> real = parse_real(text);
  if (!real || *real < 0.0 || *real > largest_exact || *real != std::floor(*real)) return std::nullopt;
  return static_cast<std::uint64_t>(*real);
}

std::string format_duration(double seconds) {
  const auto whole = static_cast<long long>(std::ceil(seconds));
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
  return text.data();
}

std::string format_time(double seconds) {
  struct Unit {
    const char* name;
    double seconds;
  };
  constexpr Unit units[] = {{"h", 3600.0}, {"min", 60.0}, {"s", 1.0}, {"ms", 1e-3}};
  const Unit* unit = units;
  while (unit != std::end(units) - 1 && seconds < (unit->seconds > 1.0 ? 2.0 : 0.01) * unit->seconds) ++unit;
  const double value = seconds / unit->seconds;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), value < 100.0 ? "%.2g %s" : "%.0f %s", value, unit->name);
  return text.data();
}

std::string format_utc_after(double seconds) {
  const auto then = std::time(nullptr) + static_cast<std::time_t>(seconds);
  std::tm parts{};
  gmtime_r(&then, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &parts);
  return text.data();
}

std::string format_bytes(double bytes) {
  constexpr std::array<const char*, 6> units{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024.0 && unit + 1 < units.size(); ++unit) bytes /= 1024.0;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
  return text.data();
}

std::string format_real(double value) {
  std::array<char, 32> buffer;  // the longest shortest form, "-2.2250738585072014e-308", has 24
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

namespace {

/// NAME[entry].
struct Entry {
  std::string_view list;
  std::size_t entry = 0;
};

std::optional<Entry> entry_of(std::string_view name) {
  const std::size_t bracket = name.find('[');
  if (bracket == name.npos || !name.ends_with(']')) return {};
  Entry found{name.substr(0, bracket), 0};
  const char* const last = name.data() + name.size() - 1;
  const auto [end, error] = std::from_chars(name.data() + bracket + 1, last, found.entry);
  if (error != std::errc{} || end != last) return {};
  return found;
}

}  // namespace

std::vector<NameRun> runs_of(std::span<const std::string> names) {
  std::vector<NameRun> runs;
  for (std::size_t first = 0; first < names.size(); first += runs.back().count) {
    NameRun& run = runs.emplace_back(NameRun{names[first], first, 1});
    const std::optional<Entry> begin = entry_of(names[first]);
    while (begin && first + run.count < names.size()) {
      const std::optional<Entry> next = entry_of(names[first + run.count]);
      if (!next || next->list != begin->list || next->entry != begin->entry + run.count) break;
      ++run.count;
    }
    if (run.count == 1) continue;
    run.name = std::string(begin->list) + "[" + std::to_string(begin->entry) + ":" +
               std::to_string(begin->entry + run.count) + "]";
  }
  return runs;
}

}  // namespace rodeo
