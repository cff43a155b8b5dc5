// Tests joining a session at any time and position: log, then live, without gap or repeat.
import { Type } from '@sinclair/typebox'
import fc from 'fast-check'
import { of, take } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../lib/streams/events/event.ts'
import { isDurable } from '../../lib/streams/events/event.ts'
import type { SessionRecord } from '../../lib/streams/log/log-line.ts'
import { textResult } from '../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../lib/testing/fake-tool.ts'
import { playSession } from '../support/virtual-session.ts'
import type { SessionControl, SessionScene } from '../support/virtual-session.ts'
import { sampleSize } from '../support/sample-size.ts'

/** Two turns with a tool, then another run. */
const scene: SessionScene = {
  script: [
    { text: 'so', toolCalls: [{ name: 'read', arguments: { lines: '3' } }] },
    'done',
    { text: 'more', delayMs: 5 },
  ],
  tools: [
    fakeTool('read', of(textResult('of read', { details: { n: 1 } })), {
      parameters: Type.Object({ lines: Type.Optional(Type.Integer()) }),
    }),
  ],
  prompt: 'Hi',
  at: { 10: ({ send }) => send({ type: 'prompt', text: 'again' }) },
}

function seqs(records: readonly SessionRecord[]): number[] {
  return records.flatMap(({ seq }) => (seq === undefined ? [] : [seq]))
}

/** A reader that joins after `after` and records what it receives. */
function joined({ session }: SessionControl, after: number): SessionRecord[] {
  const got: SessionRecord[] = []
  session.records({ after }).subscribe((record) => got.push(record))
  return got
}

