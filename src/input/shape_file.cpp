#include "rodeo/input/shape_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "rodeo/input/number_text.hpp"
#include "rodeo/input/placement.hpp"

#include "csv_lines.hpp"
#include "deck_checks.hpp"
#include "line_reader.hpp"

namespace rodeo {

namespace {

/// Contents of a line of an awaited file.
struct LineContents {
  std::vector<char> axes;  ///< that its numbers are along
  std::size_t numbers;
  const char* text;
  const char* lines;  ///< what all of them are
};

LineContents contents_of(const AwaitedFile& awaited) {
  if (awaited.key == "rod.rest_lengths"_key) return {{}, 1, "the rest length of an element", "lengths"};
  return {{'x', 'y', 'z'}, 3, "x, y and z of a node", "nodes"};
}

/// Whether a field names a column: words such as nan and inf stand for numbers.
bool names_a_column(const CsvField& field) {
  double number = 0.0;
  const char* const end = field.text.data() + field.text.size();
  const auto parsed = std::from_chars(field.text.data(), end, number);
  const bool is_number = parsed.ec != std::errc::invalid_argument && parsed.ptr == end;
  return !is_number && !field.text.empty() && is_letter(field.text.front());
}

/// The axis that a name begins with, as in "X (m)"; 0 if it is none.
char axis_of(std::string_view name) {
  const char letter = static_cast<char>(name.front() | 0x20);
  const bool is_axis = letter >= 'x' && letter <= 'z';
  return is_axis && (name.size() == 1 || !(is_letter(name[1]) || is_digit(name[1]))) ? letter : '\0';
}

/// Throws DeckError if a line of names is not one of such a file.
void check_header(const std::vector<CsvField>& names, const LineContents& contents, const CsvLines& lines) {
  lines.check_names(names);
  for (std::size_t k = 0; k < std::min(names.size(), contents.axes.size()); ++k) {
    const char axis = axis_of(names[k].text);
    if (axis == '\0' || axis == contents.axes[k]) continue;
    throw DeckError(lines.place(names[k].column) + ": a column " + in_quotes(names[k].text) +
                    ", where lines hold " + contents.text + ", in this order");
  }
}

/// A path in a deck, seen from the working directory.
std::string path_from(const std::string& deck_path, const std::string& path) {
  return (std::filesystem::path(deck_path).parent_path() / path).string();
}

AwaitedFile awaited(Key named_by, Key key, int rod, const std::string& text, const std::string& deck_path) {
  const std::size_t colon = text.find(":/");
  return {named_by,
          key,
          rod,
          {path_from(deck_path, text.substr(0, colon)),
           colon == std::string::npos ? "" : text.substr(colon + 1)}};
}

/// A whole number, or a time; nothing if `text` is none.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::vector<AwaitedFile> awaited_files(const Deck& deck, const std::string& deck_path) {
  std::vector<AwaitedFile> files;
  constexpr Key shape = "rod.shape_file"_key;
  constexpr Key lengths = "rod.rest_length_file"_key;
  for (const EachRod& each : deck.each_rods()) {
    if (each.address.key != shape) continue;
    if (each.count() != static_cast<std::size_t>(rod_count(deck))) {
      throw DeckError(each.place + ": rod.each: rod.shape_file has " + std::to_string(each.count()) +
                      " files for " + std::to_string(rod_count(deck)) + " rods");
    }
    for (std::size_t k = 0; k < each.words.size(); ++k) {
      files.push_back(awaited(shape, "rod.shape_nodes"_key, static_cast<int>(k), each.words[k], deck_path));
    }
  }
  if (deck.choice("rod.shape"_key) != "file") return files;
  const bool has_nodes = deck.has_value("rod.shape_nodes"_key) || !files.empty();
  if (deck.has_value(shape) && !has_nodes) {
    files.push_back(awaited(shape, "rod.shape_nodes"_key, -1, deck.texts(shape).front(), deck_path));
  }
  if (deck.has_value(lengths) && !deck.has_value("rod.rest_lengths"_key)) {
    files.push_back(
        {lengths, "rod.rest_lengths"_key, -1, {path_from(deck_path, deck.texts(lengths).front()), ""}});
  }
  return files;
}

std::vector<double> read_csv_numbers(const AwaitedFile& awaited) {
  const std::string& path = awaited.file.path;
  const LineContents contents = contents_of(awaited);
  const std::string text =
      read_table_text(path, "file of numbers (" + std::string(key_info(awaited.named_by).name) + ")");
  CsvLines lines(text, path);
  std::vector<CsvField> fields;
  std::vector<double> numbers;
  bool is_first = true;
  while (lines.next(fields)) {
    const bool is_header = std::exchange(is_first, false) && std::ranges::all_of(fields, names_a_column);
    if (is_header) check_header(fields, contents, lines);
    for (const CsvField& field : fields) {
      if (is_header) break;
      numbers.push_back(lines.number(field));
      const std::string_view problem = number_problem(key_info(awaited.key), numbers.back());
      if (!problem.empty()) {
        throw DeckError(lines.place(field.column) + ": " +
                        value_message(key_info(awaited.key), field.text, problem));
      }
    }
    if (fields.size() != contents.numbers) {
      throw DeckError(lines.place(1) + ": " + std::to_string(fields.size()) +
                      (is_header ? " names" : " numbers") + " on this line, which holds " + contents.text);
    }
    if (numbers.size() <= contents.numbers * most_shape_nodes) continue;
    throw DeckError(path + ": more than " + std::to_string(most_shape_nodes) + " " + contents.lines);
  }
  return numbers;
}

std::vector<double> read_csv_nodes(const std::string& path) {
  return read_csv_numbers({"rod.shape_file"_key, "rod.shape_nodes"_key, -1, {path, ""}});
}

void take_files(const std::vector<AwaitedFile>& awaited, const ShapeReader& read_dataset, Deck& deck) {
  for (const AwaitedFile& one : awaited) {
    const bool text = one.file.dataset.empty();
    if (!text && !read_dataset) {
      throw DeckError(one.file.path + ": " + std::string(key_info(one.named_by).name) +
                      " is in an HDF5 file, and nothing here reads those");
    }
    std::vector<double> numbers =
        text ? read_csv_numbers(one) : read_dataset(one.file.path, one.file.dataset);
    const auto wrong = std::ranges::find_if(numbers, [](double number) { return !std::isfinite(number); });
    if (wrong != numbers.end()) {
      throw DeckError(one.file.path + ":" + one.file.dataset + ": number " +
                      std::to_string(wrong - numbers.begin()) + " (from 0) is not finite");
    }
    deck.set_list(one.key, one.rod, std::move(numbers), one.file.path);
  }
  for (const AwaitedFile& one : awaited) deck.drop_files(one.named_by);
}

std::optional<StateSource> awaited_state(const Deck& deck, const std::string& deck_path) {
  constexpr Key key = "rod.state"_key;
  if (!deck.has_value(key)) return std::nullopt;
  if (deck.has_value("rod.state_positions"_key)) {
    throw deck.error(key, "stands beside rod.state_positions: leave one of them out");
  }
  const std::string& text = deck.texts(key).front();
  const std::size_t at = text.rfind('@');
  const std::string_view source = trimmed(std::string_view(text).substr(0, at));
  const std::size_t colon = source.rfind(':');
  StateSource state;
  const auto member =
      colon == source.npos ? std::nullopt : number_in<std::uint64_t>(trimmed(source.substr(colon + 1)));
  if (at != std::string::npos) state.time = number_in<double>(trimmed(std::string_view(text).substr(at + 1)));
  if (!member || colon == 0 || (at != std::string::npos && !state.time)) {
    throw deck.error(key, "is FILE.h5:MEMBER or FILE.h5:MEMBER@TIME, not " + in_quotes(text));
  }
  state.member = *member;
  state.path = path_from(deck_path, std::string(trimmed(source.substr(0, colon))));
  return state;
}

std::optional<std::string> awaited_search(const Deck& deck, const std::string& deck_path) {
  constexpr Key key = "optimize.from"_key;
  if (!deck.has_value(key)) return std::nullopt;
  if (deck.has_value("optimize.distribution"_key))
    throw deck.error(key, "stands beside optimize.distribution: leave one of them out");
  return path_from(deck_path, deck.texts(key).front());
}

void take_state(const std::vector<RodNumbers>& rods, const std::string& place, Deck& deck) {
  const int count = rod_count(deck);
  if (rods.size() != static_cast<std::size_t>(count)) {
    throw deck.error("rod.state"_key, "has " + std::to_string(rods.size()) + " rods (" + place +
                                          "), and this deck " + std::to_string(count) + " (rod.count)");
  }
  for (int k = 0; k < count; ++k) {
    const RodNumbers& rod = rods[static_cast<std::size_t>(k)];
    const int own = count == 1 ? -1 : k;
    deck.set_list("rod.state_positions"_key, own, rod.positions, place);
    deck.set_list("rod.state_orientations"_key, own, rod.orientations, place);
    deck.set_list("rod.state_velocities"_key, own, rod.velocities, place);
    deck.set_list("rod.state_angular_velocities"_key, own, rod.angular_velocities, place);
  }
  deck.drop_files("rod.state"_key);
}

}  // namespace rodeo
