# Completion of bells for fish.
function __bells_at
    set -l words (commandline -opc)[2..-1]
    set -l path
    for word in $words
        switch "$path|$word"
            case '|ring'
                set path 'ring'
            case '|tower'
                set path 'tower'
            case '|help'
                set path 'help'
            case 'tower|list'
                set path 'tower list'
            case 'tower|climb'
                set path 'tower climb'
        end
    end
    test "$path" = "$argv[1]"
end
complete -c bells -f
complete -c bells -l config -r -F -d 'The configuration to read.'
complete -c bells -l format -r -f -a 'text json' -d 'How results are printed.'
complete -c bells -s q -l quiet -d 'Print results only.'
complete -c bells -s v -l verbose -d 'Say more about what is done.'
complete -c bells -s h -l help -d 'Show help for the program or the verb.'
complete -c bells -l version -d 'Print the version.'
complete -c bells -n '__bells_at \'\'' -a ring -d 'Ring one bell or several.'
complete -c bells -n '__bells_at \'\'' -a tower -d 'Look after the towers.'
complete -c bells -n '__bells_at \'\'' -a help -d 'Explain a verb.'
complete -c bells -n '__bells_at \'ring\'' -s n -l count -x -d 'How many times the bell is rung.'
complete -c bells -n '__bells_at \'ring\'' -l tag -x -d 'A tag [of: the bell], which may be given several times; it\'s kept with every stroke.'
complete -c bells -n '__bells_at \'tower\'' -a list -d 'List the towers.'
complete -c bells -n '__bells_at \'tower\'' -a climb -d 'Climb a tower.'
complete -c bells -n '__bells_at \'tower list\'' -F
complete -c bells -n '__bells_at \'help\'' -l man -d 'Print the whole manual as a man page.'
