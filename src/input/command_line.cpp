#include "rodeo/input/command_line.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/program_options.hpp>

#include "rodeo/input/keys.hpp"
#include "rodeo/input/number_text.hpp"

#include "commands.hpp"
#include "nearest_name.hpp"

namespace rodeo {

namespace po = boost::program_options;

namespace {

/// A word that each command but `help` has as an option too.
bool asks_for_help(std::string_view word) { return word == "help" || word == "--help" || word == "-h"; }

/// Throws CommandLineError.
const Command& command_named(const std::string& word) {
  if (const Command* const command = find_command(word)) return *command;
  if (word == "plot" || word == "render" || word == "report" || word == "show")
    throw CommandLineError(in_quotes(word) + " is a command of the Python package; without it, scripts/" +
                           word + " in the tree of sources");
  std::vector<std::string_view> names;
  for (const Command& command : commands()) names.push_back(command.name);
  std::string meant(nearest_name(word, names));
  if (word.ends_with(".ini")) meant = "rodeo run " + word;
  if (word.ends_with(".h5")) meant = "rodeo status " + word;
  throw CommandLineError(
      in_quotes(word) + " is no command" +
      (meant.empty() ? "; there are " + command_names("and") : "; did you mean " + printable(meant) + "?") +
      " (rodeo --help)");
}

/// "1-12:00:00", "1:30:00" or "90:00", as Slurm writes times. A number alone, minutes for Slurm and seconds
/// for most others, is refused.
std::chrono::seconds parse_wall_time(const std::string& text) {
  std::vector<long> numbers;
  std::string separators;
  std::size_t digits = 0;
  bool valid = true;
  for (std::size_t at = 0; valid && at <= text.size();) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    digits = end - at;
    valid = digits >= 1 && digits <= 4;
    if (valid) numbers.push_back(std::stol(text.substr(at, digits)));
    if (end < text.size()) separators += text[end];
    at = end + 1;
  }
  valid = valid && digits <= 2 && (separators == ":" || separators == "::" || separators == "-::");
  if (!valid) {
    throw CommandLineError(
        "--wall-time is HOURS:MINUTES:SECONDS, MINUTES:SECONDS or DAYS-HOURS:MINUTES:SECONDS, not '" + text +
        "'");
  }
  constexpr long seconds_of[] = {1, 60, 3600, 86400};  // of the last number and those before it
  long seconds = 0;
  for (std::size_t k = 0; k < numbers.size(); ++k) seconds += seconds_of[k] * numbers[numbers.size() - 1 - k];
  return std::chrono::seconds(seconds);
}

po::options_description options_of(const Command& command) {
  po::options_description options;
  options.add_options()("argument", po::value<std::vector<std::string>>(), "");
  for (const CommandOption& option : command.options) {
    std::string name(option.name);
    if (option.letter != 0) name.append(",").append(1, option.letter);
    if (option.value.empty()) {
      options.add_options()(name.c_str(), "");
    } else if (option.value_left_out_too) {
      options.add_options()(name.c_str(), po::value<std::string>()->implicit_value(""), "");
    } else {
      options.add_options()(name.c_str(), po::value<std::string>(), "");
    }
  }
  return options;
}

/// Gives `-section.key=value` the second dash that it lacks: its first letter may be that of an option.
std::string with_both_dashes(std::string token) {
  if (token.starts_with('-') && !token.starts_with("--") &&
      find_key(token.substr(1, token.find('=') - 1)) != no_key)
    token.insert(0, 1, '-');
  return token;
}

/// The tokens of a command line, each key of a deck with its value in one: `--section.key value` counts as
/// `--section.key=value`.
class Tokens {
 public:
  Tokens(std::span<const char* const> words, bool takes_keys) {
    for (std::size_t k = 0; k < words.size(); ++k) {
      std::string token = with_both_dashes(words[k]);
      const bool ends_options = token == "--";
      if (takes_keys && is_key_without_value(token) && k + 1 < words.size() && is_value(words[k + 1])) {
        last_value_ = words[++k];
        last_key_ = token;
        token.append("=").append(last_value_);
      }
      tokens_.push_back(std::move(token));
      takes_keys = takes_keys && !ends_options;
    }
  }

