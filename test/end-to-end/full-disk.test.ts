// Tests a disk that fills at random: 90 runs of each kind in `npm run test:full`, else a sample.
// Over 250 lines: one small disk, and each write that it can refuse.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { createServer } from '../../lib/server/create-server.ts'
import { createServerBackend } from '../../lib/services/index.ts'
import { verifyLog } from '../../lib/store/repair/verify-log.ts'
import type { AgentEvent } from '../../lib/streams/events/event.ts'
import { workplace } from '../support/command.ts'
import { faultsOfRun } from '../support/laws.ts'
import { lineClient } from '../support/line-client.ts'
import type { LineClient } from '../support/line-client.ts'
import { randomOf } from '../support/random-of.ts'
import { sampleRows, sampleSize } from '../support/sample-size.ts'
import { canMount, smallDisk } from '../support/small-disk.ts'
import { valuesOf } from '../support/values-of.ts'
import { done } from '../support/done.ts'

const script = [
  {
    text: 'word '.repeat(4_000),
    pieceLength: 400,
    pieceDelayMs: 1,
    toolCalls: [{ name: 'bash', arguments: { command: 'seq 1 9000' } }],
  },
  { text: 'more '.repeat(4_000), pieceLength: 400, pieceDelayMs: 1 },
]
/** More bytes than such a run writes. */
const mostBytes = 160_000

interface Line {
  readonly runId?: string
  readonly seq?: number
  readonly event: AgentEvent
}

/** The numbered lines of the log; each line must be complete. */
function linesOf(file: string): Line[] {
  const text = readFileSync(file, 'utf8')
  expect(text.endsWith('\n')).toBe(true)
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as Line)
    .filter(({ seq }) => seq !== undefined)
}

function faultsOf(lines: readonly Line[]): string[] {
  const runs = Map.groupBy(lines, ({ runId }) => runId)
  runs.delete(undefined)
  return [...runs.values()].flatMap((run) => faultsOfRun(run.map(({ event }) => event)))
}

const isLog = (name: string): boolean => name.endsWith('.jsonl')

const mayMount = canMount()

describe.skipIf(!mayMount)('a disk that fills', () => {
  const commands = sampleSize(2, 90)
  it(
    `under \`rxpi -p\`, ${commands} times: it ends with 5, leaves whole lines, and goes on when there is space`,
    async () => {
      const random = randomOf(1)
      const codes = new Set<number | null>()
      for (let round = 1; round <= commands; round += 1) {
        using workspace = workplace()
        using disk = smallDisk(workspace.home)
        const model = workspace.scripted(script)
        disk.fill(Math.floor(random() * mostBytes))
        const ended = await workspace.run(['-p', 'Hi', '--model', model])
        codes.add(ended.code)
        if (ended.code === 5) expect(ended.stderr).toMatch(/^rxpi: .*no space is left on the disk; free some space/m)
        else expect(ended).toMatchObject({ code: 0 })
        for (const { file } of workspace.logs()) linesOf(file)
        disk.free()
        const more = workspace.logs().length === 0 ? [] : ['-c']
        expect(
          await workspace.run([...more, '-p', 'Again', '--model', workspace.scripted([{ text: 'done' }])]),
        ).toMatchObject({
          code: 0,
          stdout: 'done\n',
        })
        const [{ file } = { file: '' }] = workspace.logs()
        expect(faultsOf(linesOf(file))).toEqual([])
        expect(done(verifyLog(file))).toMatchObject({ clean: true })
      }
      expect(codes).toContain(5)
    },
    60_000 + commands * 10_000,
  )

  const runs = sampleSize(3, 90)
  it(
    `under a server with two clients, ${runs} times: both hear of it, and everything is done once there is space`,
    async () => {
      const random = randomOf(2)
      let full = 0
      for (let round = 1; round <= runs; round += 1) {
        using workspace = workplace()
        using disk = smallDisk(workspace.home)
        const env = { PATH: process.env['PATH'] ?? '', RXPI_HOME: workspace.home }
        const server = createServer({ host: createServerBackend({ env, version: '1' }), version: '1' })
        const clients = [lineClient(server), lineClient(server)] as const
        if (await fillsDuring({ place: workspace, disk, clients, leaving: Math.floor(random() * mostBytes) })) full += 1
        await valuesOf(server.close())
      }
      expect(full).toBeGreaterThan(runs / 4)
    },
    60_000 + runs * 5_000,
  )
})

