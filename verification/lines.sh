#!/bin/sh
# Counts lines of code: Java and Lua under src/main and src/test, without comments and blank lines, for each module, for the
# modules that are published ("library"), and for all.
#
#   verification/lines.sh                   the working tree, with what is not committed yet
#   verification/lines.sh REVISION          that revision
#   verification/lines.sh BEFORE..AFTER     both, and the difference; an empty AFTER is the working tree
#
# Needs git and what every POSIX system has.
set -eu

usage() {
    echo "usage: verification/lines.sh [REVISION | BEFORE..[AFTER]]" >&2
    exit 2
}

# Reads names of files and prints "<module> <main|test> <lines of code>" for each part of each module.
count() {
    grep -E '(^|/)src/(main|test)/.*\.(java|lua)$' | tr '\n' '\0' | xargs -0 awk '
        # The rest of a line after the comment or the string in which it begins; sets open if that does not end in it.
        function skip(line, end) {
            open = end
            while (match(line, end == "*/" ? "[*]/" : end == "\"\"\"" ? "\"\"\"|\\\\." : "[\"\047]|\\\\.")) {
                token = substr(line, RSTART, RLENGTH)
                line = substr(line, RSTART + RLENGTH)
                if (token == end) {
                    open = ""
                    return line
                }
            }
            return ""
        }
        function is_code(line,    code) {
            if (open != "") {
                code = open != "*/" && line ~ /[^ \t\r]/
                line = skip(line, open)
            }
            while (open == "" && match(line, start)) {
                token = substr(line, RSTART, RLENGTH)
                code = code || substr(line, 1, RSTART - 1) ~ /[^ \t\r]/ || token ~ /["\047]/
                line = substr(line, RSTART + RLENGTH)
                if (token == "//" || token == "--") {
                    return code
                }
                line = skip(line, token == "/*" ? "*/" : token)
            }
            return code || line ~ /[^ \t\r]/
        }
        FNR == 1 {
            open = ""
            start = FILENAME ~ /\.lua$/ ? "--|[\"\047]" : "//|/[*]|\"\"\"|[\"\047]"
            module = FILENAME
            sub(/\/?src\/(main|test)\/.*/, "", module)
            part = FILENAME ~ /(^|\/)src\/main\// ? "main" : "test"
        }
        is_code($0) { lines[module " " part]++ }
        END { for (key in lines) print key, lines[key] }'
}

# Prints the counts of a revision, or of the working tree if it is empty.
measure() {
    if [ -z "$1" ]; then
        git ls-files --cached --others --exclude-standard --deduplicate >"$scratch/names"
        git ls-files --deleted | cat "$scratch/names" - | sort | uniq -u | count
    else
        mkdir "$scratch/tree"
        git archive "$1" | tar -x -C "$scratch/tree"
        (cd "$scratch/tree" && find . -type f | sed 's|^\./||' | count)
        rm -r "$scratch/tree"
    fi
}

[ $# -le 1 ] || usage
case ${1-} in
-* | ..*) usage ;;
*..*) before=${1%%..*} after=${1#*..} ;;
*) before='' after=${1-} ;;
esac
cd "$(git -C "$(dirname "$0")" rev-parse --show-toplevel)"
for revision in $before $after; do
    git rev-parse --quiet --verify "$revision^{commit}" >/dev/null || { echo "no such revision: $revision" >&2; exit 2; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

{
    [ -z "$before" ] || measure "$before" | sed 's/^/before /'
    measure "$after" | sed 's/^/after /'
} | sort -k 2,2 | awk -v compared="$before" '
    function row(module,    i, was, is) {
        printf "%-35s", module
        for (i = 1; i <= 2; i++) {
            was = lines[module, parts[i], "before"]
            is = lines[module, parts[i], "after"]
            if (compared == "") {
                printf "%10d", is
            } else {
                printf "%10d%8d%+7d", was, is, is - was
            }
        }
        print ""
    }
    BEGIN {
        parts[1] = "main"
        parts[2] = "test"
        printf compared == "" ? "%45s%10s\n" : "%45s%25s\n", "main", "test"
    }
    $2 != last { modules[++known] = last = $2 }
    {
        lines[$2, $3, $1] += $4
        lines["all", $3, $1] += $4
        if ($2 !~ /^(benchmarks|examples|verification)(\/|$)/) {
            lines["library", $3, $1] += $4
        }
    }
    END {
        for (i = 1; i <= known; i++) {
            row(modules[i])
        }
        row("library")
        row("all")
    }'