  const std::vector<std::string>& all() const { return tokens_; }

  /// Word that was taken for a value while the file is missing; else empty.
  std::string taken() const {
    return last_key_.empty() ? "" : "; " + in_quotes(last_value_) + " is taken as the value of " + last_key_;
  }

 private:
  /// Options have no dot in their names, keys do.
  static bool is_key_without_value(const std::string& token) {
    return token.starts_with("--") && token.find('=') == std::string::npos &&
           token.find('.') != std::string::npos;
  }

  /// Whether a word may be a value: an option is none, a negative number is one.
  static bool is_value(std::string_view word) {
    constexpr std::string_view begins_of_numbers = "0123456789.";
    return !word.starts_with('-') ||
           (word.size() > 1 && begins_of_numbers.find(word[1]) != std::string_view::npos);
  }

  std::vector<std::string> tokens_;
  std::string last_key_;
  std::string last_value_;
};

CommandLineError unknown_option(const std::string& token, const Command& command) {
  const std::string name = token.substr(0, token.find('='));
  std::vector<std::string> own;
  for (const CommandOption& option : command.options) own.push_back("--" + std::string(option.name));
  const std::vector<std::string_view> names(own.begin(), own.end());
  return CommandLineError(in_quotes(name) + " is not an option of this command" + did_you_mean(name, names) +
                          " (rodeo " + std::string(command.name) + " --help)");
}

/// `--section.key=value` is an override of the deck's; anything else that is not known is an error.
void take_unrecognized(const po::parsed_options& parsed, const Command& command, CommandLine& line) {
  for (const po::option& option : parsed.options) {
    if (!option.unregistered) continue;
    const std::string& token = option.original_tokens.front();
    if (!command.takes_keys || token.find('.') == std::string::npos) throw unknown_option(token, command);
    if (token.find('=') == std::string::npos) {
      throw CommandLineError("'" + token + "' needs a value: " + token + "=VALUE");
    }
    line.overrides.push_back(token.substr(token.find_first_not_of('-')));
  }
}

/// `taken`: what a message about a missing file has to add.
void take_arguments(std::vector<std::string> arguments, const Command& command, const std::string& taken,
                    CommandLine& line) {
  if (command.arguments.empty()) {
    if (!arguments.empty())
      throw CommandLineError("'rodeo " + std::string(command.name) + "' takes no argument");
    return;
  }
  // Names have no dot in them, files of decks do.
  if (command.file == CommandFile::deck_or_pattern && !arguments.empty() &&
      arguments.front().find('.') != std::string::npos) {
    line.file = arguments.front();
    arguments.erase(arguments.begin());
  }
  if (command.file == CommandFile::none || command.file == CommandFile::deck_or_pattern) {
    if (arguments.size() > 1) {
      throw CommandLineError("this command takes at most one " +
                             std::string(command.action == Action::completion ? "shell" : "pattern"));
    }
    if (!arguments.empty()) line.pattern = arguments.front();
    return;
  }
  if (command.file == CommandFile::campaigns) {
    if (arguments.empty())
      throw CommandLineError("this command takes the files of all parts of a campaign; got none");
    line.file = arguments.front();
    line.parts = std::move(arguments);
    return;
  }
  if (command.takes_keys) {  // "section.key=value" without dashes
    for (std::size_t i = arguments.size(); i-- > 1;) {
      if (arguments[i].find('=') == std::string::npos) break;
      line.overrides.insert(line.overrides.begin(), arguments[i]);
      arguments.pop_back();
    }
  }
  if (arguments.size() != 1) {
    const char* const what = command.file == CommandFile::deck ? "a deck" : "a campaign's file";
    throw CommandLineError("this command takes one file: " + std::string(what) + "; got " +
                           std::to_string(arguments.size()) + (arguments.empty() ? taken : ""));
  }
  line.file = arguments.front();
}

std::uint64_t whole_number(const std::string& text, const std::string& option) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  throw CommandLineError(option + " is a whole number from 0, not " + in_quotes(text));
}

