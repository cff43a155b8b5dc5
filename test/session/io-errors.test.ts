// Tests disk failures under a session on real files: the error code, and no acknowledged loss.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { map, timer } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errnoOf } from '../../lib/host/files/storage-failure.ts'
import { fileStore } from '../../lib/store/sessions/file-store.ts'
import { verifyLog } from '../../lib/store/repair/verify-log.ts'
import { randomIds } from '../../lib/streams/values/identifiers.ts'
import type { SessionLog } from '../../lib/streams/ports/session-log.ts'
import { textResult } from '../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../lib/testing/fake-tool.ts'
import { faultyFiles, systemError } from '../store/disk/faulty-files.ts'
import type { FaultyFiles } from '../store/disk/faulty-files.ts'
import { faultyLog } from '../support/faulty-log.ts'
import { faultsOfRun } from '../support/laws.ts'
import { valuesOf } from '../support/values-of.ts'
import { playSession } from '../support/virtual-session.ts'
import type { PlayedSession, SessionScene } from '../support/virtual-session.ts'
import { done } from '../support/done.ts'

const sessionId = 'sessionaaaaa'

let top: string
beforeAll(() => {
  top = mkdtempSync(path.join(tmpdir(), 'rxpi-io-'))
})
afterAll(() => rmSync(top, { recursive: true }))

/** Files whose syncs take 2 ms of virtual time, and whose writes fail while `writeError` is set. */
function disk(): FaultyFiles & { writeError: Error | undefined } {
  const files = faultyFiles()
  const { writeSync } = files
  return Object.assign(files, {
    writeError: undefined as Error | undefined,
    writeSync: (...write: Parameters<typeof writeSync>) => {
      const { writeError } = files as { writeError?: Error }
      if (writeError !== undefined) throw writeError
      return writeSync(...write)
    },
    fdatasync: (_descriptor: number, done: (error: Error | null) => void) => {
      files.calls.push('fdatasync')
      const { syncError = null } = files
      timer(2).subscribe(() => done(syncError))
    },
    fsync: (_descriptor: number, done: (error: Error | null) => void) => {
      timer(2).subscribe(() => done(null))
    },
    afterStep: (work: () => void) => work(), // virtual time has no later step
  })
}

function scene(log: SessionLog, at: SessionScene['at'] = {}): SessionScene {
  return {
    script: [
      { text: 'abcdefghij', pieceLength: 1, pieceDelayMs: 60, toolCalls: [{ name: 'slow' }] },
      ...Array.from({ length: 5 }, () => 'done'),
    ],
    tools: [fakeTool('slow', () => timer(100).pipe(map(() => textResult('in time'))))],
    log: { ...faultyLog(), log },
    options: { ids: randomIds() },
    at,
  }
}

async function reopened(home: string): Promise<PlayedSession> {
  const store = fileStore({ home, files: disk() })
  const { log } = store.open(sessionId)
  expect(log.readOnly).toBeUndefined()
  const played = playSession(scene(log, { 1: ({ send }) => void send({ type: 'prompt', text: 'goes on' }) }))
  expect(played.sent.at(-1)?.result).toMatchObject({ status: 'started' })
  const runs = Map.groupBy(played.session.logged(), ({ runId }) => runId)
  runs.delete(undefined)
  expect([...runs.values()].flatMap((run) => faultsOfRun(run.map(({ event }) => event)))).toEqual([])
  await valuesOf(played.session.close())
  expect(done(verifyLog(store.fileOf(sessionId)))).toMatchObject({ clean: true })
  return played
}

const statuses = ({ events }: PlayedSession) => events.filter(({ type }) => type === 'status')
const inputs = ({ session }: PlayedSession): unknown[] => {
  const { entries, queue } = session.state$.value
  const output = [...entries.values()].flatMap(({ message }) => (message.role === 'user' ? [message.content] : []))
  return [...output, ...queue.map(({ content }) => content)]
}

function created(files: FaultyFiles): { home: string; log: SessionLog } {
  const home = path.join(mkdtempSync(path.join(top, 'case-')), 'home')
  return { home, log: fileStore({ home, files }).create({ id: sessionId, createdAt: 1, cwd: '/somewhere' }) }
}

