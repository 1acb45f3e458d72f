# guard.sh: ends a process and its descendants at the end of a lease, unless this guard is dismissed before.
#   $1  the process; empty for those that have the variable
#   $2  the variable, as NAME=value
#   $3  when to send SIGTERM, in hundredths of a second since the machine was started
#   $4  when to send SIGKILL
# A line on the standard input dismisses it; the end of that does not: holdfast was killed.
# A process is named by id:start, its id and its start time, since ids are used again. While it waits, it starts no
# process but to sleep.
trap '' INT HUP QUIT TSTP TERM
trap 'exit 0' USR1
{ { read -r _ && kill -USR1 "$$"; } <&3 & } 3<&0
reader=$!
trap 'kill -KILL "$reader" "$!" 2>/dev/null' EXIT # they ignore others

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

# Appends the process to tree, which is of id:start, if there is one. After the program's name, in parentheses, the
# fields of stat are the 3rd and later: the start time is the 22nd.
add() {
    { read -r stat < "/proc/$1/stat"; } 2>/dev/null || return 0
    process=$1
    set -- ${stat##*) }
    tree="$tree $process:${20}"
}

# Appends the descendants of those that are in tree, parents first. Reads nothing of other processes: on a busy machine,
# to read all of them would take seconds.
grow() {
    level=$tree
    while [ -n "$level" ]; do
        next=
        for parent in $level; do
            for file in /proc/"${parent%:*}"/task/*/children; do
                children=
                { read -r children < "$file"; } 2>/dev/null
                for child in $children; do
                    known=$tree
                    case "$tree " in
                        *" $child:"*) ;;
                        *) add "$child" ;;
                    esac
                    next="$next${tree#"$known"}"
                done
            done
        done
        level=$next
    done
}

# Sends a signal to those of tree that still are what they were.
send() {
    for process in $tree; do
        { read -r stat < "/proc/${process%:*}/stat"; } 2>/dev/null || continue
        set -- "$1" ${stat##*) }
        [ "${process#*:}" != "${21}" ] || kill "-$1" "${process%:*}" 2>/dev/null
    done
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
grow
send TERM
rest "$4"

# What is stopped does nothing any more, and starts no process that would not be found. It has to be killed then.
trap '' USR1
before=
while [ "$before" != "$tree" ]; do
    before=$tree
    send STOP
    grow
done
send KILL
