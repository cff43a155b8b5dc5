// Tests programs in a pseudo terminal with real processes: input, output, the end, and that nothing is left.
import { tmpdir } from 'node:os'
import { NEVER, Subject, concat, firstValueFrom, lastValueFrom, of, take, timer, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { processesSettled } from '../../../lib/host/process/running-processes.ts'
import { loadTerminal, spawnTerminal } from '../../../lib/host/process/terminal.ts'
import type { TerminalOptions } from '../../../lib/host/process/terminal.ts'
import type { ProcessEvent } from '../../../lib/host/process/process-event.ts'
import { endAll, processesWith, uniqueSeconds } from './processes-with.ts'

let seconds: string
beforeEach(() => {
  seconds = uniqueSeconds()
})
afterEach(async () => {
  await firstValueFrom(processesSettled(), { defaultValue: undefined })
  const left = processesWith(seconds)
  endAll(seconds)
  expect(left).toEqual([])
})

const hasTerminal = await lastValueFrom(loadTerminal(), { defaultValue: undefined }).then(
  () => true,
  () => false,
)
function start(script: string, more: Partial<TerminalOptions> = {}): Observable<ProcessEvent> {
  return spawnTerminal({
    program: '/bin/sh',
    args: ['-c', script],
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'] ?? '' },
    input$: NEVER,
    ...more,
  })
}
const outputOf = (events: readonly ProcessEvent[]): string =>
  events.map((event) => (event.type === 'output' ? event.text : '')).join('')
const run = (script: string, more?: Partial<TerminalOptions>) =>
  lastValueFrom(start(script, more).pipe(toArray()), { defaultValue: [] })

it('a terminal without its package is refused with the name of the package [JOBS-pty]', async () => {
  const missing$ = loadTerminal(() => Promise.reject(new Error('Cannot find package')))
  await expect(lastValueFrom(missing$, { defaultValue: undefined })).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining('npm install @lydell/node-pty') as string,
  })
})

describe.skipIf(!hasTerminal)('a program in a terminal (package @lydell/node-pty)', () => {
  it('has a terminal of 120 × 30, and ends with its exit code [JOBS-pty]', async () => {
    const events = await run('test -t 0 && test -t 1 && stty size && echo "$TERM"; exit 3')
    expect(outputOf(events)).toBe('30 120\r\nxterm-256color\r\n')
    expect(events.at(-1)).toMatchObject({ type: 'end', exitCode: 3, signal: null, cutShort: false, survivors: [] })
  })

  it('reads what is typed, also before it has started [JOBS-pty]', async () => {
    const events = await run('read -r a; read -r b; echo "<$a,$b>"', { input$: concat(of('one\n', 'tw'), of('o\n')) })
    expect(outputOf(events)).toContain('<one,two>')
  })

  it('takes input after its end without a fault [JOBS-pty]', async () => {
    const input$ = new Subject<string>()
    const events = await run('exit 0', { input$ })
    input$.next('late\n')
    expect(events.at(-1)).toMatchObject({ exitCode: 0 })
  })

  it('is ended by ^C, as at a keyboard [JOBS-pty]', async () => {
    const events: ProcessEvent[] = []
    const input$ = new Subject<string>()
    await new Promise((resolve) => {
      start(`echo ready; exec sleep ${seconds}`, { input$ }).subscribe({
        next: (event) => {
          events.push(event)
          if (event.type === 'output' && event.text.includes('ready')) input$.next('\u0003')
        },
        complete: () => resolve(0),
      })
    })
    expect(events.at(-1)).toMatchObject({ exitCode: null, signal: 'SIGINT' })
  })

  it('ends with all that it started, in groups and sessions of their own too [JOBS-pty]', async () => {
    const script = `setsid sleep ${seconds} & nohup sleep ${seconds} >/dev/null & env -i sleep ${seconds} & sleep 0.05; echo ready; wait`
    await firstValueFrom(start(script).pipe(take(1)), { defaultValue: undefined })
    await firstValueFrom(processesSettled(), { defaultValue: undefined })
    expect(processesWith(seconds)).toEqual([])
  })

  it('is ended by its limit, SIGTERM first [JOBS-pty]', async () => {
    const script = `trap 'echo bye; exit 4' TERM; echo ready; while :; do sleep 0.02; done`
    const events = await run(script, { endWhen$: timer(150) })
    expect(outputOf(events)).toContain('bye')
    expect(events.at(-1)).toMatchObject({ cutShort: true, exitCode: 4 })
  })

  it('loses nothing of a long output [JOBS-pty]', async () => {
    const events = await run('seq 1 60000')
    expect(outputOf(events).split('\r\n')).toHaveLength(60_001)
  })

  it('fails in words in a folder that does not exist [JOBS-pty]', async () => {
    await expect(run('ls', { cwd: '/nowhere/at/all' })).rejects.toMatchObject({
      message: expect.stringContaining('/nowhere/at/all does not exist') as string,
    })
  })
})