describe.each(['EIO', 'EROFS', 'EDQUOT', 'ENOSPC'])('a write that fails with %s', (code) => {
  it.each([
    ['in the line of a command', 900, 'steer'],
    ['in a checkpoint of an answer', 200, undefined],
    ['in a result', 640, undefined],
  ] as const)('%s is reported, and the work continues when writes succeed again', async (_, from, command) => {
    const files = disk()
    const { home, log } = created(files)
    const played = playSession(
      scene(log, {
        0: ({ send }) => void send({ type: 'prompt', text: 'Hi' }, { opId: 'hi' }),
        [from]: ({ send }) => {
          files.writeError = systemError(code)
          if (command !== undefined) send({ type: command, text: 'steered' }, { opId: 'op' })
        },
        2_000: ({ send }) => {
          files.writeError = undefined
          send({ type: 'steer', text: 'steered' }, { opId: 'op' })
        },
      }),
    )
    expect(statuses(played)).toMatchObject([
      { code: 'storage', message: expect.stringContaining(reasons[code] ?? '') as string },
    ])
    if (command !== undefined) {
      expect(played.sent[1]?.failure).toMatchObject({ code: 'storage', data: { errno: code } })
    }
    expect(played.sent.at(-1)?.result).toHaveProperty('queueId')
    await valuesOf(played.session.close())
    expect(inputs(await reopened(home)).toSorted()).toEqual(['Hi', 'goes on', 'steered'])
  })
})

it('a log whose writes take a few bytes each loses nothing [LOG-bytes]', async () => {
  const files = disk()
  files.writeLimit = 7
  const { home, log } = created(files)
  const played = playSession(scene(log, { 1: ({ send }) => void send({ type: 'prompt', text: 'Hi' }) }))
  expect([statuses(played), played.sent[0]?.completed]).toEqual([[], true])
  await valuesOf(played.session.close())
  expect(inputs(await reopened(home))).toEqual(['Hi', 'goes on'])
})

const reasons: Readonly<Record<string, string | undefined>> = {
  EIO: 'the disk reports an error',
  EROFS: 'it lies on a read-only file system',
  EDQUOT: 'the disk quota is used up',
  ENOSPC: 'no space is left on the disk',
}

describe('a sync that fails', () => {
  /** Syncs that begin at this millisecond or later fail. */
  function failingAt(from: number, at: SessionScene['at']) {
    const files = disk()
    const { home, log } = created(files)
    const fails = (): void => {
      files.syncError = systemError('EIO')
    }
    const played = playSession(scene(log, { ...at, [from]: fails }))
    return { files, home, played }
  }

  it('of a command’s line fails the command, and causes a status event', async () => {
    const { home, played, files } = failingAt(50, {
      10: ({ send }) => void send({ type: 'follow_up', text: 'kept' }),
      60: ({ send }) => void send({ type: 'steer', text: 'unsure' }),
    })
    expect(played.sent[0]).toMatchObject({ result: { queueId: expect.any(String) as string } })
    expect(played.sent[1]?.failure).toMatchObject({ code: 'storage', data: { errno: 'EIO' } })
    expect(statuses(played)).toMatchObject([
      { code: 'storage', message: expect.stringContaining('the disk reports an error') as string },
    ])
    files.syncError = undefined
    await expect(valuesOf(played.session.close())).rejects.toMatchObject({ code: 'storage' })
    expect(inputs(await reopened(home))).toEqual(expect.arrayContaining(['kept', 'goes on']))
  })

  it('of a run’s line ends the run, and is reported though no command waits', async () => {
    const { home, played } = failingAt(500, { 0: ({ send }) => void send({ type: 'prompt', text: 'Hi' }) })
    expect(played.sent[0]?.result).toMatchObject({ status: 'started' })
    expect(statuses(played)).toMatchObject([{ code: 'storage' }])
    expect(played.requests).toHaveLength(1)
    await expect(valuesOf(played.session.close())).rejects.toMatchObject({ code: 'storage' })
    const again = await reopened(home)
    expect(inputs(again)).toEqual(['Hi', 'goes on'])
    expect(again.session.state$.value.entries.size).toBeGreaterThan(3)
  })

  it('is not repeated, and no more lines are written, though the disk works again [LOG-failed_sync]', async () => {
    const files = disk()
    const { home, log } = created(files)
    const notices: unknown[] = []
    const played = playSession(
      scene(log, {
        10: ({ send }) => {
          files.syncError = systemError('EIO')
          send({ type: 'steer', text: 'unsure' })
        },
        20: () => {
          files.syncError = undefined
          notices.push([...files.calls])
        },
        30: ({ send }) => void send({ type: 'steer', text: 'refused' }),
        40: ({ send }) => void send({ type: 'prompt', text: 'refused' }),
      }),
    )
    expect(played.sent.map(({ failure }) => errnoOf(failure))).toEqual(['EIO', 'EIO', 'EIO'])
    expect(files.calls).toEqual(notices[0])
    expect(statuses(played)).toHaveLength(1)
    await expect(valuesOf(played.session.close())).rejects.toMatchObject({ code: 'storage' })
    expect(inputs(await reopened(home))).not.toContain('refused')
  })
})
