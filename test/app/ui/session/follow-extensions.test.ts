// Tests what extensions ask of the UI: a text for the editor, and another session.
import { of } from 'rxjs'
import { expect, it } from 'vitest'
import { followExtensions } from '../../../../app/ui/session/follow-extensions.ts'
import type { ViewInput } from '../../../../app/ui/view/view-input.ts'

const status = (code: string, context?: object): ViewInput =>
  ({ type: 'event', event: { type: 'status', code, message: '', context } }) as never // the fields that are read

it.each<[string, ViewInput, unknown[]]>([
  ['a text in place of what is typed', status('extension_editor', { text: 'go' }), ['draft', 'go', true]],
  ['a text before what is typed', status('extension_editor', { text: 'go', keepTyped: true }), ['draft', 'go', false]],
  ['an empty text', status('extension_editor', { text: '' }), ['draft', '', true]],
  ['a new session', status('extension_open', { session: null }), ['open', undefined]],
  ['another session', status('extension_open', { session: 'abc' }), ['open', 'abc']],
  ['nothing without a text', status('extension_editor'), []],
  ['nothing of other events', status('extension_status', { text: 'x' }), []],
])('follows %s', (_name, input, done) => {
  const acts: unknown[] = []
  const passed: ViewInput[] = []
  of(input)
    .pipe(
      followExtensions({
        draft: (...args) => acts.push('draft', ...args),
        open: (session) => acts.push('open', session),
      }),
    )
    .subscribe((each) => passed.push(each))
  expect(acts).toEqual(done)
  expect(passed).toEqual([input])
})