describe.skipIf(!mayMount)('a disk that is full', () => {
  const changes = [
    ['write', { path: 'notes.txt', content: 'y'.repeat(9_000) }],
    ['edit', { path: 'notes.txt', edits: [{ oldText: 'short', newText: 'y'.repeat(9_000) }] }],
  ] as const
  it.each(sampleRows(changes, 1))('leaves a file as it was under `%s`, which prints the reason', async (tool, args) => {
    using workspace = workplace()
    using disk = smallDisk(workspace.folder)
    workspace.write('notes.txt', 'short')
    disk.fill(4_096) // a first part of the output fits
    const ended = await workspace.run(['tool', tool, JSON.stringify(args)])
    expect(ended.code).toBe(1)
    expect(ended.stdout + ended.stderr).toContain('no space is left on the disk')
    disk.free()
    expect(readFileSync(path.join(workspace.folder, 'notes.txt'), 'utf8')).toBe('short')
    expect(readdirSync(workspace.folder)).toEqual(['notes.txt'])
  })

  it('stores no whole tool output, notes that in the result, and the run goes on', async () => {
    using workspace = workplace()
    using disk = smallDisk(path.join(workspace.home, 'spill'))
    disk.fill(0)
    const bash = { toolCalls: [{ name: 'bash', arguments: { command: 'seq 1 30000' } }] }
    expect(await workspace.run(['-p', 'x', '--model', workspace.scripted([bash, { text: 'done' }])])).toMatchObject({
      code: 0,
      stdout: 'done\n',
    })
    expect(workspace.logs()[0]?.lines.find((line) => line.includes('"tool_execution_end"'))).toContain(
      'no space is left on the disk',
    )
  })

  it('refuses a new session without leaving files, and cannot lock an old one [LOG-full]', async () => {
    using workspace = workplace()
    using disk = smallDisk(workspace.home)
    await workspace.run(['-p', 'x', '--model', workspace.scripted([{ text: 'done' }])])
    const before = workspace.stored()
    disk.fill(0)
    for (const more of [[], ['-c']]) {
      const ended = await workspace.run([...more, '-p', 'x', '--model', workspace.scripted([{ text: 'never' }])])
      expect(ended).toMatchObject({ code: 5, stdout: '' })
      expect(ended.stderr).toMatch(/^rxpi: Could not .*no space is left on the disk; free some space/m)
    }
    expect(workspace.stored().filter((name) => !name.endsWith('/filler'))).toEqual(before)
  })
})

it.skipIf(!mayMount)('a read-only disk is reported with a remedy, and nothing is executed', async () => {
  using workspace = workplace()
  using disk = smallDisk(workspace.home)
  await workspace.run(['-p', 'x', '--model', workspace.scripted([{ text: 'done' }])])
  const before = workspace.stored()
  disk.makeReadOnly()
  for (const more of [[], ['-c']]) {
    const ended = await workspace.run([...more, '-p', 'x', '--model', workspace.scripted([{ text: 'never' }])])
    expect(ended).toMatchObject({ code: 5, stdout: '' })
    expect(ended.stderr).toMatch(/^rxpi: Could not .*read-only file system; set RXPI_HOME/m)
  }
  expect(workspace.stored()).toEqual(before)
})

interface Scene {
  readonly place: ReturnType<typeof workplace>
  readonly disk: ReturnType<typeof smallDisk>
  readonly clients: readonly [LineClient, LineClient]
  readonly leaving: number
}

