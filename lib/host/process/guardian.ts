// Starts a guardian that ends leftover tool processes.
// It works however this process ends, kill -9 included.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { processMarkPrefix } from './process-identity.ts'

const groups = new Set<number>()
let guardian: ChildProcess | undefined

/**
 * Ensures that the guardian runs: one `/bin/sh` per process, in its own session. It holds only the pipe, and does not
 * keep the event loop alive. A killed guardian is started again. Call it before a child is started.
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
  // it could not be started and has no pipe; starting the child fails too and reports it
  if (child.pid === undefined) return
  guardian = child
  child.stdin.on('error', forget)
  child.unref()
  if (child.stdin instanceof Socket) child.stdin.unref() // a child's pipe, though its type is wider
  child.stdin.write(`${processMarkPrefix()}\n${[...groups].map((group) => `+ ${group}\n`).join('')}`)
}

/** Registers a process group to end with this process; the returned function removes it. */
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

// The guardian as a portable shell script: it waits for the end of its pipe, then kills until nothing is left.

/**
 * First line: the prefix of the marks. Then `+ <group>` and `- <group>`. When the pipe ends, the registered process
 * groups and (if there is /proc) all processes with a marked environment get SIGKILL, again and again, until three
 * checks in a row find none, at most 200 times. An empty or foreign prefix would match every environment: the guardian
 * then ends at once.
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
