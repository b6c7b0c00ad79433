#compdef bells
# Completion of bells for zsh.

_bells() {
    local context state line
    typeset -A opt_args
    _arguments -C -s -S \
        '--config[The configuration to read.]:FILE:_files' \
        '--format[How results are printed.]:text|json:(text json)' \
        '(-q --quiet)'{-q,--quiet}'[Print results only.]' \
        '(-v --verbose)'{-v,--verbose}'[Say more about what is done.]' \
        '(-h --help)'{-h,--help}'[Show help for the program or the verb.]' \
        '--version[Print the version.]' \
        '1: :->verb' '*:: :->rest'
    case $state in
        verb)
            local -a verbs=(
                'ring:Ring one bell or several.'
                'tower:Look after the towers.'
                'help:Explain a verb.'
            )
            _describe verb verbs ;;
        rest)
            case $line[1] in
                ring) _bells_ring ;;
                tower) _bells_tower ;;
                help) _bells_help ;;
            esac ;;
    esac
}

_bells_ring() {
    _arguments -s -S \
        '(-n --count)'{-n,--count}'[How many times the bell is rung.]:N:' \
        '*--tag[A tag \[of\: the bell\], which may be given several times; it'\''s kept with every stroke.]:TAG:' \
        '--config[The configuration to read.]:FILE:_files' \
        '--format[How results are printed.]:text|json:(text json)' \
        '(-q --quiet)'{-q,--quiet}'[Print results only.]' \
        '(-v --verbose)'{-v,--verbose}'[Say more about what is done.]' \
        '(-h --help)'{-h,--help}'[Show help for the program or the verb.]' \
        '--version[Print the version.]' \
        ':BELL:' \
        '*:OTHER:'
}

_bells_tower() {
    local context state line
    typeset -A opt_args
    _arguments -C -s -S \
        '--config[The configuration to read.]:FILE:_files' \
        '--format[How results are printed.]:text|json:(text json)' \
        '(-q --quiet)'{-q,--quiet}'[Print results only.]' \
        '(-v --verbose)'{-v,--verbose}'[Say more about what is done.]' \
        '(-h --help)'{-h,--help}'[Show help for the program or the verb.]' \
        '--version[Print the version.]' \
        '1: :->verb' '*:: :->rest'
    case $state in
        verb)
            local -a verbs=(
                'list:List the towers.'
                'climb:Climb a tower.'
            )
            _describe verb verbs ;;
        rest)
            case $line[1] in
                list) _bells_tower_list ;;
                climb) _bells_tower_climb ;;
            esac ;;
    esac
}

_bells_tower_list() {
    _arguments -s -S \
        '--config[The configuration to read.]:FILE:_files' \
        '--format[How results are printed.]:text|json:(text json)' \
        '(-q --quiet)'{-q,--quiet}'[Print results only.]' \
        '(-v --verbose)'{-v,--verbose}'[Say more about what is done.]' \
        '(-h --help)'{-h,--help}'[Show help for the program or the verb.]' \
        '--version[Print the version.]' \
        '::LIST:_files'
}

_bells_tower_climb() {
    _arguments -s -S \
        '--config[The configuration to read.]:FILE:_files' \
        '--format[How results are printed.]:text|json:(text json)' \
        '(-q --quiet)'{-q,--quiet}'[Print results only.]' \
        '(-v --verbose)'{-v,--verbose}'[Say more about what is done.]' \
        '(-h --help)'{-h,--help}'[Show help for the program or the verb.]' \
        '--version[Print the version.]'
}

_bells_help() {
    _arguments -s -S \
        '--man[Print the whole manual as a man page.]' \
        '--config[The configuration to read.]:FILE:_files' \
        '--format[How results are printed.]:text|json:(text json)' \
        '(-q --quiet)'{-q,--quiet}'[Print results only.]' \
        '(-v --verbose)'{-v,--verbose}'[Say more about what is done.]' \
        '(-h --help)'{-h,--help}'[Show help for the program or the verb.]' \
        '--version[Print the version.]' \
        '*:VERB:'
}

if [ "$funcstack[1]" = "_bells" ]; then
    _bells "$@"
else
    compdef _bells bells
fi
