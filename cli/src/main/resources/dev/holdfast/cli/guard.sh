# guard.sh: ends a process and its descendants at the end of a lease, unless this guard is ended before.
#   $1  the process; empty for those that have the variable
#   $2  the variable, as NAME=value
#   $3  when to send SIGTERM, in hundredths of a second since the machine was started
#   $4  when to send SIGKILL
# A process is named by id:start, its id and its start time, since ids are used again. While it waits, it starts no
# process but to sleep.
trap '' INT HUP QUIT TSTP
trap 'kill "$!" 2>/dev/null; exit 0' TERM

# Sleeps until that time, in the background, so that the trap is not delayed by it.
rest() {
    read -r now _ < /proc/uptime
    fraction=1${now#*.} # 1 in front, or 08 would be an octal number
    left=$(($1 - ${now%.*} * 100 - fraction + 100))
    [ "$left" -gt 0 ] || return 0
    fraction=$((left % 100 + 100))
    sleep "$((left / 100)).${fraction#1}" &
    wait "$!"
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

# Stops those of tree, without the table, which takes long to read on a busy machine. What is stopped does nothing any
# more, starts no process either, and still is the parent by which its descendants are found.
halt() {
    for process in $tree; do
        { read -r stat < "/proc/${process%:*}/stat"; } 2>/dev/null || continue
        set -- ${stat##*) }
        [ "${process#*:}" != "${20}" ] || kill -STOP "${process%:*}" 2>/dev/null
    done
}

# Appends the process to tree, if there is one.
add() {
    { read -r stat < "/proc/$1/stat"; } 2>/dev/null || return 0
    process=$1
    set -- ${stat##*) }
    tree="$tree $process:${20}"
}

# Sets tree to the process alone, or to those that have the variable.
find() {
    tree=
    if [ -n "$1" ]; then
        add "$1"
        return
    fi
    for file in $(grep -lsF "$2" /proc/[0-9]*/environ); do
        file=${file%/environ}
        add "${file#/proc/}"
    done
}

[ -z "$1" ] || find "$1" "$2"
first=$tree
rest "$3"
find "$1" "$2"
[ -z "$1" ] || { [ -n "$first" ] && [ "$tree" = "$first" ]; } || exit 0
look
grow
send TERM
rest "$4"
trap '' TERM # from here on: what is stopped has to be killed
halt
look
grow
send STOP
look
grow
send KILL