void take_options(const po::variables_map& given, const Command& command, CommandLine& line) {
  const auto has = [&](const char* name) { return given.count(name) > 0; };
  const auto text = [&](const char* name) { return given[name].as<std::string>(); };
  if (has("overwrite") && has("resume")) {
    throw CommandLineError("--overwrite and --resume contradict each other");
  }
  if (has("overwrite")) line.mode = OutputMode::overwrite;
  if (has("resume")) line.mode = OutputMode::resume;
  if (has("output")) line.output = text("output");
  if (has("part")) line.overrides.push_back("study.part=" + text("part"));
  if (has("member")) line.member = whole_number(text("member"), "--member");
  if (has("wall-time")) line.wall_time = parse_wall_time(text("wall-time"));
  if (has("watch")) {
    constexpr std::uint64_t usual = 2;
    constexpr std::uint64_t longest = 86400;
    const std::string seconds = text("watch");
    line.watch = std::chrono::seconds(
        std::clamp(seconds.empty() ? usual : whole_number(seconds, "--watch"), std::uint64_t{1}, longest));
  }
  if (has("format")) line.format = text("format");
  if (has("observables")) line.listed_observables = text("observables");
  line.failed = has("failed");
  line.json = has("json");
  line.deck = has("deck");
  if (command.action == Action::export_member && !line.member)
    throw CommandLineError("--member K is missing: which member to export, from 0");
  if (std::ranges::find(export_formats, line.format) == export_formats.end()) {
    throw CommandLineError(std::string("--format is ") + export_format_list + ", not " +
                           in_quotes(line.format));
  }
}

/// End of a part's file name, before .h5: "_part_2_of_8".
constexpr std::string_view part_begin = "_part_";

/// Default file of results. `part` is that of `run`, K/N or empty.
std::string usual_output(const CommandLine& line, std::string part) {
  const std::filesystem::path file(line.file);
  const std::string stem = file.stem().string();
  if (line.action == Action::best) return (file.parent_path() / (stem + "_best.h5")).string();
  if (line.action == Action::merge) {
    const std::size_t begin = stem.rfind(part_begin);
    if (begin == std::string::npos)
      throw CommandLineError(
          "--output FILE.h5 is missing: " + in_quotes(line.file) +
          " is not named NAME_part_K_of_N.h5, from which the name of the whole would follow");
    return (file.parent_path() / (stem.substr(0, begin) + ".h5")).string();
  }
  if (part.empty()) return stem + ".h5";
  if (const std::size_t slash = part.find('/'); slash != std::string::npos) part.replace(slash, 1, "_of_");
  return stem + std::string(part_begin) + part + ".h5";
}

/// `rodeo help`, or `rodeo help COMMAND`.
CommandLine help_line(CommandLine line, int argc, const char* const* argv) {
  if (argc > 2 && !asks_for_help(argv[2])) line.help_of = command_named(argv[2]).name;
  return line;
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
  CommandLine line;
  for (int i = 0; i < argc; ++i) line.text.append(i == 0 ? "" : " ").append(argv[i]);
  if (argc < 2) throw CommandLineError("a command is missing: " + command_names("or") + " (rodeo --help)");
  if (asks_for_help(argv[1])) return help_line(std::move(line), argc, argv);
  const std::string name = argv[1];
  const Command& command = command_named(name);
  const Tokens tokens({argv + 2, argv + argc}, command.takes_keys);

  const po::options_description options = options_of(command);
  po::positional_options_description positional;
  positional.add("argument", -1);
  po::variables_map variables;
  try {
    const auto style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    const po::parsed_options parsed = po::command_line_parser(tokens.all())
                                          .options(options)
                                          .positional(positional)
                                          .style(style)
                                          .allow_unregistered()
                                          .run();
    po::store(parsed, variables);
    if (variables.count("help") > 0) {
      line.help_of = command.name;
      return line;
    }
    take_unrecognized(parsed, command, line);
  } catch (const po::error& error) {
    throw CommandLineError(std::string(error.what()) + " (rodeo " + std::string(command.name) + " --help)");
  }
  line.action = command.action;
  take_arguments(variables.count("argument") ? variables["argument"].as<std::vector<std::string>>()
                                             : std::vector<std::string>{},
                 command, tokens.taken(), line);
  take_options(variables, command, line);
  if (line.output.empty())
    line.output = usual_output(line, variables.count("part") > 0 ? variables["part"].as<std::string>() : "");
  return line;
}

}  // namespace rodeo
