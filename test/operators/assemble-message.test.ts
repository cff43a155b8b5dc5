import { Subject, concat, from, map, of, range, take, tap, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { assembleMessage } from '../../lib/operators/assemble-message.ts'
import type { Answer, AssembleOptions } from '../../lib/operators/assemble-message.ts'
import type { AssistantDelta } from '../../lib/streams/delta.ts'
import type { AgentEvent } from '../../lib/streams/event.ts'
import { Failure } from '../../lib/streams/failure.ts'
import { foldMessage } from '../../lib/streams/fold-message.ts'
import { noUsage } from '../../lib/streams/message.ts'
import type { AssistantMessage, StopReason } from '../../lib/streams/message.ts'
import { marbles } from '../../lib/testing/marbles.ts'
import { scriptedModel } from '../../lib/providers/scripted-model.ts'
import { shortName, shortNotation } from '../../lib/testing/short-name.ts'
import { timeline } from '../../lib/testing/timeline.ts'
import { sampleUsage } from '../streams/samples.ts'

const textStart = (contentIndex = 0): AssistantDelta => ({ type: 'text_start', contentIndex })
const text = (piece: string, contentIndex = 0): AssistantDelta => ({ type: 'text_delta', contentIndex, text: piece })
const textEnd = (contentIndex = 0): AssistantDelta => ({ type: 'text_end', contentIndex })
const callStart = (id: string, contentIndex = 0): AssistantDelta => ({
  type: 'toolcall_start',
  contentIndex,
  id,
  name: 'read',
})
const callPiece = (piece: string, contentIndex = 0): AssistantDelta => ({
  type: 'toolcall_delta',
  contentIndex,
  text: piece,
})
const done = (stopReason: StopReason = 'stop'): AssistantDelta => ({ type: 'done', stopReason, usage: sampleUsage })
const retry: AgentEvent = { type: 'auto_retry', attempt: 2, delayMs: 5, kind: 'network' }

const letters: Record<string, AssistantDelta | AgentEvent> = {
  s: { type: 'start', responseId: 'r' },
  o: textStart(),
  t: text('t'),
  e: textEnd(),
  d: done(),
  r: retry,
  u: { type: 'usage', usage: sampleUsage },
  x: text('no such block', 7),
}

function options(more: Partial<AssembleOptions> = {}): AssembleOptions {
  return {
    entryId: 'entry',
    parentId: 'parent',
    model: () => scriptedModel,
    stopped: () => false,
    answered: () => undefined,
    ...more,
  }
}

/** What synchronous deltas become. */
function assembled(deltas: Iterable<AssistantDelta | AgentEvent>, more: Partial<AssembleOptions> = {}) {
  return played(from(deltas), more)
}

function played(source$: Observable<AssistantDelta | AgentEvent>, more: Partial<AssembleOptions> = {}) {
  const events: AgentEvent[] = []
  const answers: Answer[] = []
  let end = 'open'
  source$.pipe(assembleMessage(options({ answered: (answer) => answers.push(answer), ...more }))).subscribe({
    next: (event) => events.push(event),
    error: () => (end = 'error'),
    complete: () => (end = 'complete'),
  })
  const last = events.at(-1)
  const message = last?.type === 'message_end' ? (last.message as AssistantMessage) : undefined
  return { events, answers, end, message, notation: shortNotation(events) }
}

describe('assembleMessage', () => {
  it.each([
    ['an answer', '-s-o-t-e-d|', '3:ms(asst),mu 5:mu 7:mu 10:me(asst),|'],
    ['an answer without content', '-s-d|', '4:ms(asst),me(asst),|'],
    ['what comes between deltas', '-r-o-r-(d|)', '1:auto_retry 3:ms(asst),mu 5:auto_retry 7:me(asst),|'],
    ['usage, which is seen at the end', '-o-u-d|', '1:ms(asst),mu 6:me(asst),|'],
    ['silence', '-', ''],
    ['an answer that goes silent', '-o-t-', '1:ms(asst),mu 3:mu'],
    ['an end without done', '-o-t|', '1:ms(asst),mu 3:mu 4:me(asst),|'],
    ['an empty stream', '--|', '2:ms(asst),me(asst),|'],
    ['a failure before anything', '--#', '2:ms(asst),me(asst),|'],
    ['a failure in the middle', '-o-t-#', '1:ms(asst),mu 3:mu 5:me(asst),|'],
    ['a failure after done', '-o-d-#', '1:ms(asst),mu 5:me(asst),|'],
    ['a delta that fits nothing', '-o-x-t|', '1:ms(asst),mu 3:me(asst),|'],
  ])('turns %s into the events of one message', (_, marble, expected) => {
    const line = timeline(({ cold }) => cold(marble, letters).pipe(assembleMessage(options())), { name: shortName })
    expect(line).toBe(expected)
  })

  it('starts with an empty message and ends with the whole one [EVENT-message]', () => {
    const { events, message } = assembled([
      { type: 'start', responseId: 'r', model: 'other' },
      { type: 'thinking_start', contentIndex: 0 },
      { type: 'thinking_delta', contentIndex: 0, text: 'hm' },
      { type: 'thinking_end', contentIndex: 0, signature: 's' },
      textStart(1),
      text('a', 1),
      text('b', 1),
      textEnd(1),
      done('stop'),
    ])
    const { api, provider, id } = scriptedModel
    const head = { role: 'assistant', api, provider, model: id, responseId: 'r', responseModel: 'other' }
    expect(events[0]).toMatchObject({
      type: 'message_start',
      entryId: 'entry',
      parentId: 'parent',
      message: { ...head, content: [] },
    })
    expect(message).toMatchObject({
      ...head,
      content: [
        { type: 'thinking', thinking: 'hm', thinkingSignature: 's' },
        { type: 'text', text: 'ab' },
      ],
      stopReason: 'stop',
      usage: sampleUsage,
    })
    expect(message).not.toHaveProperty('errorMessage')
  })

  it('gives each piece its offset, so that folding the updates gives the message [EVENT-offset]', () => {
    const { events, message } = assembled([
      textStart(),
      text('a'),
      callStart('c', 1),
      text('b😀'),
      callPiece('{"a"', 1),
      text('c'),
      callPiece(':1}', 1),
      done(),
    ])
    const deltas = events.flatMap((event) => (event.type === 'message_update' ? [event.delta] : []))
    expect(deltas.flatMap((delta) => ('offset' in delta ? [delta.offset] : []))).toEqual([0, 1, 0, 4, 4])
    const [start] = events
    if (start?.type !== 'message_start' || message === undefined) throw new Error('no message')
    const folded = deltas.reduce(foldMessage, start.message as AssistantMessage)
    expect(folded.content).toEqual([
      { type: 'text', text: 'ab😀c' },
      { type: 'toolCall', id: 'c', name: 'read', arguments: {}, argumentsText: '{"a":1}' },
    ])
    expect(message.content[1]).toEqual({ type: 'toolCall', id: 'c', name: 'read', arguments: { a: 1 } })
  })

  it('says how long the message took', () => {
    marbles(({ cold, flush }) => {
      let message: unknown
      cold('---o-----d|', letters)
        .pipe(assembleMessage(options({ answered: (answer) => (message = answer.message) })))
        .subscribe()
      flush()
      expect(message).toMatchObject({ timestamp: 0, durationMs: 10 })
    })
  })

  it('tells what became of it before the message ends', () => {
    const told: string[] = []
    from([textStart(), done()])
      .pipe(assembleMessage(options({ answered: ({ entryId }) => told.push(entryId) })))
      .subscribe((event) => told.push(shortName(event)))
    expect(told).toEqual(['ms(asst)', 'mu', 'entry', 'me(asst)'])
  })
})

describe('assembleMessage of a failure', () => {
  it('keeps what had arrived, and says what failed [LOOP-23b]', () => {
    const failure = new Failure('provider_error', 'cut', { data: { kind: 'network' } })
    const { message, answers } = played(
      concat(
        of(textStart(), text('so far')),
        throwError(() => failure),
      ),
    )
    expect(message).toMatchObject({
      content: [{ type: 'text', text: 'so far' }],
      stopReason: 'error',
      errorMessage: 'cut',
    })
    expect(answers).toEqual([{ entryId: 'entry', message, failure }])
  })

  it('makes a provider error of anything that is thrown', () => {
    const { answers } = played(throwError(() => new TypeError('a fault')))
    expect(answers[0]?.failure).toMatchObject({ code: 'provider_error', message: 'a fault' })
  })

  it('calls an end without done an early end', () => {
    const { message, answers } = assembled([textStart(), text('so')])
    expect(message).toMatchObject({ content: [{ text: 'so' }], stopReason: 'error' })
    expect(answers[0]?.failure?.data).toEqual({ kind: 'early_end' })
  })

  it('leaves a call that was cut as the text that it is', () => {
    const { message } = played(
      concat(
        of(callStart('c'), callPiece('{"path"')),
        throwError(() => new Error('cut')),
      ),
    )
    expect(message?.content).toEqual([
      { type: 'toolCall', id: 'c', name: 'read', arguments: {}, argumentsText: '{"path"' },
    ])
  })

  it.each<[string, AssistantDelta[], string]>([
    ['a piece of a block that is not there', [text('x')], 'text_delta for block 0, whose block is not open'],
    ['a piece of another kind', [textStart(), callPiece('x')], 'toolcall_delta for block 0, whose block is not open'],
    [
      'a piece of a closed block',
      [textStart(), textEnd(), text('x')],
      'text_delta for block 0, whose block is not open',
    ],
    ['the end of a block that is not there', [textEnd(3)], 'text_end for block 3, whose block is not open'],
    ['a second end', [textStart(), textEnd(), textEnd()], 'text_end for block 0, whose block is not open'],
    ['a block that is left out', [textStart(1)], 'text_start for block 1, where block 0 is next'],
    ['a block that is there', [textStart(), textStart()], 'text_start for block 0, where block 1 is next'],
    ['anything after done', [done(), textStart()], 'text_start for block 0, which came after done'],
    ['a second done', [done(), done()], 'done, which came after done'],
  ])('ends the message at %s', (_, deltas, problem) => {
    const { message, answers, end, notation } = assembled([...deltas, text('never seen')])
    expect(message).toMatchObject({ stopReason: 'error', errorMessage: `The provider sent ${problem}` })
    expect(answers).toHaveLength(1)
    expect([end, notation.match(/ms/g)?.length, notation.match(/me/g)?.length]).toEqual(['complete', 1, 1])
  })

  it('is that an answer has no end: what had arrived is kept up to 32 Mi characters, and the source is let go', () => {
    const piece = 'x'.repeat(1024 * 1024)
    let sent = 0
    const endless$ = concat(
      of(textStart()),
      range(0, 36).pipe(
        tap(() => (sent += 1)),
        map(() => text(piece)),
      ),
    )
    const { message } = played(endless$)
    expect([sent, message?.stopReason]).toEqual([33, 'error'])
    expect(message?.content).toEqual([{ type: 'text', text: piece.repeat(32) }])
    expect(message?.errorMessage).toBe('The answer is longer than 32 Mi characters; what came up to there is kept')
  })

  it('counts an empty piece as one character: an answer of nothing has an end too', () => {
    const full = 'x'.repeat(32 * 1024 * 1024)
    expect(assembled([textStart(), text(full), done()]).message?.stopReason).toBe('stop')
    const { message } = assembled([textStart(), text(full), text(''), done()])
    expect(message?.errorMessage).toMatch(/longer than 32 Mi/)
  })

  it.each([[null], [undefined], [5], ['text'], [{}], [{ type: 'agent_end' }]])(
    'ends the message at what is no delta and no event of a request: %j',
    (value) => {
      const { answers, end, notation } = assembled([textStart(), value as AssistantDelta, text('never seen')])
      expect([answers.length, end, notation]).toEqual([1, 'complete', 'ms(asst) mu me(asst)'])
      expect(answers[0]?.failure?.message).toMatch(/^The provider sent .*, which is no delta/)
    },
  )

  it('ends the message at a delta that cannot even be looked at', () => {
    const thorny = Object.defineProperty({ type: 'text_delta', contentIndex: 0 }, 'text', { get: thrower })
    const { message, end } = assembled([textStart(), thorny as AssistantDelta])
    expect([end, message?.errorMessage]).toEqual(['complete', 'thorny'])
  })

  it('unsubscribes a source that sent garbage', () => {
    const source$ = new Subject<AssistantDelta>()
    const { end } = played(source$)
    expect(end).toBe('open')
    source$.next(text('garbage'))
    expect(source$.observed).toBe(false)
  })
})

describe('assembleMessage of a stop', () => {
  const stopped = { stopped: () => true }

  it('makes no message where nothing had started', () => {
    const { end, notation, answers } = assembled([{ type: 'start', responseId: 'r' }], stopped)
    expect([end, notation, answers]).toEqual(['complete', '', []])
  })

  it('ends what had started as aborted, with what had arrived', () => {
    const { message, answers } = assembled(
      [textStart(), text('so far'), callStart('c', 1), callPiece('{"a', 1)],
      stopped,
    )
    expect(message).toMatchObject({
      content: [{ text: 'so far' }, { arguments: {}, argumentsText: '{"a' }],
      stopReason: 'aborted',
    })
    expect(answers[0]).not.toHaveProperty('failure')
  })

  it('leaves a call that was not closed as the text that it is, even where that is whole', () => {
    const { message } = assembled([callStart('c'), callPiece('{"a":1}')], stopped)
    expect(message?.content).toMatchObject([{ arguments: {}, argumentsText: '{"a":1}' }])
  })

  it('keeps the stop reason of an answer that was done', () => {
    expect(assembled([textStart(), done('length')], stopped).message?.stopReason).toBe('length')
  })

  it('keeps the failure of a source that failed', () => {
    expect(
      played(
        throwError(() => new Error('sad')),
        stopped,
      ).message?.stopReason,
    ).toBe('error')
  })
})

describe('assembleMessage of tool calls', () => {
  it('parses a call that the provider did not close, where the answer is complete', () => {
    const { message } = assembled([
      callStart('c'),
      callPiece('{"a":1}'),
      callStart('d', 1),
      callPiece('oops', 1),
      done('toolUse'),
    ])
    expect(message?.content).toEqual([
      { type: 'toolCall', id: 'c', name: 'read', arguments: { a: 1 } },
      { type: 'toolCall', id: 'd', name: 'read', arguments: {}, argumentsText: 'oops' },
    ])
  })

  it('gives a call that repeats an id one of its own, in message and updates', () => {
    const { message, events } = assembled([
      callStart('c'),
      callStart('c', 1),
      callStart('c', 2),
      callStart('c_1', 3),
      callStart('c_6', 4),
      callStart('c', 5),
      done('toolUse'),
    ])
    const ids = message?.content.map((block) => (block.type === 'toolCall' ? block.id : ''))
    expect(new Set(ids).size).toBe(6)
    expect(ids?.[0]).toBe('c')
    const told = events.flatMap((event) =>
      event.type === 'message_update' && event.delta.type === 'toolcall_start' ? [event.delta.id] : [],
    )
    expect(told).toEqual(ids)
  })

  it('gives a call without an id one', () => {
    const { message } = assembled([{ type: 'toolcall_start', contentIndex: 0, id: '', name: 'read' }, done('toolUse')])
    expect(message?.content).toMatchObject([{ id: 'call_1' }])
  })
})

describe('assembleMessage and its subscriber', () => {
  it('lets go of the source when it is unsubscribed, and tells nothing more', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answers: Answer[] = []
      const source$ = cold('-s-o-t-d|', letters)
      const types$ = source$.pipe(assembleMessage(options({ answered: (answer) => answers.push(answer) })))
      expectObservable(types$, '^-!').toBe('---')
      expectSubscriptions(source$.subscriptions).toBe('^-!')
      expect(answers).toEqual([])
    })
  })

  it('stops a source that fires without end as soon as nobody listens', () => {
    let fired = 0
    concat(
      of(textStart()),
      range(0, 1_000_000).pipe(
        tap(() => fired++),
        map(() => text('x')),
      ),
    )
      .pipe(assembleMessage(options()), take(5))
      .subscribe()
    expect(fired).toBe(3)
  })

  it('fails where its callback throws, and lets go of the source', () => {
    const failed: unknown[] = []
    concat(
      of(textStart()),
      throwError(() => new Error('cut')),
    )
      .pipe(
        assembleMessage(
          options({
            answered: () => {
              throw new Error('callback')
            },
          }),
        ),
      )
      .subscribe({ error: (error: unknown) => failed.push(error) })
    expect(failed).toEqual([new Error('callback')])
  })

  it('assembles a message of 100,000 pieces in linear time', () => {
    const pieces = Array.from({ length: 100_000 }, () => text('abc'))
    const { message } = assembled([textStart(), ...pieces, textEnd(), done()])
    expect(message?.content[0]).toMatchObject({ text: 'abc'.repeat(100_000) })
    expect(message?.usage).not.toEqual(noUsage)
  })
})

function thrower(): never {
  throw new Error('thorny')
}
