#!/usr/bin/env bash
# Checks the models of the lock's protocol with spin: models without a defect must hold, each defect must be found, and each
# SHOW_ state must be reached. A defect is found by a violated assertion, by a cycle without progress, or by a deadlock. Prints one line for each run; exits with 1 if a run has another result than expected.
#
#   verification/model/check.sh             all runs
#   verification/model/check.sh NO_TENURE   the runs whose flags or model contain this, with the trace of each failure
#
# Needs spin and gcc (apt-get install spin gcc). No run takes more than 3 GB.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
only=${1:-}
failed=0

for tool in spin gcc; do
  command -v "$tool" >/dev/null || { echo "$tool is missing: apt-get install $tool"; exit 2; }
done

# story MODEL FLAGS: prints the steps that lead to the failure.
story() {
  spin -t -T $2 "$1.pml" 2>/dev/null | sed -n '/^ltl /d; /^spin: trail/q; /^spin: text/d; /^#processes/q; s/^/    /p'
}

# run WANTED MODEL FLAGS: runs one model; WANTED is holds (no error), found (a defect), stuck (a deadlock) or met (a SHOW_ state).
run() {
  local wanted=$1 model=$2 flags=$3 pan="-DSAFETY -DBFS" search="" result verdict=ok
  [[ "$model $flags" == *"$only"* ]] || return 0
  if [[ $flags == *LIVENESS* ]]; then
    pan="-DNFAIR=4" search="-a -f"
  fi

  rm -rf "$work"/* && cp "$here"/*.pml "$work" && cd "$work"
  spin -a $flags "$model.pml" >spin.txt
  gcc -O2 -w -DCOLLAPSE -DMEMLIM=3000 -DNOREDUCE $pan -o pan pan.c
  local start=$EPOCHREALTIME
  ./pan -m1000000 -w22 $search >pan.txt
  local took=$((${EPOCHREALTIME/./} - ${start/./}))

  result=unclear
  if grep -q '^pan:1: \(assertion violated\|acceptance cycle\)' pan.txt; then
    result=fails
  elif grep -q '^pan:1: invalid end state' pan.txt; then
    result=stuck
  elif grep -q 'errors: 0$' pan.txt && ! grep -q 'not completed\|too small\|out of memory' pan.txt; then
    result=holds
  fi
  case $wanted in
    found | met) [[ $result == fails ]] || verdict=WRONG ;;
    *) [[ $result == "$wanted" ]] || verdict=WRONG ;;
  esac
  [[ $verdict == ok ]] || failed=1
  printf '%-5s  %-9s  %-57s %-5s %9s states %4d.%d s\n' "$verdict" "$model" "${flags:--}" "$wanted" \
    "$(sed -n 's/^ *\([0-9e+.]*\) states, stored.*/\1/p' pan.txt)" $((took / 1000000)) $((took / 100000 % 10))
  if [[ -n $only && ($result == fails || $result == stuck) ]]; then
    story "$model" "$flags"
  fi
}

run holds waiting "-DCUTS=2"
run holds waiting "-DCUTS=2 -DLIVENESS"
run found waiting "-DNOTIFY_FIRST"
run found waiting "-DNOTIFY_FIRST -DLIVENESS"
run found waiting "-DNO_TRY_AFTER_SUBSCRIBE"
run found waiting "-DNO_TRY_AFTER_SUBSCRIBE -DLIVENESS"
run found waiting "-DDRAIN_LATE"
run found waiting "-DNO_WAKE_FOR_NEXT"
run found waiting "-DWAKE_UP_DROPPED"
run found waiting "-DSILENT_SETTLE"
run met   waiting "-DSHOW_MESSAGE_DURING_TRY"
run met   waiting "-DSHOW_DEAF"
run met   waiting "-DSHOW_HANDED_ON"

run holds holds "-DCUTS=2"
run holds holds "-DSHORTER -DCUTS=2"
run holds holds "-DFAST_SERVER"
run holds holds "-DNO_KILL -DMAY_ORPHAN"
run holds holds "-DFENCED -DRENEWALS=0"
run holds holds "-DFENCED -DFORGETFUL -DRENEWALS=0"
run found holds "-DKEEP_LEASE -DSHORTER"
run found holds "-DINCREMENT"
run found holds "-DNO_KILL -DMAY_ORPHAN -DNO_TENURE"
run found holds "-DRELEASE_OF_ANYBODY"
run found holds "-DAGE_FROM_REPLY"
run found holds "-DNO_ALLOWANCE -DFAST_SERVER"
run found holds "-DNO_SETTLE"
run found holds "-DNEWEST_ONLY -DCUTS=2"
run found holds "-DNO_KILL"
run found holds "-DFENCED -DTOKEN_PER_COMMAND"
run found holds "-DFENCED -DFORGETFUL -DCOUNTER_ONLY"
run met   holds "-DSHOW_ADOPTION"
run met   holds "-DSHOW_LATE_RELEASE -DNO_KILL -DMAY_ORPHAN"
run met   holds "-DSHOW_SUCCESSOR"

run holds handoff "-DCUTS=2"
run found handoff "-DNO_MINIMUM"
run found handoff "-DNO_REPAIR"
run found handoff "-DBARGE_IN"
run found handoff "-DNO_COMMIT_BEFORE"
run found handoff "-DFROM_CONFIRMED"
run met   handoff "-DSHOW_CHAIN_OF_TWO"
run met   handoff "-DSHOW_GROUP"
run met   handoff "-DSHOW_REPAIRED"
run met   handoff "-DSHOW_LOST_IN_CHAIN"

