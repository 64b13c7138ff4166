R"fish(
function __rodeo_in
    set -l words (commandline -opc)
    test (count $words) -ge 2; and contains -- $words[2] $argv
end

function __rodeo_first
    test (count (commandline -opc)) -eq 1
end

complete -c rodeo -f
complete -c rodeo -n __rodeo_first -l version
complete -c rodeo -n __rodeo_first -l help -s h
complete -c rodeo -n __rodeo_first -a help
)fish"
