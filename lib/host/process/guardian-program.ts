// The guardian in portable shell: it waits for the end of its pipe, sweeps until nothing is left, and ends.

/**
 * First line: the prefix of the marks. Then `+ <group>` and `- <group>`. When the pipe ends, the announced process groups
 * and (where /proc is) all processes with a marked environment get SIGKILL, again and again, until three looks in a row
 * found none, at most 200 times. An empty or foreign prefix would match everybody's environment: it ends at once then.
 */
export const guardianProgram = `
trap '' HUP INT QUIT TERM
IFS= read -r mark || exit 0
case $mark in RXPI_CALL_????????????????????????????????_) ;; *) exit 0 ;; esac
groups=
while read -r change group; do
  others=
  for each in $groups; do [ "$each" = "$group" ] || others="$others $each"; done
  groups=$others
  [ "$change" = + ] && groups="$groups $group"
done
sweep() {
  killed=1
  others=
  for group in $groups; do
    kill -s KILL -- "-$group" 2>/dev/null && { killed=0; others="$others $group"; }
  done
  groups=$others
  for file in $(printf '%s\\n' "$mark" | grep -lF -f - /proc/[0-9]*/environ 2>/dev/null); do
    pid=\${file#/proc/}
    kill -s KILL "\${pid%/environ}" 2>/dev/null && killed=0
  done
  return $killed
}
quiet=0
sweeps=0
while [ "$quiet" -lt 3 ] && [ "$sweeps" -lt 200 ]; do
  if sweep; then quiet=0; else quiet=$((quiet + 1)); sleep 0.1; fi
  sweeps=$((sweeps + 1))
done
`
