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

/// The path of a file that a deck has read, from anywhere.
std::string absolute_path(const std::string& file) {
  return std::filesystem::absolute(file).lexically_normal().string();
}

}  // namespace

std::string Deck::text(bool names_files) const {
  DeckText deck;
  const bool names_points = names_files && !points_file_.empty();
  const bool names_data = names_files && !data_file_.empty();
  const bool names_scene = names_files && !scene_file_.empty();
  // The file that a key names, and how many lines of another one it holds, which come first there.
  const auto file_of = [&](Key key) -> std::string {
    if (names_points && key == "sweep.points"_key) return absolute_path(points_file_);
    if (names_scene && key == "rod.scene"_key) return absolute_path(scene_file_);
    if (names_data && key == "measure.data"_key) return absolute_path(data_file_);
    return names_scene && key == "rod.placement"_key ? "file" : "";
  };
  const auto lines_of_file = [&](Key key) -> std::size_t {
    if (names_points && key == "sweep.axis"_key) return 1;
    if (names_data && key == "measure.point"_key) return data_points_;
    return names_scene && key == "rod.each"_key ? scene_columns_ : 0;
  };
  for (const KeyInfo& info : key_table()) {
    if (info.key == "variable.NAME"_key) {
      for (const Variable& variable : variables_) {
        deck.add(std::string(variable_section) + variable.name, list_text(variable.numbers));
      }
    }
    if (const std::string file = file_of(info.key); !file.empty()) {
      deck.add(info.name, file);
      continue;
    }
    const Value& value = values_[info.key.place];
    for (std::size_t line = lines_of_file(info.key); line < value.texts.size(); ++line) {
      deck.add(info.name, value.texts[line]);
    }
    if (value.numbers.empty()) continue;
    deck.add(info.name, info.key == "study.seed"_key          ? std::to_string(seed_)
                        : info.key == "study.member_seed"_key ? std::to_string(member_seed_)
                                                              : list_text(value.numbers));
  }
  return deck.text();
}

}  // namespace rodeo
