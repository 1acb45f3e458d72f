# guard.sh: ends a process and its descendants at the end of a lease, unless this guard is ended before.
#   $1  the process
#   $2  seconds until it receives SIGTERM
#   $3  seconds from then until it receives SIGKILL
# A process is named by its id and its start time, since ids are used again.
trap '' INT HUP QUIT TSTP
trap 'kill "$sleeper" 2>/dev/null; exit 0' TERM

# Sleeps in the background, so that the trap is not delayed by it.
rest() {
    sleep "$1" &
    sleeper=$!
    wait "$sleeper"
}

# Prints the parent and the start time of a process, or nothing if there is none.
# After the program's name, in parentheses, the fields of stat are the 3rd and later: the parent is the 4th, the start the 22nd.
facts() {
    { read -r stat < "/proc/$1/stat"; } 2>/dev/null || return
    set -- ${stat##*) }
    echo "$2 ${20}"
}

# Prints id:start of a process and of all its descendants, parents first.
tree() {
    set -- "$1" $(facts "$1")
    [ $# = 3 ] || return
    echo "$1:$3"
    for directory in /proc/[0-9]*; do
        id=${directory#/proc/}
        case $(facts "$id") in
            "$1 "*) (tree "$id") ;;
        esac
    done
}

# Sends a signal to those processes that still are what they were.
signal() {
    name=$1
    shift
    for process; do
        case $(facts "${process%:*}") in
            *" ${process#*:}") kill "-$name" "${process%:*}" ;;
        esac
    done
}

first=$(facts "$1")
rest "$2"
[ -n "$first" ] && [ "$(facts "$1")" = "$first" ] || exit 0
processes=$(tree "$1")
signal TERM $processes
rest "$3"
signal KILL $processes $(tree "$1")