/** Fills the disk during a prompt of one session; returns whether the disk was full. */
async function fillsDuring({ place: workspace, disk, clients, leaving }: Scene): Promise<boolean> {
  const [client, other] = clients
  const ask = async (
    who: LineClient,
    id: string,
    command: Record<string, unknown>,
  ): Promise<Record<string, unknown>> => {
    who.ask(id, command)
    await vi.waitFor(() => expect(who.answers(id)).toHaveLength(1), { timeout: 20_000, interval: 5 })
    return who.answers(id)[0] ?? {}
  }
  const model = workspace.scripted([...script, ...Array.from({ length: 3 }, () => ({ text: 'done' }))])
  const made = await ask(client, 'new', {
    type: 'new_session',
    cwd: workspace.folder,
    model,
    env: { PATH: process.env['PATH'] },
  })
  const { session } = made['result'] as { session: string }
  await ask(client, 'attach', { type: 'attach', session })
  await ask(other, 'attach', { type: 'attach', session })
  const eventsOf = (who: LineClient): AgentEvent[] =>
    who.frames.flatMap((frame) =>
      frame['type'] === 'event' && frame['session'] === session ? [frame['event'] as AgentEvent] : [],
    )
  const settled = (who: LineClient): number => eventsOf(who).filter(({ type }) => type === 'agent_settled').length
  const isNotices = (who: LineClient): boolean =>
    eventsOf(who).some((event) => event.type === 'status' && event.code === 'storage')
  const [file = ''] = workspace.stored().filter((name) => isLog(name) && name.includes(session))

  disk.fill(leaving)
  const prompted = await ask(client, 'prompt', { type: 'prompt', session, text: 'Hi', opId: 'hi' })
  await vi.waitFor(() => expect(isNotices(client) || settled(client) > 0).toBe(true), { timeout: 20_000, interval: 5 })
  linesOf(file)
  const wasFull = isNotices(client)
  if (wasFull) {
    await vi.waitFor(() => expect(isNotices(other)).toBe(true), { timeout: 20_000, interval: 5 })
    const steer = { type: 'steer', session, text: 'more', opId: 'more' }
    disk.fill(0)
    // the server first retries pending writes; space for them can leave space for this command too
    const steered = await ask(client, 'steer', steer)
    if (steered['ok'] !== true) expect(steered).toMatchObject({ error: { code: 'storage' } })
    linesOf(file)
    disk.free()
    expect(await ask(other, 'steer again', steer)).toMatchObject({ ok: true })
    expect(await ask(other, 'prompt again', { type: 'prompt', session, text: 'Hi', opId: 'hi' })).toMatchObject({
      ok: true,
    })
  } else expect(prompted).toMatchObject({ ok: true })
  disk.free()
  await vi.waitFor(() => expect([settled(client), settled(other)].map((count) => count > 0)).toEqual([true, true]), {
    timeout: 20_000,
    interval: 5,
  })
  expect(await ask(client, 'last', { type: 'prompt', session, text: 'last', whileRunning: 'follow_up' })).toMatchObject(
    { ok: true },
  )
  await vi.waitFor(() => expect(outputIn(linesOf(file), 'last')).toBe(1), { timeout: 20_000, interval: 5 })
  await vi.waitFor(() => expect(faultsOf(linesOf(file))).toEqual([]), { timeout: 20_000, interval: 5 })
  expect([outputIn(linesOf(file), 'Hi'), outputIn(linesOf(file), 'more')]).toEqual([1, wasFull ? 1 : 0])
  expect(eventsOf(client).filter(({ type }) => type !== 'message_update')).toEqual(
    eventsOf(other).filter(({ type }) => type !== 'message_update'),
  )
  expect(done(verifyLog(file))).toMatchObject({ clean: true })
  return wasFull
}

/** Counts the user messages with this text. */
function outputIn(lines: readonly Line[], text: string): number {
  return lines.filter(
    ({ event }) => event.type === 'message_end' && event.message.role === 'user' && event.message.content === text,
  ).length
}
