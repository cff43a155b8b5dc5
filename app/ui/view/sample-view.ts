// Inputs are folded one by one as they come; what is drawn of them is one view a frame.
import { asyncScheduler, observeOn, queueScheduler, scan, tap, throttleTime } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import { foldView } from './fold-view.ts'
import type { ViewInput } from './view-input.ts'
import { emptyView } from './view.ts'
import type { View } from './view.ts'

/** Milliseconds between two frames. */
const frame = 50

/**
 * Emits a view at once where none was emitted for 50 ms, else the latest when they are over; buffers nothing but that one. An
 * input that is caused by another comes behind it. Completes and fails with its source.
 * @param folded told of every view, ahead of what is drawn
 */
export function sampleView(folded: (view: View) => void): OperatorFunction<ViewInput, View> {
  return (inputs$) =>
    inputs$.pipe(
      observeOn(queueScheduler),
      scan(foldView, emptyView()),
      tap(folded),
      throttleTime(frame, asyncScheduler, { leading: true, trailing: true }),
    )
}
