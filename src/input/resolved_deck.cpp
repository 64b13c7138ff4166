#include "rodeo/input/deck.hpp"
#include "rodeo/input/number_text.hpp"

namespace rodeo {

std::string Deck::resolved() const {
  std::string text;
  std::string_view section;
  for (const KeyInfo& info : key_table()) {
    if (!has_value(info.key)) continue;
    const std::size_t dot = info.name.find('.');
    if (info.name.substr(0, dot) != section) {
      section = info.name.substr(0, dot);
      text += (text.empty() ? "[" : "\n[") + std::string(section) + "]\n";
    }
    const std::string key_equals = std::string(info.name.substr(dot + 1)) + " = ";
    const Value& value = values_[info.key.place];
    for (const std::string& line : value.texts) text += key_equals + line + "\n";
    if (value.numbers.empty()) continue;
    std::string numbers;
    for (const double number : value.numbers) numbers += (numbers.empty() ? "" : ", ") + format_real(number);
    text += key_equals + (info.key == "study.seed"_key ? std::to_string(seed_) : numbers) + "\n";
  }
  return text;
}

}  // namespace rodeo
