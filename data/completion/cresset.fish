# Completion of cresset for fish. The program itself knows what can follow: cresset completion -- WORD...

function __cresset_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    set -l typed (commandline -ct)
    for line in ($program completion -- $words "$typed" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$typed"
            case ':directories'
                __fish_complete_directories "$typed"
            case '*'
                echo $line
        end
    end
end

complete -c cresset -f -a '(__cresset_complete)'
