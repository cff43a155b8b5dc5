// Tests that the UI leaves at the word of an extension, and not while a run is on.
import { of } from 'rxjs'
import { expect, it } from 'vitest'
import { leaveWhenIdle } from '../../../../app/ui/session/leave-when-idle.ts'
import type { ViewInput } from '../../../../app/ui/view/view-input.ts'

const event = (fields: object): ViewInput => ({ type: 'event', event: fields }) as never // the fields that are read
const request = event({ type: 'status', code: 'extension_leave', message: '' })
const other = event({ type: 'status', code: 'extension_status', message: '' })
const settled = event({ type: 'agent_settled' })

it.each<[string, readonly ViewInput[], boolean, number]>([
  ['at once without a run', [request], false, 1],
  ['when the run has settled', [request, settled], true, 1],
  ['not while the run is on', [request], true, 0],
  ['not without a request', [other, settled], false, 0],
])('leaves %s', (_name, inputs, isRunning, times) => {
  let left = 0
  const passed: ViewInput[] = []
  const leave = (): void => void (left += 1)
  of(...inputs)
    .pipe(leaveWhenIdle(() => isRunning, leave))
    .subscribe((input) => passed.push(input))
  expect(left).toBe(times)
  expect(passed).toEqual(inputs)
})
