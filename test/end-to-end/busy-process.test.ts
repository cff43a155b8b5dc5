// Tests that a process of rxpi with a stuck main thread ends: after its `--timeout`, and at all, so that SIGTERM is not in vain.
import { afterEach, describe, expect, it } from 'vitest'
import { endAll, processesWith, statusOf, uniqueSeconds, until } from '../host/process/processes-with.ts'
import { workplace } from '../support/command.ts'
import type { Running, Workplace } from '../support/command.ts'

const seconds = uniqueSeconds()
afterEach(() => endAll(seconds))

const callsBash = { toolCalls: [{ name: 'bash', arguments: { command: `echo started; sleep ${seconds}` } }] }

/** A busy machine gives the process little CPU time, and may start the command only after the time-out. */
const unhurried = { timeout: 60_000, retry: 2 }

/** A module that blocks the main thread as soon as a file exists: rxpi itself has no such step. */
function blocker(place: Workplace): { readonly module: string; block(): void } {
  const [file, module] = [`${place.folder}/block`, place.write('blocker.mjs', '')]
  const check = `if (existsSync(${JSON.stringify(file)})) for (;;);`
  place.write('blocker.mjs', `import { existsSync } from 'node:fs'\nsetInterval(() => { ${check} }, 20).unref()\n`)
  return { module, block: () => void place.write('block', '') }
}

/** Starts a run whose command has begun. */
async function startRun(place: Workplace, module: string, ...options: string[]): Promise<Running> {
  const model = place.scripted([callsBash, { text: 'never' }])
  const run = place.start(['-p', 'x', '--model', model, ...options], { env: { NODE_OPTIONS: `--import=${module}` } })
  await until(() => processesWith(seconds).length > 0 || run.child.exitCode !== null, 15_000)
  return run
}

it('ends `rxpi -p` and its commands soon after its --timeout, and the session goes on [S27e]', unhurried, async () => {
  using place = workplace()
  const { module, block } = blocker(place)
  const run = await startRun(place, module, '--timeout', '2')
  block()
  const { code, signal, stderr } = await run.ended
  expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' })
  expect(stderr).toContain(`rxpi: process ${run.child.pid} was ended: it computed on after its time-out\n`)
  await until(() => processesWith(seconds).length === 0, 1_000)
  const next = await place.run(['-c', '-p', 'x', '--model', place.scripted([{ text: 'done' }])])
  expect(next).toMatchObject({ code: 0, stdout: 'done\n' })
})

/** Whether the guardian of a process has a watch: a second shell. */
function isWatched({ child }: Running): boolean {
  const guardians = processesWith('RXPI_CALL_')
  return guardians.some(
    (pid) =>
      guardians.includes(statusOf(pid)?.parent ?? 0) && statusOf(statusOf(pid)?.parent ?? 0)?.parent === child.pid,
  )
}

it('watches serve, rpc and -p from their second second on [S27d]', unhurried, async () => {
  using place = workplace()
  const { module } = blocker(place)
  const processes = [place.start(['serve']), place.start(['rpc'], { stdin: null }), await startRun(place, module)]
  await until(() => processes.every(isWatched))
  for (const { child } of processes) child.kill('SIGTERM')
  expect(await Promise.all(processes.map(async ({ ended }) => (await ended).code))).toEqual([0, 143, 143])
})

describe.runIf(process.env['RXPI_FULL'])('a busy process', () => {
  it('of -p that got SIGTERM ends [S27d]', unhurried, async () => {
    using place = workplace()
    const { module, block } = blocker(place)
    const run = await startRun(place, module)
    await until(() => isWatched(run))
    block()
    run.child.kill('SIGTERM')
    const { signal, stderr } = await run.ended
    expect(signal).toBe('SIGKILL')
    expect(stderr).toContain('it computed for 10 s and answered nothing')
  })
})
