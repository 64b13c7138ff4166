#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rodeo {

enum class Action {
  run,
  resume,
  extend,
  merge,
  best,
  check,
  status,
  keys,
  observables,
  signals,
  features,
  export_member,
  completion,
  help
};

/// Formats that `export` writes.
inline constexpr std::array<std::string_view, 2> export_formats = {"vtkhdf", "csv"};
inline constexpr const char* export_format_list = "vtkhdf or csv";

/// Treatment of an output file that exists.
enum class OutputMode { create, overwrite, resume };

/// A command line that makes no sense; the text says what is allowed. Exit code 1.
class CommandLineError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The program's arguments, understood.
struct CommandLine {
  Action action = Action::help;
  std::string file;                    ///< the deck, or the campaign's file
  std::vector<std::string> parts;      ///< of `merge`: the files
  std::vector<std::string> overrides;  ///< "section.key=value"
  /// By default, for `run`: the deck's name with .h5, in the current folder, for a part with _part_K_of_N.h5;
  /// for `merge`: the name of the first part without that, beside it; for `best`: FILE_best.h5 beside FILE.
  std::string output;
  OutputMode mode = OutputMode::create;
  std::optional<std::chrono::seconds> wall_time;  ///< of what runs members, from the program's start
  std::string pattern;                            ///< of listings; of `completion` the shell
  bool json = false;                              ///< of `check`, `status` and listings
  bool deck = false;                              ///< of `check`: prints the whole deck too
  bool failed = false;                            ///< of `extend`: runs again what ended badly
  std::optional<std::uint64_t> member;            ///< of `export` and `best`
  std::string help_of;                            ///< of `help`: a command; empty: all
  std::string format = "vtkhdf";                  ///< of `export`
  std::optional<std::chrono::seconds> watch;      ///< of `status`: how long between two looks
  std::optional<std::string> listed_observables;  ///< of `status`: whose name contains it
  std::string text;                               ///< the whole command line, as stored with the results
};

/// Throws CommandLineError.
CommandLine parse_command_line(int argc, const char* const* argv);

/// Text of `rodeo --help`, or of `rodeo COMMAND --help`.
std::string usage(std::string_view command = {});

/// Script of `rodeo completion`, with which a shell completes command lines: bash unless another shell is
/// named. Throws CommandLineError.
std::string completion(std::string_view shell);

}  // namespace rodeo
