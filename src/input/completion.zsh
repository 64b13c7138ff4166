R"zsh(
_rodeo() {
  local option= files= takes_keys=
  local -a options keys
  if (( CURRENT == 2 )); then
    _describe command _rodeo_commands
    return
  fi
  _rodeo_command $words[2]
  if [[ $PREFIX == --*=* ]]; then
    option=${PREFIX%%=*}
    compset -P 1 '*='
  elif [[ $words[CURRENT-1] == -* ]]; then
    option=$words[CURRENT-1]
  fi
  case $option in
    -o|--output) _files -g '*.h5'; return ;;
    --wall-time|--member) return ;;
    --format) compadd -- $=_rodeo_formats; return ;;
    --*.*) compadd -- $(_rodeo_words ${option#--}); return ;;
  esac
  case $PREFIX in
    --*.*)
      [[ $takes_keys == yes ]] || return
      keys=(--${^_rodeo_keys})
      _describe -o key keys -S = ;;
    -*)
      _describe -o option options
      [[ $takes_keys == yes ]] || return
      compadd -S '' -- --${^${=_rodeo_sections}}. ;;
    *)
      case $files in
        deck) _files -g '*.ini' ;;
        campaign) _files -g '*.h5' ;;
        keys) _describe key _rodeo_keys ;;
        commands) _describe command _rodeo_commands ;;
        shells) compadd -- $=_rodeo_shells ;;
      esac ;;
  esac
}

[[ $funcstack[1] != _rodeo ]] || _rodeo "$@"
(( ! $+functions[compdef] )) || compdef _rodeo rodeo
)zsh"
