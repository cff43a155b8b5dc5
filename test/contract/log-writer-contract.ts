// The contract of a session on any LogWriter, also on one with a slow `append`.
// See lib/streams/ports/session-log.ts.
import { Observable, map, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { SessionRecord } from '../../lib/streams/log/log-line.ts'
import type { LogWriter, SessionLog } from '../../lib/streams/ports/session-log.ts'
import { textResult } from '../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../lib/testing/fake-tool.ts'
import { faultsOfRun } from '../support/laws.ts'
import { playSession } from '../support/virtual-session.ts'
import type { PlayedSession, SessionScene } from '../support/virtual-session.ts'

const deltas = ['message_update', 'tool_execution_update', 'job_update', 'status']

export function logWriterContract(name: string, writerOf: (log: SessionLog) => LogWriter): void {
  const scene: SessionScene = {
    script: [
      { text: 'abcdef', pieceLength: 1, pieceDelayMs: 1, toolCalls: [{ name: 'look' }] },
      'done',
      'more',
      'last',
    ],
    tools: [fakeTool('look', () => timer(3).pipe(map(() => textResult('found'))))],
    prompt: 'go',
    writerOf,
  }
  const seqs = ({ records }: PlayedSession) => records.flatMap(({ seq }) => seq ?? [])
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

  describe(`a session on ${name}`, () => {
    it('publishes each event once, in order, after its line is written', () => {
      const early: unknown[] = []
      const played = playSession({
        ...scene,
        onRecord: ({ seq, line }, { log }) => {
          if (seq !== undefined && (seq > log.head || line === undefined)) early.push(seq)
        },
      })
      expect(early).toEqual([])
      expect(faultsOfRun(played.events)).toEqual([])
      expect(seqs(played)).toEqual(upTo(played.log.head))
      expect(played.records.filter(({ seq }) => seq === undefined).map(({ event }) => event.type)).toSatisfy(
        (types: string[]) => types.every((type) => deltas.includes(type)),
      )
    })

    it('answers commands that come while a line is being written, and records them in order', () => {
      const played = playSession({
        ...scene,
        at: {
          1: ({ send }) => send({ type: 'steer', text: 'first' }),
          2: ({ send }) => send({ type: 'follow_up', text: 'second' }),
        },
      })
      expect(played.sent.map(({ result, completed }) => [typeof result, completed])).toEqual(
        Array.from({ length: 3 }, () => ['object', true]),
      )
      expect(faultsOfRun(played.events)).toEqual([])
      expect([...played.log.records()].map(({ seq }) => seq)).toEqual(seqs(played))
    })

    it('emits log and live records without gap or repeat, whenever a reader comes', () => {
      const readers: number[][] = []
      const played = playSession({
        ...scene,
        at: Object.fromEntries(
          [0, 4, 7, 11, 23, 42].map((at) => [
            at,
            ({ session }) => {
              const own: number[] = []
              readers.push(own)
              session.records().subscribe(({ seq }: SessionRecord) => {
                if (seq !== undefined) own.push(seq)
              })
            },
          ]),
        ),
      })
      expect(readers).toEqual(Array.from({ length: 6 }, () => upTo(played.log.head)))
    })

    it('ends the run if a line cannot be written, and writes waiting lines when there is space again', () => {
      const played = playSession({
        ...scene,
        at: {
          4: ({ disk }) => (disk.full = true),
          200: ({ disk, send }) => {
            disk.full = false
            send({ type: 'prompt', text: 'again' })
          },
          400: ({ send }) => send({ type: 'prompt', text: 'and again' }),
        },
      })
      expect(played.events.filter(({ type }) => type === 'status')).toMatchObject([{ code: 'storage' }])
      expect(played.events.find(({ type }) => type === 'agent_end')).toMatchObject({ terminationReason: 'error' })
      expect(seqs(played)).toEqual(upTo(played.log.head))
      expect(played.sent.at(-1)).toMatchObject({ result: { status: 'started' }, completed: true })
    })

    it('is closed when everything is written', () => {
      const closed: number[] = []
      const played = playSession({
        ...scene,
        at: { 5: ({ session, log }) => session.close().subscribe({ complete: () => closed.push(log.head) }) },
      })
      expect(closed).toEqual([played.log.head])
      expect(faultsOfRun(played.events)).toEqual([])
      expect(played.events.at(-1)?.type).toBe('agent_settled')
    })
  })
}

/** A writer that takes that many milliseconds for each line. */
export function delayedWriter(log: SessionLog, ms: number): LogWriter {
  return {
    blobs: log.blobs,
    append: (body) =>
      new Observable((subscriber) =>
        timer(ms)
          .pipe(map(() => log.append(body)))
          .subscribe(subscriber),
      ),
    checkpoint: (body) => log.checkpoint(body),
    sync: () => log.sync(),
    durable: () => log.durable(),
  }
}
