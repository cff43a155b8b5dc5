// Starts a guardian that ends leftover tool processes, and this process if its main thread is stuck.
// It works however this process ends, kill -9 included, and removes temporary folders that stayed.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { ownIdentity, processMarkPrefix } from './process-identity.ts'

const groups = new Set<number>()
const folders = new Set<string>()
const watches = new Map<WatchName, Watch>()
let guardian: ChildProcess | undefined
let reports = false

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
    stdio: ['pipe', 'ignore', 'ignore', reports ? 2 : 'ignore'],
  })
  const forget = (): void => {
    if (guardian === child) guardian = undefined
  }
  child.on('error', forget)
  child.on('exit', forget)
  // it could not be started and has no pipe; starting the child fails too and reports it
  const { pid, stdin } = child
  if (pid === undefined || stdin === null) return
  guardian = child
  stdin.on('error', forget)
  child.unref()
  if (stdin instanceof Socket) stdin.unref() // a child's pipe, though its type is wider
  const guarded = [...groups].map((group) => `+ ${group}\n`)
  const temporary = [...folders].map((folder) => `keep\n${folder}\n`)
  const watched = [...watches].map(([name, watch]) => watchLine(name, watch))
  stdin.write([`${processMarkPrefix()}\n`, ...guarded, ...temporary, ...watched].join(''))
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

/**
 * Registers a temporary folder that the guardian removes, with all in it, when this process has ended without doing so;
 * call the returned function when the folder is removed. Does not start the guardian: before the first command the
 * folder is empty.
 * @param folder absolute, named as `mkdtemp` names `rxpi-<purpose>-`; any other is left alone
 */
export function guardFolder(folder: string): () => void {
  if (!/^\/.+\/rxpi-[a-z]+-[^/]{6}$/.test(folder) || folder.includes('\n')) return () => undefined
  folders.add(folder)
  announce(`keep\n${folder}\n`)
  return () => {
    if (folders.delete(folder)) announce(`drop\n${folder}\n`)
  }
}

/** `busy`: from now on. `late`: from the end of a time-out on. */
export type WatchName = 'busy' | 'late'

export interface Watch {
  /** The value of `performance.now()` from which on CPU time counts. */
  readonly from: number
  /** CPU time after which the process is ended. */
  readonly cpuMs: number
  /** Milliseconds between checks. */
  readonly checkMs: number
  /** The line on stderr if the process is ended. */
  readonly message: string
}

/** Gives guardians that start from now on this process's stderr, for the message of a watch. */
export function letGuardianReport(): void {
  reports = true
}

/**
 * Ends this process with SIGKILL when its main thread has used the CPU time of the watch, counted anew by each call.
 * Starts the guardian if necessary. Linux only.
 */
export function setWatch(name: WatchName, watch: Watch): void {
  watches.set(name, watch)
  if (guardian === undefined) ensureGuardian()
  else announce(watchLine(name, watch))
}

/** Hundredths of a second are the unit of CPU time in /proc. */
function watchLine(name: WatchName, { from, cpuMs, checkMs, message }: Watch): string {
  const { pid, startTime } = ownIdentity()
  const afterMs = Math.max(0, from - performance.now())
  const fields = [name, (afterMs / 1_000).toFixed(2), Math.ceil(cpuMs / 10), checkMs / 1_000, pid, startTime, message]
  return `${fields.join(' ')}\n`
}

/** Ends the watch of this name, if there is one. */
export function endWatch(name: WatchName): void {
  if (watches.delete(name)) announce(`${name}\n`)
}

function announce(line: string): void {
  if (guardian?.stdin?.writable === true) guardian.stdin.write(line)
}

// The guardian as a portable shell script: it waits for the end of its pipe, then kills until nothing is left.

/**
 * First line: the prefix of the marks. Then `+ <group>` and `- <group>`, `busy` or `late` with a watch or alone, and
 * `keep` or `drop` with a folder on the next line.
 * When the pipe ends, the registered process groups and (if there is /proc) all processes with a marked environment get
 * SIGKILL, again and again, until three checks in a row find none, at most 200 times. Then the registered folders are
 * removed. An empty or foreign prefix would match every environment: the guardian then ends at once.
 *
 * A watch is a background process that reads the CPU time of the main thread. It ends with the guardian, and it stops
 * if pid and start time are no longer those of the watched process. Descriptor 3 is the stderr of that process; the
 * guardian closes it first when the pipe ends, because a reader may wait for its end.
 */
export const guardianProgram = `
trap '' HUP INT QUIT TERM
IFS= read -r mark || exit 0
case $mark in RXPI_CALL_????????????????????????????????_) ;; *) exit 0 ;; esac
set -f
groups=
folders=
line='
'
busy=
late=
forget() {
  others=
  IFS=$line
  for each in $folders; do [ "$each" = "$1" ] || others="$others$each$line"; done
  unset IFS
  folders=$others
}
rest() {
  sleep "$1" 3>&- &
  nap=$!
  wait "$nap"
}
used() {
  read -r stat <"/proc/$1/task/$1/stat" || return 1
  shift
  started=$1
  set -- \${stat##*) }
  [ "\${20}" = "$started" ] || return 1
  cpu=$((\${12} + \${13}))
}
watch() {
  nap=
  trap '[ -z "$nap" ] || { kill -s KILL "$nap"; wait "$nap"; }; exit 0' USR1
  [ "$1" = 0.00 ] || rest "$1" || exit 0
  used "$4" "$5" || exit 0
  limit=$((cpu + $2))
  while [ "$cpu" -lt "$limit" ]; do
    rest "$3" || exit 0
    kill -0 $$ || exit 0
    used "$4" "$5" || exit 0
  done
  trap '' USR1
  kill -s KILL "$4"
  exit 7
}
end() {
  [ -n "$1" ] || return 0
  kill -s USR1 "$1"
  wait "$1"
}
while read -r change group limit every pid started message; do
  case $change in
  busy)
    end "$busy"
    busy=
    busy_message=$message
    if [ -n "$group" ]; then watch "$group" "$limit" "$every" "$pid" "$started" & busy=$!; fi
    ;;
  late)
    end "$late"
    late=
    late_message=$message
    if [ -n "$group" ]; then watch "$group" "$limit" "$every" "$pid" "$started" & late=$!; fi
    ;;
  keep)
    IFS= read -r folder && folders="$folders$folder$line"
    ;;
  drop)
    IFS= read -r folder && forget "$folder"
    ;;
  *)
    others=
    for each in $groups; do [ "$each" = "$group" ] || others="$others $each"; done
    groups=$others
    [ "$change" = + ] && groups="$groups $group"
    ;;
  esac
done
report() {
  end "$1"
  [ $? -ne 7 ] || printf '%s\\n' "$2" >&3 &
}
report "$busy" "$busy_message"
report "$late" "$late_message"
exec 3>&-
set +f
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
set -f
IFS=$line
for folder in $folders; do
  case $folder in
  /*/rxpi-*-??????) rm -rf -- "$folder" || { chmod -R u+rwx -- "$folder"; rm -rf -- "$folder"; } ;;
  esac
done
`
