# guard.sh: ends a process and its descendants at the end of a lease, unless this guard is ended before.
#   $1  the process
#   $2  seconds until it receives SIGTERM
#   $3  seconds from then until it receives SIGKILL
# A process is named by id:start, its id and its start time, since ids are used again. Starts no process but to sleep.
trap '' INT HUP QUIT TSTP
trap 'kill "$sleeper" 2>/dev/null; exit 0' TERM

# Sleeps in the background, so that the trap is not delayed by it.
rest() {
    sleep "$1" &
    sleeper=$!
    wait "$sleeper"
}

# Sets table to id:start:parent of all processes. After the program's name, in parentheses, the fields of stat are the
# 3rd and later: the parent is the 4th, the start time the 22nd.
look() {
    table=
    for file in /proc/[0-9]*/stat; do
        { read -r stat < "$file"; } 2>/dev/null || continue
        file=${file%/stat}
        set -- ${stat##*) }
        table="$table ${file#/proc/}:${20}:$2"
    done
}

# Appends to tree, which is of id:start, the descendants of those that are in it: parents come first.
grow() {
    before=
    while [ "$before" != "$tree" ]; do
        before=$tree
        for entry in $table; do
            case " $tree " in
                *" ${entry%:*} "*) ;;
                *" ${entry##*:}:"*) tree="$tree ${entry%:*}" ;;
            esac
        done
    done
}

# Sends a signal to those of tree that still are what they were.
send() {
    for process in $tree; do
        case "$table" in
            *" $process:"*) kill "-$1" "${process%:*}" 2>/dev/null ;;
        esac
    done
}

# Sets tree to the process alone, or to nothing if there is none.
find() {
    tree=
    { read -r stat < "/proc/$1/stat"; } 2>/dev/null || return 0
    process=$1
    set -- ${stat##*) }
    tree=$process:${20}
}

find "$1"
first=$tree
rest "$2"
find "$1"
[ -n "$first" ] && [ "$tree" = "$first" ] || exit 0
look
grow
send TERM
rest "$3"
look
grow
send KILL
