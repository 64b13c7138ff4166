#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "rodeo/input/command_line.hpp"

namespace rodeo {

/// An option of commands.
struct CommandOption {
  std::string_view name;   ///< without dashes
  char letter = 0;         ///< of its short form; 0: it has none
  std::string_view value;  ///< that follows it, as help writes it; empty: none. "a|b|c": one of these words
  std::string_view text;   ///< one sentence
  bool value_left_out_too = false;  ///< whether it may stand without its value

  bool is_one_of_words() const { return value.find('|') != std::string_view::npos; }
};

/// Kind of a command's first argument, or of all its arguments.
enum class CommandFile : std::uint8_t { none, deck, campaign, campaigns, deck_or_pattern };

/// A command of the program: parsing, help and completion follow from its row.
struct Command {
  Action action;
  std::string_view name;
  CommandFile file;
  bool takes_keys;             ///< --section.key=value, or its value as a word of its own
  std::string_view arguments;  ///< before its options, as help writes them
  std::span<const CommandOption> options;
  std::string_view text;  ///< lines
};

/// All commands, in the order of help.
std::span<const Command> commands();

/// The command of that name, or null.
const Command* find_command(std::string_view name);

/// "run, resume and export": the names of all commands, with that word before the last.
std::string command_names(std::string_view before_last);

}  // namespace rodeo
