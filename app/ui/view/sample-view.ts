// Folds inputs one by one and emits at most one view a frame.
import { asyncScheduler, observeOn, queueScheduler, scan, tap, throttleTime } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import { foldView } from './fold-view.ts'
import type { ViewInput } from './view-input.ts'
import { emptyView } from './view.ts'
import type { View } from './view.ts'

/** Milliseconds between two frames. */
const frameMs = 50

/**
 * Emits a view at once after a pause of 50 ms, else the latest at the end of the interval; buffers only that one. An
 * input caused by another is folded after it. Completes and fails with its source.
 * @param onView called with every view, ahead of drawing
 */
export function sampleView(onView: (view: View) => void): OperatorFunction<ViewInput, View> {
  return (inputs$) =>
    inputs$.pipe(
      observeOn(queueScheduler),
      scan(foldView, emptyView()),
      tap(onView),
      throttleTime(frameMs, asyncScheduler, { leading: true, trailing: true }),
    )
}
