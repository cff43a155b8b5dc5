// Tests how `assembleMessage` ends a message: failures, an early end, an abort and size limits.
import { Subject, concat, map, of, range, take, tap, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { assembleMessage } from '../../../lib/operators/request/assemble-message.ts'
import type { Answer } from '../../../lib/operators/request/assemble-message.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import {
  textStart,
  text,
  textEnd,
  callStart,
  callPiece,
  done,
  letters,
  options,
  assemble,
  playAssembly,
} from './assemble-message-scene.ts'

describe('assembleMessage of a failure', () => {
  it('keeps the content so far, and names the failure [LOOP-23b]', () => {
    const failure = new Failure('provider_error', 'cut', { data: { kind: 'network' } })
    const { message, answers } = playAssembly(
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

  it('turns any thrown value into a provider error', () => {
    const { answers } = playAssembly(throwError(() => new TypeError('a fault')))
    expect(answers[0]?.failure).toMatchObject({ code: 'provider_error', message: 'a fault' })
  })

  it('reports a completion without done as early_end', () => {
    const { message, answers } = assemble([textStart(), text('so')])
    expect(message).toMatchObject({ content: [{ text: 'so' }], stopReason: 'error' })
    expect(answers[0]?.failure?.data).toEqual({ kind: 'early_end' })
  })

  it('keeps the text of a call that was cut off', () => {
    const { message } = playAssembly(
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
    ['a piece of a missing block', [text('x')], 'text_delta for block 0, whose block is not open'],
    ['a piece of another kind', [textStart(), callPiece('x')], 'toolcall_delta for block 0, whose block is not open'],
    [
      'a piece of a closed block',
      [textStart(), textEnd(), text('x')],
      'text_delta for block 0, whose block is not open',
    ],
    ['the end of a missing block', [textEnd(3)], 'text_end for block 3, whose block is not open'],
    ['a second end', [textStart(), textEnd(), textEnd()], 'text_end for block 0, whose block is not open'],
    ['a skipped block index', [textStart(1)], 'text_start for block 1, but the next block is 0'],
    ['a block that exists already', [textStart(), textStart()], 'text_start for block 0, but the next block is 1'],
    ['anything after done', [done(), textStart()], 'text_start for block 0, which came after done'],
    ['a second done', [done(), done()], 'done, which came after done'],
  ])('ends the message at %s', (_, deltas, problem) => {
    const { message, answers, end, notation } = assemble([...deltas, text('never seen')])
    expect(message).toMatchObject({ stopReason: 'error', errorMessage: `The provider sent ${problem}` })
    expect(answers).toHaveLength(1)
    expect([end, notation.match(/ms/g)?.length, notation.match(/me/g)?.length]).toEqual(['complete', 1, 1])
  })

  it('ends an endless answer at 32 Mi characters, keeps its content and unsubscribes the source', () => {
    const piece = 'x'.repeat(1024 * 1024)
    let sent = 0
    const endless$ = concat(
      of(textStart()),
      range(0, 36).pipe(
        tap(() => (sent += 1)),
        map(() => text(piece)),
      ),
    )
    const { message } = playAssembly(endless$)
    expect([sent, message?.stopReason]).toEqual([33, 'error'])
    expect(message?.content).toEqual([{ type: 'text', text: piece.repeat(32) }])
    expect(message?.errorMessage).toBe('The answer is longer than 32 Mi characters; it is cut off there')
  })

  it('counts an empty piece as one character, so that an endless answer of empty pieces ends', () => {
    const full = 'x'.repeat(32 * 1024 * 1024)
    expect(assemble([textStart(), text(full), done()]).message?.stopReason).toBe('stop')
    const { message } = assemble([textStart(), text(full), text(''), done()])
    expect(message?.errorMessage).toMatch(/longer than 32 Mi/)
  })

  it.each([[null], [undefined], [5], ['text'], [{}], [{ type: 'agent_end' }]])(
    'ends the message at a value that is neither a delta nor an event of a request: %j',
    (value) => {
      const { answers, end, notation } = assemble([textStart(), value as AssistantDelta, text('never seen')])
      expect([answers.length, end, notation]).toEqual([1, 'complete', 'ms(asst) mu me(asst)'])
      expect(answers[0]?.failure?.message).toMatch(/^The provider sent .*, which is not a delta/)
    },
  )

  it('ends the message at a delta whose getters throw', () => {
    const thorny = Object.defineProperty({ type: 'text_delta', contentIndex: 0 }, 'text', { get: throwBroken })
    const { message, end } = assemble([textStart(), thorny as AssistantDelta])
    expect([end, message?.errorMessage]).toEqual(['complete', 'thorny'])
  })

  it('unsubscribes a source that sent garbage', () => {
    const source$ = new Subject<AssistantDelta>()
    const { end } = playAssembly(source$)
    expect(end).toBe('open')
    source$.next(text('garbage'))
    expect(source$.observed).toBe(false)
  })
})

describe('assembleMessage of a stop', () => {
  const stopped = { isStopped: () => true }

  it('adds no message if nothing had started', () => {
    const { end, notation, answers } = assemble([{ type: 'start', responseId: 'r' }], stopped)
    expect([end, notation, answers]).toEqual(['complete', '', []])
  })

  it('ends a started message as aborted, with the content so far', () => {
    const { message, answers } = assemble(
      [textStart(), text('so far'), callStart('c', 1), callPiece('{"a', 1)],
      stopped,
    )
    expect(message).toMatchObject({
      content: [{ text: 'so far' }, { arguments: {}, argumentsText: '{"a' }],
      stopReason: 'aborted',
    })
    expect(answers[0]).not.toHaveProperty('failure')
  })

  it('keeps the text of a call that was not closed, even if it is complete', () => {
    const { message } = assemble([callStart('c'), callPiece('{"a":1}')], stopped)
    expect(message?.content).toMatchObject([{ arguments: {}, argumentsText: '{"a":1}' }])
  })

  it('keeps the stop reason of an answer that was done', () => {
    expect(assemble([textStart(), done('length')], stopped).message?.stopReason).toBe('length')
  })

  it('keeps the failure of a source that failed', () => {
    expect(
      playAssembly(
        throwError(() => new Error('sad')),
        stopped,
      ).message?.stopReason,
    ).toBe('error')
  })
})

describe('assembleMessage and its subscriber', () => {
  it('unsubscribes the source when it is unsubscribed, and emits nothing more', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answers: Answer[] = []
      const source$ = cold('-s-o-t-d|', letters)
      const types$ = source$.pipe(assembleMessage(options({ onAnswer: (answer) => answers.push(answer) })))
      expectObservable(types$, '^-!').toBe('---')
      expectSubscriptions(source$.subscriptions).toBe('^-!')
      expect(answers).toEqual([])
    })
  })

  it('stops an endless synchronous source as soon as it is unsubscribed', () => {
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

  it('fails if its callback throws, and unsubscribes the source', () => {
    const failed: unknown[] = []
    concat(
      of(textStart()),
      throwError(() => new Error('cut')),
    )
      .pipe(
        assembleMessage(
          options({
            onAnswer: () => {
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
    const { message } = assemble([textStart(), ...pieces, textEnd(), done()])
    expect(message?.content[0]).toMatchObject({ text: 'abc'.repeat(100_000) })
    expect(message?.usage).not.toEqual(noUsage)
  })
})

function throwBroken(): never {
  throw new Error('thorny')
}
