// Tests decisions about extensions that come while an extension is set up: in a session that opens, at a look and at a reload.
/* eslint-disable rxjs-x/no-ignored-default-value -- a test fails if nothing is emitted */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { firstValueFrom, lastValueFrom, of } from 'rxjs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { contentDigest } from '../../../lib/extensions/discovery/content-digest.ts'
import { extensionTrust } from '../../../lib/extensions/index.ts'
import type { ExtensionTrust } from '../../../lib/extensions/index.ts'
import type { OpenedExtensions } from '../../../lib/services/extensions/open-extensions.ts'
import { withExtensions } from '../../../lib/services/extensions/with-session-extensions.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { connectedSession } from '../../support/connected-session.ts'

/** The first load of a process takes seconds under load; a setup may take 30 s, so that a shorter wait shows what does not wait for it. */
const patience = { timeout: 20_000, interval: 20 }
const testLimit = { timeout: 25_000 }

let top: string
let trust: ExtensionTrust
/** Lets go what waits, by its word. */
let waiting: Map<string, () => void>
/** Modules that were evaluated. */
let evaluated: string[]
let events: AgentEvent[]
let opened: OpenedExtensions | undefined
let endFollow: () => void

beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-follow-')))
  mkdirSync(path.join(top, 'config'))
  trust = extensionTrust({ home: path.join(top, 'home'), locked: (_, work) => work() })
  waiting = new Map()
  evaluated = []
  events = []
  opened = undefined
  endFollow = () => undefined
  const waitFor = (word: string): Promise<void> => new Promise((resolve) => void waiting.set(word, resolve))
  Object.assign(globalThis, { followTest: { waitFor, evaluate: (name: string) => void evaluated.push(name) } })
})
afterEach(async () => {
  endFollow()
  for (const letGo of waiting.values()) letGo()
  if (opened !== undefined) await lastValueFrom(opened.set.close(), { defaultValue: undefined })
  Reflect.deleteProperty(globalThis, 'followTest')
  rmSync(top, { recursive: true })
})

const fileOf = (name: string): string => path.join(top, `${name}.ts`)

interface Written {
  /** The setup waits until the test lets this word go. Default: it completes at once. */
  readonly setup?: string
  /** The hook `shutdown` waits as well. Default: there is none. */
  readonly shutdown?: string
}

function write(name: string, { setup, shutdown }: Written = {}): void {
  const hook = shutdown === undefined ? '' : `hooks.on('shutdown', () => followTest.waitFor('${shutdown}'))`
  const wait = setup === undefined ? '' : `await followTest.waitFor('${setup}')`
  writeFileSync(
    fileOf(name),
    `followTest.evaluate('${name}')
     export default { name: '${name}', version: '1.0.0', capabilities: ['session'], async setup({ hooks }) { ${hook}\n ${wait} } }`,
  )
}

async function decide(name: string, next: 'trusted' | 'killed', isDev = false): Promise<void> {
  const digest = await firstValueFrom(contentDigest(fileOf(name)))
  const change = { id: `path:${fileOf(name)}`, name, digest, next, isDev, reason: '', operator: 'test' }
  await lastValueFrom(trust.set(change))
}

/** Writes and trusts both. */
async function prepare(first: Written, second: Written): Promise<void> {
  write('first', first)
  write('second', second)
  await decide('first', 'trusted')
  await decide('second', 'trusted')
}

/** The session with the extensions `first` and `second`, which are set up in this order. */
async function open(): Promise<OpenedExtensions> {
  const options = {
    trust,
    rxpiVersion: '0.2.0',
    host: { id: 's', cwd: top, env: {}, ownTools: [] },
    folders: {
      home: path.join(top, 'home'),
      config: path.join(top, 'config'),
      paths: ['first', 'second'].map(fileOf),
    },
  }
  opened = await firstValueFrom(withExtensions(options, (extensions) => of(extensions)))
  if (opened === undefined) throw new Error('there are extensions')
  return opened
}

function follow({ set, follow$ }: OpenedExtensions): void {
  set.connect(connectedSession((event) => void events.push(event)))
  const subscription = follow$.subscribe()
  endFollow = () => {
    subscription.unsubscribe()
  }
}

/** Returns what lets it go, once it waits. */
const begun = (word: string) =>
  vi.waitFor(() => {
    const letGo = waiting.get(word)
    if (letGo === undefined) throw new Error(`${word} has not begun`)
    return letGo
  }, patience)
