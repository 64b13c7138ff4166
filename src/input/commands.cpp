#include "commands.hpp"

#include <algorithm>
#include <array>

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
    member,
    CommandOption{"format", 0, "xdmf|vtkhdf|csv",
                  "for ParaView, for ParaView with members of many rods, or as a table"},
    help};

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

}  // namespace rodeo
