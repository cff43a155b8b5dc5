// Runs a command inside the sandbox and watches the paths that no mount can protect.
import { lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { concatMap, defer, EMPTY, finalize, from, of, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import { realTarget } from '../files/resolve-path.ts'
import type { ProcessEvent } from '../process/process-event.ts'
import { spawnProcess } from '../process/spawn-process.ts'
import { spawnTerminal } from '../process/terminal.ts'
import type { SpawnOptions } from '../process/spawn-process.ts'
import { holdPlaceholders, restoreGuarded } from './guarded-paths.ts'
import type { RestoredPaths } from './guarded-paths.ts'
import { sandboxCommand } from './sandbox-command.ts'
import type { WrappedCommand } from './sandbox-command.ts'
import type { SandboxProfile, SandboxProgram } from './sandbox-profile.ts'

export interface InsideOptions extends Omit<SpawnOptions, 'inputs' | 'isSupervisor'> {
  /** Runs it in a terminal that takes this input. Default: standard input is empty. */
  readonly input$?: Observable<string>
}

/** `fence` comes at most once, before `end`: entries that the command created at forbidden paths. */
export type SandboxedEvent = ProcessEvent | ({ readonly type: 'fence' } & RestoredPaths)

/** Milliseconds between looks at guarded paths while a command runs. */
const guardEveryMs = 1_000

/**
 * As `spawnProcess`, inside. Looks at guarded paths every second and at the end; an intruder is moved aside at once.
 * Unsubscribing ends the processes and looks once more.
 */
export function spawnInside(
  profile: SandboxProfile,
  options: InsideOptions,
  program: SandboxProgram,
): Observable<SandboxedEvent> {
  const attempt$ = (left: number): Observable<SandboxedEvent> =>
    spawnOnce(profile, options, program).pipe(repeatIfNotStarted(left > 0 ? () => attempt$(left - 1) : undefined))
  return attempt$(maxRepeats)
}

/** A socket or a folder of the plan may vanish before bubblewrap mounts it; a new plan is without it. */
const maxRepeats = 3
const notStarted = "bwrap: Can't "

/** True if the text is the message of a bubblewrap that could not mount, or may become it: it arrives in pieces. */
function mayBeMessage(text: string): boolean {
  return text.startsWith(notStarted) || notStarted.startsWith(text)
}

/**
 * Holds the message of bubblewrap until its end shows that the command never ran; then subscribes `again$` instead.
 * Passes everything on as soon as it is another text, at the latest after 4,096 units.
 */
export function repeatIfNotStarted(
  again: (() => Observable<SandboxedEvent>) | undefined,
): (events$: Observable<SandboxedEvent>) => Observable<SandboxedEvent> {
  if (again === undefined) return (events$) => events$
  return (events$) =>
    defer(() => {
      let held: readonly SandboxedEvent[] | undefined = []
      let text = ''
      return events$.pipe(
        concatMap((event): Observable<SandboxedEvent> => {
          if (held === undefined) return of(event)
          if (event.type === 'output' && event.stream === 'stderr' && text.length < longestMessage) {
            text += event.text
            held = [...held, event]
            if (mayBeMessage(text)) return EMPTY
            return release()
          }
          if (event.type === 'end' && event.exitCode === 1 && text.startsWith(notStarted)) return again()
          held = [...held, event]
          return release()
        }),
      )

      function release(): Observable<SandboxedEvent> {
        const events = held ?? []
        held = undefined
        return from(events)
      }
    })
}

const longestMessage = 4_096

function spawnOnce(
  profile: SandboxProfile,
  options: InsideOptions,
  program: SandboxProgram,
): Observable<SandboxedEvent> {
  return defer((): Observable<SandboxedEvent> => {
    const { program: command, args, cwd, env, input$ } = options
    const hasTerminal = input$ !== undefined
    const wrapped = sandboxCommand(profile, { command, args, cwd, env, hasTerminal }, program)
    prepareTemp(profile)
    const release = holdPlaceholders(wrapped.placeholders)
    const moved: string[] = []
    const restore = (): RestoredPaths => {
      const found = restoreGuarded(wrapped.guarded, wrapped.placeholders)
      moved.push(...found.moved)
      return { moved, appeared: found.appeared }
    }
    const watch = timer(guardEveryMs, guardEveryMs).subscribe(restore)
    return startWrapped(wrapped, options).pipe(
      concatMap((event): readonly SandboxedEvent[] => {
        if (event.type !== 'end') return [event]
        const found = restore()
        return found.moved.length + found.appeared.length === 0 ? [event] : [{ type: 'fence', ...found }, event]
      }),
      finalize(() => {
        watch.unsubscribe()
        restore()
        release()
      }),
    )
  })
}

function startWrapped(wrapped: WrappedCommand, { endWhen$, input$ }: InsideOptions): Observable<ProcessEvent> {
  const { command: program, args, cwd, env, inputs } = wrapped
  const start = { program, args, cwd, env, isSupervisor: true, ...(endWhen$ !== undefined && { endWhen$ }) }
  if (input$ === undefined) return spawnProcess({ ...start, inputs })
  const [filter] = inputs
  return filter === undefined ? spawnTerminal({ ...start, input$ }) : withFilterFile(filter, start, input$)
}

/** A terminal passes on no descriptor: a shell opens the filter from a file that no sandbox can write. */
function withFilterFile(
  filter: Uint8Array,
  { program, args, ...start }: SpawnOptions,
  input$: Observable<string>,
): Observable<ProcessEvent> {
  return defer(() => {
    const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-filter-'))
    const file = path.join(folder, 'filter')
    writeFileSync(file, filter, { mode: 0o600 })
    const opened = ['-c', 'exec 3<"$0" && exec "$@"', file, program, ...args]
    return spawnTerminal({ ...start, program: '/bin/sh', args: opened, input$ }).pipe(
      finalize(() => {
        rmSync(folder, { recursive: true, force: true })
      }),
    )
  })
}

/** Mount points below `/tmp` lie in the temporary folder: an earlier command may have left links or files there. */
function prepareTemp({ temp, workspace, readable = [], writable = [] }: SandboxProfile): void {
  restoreTemp(temp)
  for (const folder of [workspace, ...readable, ...writable]) {
    const inside = path.relative('/tmp', folder)
    if (inside === '' || inside.startsWith('..')) continue
    let current = temp
    for (const name of inside.split(path.sep)) {
      current = path.join(current, name)
      try {
        mkdirSync(current)
      } catch {
        if (realTarget(current) === current) continue // a folder of an earlier command
        rmSync(current, { force: true })
        mkdirSync(current)
      }
    }
  }
}

/** A program that cleans /tmp may have removed it; in its place nothing of another user is taken. */
function restoreTemp(temp: string): void {
  const status = lstatSync(temp, { throwIfNoEntry: false })
  if (status === undefined) mkdirSync(temp, { mode: 0o700 })
  else if (!status.isDirectory() || status.uid !== (process.geteuid?.() ?? status.uid))
    throw new Failure('storage', `The sandbox cannot use its temporary folder ${temp}: another program replaced it`)
}
