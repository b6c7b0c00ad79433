# Completion of bells for bash.
_bells() {
    local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD - 1]}"
    local path='' words='' index
    for ((index = 1; index < COMP_CWORD; index++)); do
        case "$path|${COMP_WORDS[index]}" in
            '|ring') path='ring' ;;
            '|tower') path='tower' ;;
            '|help') path='help' ;;
            'tower|list') path='tower list' ;;
            'tower|climb') path='tower climb' ;;
        esac
    done
    case "$path|$previous" in
        *'|--config') COMPREPLY=($(compgen -f -- "$current")); return ;;
        *'|--format') COMPREPLY=($(compgen -W 'text json' -- "$current")); return ;;
        'ring''|--count' | 'ring''|-n') COMPREPLY=(); return ;;
        'ring''|--tag') COMPREPLY=(); return ;;
    esac
    case "$path" in
        '') words='ring tower help --config --format --quiet --verbose --help --version' ;;
        'ring') words='--count --tag --config --format --quiet --verbose --help --version' ;;
        'tower') words='list climb --config --format --quiet --verbose --help --version' ;;
        'tower list') words='--config --format --quiet --verbose --help --version' ;;
        'tower climb') words='--config --format --quiet --verbose --help --version' ;;
        'help') words='--man --config --format --quiet --verbose --help --version' ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    case "$path" in
        'tower list')
            if [[ $current != -* ]]; then COMPREPLY+=($(compgen -f -- "$current")); fi ;;
    esac
}
complete -o filenames -F _bells bells
