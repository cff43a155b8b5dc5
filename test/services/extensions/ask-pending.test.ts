// Tests the question about a pending extension: who is asked, what each answer does, and when it is asked again.
/* eslint-disable rxjs-x/no-ignored-default-value -- a test fails if nothing is emitted */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EMPTY, filter, firstValueFrom, lastValueFrom } from 'rxjs'
import type { Subscription } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { extensionTrust } from '../../../lib/extensions/index.ts'
import { personName } from '../../../lib/host/process/person-name.ts'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import type { ServerBackend } from '../../../lib/services/contract/server-backend.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import { resultOf } from '../../support/result-of.ts'

let top: string
let backend: ServerBackend
let session: Session
let clients: Subscription[]
const at = (...names: readonly string[]): string => path.join(top, ...names)
const env = () => ({ RXPI_HOME: at('state'), XDG_CONFIG_HOME: at('config'), HOME: at('own') })
const file = (): string => at('config/rxpi/extensions/greet.ts')
const trust = () => extensionTrust({ home: at('state'), locked: (_, work) => work() })

beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-ask-pending-')))
  mkdirSync(at('work'))
  mkdirSync(path.dirname(file()), { recursive: true })
  write('hello')
  clients = []
  backend = createServerBackend({ env: env(), version: '0.2.0' })
})
afterEach(async () => {
  for (const client of clients) client.unsubscribe()
  await lastValueFrom(session.close(), { defaultValue: undefined })
  await lastValueFrom(backend.close(), { defaultValue: undefined })
  rmSync(top, { recursive: true })
})

function write(word: string): void {
  writeFileSync(
    file(),
    `export default { name: 'greet', version: '1.0.0', capabilities: ['exec', 'read'],
       setup({ commands }) { commands.register({ name: '${word}', description: 'Greets', run: () => '' }) } }`,
  )
}

async function open(): Promise<readonly string[]> {
  const opened = await resultOf(backend.sessions.create({ cwd: at('work'), env: env(), model: 'demo/guide' }))
  session = opened.session
  return opened.notices.filter(({ code }) => code === 'extension_pending').map(({ message }) => message)
}

/** A client that can answer, until it is unsubscribed. */
function attach(): Subscription {
  const client = session.answering$.subscribe()
  clients.push(client)
  return client
}

const requests = () => session.state$.value.requests
/** The first load of a process takes seconds under load. */
const patience = { timeout: 20_000, interval: 20 }
const question = () =>
  vi.waitFor(() => {
    const [first, more] = requests()
    if (first === undefined || more !== undefined) throw new Error(`${requests().length} questions are open`)
    return first
  }, patience)
const answer = (requestId: string, outcome: unknown, client = 'ui') =>
  lastValueFrom(session.send({ type: 'ui_response', requestId, outcome }, { client }), { defaultValue: undefined })
const commands = async () => {
  const { commands: all } = await resultOf(session.commands?.list() ?? EMPTY)
  return all.filter(({ source }) => source === 'extension').map(({ name }) => name)
}
const loaded = (name: string) =>
  vi.waitFor(async () => {
    expect(await commands()).toEqual([name])
  }, patience)
/** Longer than a look at the files and the question after it. */
const settled = () => new Promise((done) => setTimeout(done, 400))

describe('a pending extension', () => {
  it('is asked about once a client can answer, and loads with the answer [S23b]', async () => {
    expect(await open()).toEqual([expect.stringContaining('rxpi extensions trust greet')])
    await settled()
    expect(requests()).toEqual([])
    attach()
    const { requestId, kind, source, text, options } = await question()
    expect({ kind, source, options }).toEqual({
      kind: 'select',
      source: 'core',
      options: ['Not now', 'Trust this content', 'Run it, and write down what it uses', 'Never: kill it'],
    })
    expect(text).toContain(`"${file()}" (user; you have not decided about it)`)
    expect(text).toContain('Capabilities that it names: read, exec.')
    expect(await commands()).toEqual([])
    await answer(requestId, 'Trust this content')
    await loaded('hello')
    expect(trust().readAudit({ limit: 9 }).entries).toMatchObject([
      { name: 'greet', previous: 'pending', next: 'trusted', operator: personName('ui') },
    ])
    write('changed')
    const again = await question()
    expect(again.text).toContain('changed since you decided about it')
    expect(await commands()).toEqual(['hello'])
    await answer(again.requestId, 'Run it, and write down what it uses')
    await loaded('changed')
  })

  it('is decided by the first of two clients: the question closes at the other, whose answer is refused', async () => {
    await open()
    attach()
    attach()
    const { requestId } = await question()
    const closed = firstValueFrom(session.events$.pipe(filter(({ type }) => type === 'ui_resolved')))
    await answer(requestId, 'Never: kill it')
    expect(await closed).toMatchObject({ requestId, by: 'client' })
    await expect(answer(requestId, 'Trust this content', 'other')).rejects.toMatchObject({
      code: 'bad_request',
      data: { resolvedBy: 'client' },
    })
    expect([...trust().records().values()]).toMatchObject([{ state: 'killed' }])
    await settled()
    expect([requests(), await commands()]).toEqual([[], []])
  })

  it('is not asked about again in the session after "Not now", and never after "kill"', async () => {
    await open()
    attach()
    await answer((await question()).requestId, 'Not now')
    attach()
    await settled()
    expect([requests(), trust().records().size]).toEqual([[], 0])
    await lastValueFrom(session.close(), { defaultValue: undefined })
    await open()
    attach()
    await answer((await question()).requestId, 'Never: kill it')
    expect([...trust().records().values()]).toMatchObject([{ state: 'killed' }])
    await settled()
    expect([requests(), await commands()]).toEqual([[], []])
  })

  it('is not asked about any more if it is decided elsewhere', async () => {
    await open()
    attach()
    const { requestId } = await question()
    const closed = firstValueFrom(session.events$.pipe(filter(({ type }) => type === 'ui_resolved')))
    const { extensions } = await resultOf(backend.extensions.list({ cwd: at('work'), env: env() }))
    const [{ digest } = { digest: '' }] = extensions
    const decision = { cwd: at('work'), extension: 'greet', answer: 'trust', digest } as const
    await resultOf(backend.extensions.trust(decision, 'cli'))
    expect(await closed).toMatchObject({ requestId, by: 'default' })
    await loaded('hello')
  })
})
