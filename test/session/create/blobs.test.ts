// Tests blobs: written beside the log, read, copied, and removed with the last reference.
// Over 250 lines: one blob followed through the life of a session, in folders that each test creates.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EMPTY } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import { verifyLog } from '../../../lib/store/repair/verify-log.ts'
import { transcript } from '../../../lib/streams/state/fold-session.ts'
import type { ImageContent, Message } from '../../../lib/streams/messages/message.ts'
import type { ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { faultyFiles } from '../../store/disk/faulty-files.ts'
import { valuesOf } from '../../support/values-of.ts'
import { done } from '../../support/done.ts'

let home: string
let requests: ProviderRequest[]
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-session-blobs-'))
  requests = []
})
afterEach(() => rmSync(home, { recursive: true }))

const data = Buffer.from('\u0089PNG\r\n\u001a\n'.repeat(15_000), 'latin1').toString('base64')
const output = 'a line of output\n'.repeat(10_000)
const image: ImageContent = { type: 'image', mimeType: 'image/png', data }
const host = () => createServerBackend({ env: { RXPI_HOME: home, HOME: home }, version: '0' })
const store = () => fileStore({ home })

function open(sessionId?: string): Session {
  const provider = scripted([{ toolCalls: [{ name: 'show' }] }, 'seen'])
  return createSession({
    model: {
      model: scriptedModel,
      provider: (request) => {
        requests.push({ ...request, messages: [...request.messages] })
        return provider(request)
      },
    },
    cwd: home,
    env: {},
    approve: 'auto',
    tools: [fakeTool('show', output, { maxResultBytes: 0 })],
    store: store(),
    ...(sessionId === undefined ? {} : { sessionId }),
  })
}

const close = (session: Session) => valuesOf(session.close())
const blobs = () => readdirSync(path.join(home, 'blobs'))
const blobOf = (text: string) => /"blob":"(\w{64})"/.exec(text)?.[1] ?? ''

async function prompted(session: Session, opId = 'one', images = [image]): Promise<void> {
  const settled = expect.poll(
    () => session.state$.value.lastEnd !== undefined && session.state$.value.running === undefined,
    { timeout: 10_000 },
  )
  await valuesOf(session.send({ type: 'prompt', text: 'Look', images }, { opId }))
  await settled.toBe(true)
}

/** Makes a session with an image and a long output, and closes it; returns its id. */
async function made(): Promise<string> {
  const session = open()
  await prompted(session)
  await close(session)
  return session.id
}

const partsOf = ({ content }: Message) => (typeof content === 'string' ? [] : [...content])

