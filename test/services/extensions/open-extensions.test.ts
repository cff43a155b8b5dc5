// Tests the extensions of a server's session: trust before code, kills and changes while it is open.
/* eslint-disable rxjs-x/no-ignored-default-value -- a test fails if nothing is emitted */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { firstValueFrom, lastValueFrom, of, toArray } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { extensionTrust } from '../../../lib/extensions/index.ts'
import type { ExtensionTrust } from '../../../lib/extensions/index.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { contentDigest } from '../../../lib/extensions/discovery/content-digest.ts'
import { findExtensions } from '../../../lib/extensions/discovery/find-extensions.ts'
import { withExtensions } from '../../../lib/services/extensions/with-session-extensions.ts'
import type { OpenedExtensions } from '../../../lib/services/extensions/open-extensions.ts'
import { connectedSession } from '../../support/connected-session.ts'

let top = ''
let trust: ExtensionTrust
beforeEach(() => {
  top = mkdtempSync(path.join(tmpdir(), 'rxpi-open-'))
  mkdirSync(path.join(top, 'config/extensions'), { recursive: true })
  trust = extensionTrust({ home: path.join(top, 'home'), locked: (_, work) => work() })
})
afterEach(() => {
  rmSync(top, { recursive: true })
})

const file = (): string => path.join(top, 'config/extensions/greet.ts')
function write(word: string): void {
  writeFileSync(
    file(),
    `export default { name: 'greet', version: '1.0.0',
       setup({ commands }) { commands.register({ name: 'greet', description: 'Greets', run: () => '${word}' }) } }`,
  )
}

async function decide(next: 'trusted' | 'killed' | 'acknowledged', isDev = false, at?: string): Promise<void> {
  const digest = await firstValueFrom(contentDigest(at ?? file()))
  const id = at === undefined ? `user:${file()}` : `path:${at}`
  const change = { id, name: 'greet', digest, next, isDev, reason: '', operator: 'test' }
  await lastValueFrom(trust.set(change))
}

const open = (paths: readonly string[] = []): Promise<OpenedExtensions | undefined> =>
  firstValueFrom(
    withExtensions(
      {
        trust,
        rxpiVersion: '0.2.0',
        host: { id: 's', cwd: top, env: {}, ownTools: [] },
        folders: { home: path.join(top, 'home'), config: path.join(top, 'config'), paths },
      },
      (extensions) => of(extensions),
    ),
  )

/** What the command of the extension says; undefined if it is not there. */
async function word(opened: OpenedExtensions | undefined): Promise<unknown> {
  const entry = opened?.set.contributions.commands.entries[0]
  return entry && (await entry.value.run(''))
}

function follow(opened: OpenedExtensions): { readonly events: AgentEvent[]; readonly end: () => void } {
  const events: AgentEvent[] = []
  opened.set.connect(connectedSession((event) => void events.push(event)))
  const subscription = opened.follow$.subscribe()
  return { events, end: () => subscription.unsubscribe() }
}

describe('a session', () => {
  it('loads nothing that no person has trusted, and says what to do', async () => {
    write('hello')
    const opened = await open()
    expect(await word(opened)).toBeUndefined()
    expect(opened?.notices.map(({ message }) => message)).toEqual([
      expect.stringContaining('rxpi extensions trust greet'),
    ])
  })

  it('loads what is trusted, also if its command names it', async () => {
    write('hello')
    await decide('trusted')
    expect(await word(await open())).toBe('hello')
    const other = path.join(top, 'other.ts')
    writeFileSync(other, `export default { name: 'other', version: '1.0.0', setup({ commands }) { commands.register({ name: 'o', description: '', run: () => 'other' }) } }`) // prettier-ignore
    await decide('killed')
    expect(await open([other])).toMatchObject({
      notices: [
        { code: 'extension', message: expect.stringContaining('rxpi extensions trust greet') as string },
        { code: 'named_extension', message: expect.stringContaining(`rxpi extensions trust ${other}`) as string },
      ],
    })
    await decide('trusted', false, other)
    expect(await word(await open([other]))).toBe('other')
  })

  it('names a path that is no extension, and an extension that fails in its setup', async () => {
    const broken = path.join(top, 'broken.ts')
    writeFileSync(broken, `export default { name: 'broken', version: '1.0.0', setup() { throw new Error('no') } }`)
    await decide('trusted', false, broken)
    expect((await open([path.join(top, 'gone.ts'), broken]))?.notices).toEqual([
      { code: 'named_extension', message: expect.stringContaining('gone.ts is no extension') as string },
      { code: 'named_extension', message: `The extension broken (${broken}) failed in setup, and is not loaded` },
    ])
  })

  it('writes what an acknowledged extension does to the audit', async () => {
    write('hello')
    await decide('acknowledged')
    await open()
    expect(trust.readAudit({ limit: 1 }).entries).toMatchObject([{ id: `user:${file()}`, detail: 'loaded' }])
  })

  it('names a module that cannot be loaded, and opens without it', async () => {
    writeFileSync(file(), 'export default { name: "Greet!", version: "1" }')
    await decide('trusted')
    const opened = await open()
    expect(opened?.notices.map(({ message }) => message)).toEqual([
      expect.stringContaining('its manifest is not valid'),
    ])
  })

  it('ends a killed extension, and loads changed files only if a person trusts them [EVENT-extension_state]', async () => {
    write('hello')
    await decide('trusted')
    const opened = await open()
    if (opened === undefined) throw new Error('there are extensions')
    const { events, end } = follow(opened)
    write('changed')
    await vi.waitFor(() => expect(JSON.stringify(events)).toContain('what runs is what you trusted'), 10_000)
    expect(await word(opened)).toBe('hello')
    await decide('trusted')
    await vi.waitFor(async () => expect(await word(opened)).toBe('changed'), 10_000)
    await decide('killed')
    await vi.waitFor(async () => expect(await word(opened)).toBeUndefined(), 10_000)
    expect(events).toContainEqual({ type: 'extension_state', name: 'greet', state: 'killed' })
    end()
    await lastValueFrom(opened.set.close().pipe(toArray()))
  })
})

it('loads a module that is written for pi, with its names and typebox', async () => {
  const pi = path.join(top, 'for-pi.ts')
  writeFileSync(
    pi,
    `import type { ExtensionAPI } from '@earendil-works/pi-coding-agent'
     import { Type } from 'typebox'
     export default function (pi: ExtensionAPI) {
       pi.registerTool({ name: 'hello', label: 'Hello', description: 'Greets', parameters: Type.Object({ name: Type.String() }),
         execute: async (_id, { name }) => ({ content: [{ type: 'text', text: 'Hello ' + name }], details: {} }) })
       pi.registerCommand('hi', { description: 'Says hi', handler: async () => {} })
     }`,
  )
  await decide('trusted', false, pi)
  const opened = await open([pi])
  expect(opened?.notices).toEqual([])
  const { tools, commands } = opened?.set.contributions ?? {}
  expect(tools?.entries.map(({ value }) => value.name)).toEqual(['hello'])
  expect(commands?.entries.map(({ value }) => value.name)).toEqual(['hi'])
})

it('finds the same extension as the list does', async () => {
  write('hello')
  const folders = { home: path.join(top, 'home'), config: path.join(top, 'config') }
  const { sources } = await firstValueFrom(findExtensions({ ...folders, records: trust.records() }))
  expect(sources.map(({ id }) => id)).toEqual([`user:${file()}`])
})
