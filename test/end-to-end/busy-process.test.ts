// Tests that a process of rxpi with a stuck main thread ends: after its `--timeout`, and at all, so that SIGTERM is not in vain.
import { afterEach, describe, expect, it } from 'vitest'
import { endAll, processesWith, statusOf, uniqueSeconds, until } from '../host/process/processes-with.ts'
import { workplace } from '../support/command.ts'
import type { Running, Workplace } from '../support/command.ts'

const seconds = uniqueSeconds()
afterEach(() => endAll(seconds))

const callsBash = { toolCalls: [{ name: 'bash', arguments: { command: `echo started; sleep ${seconds}` } }] }

const isFull = process.env['RXPI_FULL'] !== undefined

/**
 * A module that blocks the main thread as soon as a file exists: rxpi itself has no such step. With `soonAfterCpu`, the
 * guardian begins to count for the time-out at once and allows these hundredths of a second: CPU time, unlike a short
 * `--timeout`, does not depend on how busy the machine is.
 */
function blocker(workspace: Workplace, soonAfterCpu = 0): { readonly module: string; block(): void } {
  const file = `${workspace.folder}/block`
  const late = `String(chunk).replaceAll(/^late \\S+ \\d+ \\S+/gm, 'late 0.00 ${soonAfterCpu} 0.1')`
  const lines = [
    `import { existsSync } from 'node:fs'`,
    `import { Socket } from 'node:net'`,
    `setInterval(() => { if (existsSync(${JSON.stringify(file)})) for (;;); }, 20).unref()`,
    `const { write } = Socket.prototype`,
    `const isLate = (chunk) => typeof chunk === 'string' && chunk.includes('\\nlate ')`,
    `const shorten = (chunk) => (isLate(chunk) ? ${late} : chunk)`,
    `Socket.prototype.write = function (chunk, ...more) { return write.call(this, shorten(chunk), ...more) }`,
  ]
  const text = lines.slice(0, soonAfterCpu === 0 ? 3 : undefined).join('\n')
  return { module: workspace.write('blocker.mjs', text), block: () => void workspace.write('block', '') }
}

/** Starts a run whose command has begun. */
async function startRun(workspace: Workplace, module: string, ...options: string[]): Promise<Running> {
  const model = workspace.scripted([callsBash, { text: 'never' }])
  const run = workspace.start(['-p', 'x', '--model', model, ...options], {
    env: { NODE_OPTIONS: `--import=${module}` },
  })
  await until(() => processesWith(seconds).length > 0 || run.child.exitCode !== null, 15_000)
  return run
}

// with the limits of a user, the time-out is far behind the start of the command on every machine
it.each([{ timeout: '60', soonAfterCpu: 100 }, ...(isFull ? [{ timeout: '15', soonAfterCpu: 0 }] : [])])(
  'ends `rxpi -p` and its commands soon after its --timeout, and the session goes on [S27e]',
  async ({ timeout, soonAfterCpu }) => {
    using workspace = workplace()
    const { module, block } = blocker(workspace, soonAfterCpu)
    const run = await startRun(workspace, module, '--timeout', timeout)
    block()
    const { code, signal, stderr } = await run.ended
    expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' })
    // on a slow machine the watch of a busy process has begun before the block, and then ends it first
    const why = soonAfterCpu === 0 ? '(?:on after its time-out|for 10 s and answered nothing)' : 'on after its time-out'
    expect(stderr).toMatch(new RegExp(`^rxpi: process ${run.child.pid} was ended: it computed ${why}$`, 'm'))
    await until(() => processesWith(seconds).length === 0)
    const next = await workspace.run(['-c', '-p', 'x', '--model', workspace.scripted([{ text: 'done' }])])
    expect(next).toMatchObject({ code: 0, stdout: 'done\n' })
  },
)

/** Whether the guardian of a process has a watch: a second shell. */
function isWatched({ child }: Running): boolean {
  const guardians = processesWith('RXPI_CALL_')
  return guardians.some(
    (pid) =>
      guardians.includes(statusOf(pid)?.parent ?? 0) && statusOf(statusOf(pid)?.parent ?? 0)?.parent === child.pid,
  )
}

describe.runIf(isFull)('a busy process', () => {
  it('is watched in serve, rpc and -p from the second second on [S27d]', async () => {
    using workspace = workplace()
    const { module } = blocker(workspace)
    const processes = [
      workspace.start(['serve']),
      workspace.start(['rpc'], { stdin: null }),
      await startRun(workspace, module),
    ]
    await until(() => processes.every(isWatched), 15_000)
    for (const { child } of processes) child.kill('SIGTERM')
    expect(await Promise.all(processes.map(async ({ ended }) => (await ended).code))).toEqual([0, 143, 143])
  })

  it('of -p that got SIGTERM ends [S27d]', async () => {
    using workspace = workplace()
    const { module, block } = blocker(workspace)
    const run = await startRun(workspace, module)
    await until(() => isWatched(run), 15_000)
    block()
    run.child.kill('SIGTERM')
    const { signal, stderr } = await run.ended
    expect(signal).toBe('SIGKILL')
    expect(stderr).toContain('it computed for 10 s and answered nothing')
  })
})
