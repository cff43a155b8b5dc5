// A failure as a line for people, with what can be done about it where that is known.
import { Failure } from '../../../lib/streams/values/failure.ts'
import { hintFor } from './hint-for.ts'
import type { ViewInput } from './view-input.ts'

/** @param hint what to do, where it is known better than by the failure's code */
export function failureNotice(error: unknown, hint?: string): Extract<ViewInput, { readonly type: 'notice' }> {
  const failure = Failure.from(error)
  const advice = hint === undefined ? hintFor(failure) : { hint }
  return { type: 'notice', level: 'error', text: failure.message, ...advice }
}
