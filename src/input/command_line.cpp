#include "rodeo/input/command_line.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <boost/program_options.hpp>

namespace rodeo {

namespace po = boost::program_options;

namespace {

constexpr std::pair<const char*, Action> actions[] = {{"run", Action::run},
                                                      {"resume", Action::resume},
                                                      {"extend", Action::extend},
                                                      {"best", Action::best},
                                                      {"check", Action::check},
                                                      {"status", Action::status},
                                                      {"keys", Action::keys},
                                                      {"observables", Action::observables},
                                                      {"signals", Action::signals},
                                                      {"features", Action::features},
                                                      {"export", Action::export_member}};

Action find_action(const std::string& word) {
  if (word == "help" || word == "--help" || word == "-h") return Action::help;
  for (const auto& [name, action] : actions) {
    if (word == name) return action;
  }
  throw CommandLineError(
      "'" + word +
      "' is no command; there are run, resume, extend, best, check, status, keys, observables, "
      "signals, features, export "
      "(rodeo --help)");
}

bool takes_deck(Action action) { return action == Action::run || action == Action::check; }

bool takes_overrides(Action action) {
  return takes_deck(action) || action == Action::best || action == Action::extend;
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

po::options_description options_of(Action action, CommandLine& line) {
  po::options_description options;
  options.add_options()("argument", po::value<std::vector<std::string>>(), "");
  if (action == Action::run || action == Action::best) {
    options.add_options()("output", po::value(&line.output), "")("overwrite", "");
  }
  if (action == Action::run) options.add_options()("resume", "");
  if (action == Action::best) options.add_options()("member", po::value<std::uint64_t>(), "");
  if (action == Action::run || action == Action::best || action == Action::resume ||
      action == Action::extend) {
    options.add_options()("wall-time", po::value<std::string>(), "");
  }
  if (action == Action::status) {
    options.add_options()("watch", po::value<unsigned>()->implicit_value(2), "");
  }
  if (action == Action::export_member) {
    options.add_options()("member", po::value<std::uint64_t>()->required(), "")("format",
                                                                                po::value(&line.format), "");
  }
  return options;
}

/// `--section.key=value` is an override; anything else that is not known is an error.
void take_unrecognized(const po::parsed_options& parsed, CommandLine& line) {
  for (const po::option& option : parsed.options) {
    if (!option.unregistered) continue;
    const std::string& token = option.original_tokens.front();
    if (!takes_overrides(line.action) || token.find('.') == std::string::npos) {
      throw CommandLineError("'" + token + "' is not an option of this command (rodeo --help)");
    }
    if (token.find('=') == std::string::npos) {
      throw CommandLineError("'" + token + "' needs a value: " + token + "=VALUE");
    }
    line.overrides.push_back(token.substr(token.find_first_not_of('-')));
  }
}

void take_arguments(std::vector<std::string> arguments, CommandLine& line) {
  if (line.action == Action::features) {
    if (!arguments.empty()) throw CommandLineError("'rodeo features' takes no argument");
    return;
  }
  // Names have no dot in them, files of decks do.
  if (line.action == Action::observables && !arguments.empty() &&
      arguments.front().find('.') != std::string::npos) {
    line.file = arguments.front();
    arguments.erase(arguments.begin());
  }
  if (line.action == Action::keys || line.action == Action::observables || line.action == Action::signals) {
    if (arguments.size() > 1) throw CommandLineError("this command takes at most one pattern");
    if (!arguments.empty()) line.pattern = arguments.front();
    return;
  }
  if (takes_overrides(line.action)) {  // "section.key=value" without dashes
    for (std::size_t i = arguments.size(); i-- > 1;) {
      if (arguments[i].find('=') == std::string::npos) break;
      line.overrides.insert(line.overrides.begin(), arguments[i]);
      arguments.pop_back();
    }
  }
  if (arguments.size() != 1) {
    const char* const what = takes_deck(line.action) ? "a deck" : "a campaign's file";
    throw CommandLineError("this command takes one file: " + std::string(what) + "; got " +
                           std::to_string(arguments.size()));
  }
  line.file = arguments.front();
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
  CommandLine line;
  for (int i = 0; i < argc; ++i) line.text.append(i == 0 ? "" : " ").append(argv[i]);
  if (argc < 2)
    throw CommandLineError(
        "a command is missing: run, resume, extend, best, check, status, keys, observables, signals, "
        "features or "
        "export "
        "(rodeo --help)");
  line.action = find_action(argv[1]);
  if (line.action == Action::help) return line;

  const po::options_description options = options_of(line.action, line);
  po::positional_options_description positional;
  positional.add("argument", -1);
  po::variables_map variables;
  try {
    const auto style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    const po::parsed_options parsed = po::command_line_parser(argc - 1, argv + 1)
                                          .options(options)
                                          .positional(positional)
                                          .style(style)
                                          .allow_unregistered()
                                          .run();
    po::store(parsed, variables);
    po::notify(variables);
    take_unrecognized(parsed, line);
  } catch (const po::error& error) {
    throw CommandLineError(std::string(error.what()) + " (rodeo --help)");
  }
  take_arguments(variables.count("argument") ? variables["argument"].as<std::vector<std::string>>()
                                             : std::vector<std::string>{},
                 line);
  if (variables.count("overwrite") && variables.count("resume")) {
    throw CommandLineError("--overwrite and --resume contradict each other");
  }
  if (variables.count("member")) line.member = variables["member"].as<std::uint64_t>();
  if (variables.count("watch"))
    line.watch = std::chrono::seconds(std::max(1U, variables["watch"].as<unsigned>()));
  if (variables.count("wall-time"))
    line.wall_time = parse_wall_time(variables["wall-time"].as<std::string>());
  if (variables.count("overwrite")) line.mode = OutputMode::overwrite;
  if (variables.count("resume")) line.mode = OutputMode::resume;
  if (line.format != "xdmf" && line.format != "vtkhdf" && line.format != "csv") {
    throw CommandLineError("--format is xdmf, vtkhdf or csv, not '" + line.format + "'");
  }
  if (line.output.empty()) {
    const std::filesystem::path file(line.file);
    line.output = line.action == Action::best
                      ? (file.parent_path() / (file.stem().string() + "_best.h5")).string()
                      : file.stem().string() + ".h5";
  }
  return line;
}

std::string usage() {
  return R"(rodeo: ensembles of soft filaments under MPI

  rodeo run DECK [--section.key=value ...] [--output FILE.h5] [--overwrite | --resume] [--wall-time H:MM:SS]
      runs what the deck's [study] asks; the same under mpirun or srun
  rodeo resume FILE.h5 [--wall-time H:MM:SS]
      goes on with a campaign from its stored deck, on any number of ranks
      with a wall time, or in a Slurm job, starts no member that would not end in time, and stops before
  rodeo extend FILE.h5 --sweep.samples=N | --study.repeats=N | --sweep.axis='KEY : ...' | --time.end=SECONDS ...
      goes on with a campaign that is to have more members, or longer ones; what stands in its file stays
  rodeo best FILE.h5 [--member K] [--section.key=value ...] [--output FILE_best.h5] [--overwrite]
      runs the best member of a campaign (or member K) once more, alone, and stores its motion
  rodeo check DECK [--section.key=value ...]
      validates; prints the resolved deck, members, steps, file size, memory, predicted core-hours
  rodeo status FILE.h5 [--watch[=SECONDS]]
      counts per status, best, throughput, time left; works while the campaign runs, and with --watch until it ends
  rodeo keys [PATTERN]
      deck keys whose name contains PATTERN: allowed values, unit, default, what they need, meaning
  rodeo observables [DECK] [PATTERN]
      what members report: meaning, unit, models, what it needs; with the measures of a deck
  rodeo signals [PATTERN]
      what measure.define makes measures of: signals along rods, reductions over time and along rods, functions
  rodeo features
      what each model can do
  rodeo export FILE.h5 --member K [--format xdmf|vtkhdf|csv]
      one member's trajectory for ParaView (vtkhdf: members of many rods) or as a table
  rodeo --version
      what a report of a defect should say: revision, compiler, Kokkos, MPI, HDF5

exit codes: 0 done; 1 bad input; 2 failed, or no member ended well; 3 done, but ranks were lost on the way;
  75 stopped in good order, resumable
)";
}

}  // namespace rodeo
