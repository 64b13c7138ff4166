#include <filesystem>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/number_text.hpp"

namespace rodeo {

std::string Deck::text(bool names_points) const {
  std::string text;
  std::string_view section;
  names_points = names_points && !points_file_.empty();
  for (const KeyInfo& info : key_table()) {
    const bool is_points = names_points && info.key == "sweep.points"_key;
    if (!has_value(info.key) && !is_points) continue;
    const std::size_t dot = info.name.find('.');
    if (info.name.substr(0, dot) != section) {
      section = info.name.substr(0, dot);
      text += (text.empty() ? "[" : "\n[") + std::string(section) + "]\n";
    }
    const std::string key_equals = std::string(info.name.substr(dot + 1)) + " = ";
    const Value& value = values_[info.key.place];
    if (is_points)
      text += key_equals + std::filesystem::absolute(points_file_).lexically_normal().string() + "\n";
    // What was read of that file is the first axis.
    const std::size_t first = names_points && info.key == "sweep.axis"_key ? 1 : 0;
    for (std::size_t line = first; line < value.texts.size(); ++line)
      text += key_equals + value.texts[line] + "\n";
    if (value.numbers.empty()) continue;
    std::string numbers;
    for (const double number : value.numbers) numbers += (numbers.empty() ? "" : ", ") + format_real(number);
    text += key_equals + (info.key == "study.seed"_key ? std::to_string(seed_) : numbers) + "\n";
  }
  return text;
}

}  // namespace rodeo
