// Tests questions under random answers, aborts and clients: each has one outcome.
// The outcome is in the log before the session acts on it.
import fc from 'fast-check'
import type { Subscription } from 'rxjs'
import { expect, it } from 'vitest'
import type { Answer } from '../../../lib/streams/ports/ask.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { SessionControl } from '../../support/virtual-session.ts'

const step = fc.record({
  at: fc.nat(50_000),
  act: fc.constantFrom('ask', 'answer', 'answer twice', 'come', 'leave', 'give up', 'prompt', 'abort', 'close'),
  choice: fc.nat(9),
  timeoutMs: fc.option(fc.integer({ min: 1, max: 40_000 }), { nil: undefined }),
})

it('every open question has exactly one outcome [EVENT-ui_resolved]', { timeout: sampleSize(20_000, 300_000) }, () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const present: Subscription[] = []
      const asking: Subscription[] = []
      const answers: { answer: Answer; resolved: number }[] = []
      const resolved = ({ session }: SessionControl): number =>
        [...session.logged()].filter(({ event }) => event.type === 'ui_resolved').length
      const acts: Record<
        (typeof steps)[number]['act'],
        (control: SessionControl, own: (typeof steps)[number]) => void
      > = {
        ask: (control, { timeoutMs }) => {
          const question = {
            kind: 'confirm',
            text: 'Sure?',
            ...(timeoutMs === undefined ? {} : { timeoutMs }),
          } as const
          const sentRequests = control.session.ask(question).subscribe({
            next: (answer) => answers.push({ answer, resolved: resolved(control) }),
            error: () => undefined, // the session was closed
          })
          asking.push(sentRequests)
        },
        answer: (control, { choice }) => respond(control, choice),
        'answer twice': (control, { choice }) => {
          respond(control, choice)
          respond(control, choice)
        },
        come: ({ session }) => present.push(session.answering$.subscribe()),
        leave: (_, { choice }) => present[choice]?.unsubscribe(),
        'give up': (_, { choice }) => asking[choice]?.unsubscribe(),
        prompt: ({ send }) => send({ type: 'prompt', text: 'Hi' }),
        abort: ({ send }) => send({ type: 'abort' }),
        close: ({ session }) => session.close().subscribe(),
      }
      const at: Record<number, (control: SessionControl) => void> = {}
      for (const each of steps) {
        const before = at[each.at]
        at[each.at] = (control) => {
          before?.(control)
          acts[each.act](control, each)
        }
      }
      at[200_000] = ({ session }) => session.close().subscribe()
      const played = playSession({ script: [{ text: 'slow', delayMs: 5_000 }, 'done', 'done'], at })
      const sentRequests = played.events.filter(
        (event): event is EventNamed<'ui_request'> => event.type === 'ui_request',
      )
      const ends = played.events.filter((event): event is EventNamed<'ui_resolved'> => event.type === 'ui_resolved')
      expect(ends.map(({ requestId }) => requestId).sort()).toEqual(
        sentRequests.map(({ requestId }) => requestId).sort(),
      )
      expect(played.session.state$.value.requests).toEqual([])
      // each outcome that a caller received is on a log line, and was written before
      answers.forEach(({ resolved: written }, index) => expect(written).toBeGreaterThan(index))
      const outcomes = ends.map(({ outcome, by }) => JSON.stringify({ outcome, by }))
      for (const { answer } of answers) expect(outcomes).toContain(JSON.stringify(answer))
    }),
    { numRuns: sampleSize(150, 5_000) },
  )
})

function respond({ session, send }: SessionControl, choice: number): void {
  const { requests } = session.state$.value
  const request = requests[choice % (requests.length || 1)]
  if (request !== undefined) send({ type: 'ui_response', requestId: request.requestId, outcome: choice % 2 === 0 })
}
