// Tests how a server isolates extensions: by the decision, by the settings, and not those of pi.
/* eslint-disable rxjs-x/no-ignored-default-value -- a test fails if nothing is emitted */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { firstValueFrom, from, lastValueFrom, of, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { contentDigest } from '../../../lib/extensions/discovery/content-digest.ts'
import { extensionTrust } from '../../../lib/extensions/index.ts'
import { withExtensions } from '../../../lib/services/extensions/with-session-extensions.ts'
import type { OpenedExtensions } from '../../../lib/services/extensions/open-extensions.ts'
import { shareCompileCache } from '../../support/compile-cache.ts'
import { sampleRows } from '../../support/sample-size.ts'

shareCompileCache()

let top = ''
beforeEach(() => {
  top = mkdtempSync(path.join(tmpdir(), 'rxpi-isolated-'))
  mkdirSync(path.join(top, 'config/extensions'), { recursive: true })
})
afterEach(() => {
  rmSync(top, { recursive: true })
})

const where = `import { isMainThread } from 'node:worker_threads'
  export default { name: 'where', version: '1.0.0', setup({ commands }) {
    commands.register({ name: 'where', description: '', run: async () => isMainThread ? 'in process' : 'in a worker' }) } }`

interface Choice {
  readonly isIsolated: boolean
  readonly isDev?: boolean
  readonly named?: readonly string[]
  readonly text?: string
}

async function open({
  isIsolated,
  isDev = false,
  named = [],
  text = where,
}: Choice): Promise<OpenedExtensions | undefined> {
  const file = path.join(top, 'config/extensions/where.ts')
  writeFileSync(file, text)
  const trust = extensionTrust({ home: path.join(top, 'home'), locked: (_, work) => work() })
  const digest = await firstValueFrom(contentDigest(file))
  const change = { id: `user:${file}`, name: 'where', digest, next: 'trusted', reason: '', operator: 'test' } as const
  await lastValueFrom(trust.set({ ...change, isIsolated, isDev }))
  const options = {
    ...{ trust, rxpiVersion: '0.2.0', isolation: { extensions: [...named], memoryMb: 128 } },
    host: { id: 's', cwd: top, env: {}, ownTools: [] },
    folders: { home: path.join(top, 'home'), config: path.join(top, 'config'), paths: [] },
  }
  return firstValueFrom(withExtensions(options, (extensions) => of(extensions)))
}

async function answerOf(opened: OpenedExtensions | undefined): Promise<unknown> {
  const run$ = opened?.set.contributions.commands.entries[0]?.value.run('') as Observable<unknown> | undefined
  const answer = run$ === undefined ? undefined : await firstValueFrom(from(run$))
  if (opened !== undefined) await lastValueFrom(opened.set.close().pipe(toArray()))
  return answer
}

it('isolates what the decision or the settings isolate, and nothing else', async () => {
  expect(await answerOf(await open({ isIsolated: true }))).toBe('in a worker')
  expect(await answerOf(await open({ isIsolated: false, named: ['where'] }))).toBe('in a worker')
  expect(await answerOf(await open({ isIsolated: false, named: ['other'] }))).toBe('in process')
})

it('runs the code that an earlier session stored', async () => {
  expect(await answerOf(await open({ isIsolated: true }))).toBe('in a worker')
  const folder = path.join(top, 'home/extension-code')
  const file = path.join(folder, readdirSync(folder)[0] ?? '')
  writeFileSync(file, readFileSync(file, 'utf8').replace("'in a worker'", "'as stored'"))
  expect(await answerOf(await open({ isIsolated: true }))).toBe('as stored')
})

it('has no compiler in its thread', async () => {
  const text = `import Module from 'node:module'
    const isCompiler = (file: string): boolean => file.endsWith('babel.cjs')
    export default { name: 'where', version: '1.0.0', setup({ commands }) {
      commands.register({ name: 'where', description: '', run: () => Object.keys(Module._cache).some(isCompiler) }) } }`
  expect(await answerOf(await open({ isIsolated: true, text }))).toBe(false)
})

const imported = [
  ['of the small library', "import { defineExtension, messageText } from 'rxpi'", 'messageText.name', 'messageText'],
  ['of all of rxpi', "import { defineExtension, createSession } from 'rxpi'", 'createSession.name', 'createSession'],
] as const
it.each(sampleRows(imported, 1))('has the exports %s', async (_, imports, expression, answer) => {
  const setup = `setup({ commands }) { commands.register({ name: 'where', description: '', run: () => ${expression} }) }`
  const text = `${imports}\nexport default defineExtension({ name: 'where', version: '1.0.0', ${setup} })`
  expect(await answerOf(await open({ isIsolated: true, text }))).toBe(answer)
})

it('does not load a module of pi that is to be isolated, and names the reason', async () => {
  const opened = await open({ isIsolated: true, text: 'export default function (pi) {}' })
  expect(opened?.notices.map(({ message }) => message)).toEqual([expect.stringContaining('cannot be isolated')])
  expect(await answerOf(opened)).toBeUndefined()
})

const unusable = [
  ['throws', "throw new Error('at the top')", 'at the top'],
  ['is no extension', 'export default 3', 'its default export is no extension'],
  ['has a bad manifest', "export default { name: 'Where!', setup() {} }", 'its manifest is not valid'],
] as const
it.each(sampleRows(unusable, 1))('names a module that %s', async (_, text, reason) => {
  const opened = await open({ isIsolated: true, text })
  expect(opened?.notices.map(({ message }) => message)).toEqual([expect.stringContaining(reason)])
  await answerOf(opened)
})

const wordy = (word: string): string => `export default { name: 'where', version: '1.0.0', setup({ commands }) {
    commands.register({ name: 'where', description: '', run: (args) => args === 'exit' ? process.exit() : '${word}' }) } }`

const run = (opened: OpenedExtensions | undefined, args = ''): Promise<unknown> => {
  const entry = opened?.set.contributions.commands.entries[0]
  return entry === undefined
    ? Promise.resolve(undefined)
    : firstValueFrom(from(entry.value.run(args) as Observable<unknown>))
}

it('starts no new worker when the files are not those of the decision any more', async () => {
  const opened = await open({ isIsolated: true, text: wordy('first') })
  expect(await run(opened)).toBe('first')
  writeFileSync(path.join(top, 'config/extensions/where.ts'), wordy('changed'))
  await expect(run(opened, 'exit')).rejects.toMatchObject({ code: 'internal' })
  await vi.waitFor(() => expect(opened?.set.loaded).toEqual([]), { timeout: 10_000, interval: 20 })
  expect(await run(opened)).toBeUndefined()
  await lastValueFrom(opened?.set.close().pipe(toArray()) ?? of())
})

it('loads a changed file of a folder with the mark dev anew, in another worker', async () => {
  const opened = await open({ isIsolated: true, isDev: true, text: wordy('first') })
  const following = opened?.follow$.subscribe()
  expect(await run(opened)).toBe('first')
  writeFileSync(path.join(top, 'config/extensions/where.ts'), wordy('second'))
  await vi.waitFor(async () => expect(await run(opened)).toBe('second'), { timeout: 15_000, interval: 50 })
  following?.unsubscribe()
  await lastValueFrom(opened?.set.close().pipe(toArray()) ?? of())
}, 20_000)
