// Tests that the CLI process reports errors thrown by subscribers and keeps running.
// The library does not change the configuration of rxjs.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { config } from 'rxjs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import { valuesOf } from '../../support/values-of.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-process-'))
})
afterEach(() => {
  config.onUnhandledError = null
  rmSync(folder, { recursive: true })
})

const root = path.join(import.meta.dirname, '../../..')

/** Starts a process whose command is this expression. */
function ran(work: string): Promise<{ code: number | string | null | undefined; stdout: string; stderr: string }> {
  const file = path.join(folder, 'program.ts')
  const from = (name: string): string => JSON.stringify(pathToFileURL(path.join(root, name)).href)
  const program = `
    import rxjs from ${from('node_modules/rxjs/dist/cjs/index.js')}
    import { runCli } from ${from('app/process/run-cli.ts')}
    const { Subject, map, timer } = rxjs
    process.exitCode = await runCli(({ world: { stdout } }) => {${work}})
  `
  writeFileSync(file, program)
  return new Promise((resolve) => {
    execFile(process.execPath, [file], { cwd: root }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr })
    })
  })
}

it('reports an error that a subscriber throws, serves the others, and returns exit code 1 [LOOP-30c]', async () => {
  const work = `
    const source$ = new Subject()
    source$.subscribe(() => { throw new Error('it was planted') })
    source$.subscribe((value) => { stdout.text('got ' + value) })
    source$.next(7)
    return timer(20).pipe(map(() => 0))
  `
  expect(await ran(work)).toEqual({ code: 1, stdout: 'got 7', stderr: 'rxpi: internal fault: it was planted\n' })
})

it('the library leaves an error of a direct subscriber to rxjs [LOOP-30c]', async () => {
  expect(config.onUnhandledError).toBeNull()
  const unhandled: unknown[] = []
  config.onUnhandledError = (error) => unhandled.push(error)
  const model = { model: scriptedModel, provider: scripted(['Hello']) }
  const session = createSession({ model, cwd: '/', env: {}, tools: [] })
  const heard: string[] = []
  session.events$.subscribe(({ type }) => {
    if (type === 'turn_start') throw new Error('it was planted')
  })
  session.events$.subscribe(({ type }) => heard.push(type))
  const own = config.onUnhandledError
  await valuesOf(session.send({ type: 'prompt', text: 'Hi' }))
  await expect.poll(() => unhandled, { timeout: 10_000 }).toEqual([new Error('it was planted')])
  expect(config.onUnhandledError).toBe(own)
  expect([heard.at(-1), session.state$.value.lastEnd?.terminationReason]).toEqual(['agent_settled', 'completed'])
  await valuesOf(session.close())
})
