#!/usr/bin/env bash
# Sends one prompt to a running server and prints the answer, with socat and jq:
#   rxpi serve &  examples/prompt.sh "What is in this folder?"
set -euo pipefail
socket=${RXPI_SOCKET:-${XDG_RUNTIME_DIR:+$XDG_RUNTIME_DIR/rxpi/rxpi.sock}}
coproc SERVER { socat - "UNIX-CONNECT:${socket:-/tmp/rxpi-$UID/rxpi.sock}"; }
exec {in}<&"${SERVER[0]}" {out}>&"${SERVER[1]}"

# ask TYPE FIELDS [jq options]: sends a request; the fields are a jq expression
ask() { jq -nc "${@:3}" "{id: \"$1\", type: \"$1\"} + $2" >&"$out"; }
ask new_session '{cwd: $cwd, env: {PATH: env.PATH, HOME: env.HOME}}' --arg cwd "$PWD"
while read -r line <&"$in"; do
  session=$(jq -r 'select(.type == "response") | .result.session // error(.error.message)' <<<"$line")
  [ -z "$session" ] || break
done
ask attach '{session: $session}' --arg session "$session"
ask prompt '{session: $session, text: $text}' --arg session "$session" --arg text "${1:-What is in this folder?}"
jq -nrj --unbuffered '
  label $done | foreach inputs as $frame ({};
    if $frame.event.delta.type == "text_start" then .["\($frame.event.entryId) \($frame.event.delta.contentIndex)"] = true else . end;
    if $frame.ok == false then $frame.error.message | error
    elif $frame.type == "delta" and .["\($frame.entryId) \($frame.block)"] then $frame.text
    elif $frame.event.type == "agent_settled" then "\n", break $done
    else empty end)' <&"$in"
kill "$SERVER_PID"