run holds grants ""
run found grants "-DMATCH_OWNER"
run found grants "-DFROM_ARRIVAL"
run found grants "-DEARLY_DROPPED"
run found grants "-DNO_ADOPTION"
run found grants "-DNO_WITHDRAWAL -DNOT_DECLINED"
run met   grants "-DSHOW_GRANT"
run met   grants "-DSHOW_DECLINE"
run met   grants "-DSHOW_WATCH"

run holds phases "-DJOINS=1"
run holds phases "-DREADERS=1 -DROUNDS=2"
run holds phases "-DREADERS=1 -DJOINS=3 -DMOST=4"
run holds phases "-DREADERS=1 -DFAULTS=2"
run holds phases "-DREADERS=1 -DWRITERS=2 -DMOST=2"
run found phases "-DREADER_PASSES -DMOST=2 -DJOINS=1"
run found phases "-DREADERS_FIRST -DMOST=2 -DJOINS=1"
run found phases "-DWRITERS_FIRST -DREADERS=1 -DWRITERS=2 -DMOST=2"
run found phases "-DNOT_LAST -DMOST=2 -DJOINS=1"
run found phases "-DKEY_ENDS_FIRST -DMOST=2 -DJOINS=1"
run found phases "-DREADERS_STAY -DMOST=2 -DJOINS=1"
run found phases "-DNO_CLOSING -DREADERS=1 -DWRITERS=2 -DMOST=2"
run found phases "-DNO_ASK -DREADERS=1"
run found phases "-DEARLY_CLOSING_DROPPED -DREADERS=1 -DWRITERS=2 -DMOST=2"
run found phases "-DGRANT_LEAVES_OPEN -DREADERS=1 -DWRITERS=2 -DMOST=2"
run found phases "-DJOIN_RELEASED -DREADERS=1"
run found phases "-DONE_REMAINS -DREADERS=1"
run found phases "-DSAME_TENURE -DREADERS=1"
run found phases "-DNO_ADOPTION -DREADERS=1"
run found phases "-DEARLY_DROPPED -DREADERS=1"
run found phases "-DFROM_ARRIVAL -DREADERS=1"
run found phases "-DDOWNGRADE_FREES -DREADERS=1 -DWRITERS=2 -DMOST=2"
run found phases "-DDOWNGRADE_ALONE -DREADERS=1"
run met   phases "-DSHOW_JOIN -DREADERS=1"
run met   phases "-DSHOW_READ_GRANT -DREADERS=1"
run met   phases "-DSHOW_WRITE_GRANT -DREADERS=1"
run met   phases "-DSHOW_DECLINE -DREADERS=1"
run met   phases "-DSHOW_DOWNGRADE -DREADERS=1"

run holds conditions ""
run holds conditions "-DWAITS=2"
run holds conditions "-DSTALE_IGNORED"
run found conditions "-DPART_BEHIND"
run found conditions "-DDEAD_FORGOTTEN"
run found conditions "-DUNREGISTERED_AT_ONCE"
run found conditions "-DTIME_WINS"
run found conditions "-DDOUBT_IGNORED"
run found conditions "-DNOT_ASKED"
run found conditions "-DLOSS_IGNORED"
run found conditions "-DNO_TICKET -DWAITS=2"
run found conditions "-DRETURNS_AT_ONCE"
run found conditions "-DROUSED_ONCE -DFAULTS=2"
run found conditions "-DENTRY_REMAINS"
run found conditions "-DENTRY_REMAINS -DSTALE_IGNORED"
run met   conditions "-DSHOW_FOUND"
run met   conditions "-DSHOW_TAKEN"
run met   conditions "-DSHOW_SIGNAL_WINS"
run met   conditions "-DSHOW_STALE"

run holds failover ""
run holds failover "-DTENURES=3 -DRENEWALS=0"
run holds failover "-DTENURES_OF_OTHER=2 -DRENEWALS=0"
run holds failover "-DSTOPS"
run holds failover "-DREPLICATED=2 -DRENEWALS=0"
run holds failover "-DREPLICATED=2 -DTENURES=1"
run holds failover "-DREPLICATED=2 -DAWAY"
run found failover "-DNO_VERIFY"
run found failover "-DNO_SETTLE"
run found failover "-DNO_REPAIR"
run found failover "-DNO_REPEAT"
run found failover "-DBELIEVE_FORMER"
run found failover "-DTAKEN_AGAIN"
run found failover "-DVERIFY_ONLY"
run found failover "-DSTOPS -DNO_SILENCE"
run found failover "-DREPLICATED=1"
run found failover "-DREPLICATED=2 -DWAIT_ELSEWHERE"
run found failover "-DREPLICATED=2 -DRENEW_AT_ONCE"
run met   failover "-DSHOW_OVERLAP"
run met   failover "-DSHOW_KEPT"
run met   failover "-DSTOPS -DSHOW_ASKED"
run met   failover "-DREPLICATED=2 -DSHOW_GIVEN_BACK"
run met   failover "-DREPLICATED=2 -DSHOW_SURVIVOR"

run holds multilock ""
run holds multilock "-DNO_LIMIT"
run holds multilock "-DLIVENESS -DPATIENT=0"
run holds multilock "-DLIVENESS -DPATIENT=1"
run holds multilock "-DLIVENESS -DPATIENT=2"
run holds multilock "-DLIVENESS -DCOMMON"
run stuck multilock "-DUNSORTED -DNO_LIMIT"
run stuck multilock "-DBEHIND_KEPT -DNO_LIMIT"
run found multilock "-DLATE_KEPT"
run found multilock "-DLIVENESS -DCOMMON -DNOT_IN_TURN"
run found multilock "-DLIVENESS -DFROM_THE_START"
run met   multilock "-DSHOW_ALL_WAIT"

exit $failed