describe('large content', () => {
  it('is whole in events, and named on the lines [LOG-blobs]', async () => {
    const session = open()
    const events: string[] = []
    session.events$.subscribe((event) => events.push(JSON.stringify(event)))
    await prompted(session)
    expect(events.join().split(data)).toHaveLength(2)
    const log = readFileSync(store().fileOf(session.id), 'utf8')
    expect(log.length).toBeLessThan(10_000)
    expect(log.match(/"blob":"\w{64}"/g)).toHaveLength(2)
    expect(blobs()).toHaveLength(2)
    await close(session)
  })

  it('is sent to the model after the session is opened again, and is not part of its state', async () => {
    const id = await made()
    const before = requests.at(-1)
    requests = []
    const session = open(id)
    expect(JSON.stringify(transcript(session.state$.value)).length).toBeLessThan(10_000)
    await prompted(session, 'two')
    expect(requests[0]?.messages.slice(0, before?.messages.length)).toEqual(before?.messages)
    expect(partsOf(requests[0]?.messages[0] ?? expect.unreachable())).toContainEqual(image)
    await close(session)
  })

  it('is restored in the events that are read from the log', async () => {
    const session = open(await made())
    const events: unknown[] = []
    session.events({ after: 0 }).subscribe((event) => events.push(event))
    const texts = events.map((event) => JSON.stringify(event))
    expect(texts.filter((text) => text.includes(data))).toHaveLength(1)
    expect(texts.filter((text) => text.includes(JSON.stringify(output)))).toHaveLength(2) // the call's end and its result
    await close(session)
  })

  it('that is lost causes a warning and a notice to the model, and the run continues', async () => {
    const id = await made()
    for (const name of blobs()) unlinkSync(path.join(home, 'blobs', name))
    const session = open(id)
    requests = []
    await prompted(session, 'two', [])
    const warnings = [...session.logged()].flatMap(({ event }) => (event.type === 'warning' ? [event] : []))
    expect(warnings.map(({ code }) => code)).toEqual(['blob_lost', 'blob_lost']) // of two blobs, in two requests
    expect(warnings[0]?.message).toMatch(/^The blob \w{64} is not in .*\. The model gets a notice in its place/)
    const [first] = requests
    expect(JSON.stringify(first?.messages)).toContain(
      `[An image (image/png, ${Buffer.from(data, 'base64').length} bytes) is lost]`,
    )
    expect(session.state$.value.lastEnd?.terminationReason).toBe('completed')
    await close(session)
  })

  it('leaves a repeated command the same one, before and after a restart', async () => {
    const session = open()
    await prompted(session)
    const prompt = { type: 'prompt', text: 'Look', images: [image] } as const
    const [answer] = await valuesOf(session.send(prompt, { opId: 'one' }))
    await close(session)
    const again = open(session.id)
    expect(await valuesOf(again.send(prompt, { opId: 'one' }))).toEqual([answer])
    const other = { ...prompt, images: [{ ...image, data: Buffer.alloc(70_000).toString('base64') }] }
    await expect(valuesOf(again.send(other, { opId: 'one' }))).rejects.toMatchObject({ code: 'bad_request' })
    await close(again)
  })

  it('can be sent by its name if it is stored', async () => {
    const session = open(await made())
    const { blob, bytes } = { blob: blobOf(readFileSync(store().fileOf(session.id), 'utf8')), bytes: 120_000 }
    const named = { type: 'image', mimeType: 'image/png', blob, bytes } as const
    await valuesOf(session.send({ type: 'follow_up', text: 'again', images: [named] }))
    await close(session)
  })

  it.each(['prompt', 'steer', 'follow_up'] as const)(
    'is refused in a %s whose image has neither data nor a stored blob',
    async (type) => {
      const session = open()
      const none: ImageContent = { type: 'image', mimeType: 'image/png' }
      for (const images of [[{ ...none, blob: 'a'.repeat(64), bytes: 120_000 }], [none], [{ ...none, data: '' }]])
        await expect(valuesOf(session.send({ type, text: '', images }))).rejects.toMatchObject({
          code: 'bad_request',
          message: expect.stringContaining('images/0 has no data and names no blob') as string,
        })
      await close(session)
    },
  )

  it('fails on a full disk without a trace, and is written when there is space', async () => {
    const files = faultyFiles()
    const session = createSession({
      model: { model: scriptedModel, provider: scripted(['seen', 'again']) },
      cwd: home,
      env: {},
      tools: [],
      store: fileStore({ home, files }),
    })
    files.space = 50_000
    const prompt = { type: 'prompt', text: 'Look', images: [image] } as const
    await expect(valuesOf(session.send(prompt))).rejects.toMatchObject({ code: 'storage', data: { errno: 'ENOSPC' } })
    expect(blobs()).toEqual([])
    files.space = Infinity
    await valuesOf(session.send({ type: 'abort' })) // the next command retries pending writes
    await prompted(session, 'two')
    await expect.poll(() => session.state$.value.lastEnd?.terminationReason, { timeout: 10_000 }).toBe('completed')
    await close(session)
    expect(done(verifyLog(store().fileOf(session.id)))).toMatchObject({ clean: true })
    expect(blobs()).toHaveLength(1)
  })

  it('stays on the lines of a session without a store', async () => {
    const session = createSession({
      model: { model: scriptedModel, provider: scripted(['seen']) },
      cwd: home,
      env: {},
      tools: [],
    })
    await prompted(session)
    expect([...session.logged()].some(({ line }) => line?.includes(data))).toBe(true)
    expect(existsSync(path.join(home, 'blobs'))).toBe(false)
    await close(session)
  })
})

