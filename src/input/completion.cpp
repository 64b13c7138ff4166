#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "rodeo/input/command_line.hpp"
#include "rodeo/input/keys.hpp"
#include "rodeo/input/number_text.hpp"

#include "commands.hpp"

namespace rodeo {

namespace {

/// What is the same whatever the commands and keys are. Bash cuts words at "=" unless a user forbids it, so
/// that a value may be a word of its own.
constexpr std::string_view functions = R"bash(
_rodeo_files() {
  compopt -o filenames 2>/dev/null
  local IFS=$'\n'
  COMPREPLY=($(compgen -d -- "$current"; compgen -f -X "!*.$1" -- "$current"))
}

_rodeo() {
  local current=${COMP_WORDS[COMP_CWORD]} option='' before='' command=${COMP_WORDS[1]} files options takes_keys
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "$_rodeo_commands help --help --version" -- "$current"))
    return
  fi
  _rodeo_command "$command"
  if [[ $current == -*=* ]]; then
    option=${current%%=*} before=${current%%=*}= current=${current#*=}
  elif [[ $current == '=' ]]; then
    option=${COMP_WORDS[COMP_CWORD - 1]} current=''
  elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == '=' ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == -* ]]; then
    option=${COMP_WORDS[COMP_CWORD - 1]}
  fi
  case $option in
    -o | --output) _rodeo_files h5; return ;;
    --wall-time | --member) return ;;
    --format) COMPREPLY=($(compgen -W "$_rodeo_formats" -- "$current")); return ;;
    --*.*)
      COMPREPLY=($(compgen -P "$before" -W "$(_rodeo_words "${option#--}")" -- "$current"))
      return ;;
  esac
  case $current in
    --*.*)
      [[ $takes_keys == yes ]] || return
      COMPREPLY=($(compgen -P -- -S = -W "$_rodeo_keys" -- "${current#--}"))
      compopt -o nospace 2>/dev/null ;;
    -*)
      COMPREPLY=($(compgen -W "$options" -- "$current"))
      [[ $takes_keys == yes ]] || return
      local sections=($(compgen -P -- -S . -W "$_rodeo_sections" -- "${current#--}"))
      [[ ${#sections[@]} -eq 0 ]] || compopt -o nospace 2>/dev/null
      COMPREPLY+=("${sections[@]}") ;;
    *)
      case $files in
        deck) _rodeo_files ini ;;
        campaign) _rodeo_files h5 ;;
        keys) COMPREPLY=($(compgen -W "$_rodeo_keys" -- "$current")) ;;
        commands) COMPREPLY=($(compgen -W "$_rodeo_commands" -- "$current")) ;;
      esac ;;
  esac
}

complete -F _rodeo rodeo
)bash";

std::string_view section_of(std::string_view key) { return key.substr(0, key.find('.')); }

std::string_view files_of(const Command& command) {
  if (command.action == Action::keys) return "keys";
  switch (command.file) {
    case CommandFile::deck:
    case CommandFile::deck_or_pattern:
      return "deck";
    case CommandFile::campaign:
      return "campaign";
    case CommandFile::none:
      break;
  }
  return "none";
}

/// The text with blanks for the bars between words.
std::string words_of(std::string_view choices) {
  std::string words(choices);
  std::ranges::replace(words, '|', ' ');
  return words;
}

}  // namespace

std::string bash_completion() {
  std::string names;
  std::string cases;
  std::string formats;
  for (const Command& command : commands()) {
    names.append(names.empty() ? "" : " ").append(command.name);
    cases.append("    ").append(command.name).append(") files=").append(files_of(command));
    cases.append(" takes_keys=").append(command.takes_keys ? "yes" : "no").append(" options='");
    for (const CommandOption& option : command.options) {
      cases.append(&option == &command.options.front() ? "--" : " --").append(option.name);
      if (option.name == "format") formats = words_of(option.value);
    }
    cases += "' ;;\n";
  }
  std::string keys;
  std::string sections;
  std::string choices;
  std::vector<std::string_view> known_sections;
  for (const KeyInfo& info : key_table()) {
    if (info.name == "variable.NAME") continue;  // decks name these themselves
    keys.append(keys.empty() ? "" : " ").append(info.name);
    const std::string_view section = section_of(info.name);
    if (std::ranges::find(known_sections, section) == known_sections.end()) {
      known_sections.push_back(section);
      sections.append(sections.empty() ? "" : " ").append(section);
    }
    if (info.type == ValueType::choice)
      choices.append("    ")
          .append(info.name)
          .append(") echo '")
          .append(words_of(info.choices))
          .append("' ;;\n");
  }
  return "# Completion of rodeo for bash, as `rodeo completion` prints it.\n_rodeo_commands='" + names +
         "'\n_rodeo_formats='" + formats + "'\n_rodeo_sections='" + sections + "'\n_rodeo_keys='" + keys +
         "'\n\n_rodeo_command() {\n  case $1 in\n" + cases +
         "    *) files=commands takes_keys=no options='' ;;\n  esac\n}\n\n_rodeo_words() {\n  case $1 in\n" +
         choices + "  esac\n}\n" + std::string(functions);
}

}  // namespace rodeo
