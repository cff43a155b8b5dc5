// Tests `writeAhead`, which saves each line elsewhere before the log has it, and sessions on it.
import { NEVER, Subject, of, throwError } from 'rxjs'
import type { Observable, Subscription } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import { writeAhead } from '../../../lib/streams/memory/write-ahead.ts'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
import { appendEvents, custom, customs, nextBody, sampleHeader } from '../../store/sessions/sample-records.ts'

/** Subscribes to a line that is being appended. */
const appended = (line: string | Observable<string>, into: unknown[]): Subscription => {
  if (typeof line === 'string') throw new Error('the line was not saved first')
  return line.subscribe({ next: (value) => into.push(value), error: (error: unknown) => into.push(error) })
}

describe('writeAhead', () => {
  it('saves a line before the log has it', () => {
    const log = memoryStore().create(sampleHeader())
    const done$ = new Subject<void>()
    const saved: unknown[] = []
    const results: unknown[] = []
    const writer = writeAhead(log, (line, seq) => {
      saved.push([seq, line])
      return done$
    })
    appended(writer.append(nextBody(log, custom(1))), results)
    expect([saved.length, log.head, results]).toEqual([1, 0, []])
    done$.complete()
    expect([log.head, results]).toEqual([1, [...log.records()].map(({ line }) => line)])
    expect(saved).toEqual([[1, results[0]]])
  })

  it.each<[string, () => Observable<never>]>([
    ['fails', () => throwError(() => new Error('the disk is gone'))],
    ['throws', () => { throw new Error('the disk is gone') }], // prettier-ignore
  ])('fails with storage if save %s, and saves the line again with the same number', (_, broken) => {
    const log = memoryStore().create(sampleHeader())
    const seqs: number[] = []
    const results: unknown[] = []
    let isBroken = true
    const writer = writeAhead(log, (_line, seq) => {
      seqs.push(seq)
      return isBroken ? broken() : of('saved')
    })
    appended(writer.append(nextBody(log, custom(1))), results)
    expect(results).toMatchObject([{ code: 'storage', message: 'The line could not be saved: the disk is gone' }])
    isBroken = false
    appended(writer.append(nextBody(log, custom(1))), results)
    expect([seqs, log.head]).toEqual([[1, 1], 1])
  })

  it('saves nothing if it is unsubscribed first', () => {
    const log = memoryStore().create(sampleHeader())
    appended(writeAhead(log, () => NEVER).append(nextBody(log, custom(1))), []).unsubscribe()
    expect(log.head).toBe(0)
  })

  it('saves the lines that were added to the log itself', () => {
    const log = memoryStore().create(sampleHeader())
    const seqs: number[] = []
    const writer = writeAhead(log, (_line, seq) => (seqs.push(seq), of('saved')))
    appendEvents(log, customs(2))
    appended(writer.append(nextBody(log, custom(3))), [])
    appended(writer.append(nextBody(log, custom(4))), [])
    expect(seqs).toEqual([1, 2, 3, 4])
  })

  it('brings a session back from its saved lines, with a run that was cut off', () => {
    const saved: string[] = []
    const begin = (more: object = {}, provider = scripted([{ text: 'Hello', end: 'never' }])) =>
      createSession({
        ...{ model: { model: scriptedModel, provider }, tools: [], env: {}, system: '' },
        writer: (log) => writeAhead(log, (line, seq) => (void (saved[seq - 1] = line), of('saved'))),
        ...more,
      })
    const first = begin()
    first.send({ type: 'prompt', text: 'Hi' }).subscribe()
    expect(first.state$.value.running).toBeDefined()

    const again = (provider: ReturnType<typeof scripted>) =>
      begin({ store: memoryStore([[first.headerLine, ...saved]]), sessionId: first.id }, provider)
    const second = again(scripted(['Again.']))
    expect(second.state$.value.lastEnd?.terminationReason).toBe('crashed')
    second.send({ type: 'prompt', text: 'Go on' }).subscribe()
    expect(saved.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(saved.map((_, index) => index + 1))

    const third = again(scripted(['Third.']))
    expect(third.state$.value.seq).toBe(second.state$.value.seq)
    for (const session of [first, second, third]) session.close().subscribe()
  })
})