describe('get_blob', () => {
  it('returns pieces, the last one shorter, and nothing behind it [COMMAND-get_blob]', async () => {
    const session = await made()
    const hash = blobOf(readFileSync(store().fileOf(session), 'utf8'))
    const piece = async (offset?: number, limit?: number) => {
      const fields = { ...(offset === undefined ? {} : { offset }), ...(limit === undefined ? {} : { limit }) }
      const [answer] = await valuesOf(host().stored.getBlob({ session, hash, ...fields }))
      return answer
    }
    expect(await piece()).toEqual({ bytes: 120_000, offset: 0, data })
    const pieces = [await piece(0, 50_000), await piece(50_000, 50_000), await piece(100_000, 50_000)]
    expect(Buffer.concat(pieces.map((each) => Buffer.from(each?.data ?? '', 'base64'))).toString('base64')).toBe(data)
    expect(await piece(120_000)).toEqual({ bytes: 120_000, offset: 120_000, data: '' })
  })

  it('returns a blob for the session id of a replay', async () => {
    const session = await made()
    const [hash = ''] = blobs()
    const own = host()
    const [replay] = await valuesOf(own.sessions.replay({ session, speed: 0 }))
    const [answer] = await valuesOf(own.stored.getBlob({ session: replay?.session.id ?? '', hash }))
    await valuesOf(replay?.session.close() ?? EMPTY)
    expect(answer).toEqual((await valuesOf(own.stored.getBlob({ session, hash })))[0])
  })

  it('refuses an unknown blob, and content that does not match its name [S9a, S9b, COMMAND-get_blob]', async () => {
    const session = await made()
    const [hash = ''] = blobs()
    const ask = (fields: { session: string; hash: string }) => valuesOf(host().stored.getBlob(fields))
    await expect(ask({ session: 'aaaaaaaaaaaa', hash })).rejects.toMatchObject({ code: 'unknown_session' })
    await expect(ask({ session, hash: 'a'.repeat(64) })).rejects.toMatchObject({ code: 'bad_request' })
    await expect(ask({ session, hash: '../sessions' })).rejects.toMatchObject({ code: 'bad_request' })
    writeFileSync(path.join(home, 'blobs', hash), 'something else')
    await expect(ask({ session, hash })).rejects.toMatchObject({ code: 'storage' })
  })
})

describe('verify and repair', () => {
  it('name the line whose content is lost; the copy has a notice in its place and is clean', async () => {
    const session = await made()
    const file = store().fileOf(session)
    const lines = readFileSync(file, 'utf8').split('\n')
    const hash = blobOf(lines.join('\n'))
    const line = 1 + lines.findIndex((text) => text.includes(hash))
    expect(await valuesOf(host().stored.verifySession({ session }))).toMatchObject([{ clean: true }])
    const blob = path.join(home, 'blobs', hash)
    const bytes = readFileSync(blob)
    for (const spoil of [() => writeFileSync(blob, bytes.fill(1, 5, 6)), () => unlinkSync(blob)]) {
      spoil()
      expect(await valuesOf(host().stored.verifySession({ session }))).toMatchObject([
        {
          clean: false,
          damaged: 1,
          damages: [{ line, kind: 'blob', problem: expect.stringContaining(hash) as string }],
        },
      ])
    }
    const [repair] = await valuesOf(host().stored.repairSession({ session }))
    expect(repair).toMatchObject({
      changed: [],
      lost: [expect.stringMatching(`^Line ${line}: the blob ${hash} is not in`)],
    })
    const copy = repair?.repaired ?? ''
    expect(readFileSync(copy, 'utf8')).toContain('[An image (image/png, 120000 bytes) is lost]')
    expect(readFileSync(copy, 'utf8')).toContain('"blob":"') // the blob that is not lost
    expect(await valuesOf(host().stored.verifySession({ file: copy }))).toMatchObject([{ clean: true }])
  })

  it('find the content of a log outside of the home in the home', async () => {
    const session = await made()
    const file = path.join(home, 'carried.jsonl')
    copyFileSync(store().fileOf(session), file)
    expect(await valuesOf(host().stored.verifySession({ file }))).toMatchObject([{ clean: true }])
  })
})

