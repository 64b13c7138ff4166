#include "rodeo/input/assignments.hpp"

#include <algorithm>
#include <sstream>

#include <boost/program_options/errors.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/keys.hpp"
#include "rodeo/input/number_text.hpp"

#include "deck_checks.hpp"
#include "line_reader.hpp"

namespace rodeo {

namespace {

namespace options = boost::program_options;

constexpr std::size_t most_assignments = 10'000;

/// Whether a line is one of a resolved deck's points of measured data. They come from a file with bounds of
/// its own, which are wider than those of what people write.
bool is_data_point(std::string_view section, std::string_view line) {
  return section == "measure" && trimmed(line.substr(0, line.find('='))) == "point";
}

std::string line_place(const std::string& deck_name, std::size_t line) {
  return deck_name + ":" + std::to_string(line);
}

/// The line numbers of the assignments in `text`: Boost's parser does not tell them. Refuses what that parser
/// would take for something else or, as "[]", cannot take at all.
std::vector<std::size_t> assignment_lines(std::string_view text, const std::string& deck_name) {
  std::vector<std::size_t> lines;
  DeckFaults faults;
  std::size_t line_number = 0;
  std::size_t written = 0;
  std::string_view section;
  while (!text.empty()) {
    ++line_number;
    const std::string_view whole_line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), whole_line.size() + 1));
    if (std::ranges::any_of(whole_line, is_control)) {
      throw DeckError(line_place(deck_name, line_number) +
                      ": not a text file (a control character stands on this line); a deck is plain text");
    }
    const std::string_view line = trimmed(whole_line.substr(0, whole_line.find('#')));
    if (line.empty()) continue;
    if (line.front() == '[' && line.back() == ']') {
      section = line.substr(1, line.size() - 2);
      if (section.empty() || trimmed(section).size() != section.size()) {
        faults.add(line_place(deck_name, line_number) + ": " + in_quotes(line) +
                   " is not a section; one is written as [rod]");
      }
      continue;
    }
    if (line.find('=') == std::string_view::npos) {
      faults.add(line_place(deck_name, line_number) + ": " + in_quotes(line) +
                 " is neither [section] nor key = value");
      continue;
    }
    if (!is_data_point(section, line) && written++ == most_assignments) {
      throw DeckError(line_place(deck_name, line_number) + ": more than " + std::to_string(most_assignments) +
                      " lines of key = value; this is no deck");
    }
    lines.push_back(line_number);
  }
  faults.report();
  return lines;
}

}  // namespace

std::vector<Assignment> read_assignments(std::string_view text, const std::string& deck_name) {
  if (text.size() > largest_deck_bytes) {
    throw DeckError(deck_name + ": more than " + std::to_string(largest_deck_bytes) +
                    " bytes; this is no deck");
  }
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const std::vector<std::size_t> lines = assignment_lines(text, deck_name);

  std::istringstream stream{std::string(text)};
  constexpr bool allow_unregistered = true;  // keys are looked up below, where their lines are known
  const options::parsed_options parsed = [&] {
    try {
      return options::parse_config_file(stream, options::options_description(), allow_unregistered);
    } catch (const options::error& error) {
      throw DeckError(deck_name + ": " + error.what());
    }
  }();
  if (parsed.options.size() != lines.size()) {
    throw std::logic_error("the line index and Boost's parser disagree about " + deck_name);
  }

  std::vector<Assignment> assignments;
  assignments.reserve(lines.size());
  for (std::size_t index = 0; index < lines.size(); ++index) {
    const options::option& option = parsed.options[index];
    assignments.push_back({option.string_key, option.value.front(), line_place(deck_name, lines[index])});
  }
  return assignments;
}

Assignment parse_override(std::string_view text) {
  const std::string place(command_line_place);
  std::string_view assignment = trimmed(text);
  if (assignment.starts_with("--")) assignment.remove_prefix(2);
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    throw DeckError(place + ": " + in_quotes(text) + " is not of the form section.key=value");
  }
  const std::string name(trimmed(assignment.substr(0, equals)));
  const std::string_view value = trimmed(assignment.substr(equals + 1));
  if (find_key(name) == no_key) throw DeckError(place + ": " + unknown_key_message(name));
  // The value must survive in the resolved deck, where a line ends at a line feed and a comment starts at
  // '#'.
  if (value.find_first_of("#\n\r") != std::string_view::npos || std::ranges::any_of(value, is_control)) {
    throw DeckError(place + ": " + name + " = " + in_quotes(value) +
                    " has a '#' or a control character in it");
  }
  return {name, std::string(value), place};
}

}  // namespace rodeo
