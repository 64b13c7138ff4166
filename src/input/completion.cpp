#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "rodeo/input/command_line.hpp"
#include "rodeo/input/keys.hpp"
#include "rodeo/input/number_text.hpp"

#include "commands.hpp"

namespace rodeo {

namespace {

/// Part of bash's script that is the same for all commands and keys. Bash cuts words at "=" unless a user
/// forbids it, so that a value may be a word of its own.
constexpr std::string_view bash_functions =
#include "completion.bash"
    ;

/// Fixed part of zsh's script. Its last line serves those who source it, the one before it zsh itself, which
/// loads a file named _rodeo on its fpath as the function's body.
constexpr std::string_view zsh_functions =
#include "completion.zsh"
    ;

constexpr std::string_view fish_functions =
#include "completion.fish"
    ;

constexpr std::string_view shells = "bash|zsh|fish";

std::string_view section_of_key(std::string_view key) { return key.substr(0, key.find('.')); }

std::string_view files_of(const Command& command) {
  if (command.action == Action::keys) return "keys";
  if (command.action == Action::completion) return "shells";
  switch (command.file) {
    case CommandFile::deck:
    case CommandFile::deck_or_pattern:
      return "deck";
    case CommandFile::campaign:
    case CommandFile::campaigns:
      return "campaign";
    case CommandFile::none:
      break;
  }
  return "none";
}

/// The text with blanks for the bars between words.
std::string separated_by_blanks(std::string_view choices) {
  std::string words(choices);
  std::ranges::replace(words, '|', ' ');
  return words;
}

/// The text in single quotes, in which `quote` stands for one of its own.
std::string quoted(std::string_view text, std::string_view quote) {
  std::string quoted = "'";
  for (const char letter : text) {
    if (letter == '\'') {
      quoted += quote;
    } else {
      quoted += letter;
    }
  }
  return quoted + "'";
}

/// First clause of a text's first line, which a shell has room for beside a word.
std::string_view first_clause(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  return text.substr(0, std::min(text.find("; "), text.find(". ")));
}

/// The keys that command lines may give; those of variables decks name themselves.
std::vector<KeyInfo> offered_keys() {
  std::vector<KeyInfo> keys;
  std::ranges::copy_if(key_table(), std::back_inserter(keys),
                       [](const KeyInfo& info) { return info.name != "variable.NAME"; });
  return keys;
}

std::string sections_of(const std::vector<KeyInfo>& keys) {
  std::string sections;
  std::string_view last;
  for (const KeyInfo& info : keys) {
    const std::string_view section = section_of_key(info.name);
    if (section != last && (" " + sections + " ").find(" " + std::string(section) + " ") == std::string::npos)
      sections.append(sections.empty() ? "" : " ").append(section);
    last = section;
  }
  return sections;
}

/// The words of options that take one of several.
std::string formats() {
  for (const Command& command : commands()) {
    for (const CommandOption& option : command.options) {
      if (option.name == "format") return separated_by_blanks(option.value);
    }
  }
  return {};
}

/// The body of a shell function that prints the words of a key, which both bash and zsh read.
std::string cases_of_words(const std::vector<KeyInfo>& keys) {
  std::string cases;
  for (const KeyInfo& info : keys) {
    if (info.type != ValueType::choice) continue;
    cases.append("    ")
        .append(info.name)
        .append(") echo '")
        .append(separated_by_blanks(info.choices))
        .append("' ;;\n");
  }
  return "\n_rodeo_words() {\n  case $1 in\n" + cases + "  esac\n}\n";
}

std::string assigned(std::string_view name, const std::string& words) {
  return "_rodeo_" + std::string(name) + "='" + words + "'\n";
}

std::string bash_completion() {
  const std::vector<KeyInfo> keys = offered_keys();
  std::string names;
  std::string cases;
  for (const Command& command : commands()) {
    names.append(names.empty() ? "" : " ").append(command.name);
    cases.append("    ").append(command.name).append(") files=").append(files_of(command));
    cases.append(" takes_keys=").append(command.takes_keys ? "yes" : "no").append(" options='");
    for (const CommandOption& option : command.options) {
      cases.append(&option == &command.options.front() ? "--" : " --").append(option.name);
    }
    cases += "' ;;\n";
  }
  std::string key_names;
  for (const KeyInfo& info : keys) key_names.append(key_names.empty() ? "" : " ").append(info.name);
  return "# Completion of rodeo for bash, as `rodeo completion bash` prints it.\n" +
         assigned("commands", names) + assigned("formats", formats()) +
         assigned("shells", separated_by_blanks(shells)) + assigned("sections", sections_of(keys)) +
         assigned("keys", key_names) + "\n_rodeo_command() {\n  case $1 in\n" + cases +
         "    *) files=commands takes_keys=no options='' ;;\n  esac\n}\n" + cases_of_words(keys) +
         std::string(bash_functions);
}

std::string zsh_completion() {
  const std::vector<KeyInfo> keys = offered_keys();
  constexpr std::string_view quote = "'\\''";
  const auto entry = [&](std::string_view name, std::string_view text) {
    return quoted(std::string(name).append(":").append(first_clause(text)), quote);
  };
  std::string names;
  std::string cases;
  for (const Command& command : commands()) {
    names.append("  ").append(entry(command.name, command.text)).append("\n");
    cases.append("    ").append(command.name).append(") files=").append(files_of(command));
    cases.append(" takes_keys=").append(command.takes_keys ? "yes" : "no").append(" options=(");
    for (const CommandOption& option : command.options) {
      cases.append(&option == &command.options.front() ? "" : " ")
          .append(entry("--" + std::string(option.name), option.text));
    }
    cases += ") ;;\n";
  }
  std::string key_entries;
  for (const KeyInfo& info : keys) key_entries.append("  ").append(entry(info.name, info.text)).append("\n");
  return "#compdef rodeo\n# Completion of rodeo for zsh, as `rodeo completion zsh` prints it.\n" +
         assigned("formats", formats()) + assigned("shells", separated_by_blanks(shells)) +
         assigned("sections", sections_of(keys)) + "_rodeo_commands=(\n" + names + ")\n_rodeo_keys=(\n" +
         key_entries + ")\n\n_rodeo_command() {\n  case $1 in\n" + cases +
         "    *) files=commands takes_keys=no options=() ;;\n  esac\n}\n" + cases_of_words(keys) +
         std::string(zsh_functions);
}

std::string fish_completion() {
  const std::vector<KeyInfo> keys = offered_keys();
  constexpr std::string_view quote = "\\'";
  std::string lines;
  const auto add = [&](const std::string& condition, const std::string& what, std::string_view text) {
    lines.append("complete -c rodeo -n ").append(quoted(condition, quote)).append(" ").append(what);
    if (!text.empty()) lines.append(" -d ").append(quoted(first_clause(text), quote));
    lines += "\n";
  };
  const auto words = [&](const std::string& text) { return "-a " + quoted(text, quote); };
  const auto files = [&](const std::string& suffix) {
    return "-a '(__fish_complete_suffix ." + suffix + ")'";
  };
  std::string names;
  std::string with_keys = "__rodeo_in";
  for (const Command& command : commands()) {
    const std::string name(command.name);
    names.append(names.empty() ? "" : " ").append(name);
    if (command.takes_keys) with_keys.append(" ").append(name);
    add("__rodeo_first", words(name), command.text);
    const std::string here = "__rodeo_in " + name;
    const std::string_view argument = files_of(command);
    if (argument == "deck") add(here, files("ini"), "");
    if (argument == "campaign") add(here, files("h5"), "");
    if (argument == "shells") add(here, words(separated_by_blanks(shells)), "");
    for (const CommandOption& option : command.options) {
      std::string what = "-l " + std::string(option.name);
      if (option.letter != 0) what.append(" -s ").append(1, option.letter);
      if (option.is_one_of_words()) {
        what += " -x " + words(separated_by_blanks(option.value));
      } else if (option.value.ends_with(".h5")) {
        what += " -x " + files("h5");
      } else if (!option.value.empty() && !option.value_left_out_too) {
        what += " -x";
      }
      add(here, what, option.text);
    }
  }
  add("__rodeo_in help", words(names), "");
  std::string key_names;
  for (const KeyInfo& info : keys) {
    key_names.append(key_names.empty() ? "" : " ").append(info.name);
    const std::string choices =
        info.type == ValueType::choice ? " " + words(separated_by_blanks(info.choices)) : std::string();
    add(with_keys, "-l " + std::string(info.name) + " -x" + choices, info.text);
  }
  add("__rodeo_in keys", words(key_names), "");
  return "# Completion of rodeo for fish, as `rodeo completion fish` prints it.\n" +
         std::string(fish_functions) + lines;
}

}  // namespace

std::string completion(std::string_view shell) {
  if (shell.empty() || shell == "bash") return bash_completion();
  if (shell == "zsh") return zsh_completion();
  if (shell == "fish") return fish_completion();
  throw CommandLineError("there is completion for bash, zsh and fish, not for " + in_quotes(shell));
}

}  // namespace rodeo