describe('moving sessions', () => {
  it('an export contains the content, in every format', async () => {
    const session = await made()
    const text = async (format: 'html' | 'markdown' | 'pi') =>
      (await valuesOf(host().stored.exportSession({ session, format })))[0]?.text ?? ''
    expect((await text('html')).includes(data)).toBe(true)
    expect((await text('pi')).includes(data)).toBe(true)
    expect((await text('pi')).includes(JSON.stringify(output))).toBe(true)
    expect((await text('markdown')).includes(output)).toBe(true)
  })

  it('an import from another home copies the content', async () => {
    const session = await made()
    const file = store().fileOf(session)
    const other = mkdtempSync(path.join(home, 'other-'))
    const there = createServerBackend({ env: { RXPI_HOME: other, HOME: other }, version: '0' })
    const [imported] = await valuesOf(there.stored.importSession({ cwd: home, file }))
    expect(imported?.notes).toEqual([])
    const copy = fileStore({ home: other }).fileOf(imported?.session ?? '')
    expect(readFileSync(copy, 'utf8').length).toBeLessThan(12_000)
    rmSync(path.join(home, 'blobs'), { recursive: true })
    expect(await valuesOf(there.stored.verifySession({ file: copy }))).toMatchObject([{ clean: true }])
    expect(readdirSync(path.join(other, 'blobs'))).toHaveLength(2)
  })

  it('an import without the content reports each line', async () => {
    const session = await made()
    const content = readFileSync(store().fileOf(session), 'utf8')
    const other = mkdtempSync(path.join(home, 'other-'))
    const there = createServerBackend({ env: { RXPI_HOME: other, HOME: other }, version: '0' })
    const [imported] = await valuesOf(there.stored.importSession({ cwd: home, content }))
    expect(imported?.notes).toEqual(
      [1, 2].map(() => ({
        line: expect.any(Number) as number,
        message: expect.stringMatching(/its content is lost/) as string,
      })),
    )
    expect(existsSync(path.join(other, 'blobs'))).toBe(false)
  })
})

describe('removing sessions', () => {
  it('removes the content that no other session names', async () => {
    const [one, two] = [await made(), await made()]
    const names = blobs()
    expect(names).toHaveLength(2)
    const [first] = await valuesOf(host().stored.deleteSession({ session: one }))
    expect([blobs(), first?.removed.filter((file) => file.includes('/blobs/'))]).toEqual([names, []])
    const [second] = await valuesOf(host().stored.deleteSession({ session: two }))
    expect(blobs()).toEqual([])
    expect(second?.removed).toEqual(expect.arrayContaining(names.map((name) => path.join(home, 'blobs', name))))
  })

  it('keeps the content that a copied branch names', async () => {
    const session = await made()
    const opened = open(session)
    const entryId = opened.state$.value.headEntryId
    await close(opened)
    const branch = { type: 'branch_session', session, entryId, newFile: true } as const
    const [copied] = await valuesOf(host().stored.changeClosed<'branch_session'>(branch))
    await valuesOf(host().stored.deleteSession({ session }))
    expect(blobs()).toHaveLength(2)
    requests = []
    const copy = open(copied?.session)
    await prompted(copy, 'two')
    expect(partsOf(requests[0]?.messages[0] ?? expect.unreachable())).toContainEqual(image)
    await close(copy)
  })

  it('keeps the content that damaged, repaired and foreign files of the home name', async () => {
    const session = await made()
    const [hash = ''] = blobs()
    const folder = path.join(home, 'sessions', 'by-hand')
    mkdirSync(folder, { mode: 0o700 })
    writeFileSync(path.join(folder, 'x.repaired.jsonl'), `not JSON, but "blob" : "${hash}"`)
    await valuesOf(host().stored.deleteSession({ session }))
    expect(blobs()).toEqual([hash])
  })
})