const names = ({ set }: OpenedExtensions) => set.loaded.map(({ name }) => name).sort()
const hasNames = (session: OpenedExtensions, expected: readonly string[]) =>
  vi.waitFor(() => {
    expect(names(session)).toEqual(expected)
  }, patience)
const messages = ({ notices }: OpenedExtensions) => notices.map(({ message }) => message)
const warnings = () => events.flatMap((event) => (event.type === 'warning' ? [event.message] : []))
const statesOf = (name: string) =>
  events.flatMap((event) => (event.type === 'extension_state' && event.name === name ? [event.state] : []))

it('a kill during the setup of a session that opens ends the extension, and the session opens', testLimit, async () => {
  await prepare({}, { setup: 'slow' })
  const opening = open()
  await begun('slow')
  await decide('second', 'killed')
  const session = await opening
  expect([names(session), messages(session)]).toEqual([['first'], [expect.stringContaining('second was killed')]])
})

it('a session that opens ends what is killed while another one is set up', testLimit, async () => {
  await prepare({}, { setup: 'slow' })
  const opening = open()
  const letGo = await begun('slow')
  await decide('first', 'killed')
  letGo()
  expect(names(await opening)).toEqual(['second'])
})

it('a session that opens evaluates no module that is killed before its turn', testLimit, async () => {
  await prepare({ setup: 'slow' }, {})
  const opening = open()
  const letGo = await begun('slow')
  await decide('second', 'killed')
  letGo()
  const session = await opening
  expect([names(session), evaluated]).toEqual([['first'], ['first']])
  expect(messages(session)).toEqual([expect.stringContaining('second was killed')])
})

it('decisions between the setup and the opening of the session count', testLimit, async () => {
  write('first')
  write('second')
  await decide('first', 'trusted')
  const session = await open()
  expect(names(session)).toEqual(['first'])
  await decide('first', 'killed')
  await decide('second', 'trusted')
  follow(session)
  await hasNames(session, ['second'])
  expect(statesOf('first')).toEqual(['active', 'killed'])
})

it('a kill ends extensions at once while a look waits for a setup', testLimit, async () => {
  await prepare({}, {})
  const session = await open()
  follow(session)
  write('first', { setup: 'slow' })
  await decide('first', 'trusted')
  await begun('slow')
  await decide('second', 'killed')
  await hasNames(session, ['first'])
  await decide('first', 'killed')
  await hasNames(session, [])
  expect([statesOf('first').at(-1), statesOf('second').at(-1)]).toEqual(['killed', 'killed'])
})

it('a kill while the extension before it shuts down starts no new one', testLimit, async () => {
  await prepare({ shutdown: 'last words' }, {})
  const session = await open()
  follow(session)
  write('first')
  await decide('first', 'trusted')
  const letGo = await begun('last words')
  await decide('first', 'killed')
  await hasNames(session, ['second'])
  letGo()
  await vi.waitFor(() => {
    expect(warnings()).toEqual([expect.stringContaining('first was killed')])
  }, patience)
  expect([names(session), statesOf('first')]).toEqual([['second'], ['active', 'killed']])
})

it('a reload starts nothing again that is killed meanwhile', testLimit, async () => {
  await prepare({ setup: 'slow' }, {})
  const opening = open()
  const letGoOpening = await begun('slow')
  letGoOpening()
  const session = await opening
  follow(session)
  waiting.clear()
  const reloading = lastValueFrom(session.set.reload(), { defaultValue: undefined })
  const letGo = await begun('slow')
  await decide('second', 'killed')
  await hasNames(session, ['first'])
  letGo()
  await reloading
  expect([names(session), statesOf('second')]).toEqual([['first'], ['active', 'killed']])
})

it('a look that takes the place of a setup of a reload warns about no failure', testLimit, async () => {
  await prepare({}, {})
  await decide('first', 'trusted', true)
  const session = await open()
  follow(session)
  write('first', { setup: 'older' })
  const reloading = lastValueFrom(session.set.reload(), { defaultValue: undefined })
  await begun('older')
  write('first', { setup: 'newer' })
  const letGo = await begun('newer')
  await reloading
  letGo()
  await vi.waitFor(() => {
    expect(statesOf('first').at(-1)).toBe('active')
  }, patience)
  expect([names(session), warnings()]).toEqual([['first', 'second'], []])
})
