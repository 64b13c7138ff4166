R"bash(
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
        shells) COMPREPLY=($(compgen -W "$_rodeo_shells" -- "$current")) ;;
      esac ;;
  esac
}

complete -F _rodeo rodeo
)bash"
