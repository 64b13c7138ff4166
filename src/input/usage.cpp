#include <string>
#include <string_view>
#include <vector>

#include "rodeo/input/command_line.hpp"
#include "rodeo/input/listing.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/terminal.hpp"

#include "commands.hpp"

namespace rodeo {

namespace {

constexpr std::string_view exit_codes =
    "exit codes: 0 done; 1 bad input; 2 failed, or no member ended well; 3 done, but ranks were lost on the "
    "way; 75 stopped in good order, resumable";

/// "-o, --output FILE.h5", "--watch[=SECONDS]"
std::string written(const CommandOption& option, bool with_letter) {
  std::string text;
  if (with_letter && option.letter != 0) text.append("-").append(1, option.letter).append(", ");
  text.append("--").append(option.name);
  if (option.value.empty()) return text;
  return option.value_left_out_too ? text.append("[=").append(option.value).append("]")
                                   : text.append(" ").append(option.value);
}

/// "rodeo run DECK [--section.key=value ...] [--output FILE.h5] ..."
std::string synopsis(const Command& command) {
  std::string text = "rodeo " + std::string(command.name);
  if (!command.arguments.empty()) text.append(" ").append(command.arguments);
  for (const CommandOption& option : command.options) {
    if (option.name == "help") continue;
    const bool needed = command.action == Action::export_member && option.name == "member";
    const std::string words = written(option, false);
    text.append(needed ? " " : " [").append(words).append(needed ? "" : "]");
  }
  return text;
}

/// The text in lines that begin with `first`, the others of each paragraph with `next`.
std::string indented(std::string_view text, const std::string& first, const std::string& next) {
  std::string lines;
  for (const std::string_view paragraph : split(text, '\n')) {
    std::string begin = first;
    for (const std::string& line : wrapped(paragraph, text_columns() - next.size())) {
      lines.append(begin).append(line).append("\n");
      begin = next;
    }
  }
  return lines;
}

std::string usage_of(const Command& command) {
  std::string text = indented(synopsis(command), "", "    ") + "\n" + indented(command.text, "", "") + "\n";
  std::vector<ListingEntry> entries;
  for (const CommandOption& option : command.options) {
    entries.push_back(
        {(option.letter == 0 ? "      " : "  ") + written(option, true), {std::string(option.text)}});
  }
  if (command.takes_keys) {
    entries.push_back({"      --section.key=value",
                       {"gives a key of the deck this value, as if the deck had it (rodeo keys); "
                        "--section.key value too"}});
  }
  return text + listing(entries) + "\n" + indented(exit_codes, "", "  ");
}

}  // namespace

std::string usage(std::string_view name) {
  if (const Command* const command = find_command(name)) return usage_of(*command);
  std::vector<ListingEntry> entries;
  for (const Command& command : commands()) {
    const std::string_view argument = command.arguments.substr(0, command.arguments.find(' '));
    const std::string_view first_line = command.text.substr(0, command.text.find('\n'));
    entries.push_back(
        {"  rodeo " + std::string(command.name) + (argument.empty() ? "" : " ") + std::string(argument),
         {std::string(first_line)}});
  }
  entries.push_back(
      {"  rodeo --version", {"what a report of a defect should say: revision, compiler, Kokkos, MPI, HDF5"}});
  return "rodeo: ensembles of soft filaments under MPI\n\n" + listing(entries) + "\n" +
         indented(
             "rodeo COMMAND --help says more of a command and lists its options; -o is short for --output",
             "", "  ") +
         indented(exit_codes, "", "  ");
}

}  // namespace rodeo