describe('records', () => {
  it('emit the log, then live records [LOOP-32a]', () => {
    let got: SessionRecord[] = []
    const played = playSession({ ...scene, at: { ...scene.at, 5: (control) => (got = joined(control, 3)) } })
    expect(seqs(got)).toEqual(Array.from({ length: played.log.head - 3 }, (_, index) => index + 4))
  })

  it('emit everything without `after`, and only live records after the last line', () => {
    const sizes: number[][] = []
    playSession({
      ...scene,
      at: {
        ...scene.at,
        5: (control) => {
          const { log, session } = control
          const all: SessionRecord[] = []
          session.records().subscribe((record) => all.push(record))
          sizes.push([log.head, all.length, joined(control, log.head).length])
        },
      },
    })
    const [[head = 0, all, none] = []] = sizes
    expect([head > 10, all, none]).toEqual([true, head, 0])
  })

  it('are read separately for each subscriber', () => {
    const played = playSession(scene)
    const after2$ = played.session.records({ after: 2 })
    const [one, two]: [SessionRecord[], SessionRecord[]] = [[], []]
    after2$.subscribe((record) => one.push(record))
    after2$.subscribe((record) => two.push(record))
    expect(one).toEqual(two)
    expect(one).toHaveLength(played.log.head - 2)
  })

  it('end on unsubscribe, also in the middle of the log', () => {
    const played = playSession(scene)
    const got: SessionRecord[] = []
    played.session
      .records()
      .pipe(take(4))
      .subscribe((record) => got.push(record))
    expect(seqs(got)).toEqual([1, 2, 3, 4])
  })

  it('include records that are written while the log is read', () => {
    const played = playSession(scene)
    const got: SessionRecord[] = []
    played.session.records().subscribe((record) => {
      got.push(record)
      if (record.seq === 2) played.send({ type: 'steer', text: 'from within the reading' })
    })
    expect(seqs(got)).toEqual(Array.from({ length: played.log.head }, (_, index) => index + 1))
    expect(got.at(-1)?.event.type).toBe('queue_update')
  })

  it.each(['records$', 'state$'] as const)(
    'subscribed within any event of %s have no gap and no repeat [LOOP-32a]',
    (from) => {
      const readers: { after: number; got: SessionRecord[] }[] = []
      const played = playSession({
        ...scene,
        prompt: undefined as never,
        at: {
          0: (control) => {
            const join = (): void => {
              const after = readers.length % 5
              readers.push({ after, got: joined(control, after) })
            }
            if (from === 'records$') control.session.records$.subscribe(join)
            else control.session.state$.subscribe(join)
            control.send({ type: 'prompt', text: 'Hi' })
          },
          ...scene.at,
        },
      })
      expect(readers.length).toBeGreaterThan(30)
      for (const { after, got } of readers) {
        expect(seqs(got)).toEqual(Array.from({ length: played.log.head - after }, (_, index) => after + 1 + index))
      }
    },
  )

  it('never send a request again, for any number of subscribers at any time [LOOP-32b]', () => {
    const all: SessionRecord[][] = []
    const join = (control: SessionControl): void => {
      all.push(joined(control, 0))
      control.session.events$.subscribe()
      control.session.records$.subscribe()
      control.session.events().subscribe()
    }
    const played = playSession({ ...scene, onRecord: (_, control) => join(control) })
    expect([played.requests.length, all.length > 25]).toEqual([3, true])
    for (const each of all) expect(seqs(each).at(-1)).toBe(played.log.head)
  })

  it('subscribed at random moments, by random chains of readers, have no gap and no repeat [LOOP-32a]', () => {
    const plan = fc.array(fc.record({ at: fc.nat(60), after: fc.nat(40), chain: fc.nat(3) }), {
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(plan, (joins) => {
        const readers: { after: number; got: SessionRecord[] }[] = []
        const join = (control: SessionControl, after: number, chain: number): void => {
          const reader = { after: Math.min(after, control.log.head), got: [] as SessionRecord[] }
          readers.push(reader)
          let linked = false
          control.session.records({ after: reader.after }).subscribe((record) => {
            reader.got.push(record)
            if (linked || chain === 0) return
            linked = true // the next reader joins within the first record of this one
            join(control, after, chain - 1)
          })
        }
        let notices = 0
        const played = playSession({
          ...scene,
          onRecord: (_, control) => {
            for (const { at, after, chain } of joins) if (at === notices) join(control, after, chain)
            notices += 1
          },
        })
        for (const { after, got } of readers) {
          expect(seqs(got)).toEqual(Array.from({ length: played.log.head - after }, (_, index) => after + 1 + index))
        }
      }),
      { numRuns: sampleSize(40, 1_000) },
    )
  })
})

describe('events', () => {
  it('read from the log are whole, and equal the live ones', () => {
    const played = playSession(scene)
    const read: AgentEvent[] = []
    played.session.events({ after: 0 }).subscribe((event) => read.push(event))
    expect(read).toEqual(played.events.filter(isDurable))
    const [start] = read.filter((event) => event.type === 'tool_execution_start')
    expect(start).toMatchObject({ args: { lines: '3' } })
    expect(JSON.stringify(read.filter((event) => event.type === 'message_end'))).toContain('{"n":1}')
  })

  it('continue live, whole as well', () => {
    const played = playSession(scene)
    const read: AgentEvent[] = []
    played.session.events({ after: played.log.head }).subscribe((event) => read.push(event))
    played.send({ type: 'steer', text: 'now' })
    expect(read).toMatchObject([{ type: 'queue_update', content: 'now' }])
  })
})

describe('state$', () => {
  it('contains an event when the event is emitted', () => {
    const faults: string[] = []
    playSession({
      ...scene,
      onRecord: ({ seq, event }, { session }) => {
        if (seq !== undefined && session.state$.value.seq !== seq) faults.push(`${event.type}: ${seq}`)
      },
    })
    expect(faults).toEqual([])
  })

  it('a subscriber gets exactly the records after its seq', () => {
    const faults: unknown[] = []
    const watching = (control: SessionControl): void => {
      let next = control.session.state$.value.seq + 1
      control.session.records$.subscribe(({ seq }) => {
        if (seq === undefined) return
        if (seq !== next) faults.push([seq, next])
        next = seq + 1
      })
    }
    playSession({
      ...scene,
      onRecord: (_, control) => {
        watching(control)
      },
      at: {
        ...scene.at,
        1: (control) => {
          control.session.state$.subscribe(() => {
            watching(control)
          })
        },
      },
    })
    expect(faults).toEqual([])
  })

  it('contains the open message with its text so far', () => {
    const texts: unknown[] = []
    playSession({
      script: [{ text: 'abc', pieceLength: 1, pieceDelayMs: 5 }],
      prompt: 'Hi',
      onRecord: ({ event }, { session }) => {
        if (event.type === 'message_update') texts.push(session.state$.value.open?.message.content)
      },
    })
    expect(texts.slice(1, 4)).toEqual([
      [{ type: 'text', text: 'a' }],
      [{ type: 'text', text: 'ab' }],
      [{ type: 'text', text: 'abc' }],
    ])
  })
})
