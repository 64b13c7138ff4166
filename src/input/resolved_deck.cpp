#include <filesystem>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/number_text.hpp"

namespace rodeo {

namespace {

std::string list_text(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : ", ") + format_real(number);
  return text;
}

/// Lines of a deck in their sections.
class DeckText {
 public:
  void add(std::string_view name, const std::string& value) {
    const std::size_t dot = name.find('.');
    if (name.substr(0, dot) != section_) {
      section_ = name.substr(0, dot);
      text_ += (text_.empty() ? "[" : "\n[") + section_ + "]\n";
    }
    text_.append(name.substr(dot + 1)).append(" = ").append(value).append("\n");
  }

  const std::string& text() const { return text_; }

 private:
  std::string section_;
  std::string text_;
};

}  // namespace

std::string Deck::text(bool names_points) const {
  DeckText deck;
  names_points = names_points && !points_file_.empty();
  for (const KeyInfo& info : key_table()) {
    if (info.key == "variable.NAME"_key) {
      for (const Variable& variable : variables_) {
        deck.add(std::string(variable_section) + variable.name, list_text(variable.numbers));
      }
    }
    if (names_points && info.key == "sweep.points"_key) {
      deck.add(info.name, std::filesystem::absolute(points_file_).lexically_normal().string());
    }
    const Value& value = values_[info.key.place];
    // What was read of that file is the first axis.
    const std::size_t first = names_points && info.key == "sweep.axis"_key ? 1 : 0;
    for (std::size_t line = first; line < value.texts.size(); ++line) deck.add(info.name, value.texts[line]);
    if (value.numbers.empty()) continue;
    deck.add(info.name, info.key == "study.seed"_key ? std::to_string(seed_) : list_text(value.numbers));
  }
  return deck.text();
}

}  // namespace rodeo
