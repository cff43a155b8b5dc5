// However this process ends, kill -9 included, a guardian that it started ends what its tools have left.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { processMarkPrefix } from './process-identity.ts'

const groups = new Set<number>()
let guardian: ChildProcess | undefined

/**
 * Makes sure that the guardian runs: one `/bin/sh` per process, in a session of its own, that keeps nothing of ours open
 * but its pipe and does not keep the event loop alive. One that was killed is started anew. Call it before a child is
 * started.
 */
export function ensureGuardian(): void {
  if (guardian !== undefined) return
  const child = spawn('/bin/sh', ['-c', guardianProgram], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin' },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const forget = (): void => {
    if (guardian === child) guardian = undefined
  }
  child.on('error', forget)
  child.on('exit', forget)
  // it could not be started, and has no pipe: whoever is to be guarded cannot be started either and says so
  if (child.pid === undefined) return
  guardian = child
  child.stdin.on('error', forget)
  child.unref()
  if (child.stdin instanceof Socket) child.stdin.unref() // a pipe to a child is one, but not by its type
  child.stdin.write(`${processMarkPrefix()}\n${[...groups].map((group) => `+ ${group}\n`).join('')}`)
}

/** Names a process group that is to end with us; the returned function takes it back. */
export function guardGroup(group: number): () => void {
  groups.add(group)
  announce(`+ ${group}\n`)
  return () => {
    groups.delete(group)
    announce(`- ${group}\n`)
  }
}

function announce(line: string): void {
  if (guardian?.stdin?.writable === true) guardian.stdin.write(line)
}

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
