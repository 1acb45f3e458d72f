#!/usr/bin/env bash
# Draws docs/top.svg: starts examples/service, the shop, and some jobs on its Redis; opens holdfast top beside them in tmux; and draws
# its screen while instances of the shop are in line. Needs tmux, python3, and the command line, as the build has packaged it.
#
#   mvn -B package -pl cli -am -DskipTests
#   cli/picture/picture.sh > docs/top.svg
#
# SHOP is the command that starts the shop, if it is to be another one.
set -euo pipefail
cd "$(dirname "$0")/../.."

PATH="$(echo "$PWD"/cli/target/holdfast-cli-*/holdfast):$PATH"
tmux() { command tmux -L picture -f /dev/null "$@"; }
screen() { tmux capture-pane -p; }

work=$(mktemp -d)
sh -c "${SHOP:-mvn -q -pl examples/service -am compile exec:exec}" > "$work/shop.log" 2>&1 &
shop=$!
jobs=()
end() {
  tmux kill-server || true
  kill "$shop" "${jobs[@]}" 2>/dev/null || true
  rm -rf "$work"
} 2>/dev/null
trap end EXIT

until grep -q "All are ready" "$work/shop.log"; do
  kill -0 "$shop" || { cat "$work/shop.log" >&2; exit 1; }
  sleep 0.2
done
# The instances have the address on their command lines.
HOLDFAST_REDIS_URI=$(ps -eo args | grep -o 'holdfast.redis-uri=redis://[^ ]*' | head -1 | cut -d= -f2-)
export HOLDFAST_REDIS_URI

job() { holdfast run --label "$@" -- sleep 100 & jobs+=($!); }
{
  job cron-1 --token nightly-report
  job cron-2 nightly-report
  job worker-1 --permits 4 --take 2 partner-api
  job worker-2 --permits 4 partner-api
  job report-1 --shared prices
  job report-2 --shared prices
  job import --write prices
  holdfast latch set import:42 3
} > "$work/jobs.log" 2>&1

tmux new-session -d -x 108 -y 11 "holdfast top --order line"
until screen | grep -q "read-write .*report.* 1 " && screen | grep -q "item:sneakers .* 2 "; do sleep 0.1; done
tmux capture-pane -e -p | python3 cli/picture/draw.py "holdfast top, while the shop sells"
