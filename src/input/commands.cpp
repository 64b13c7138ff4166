#include "commands.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "rodeo/input/command_line.hpp"
#include "rodeo/input/listing.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/terminal.hpp"

namespace rodeo {

namespace {

constexpr CommandOption help{"help", 'h', "", "prints this"};
constexpr CommandOption overwrite{"overwrite", 0, "", "replaces a file of results that is there"};
constexpr CommandOption json{"json", 0, "", "prints one line of JSON for programs"};
constexpr CommandOption wall_time{
    "wall-time", 0, "H:MM:SS",
    "ends in good order within this time, in a state with which `rodeo resume` goes on"};
constexpr CommandOption member{"member", 0, "K", "which member, from 0"};

constexpr std::array run_options = {
    CommandOption{"output", 'o', "FILE.h5",
                  "where results go; else the deck's name with .h5, in the current folder"},
    overwrite,
    CommandOption{"resume", 0, "", "goes on if the file is there, else begins"},
    CommandOption{"part", 0, "K/N", "runs part K of N equal parts of a sweep, for `rodeo merge`"},
    wall_time,
    help};
constexpr std::array merge_options = {
    CommandOption{"output", 'o', "FILE.h5", "where the whole goes; else NAME.h5 beside NAME_part_K_of_N.h5"},
    overwrite, wall_time, help};
constexpr std::array resume_options = {wall_time, help};
constexpr std::array extend_options = {
    CommandOption{"failed", 0, "",
                  "runs members that ended badly again, with --time.step=... and the like if given"},
    wall_time, help};
constexpr std::array best_options = {
    CommandOption{"member", 0, "K", "that member instead of the best one"},
    CommandOption{"output", 'o', "FILE.h5", "where its motion goes; else FILE_best.h5 beside FILE"},
    overwrite, wall_time, help};
constexpr std::array check_options = {
    CommandOption{"deck", 0, "", "prints the whole deck too, with all defaults; the output is a deck"}, json,
    help};
constexpr std::array status_options = {
    CommandOption{"observables", 0, "PATTERN",
                  "lists all observables whose name contains PATTERN, or all there are", true},
    CommandOption{"watch", 0, "SECONDS",
                  "shows it again and again, in place on a terminal, until the campaign has ended", true},
    json, help};
constexpr std::array listing_options = {json, help};
constexpr std::array plain_options = {help};
constexpr std::array export_options = {
    member, CommandOption{"format", 0, "vtkhdf|csv", "for ParaView, or as a table"}, help};

constexpr std::array command_table = {
    Command{Action::run, "run", CommandFile::deck, true, "DECK [--section.key=value ...]", run_options,
            "runs what the deck's [study] asks; the same under mpirun or srun"},
    Command{Action::resume, "resume", CommandFile::campaign, false, "FILE.h5", resume_options,
            "goes on with a campaign from its stored deck, on any number of ranks\n"
            "with a wall time, or in a Slurm job, starts no member that would not end in time, and stops "
            "before"},
    Command{
        Action::extend, "extend", CommandFile::campaign, true,
        "FILE.h5 --sweep.samples=N | --study.repeats=N | --sweep.axis='KEY : ...' | --time.end=SECONDS ...",
        extend_options,
        "goes on with a campaign that is to have more members, or longer ones, or once more those that ended "
        "badly; what stands in its file stays"},
    Command{Action::merge, "merge", CommandFile::campaigns, false, "PART.h5 ...", merge_options,
            "makes one campaign of the files of all its parts (`rodeo run --part`), as one run would have "
            "left it"},
    Command{Action::best, "best", CommandFile::campaign, true, "FILE.h5 [--section.key=value ...]",
            best_options,
            "runs the best member of a campaign (or member K) once more, alone, and stores its motion"},
    Command{Action::check, "check", CommandFile::deck, true, "DECK [--section.key=value ...]", check_options,
            "validates a deck, and says what it would run, warnings, time, memory and file size; runs no "
            "study"},
    Command{Action::status, "status", CommandFile::campaign, false, "FILE.h5", status_options,
            "counts per status, what the study asks for, best, throughput, time left\n"
            "works while the campaign runs"},
    Command{Action::keys, "keys", CommandFile::none, false, "[PATTERN]", listing_options,
            "deck keys whose name contains PATTERN: allowed values, unit, default, what they need, meaning"},
    Command{Action::observables, "observables", CommandFile::deck_or_pattern, false, "[DECK] [PATTERN]",
            listing_options,
            "what members report: meaning, unit, models, what it needs; with the measures of a deck"},
    Command{Action::signals, "signals", CommandFile::none, false, "[PATTERN]", listing_options,
            "what measure.define makes measures of: signals along rods, reductions over time and along rods, "
            "functions"},
    Command{Action::features, "features", CommandFile::none, false, "", listing_options,
            "what each model can do"},
    Command{Action::export_member, "export", CommandFile::campaign, false, "FILE.h5", export_options,
            "one member's trajectory for ParaView, or as a table"},
    Command{
        Action::completion, "completion", CommandFile::none, false, "[SHELL]", plain_options,
        "prints the script by which bash, zsh or fish completes commands, options, keys and words of decks\n"
        "source <(rodeo completion bash), the same with zsh; rodeo completion fish | source"}};

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

std::span<const Command> commands() { return command_table; }

const Command* find_command(std::string_view name) {
  const auto* const found = std::ranges::find(command_table, name, &Command::name);
  return found == command_table.end() ? nullptr : &*found;
}

std::string command_names(std::string_view before_last) {
  std::string names;
  for (const Command& command : command_table) {
    if (&command == &command_table.back()) {
      names.append(" ").append(before_last).append(" ");
    } else if (!names.empty()) {
      names += ", ";
    }
    names += command.name;
  }
  return names;
}

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
