// React hook that loads a queued input into the editor and restores the earlier text afterwards.
import { useLayoutEffect, useRef } from 'react'
import { textOfUnits } from '../editor/unit.ts'
import type { Unit } from '../editor/unit.ts'
import type { EditorHandle } from '../editor/editor-handle.ts'

/** A queued input as units of the editor. */
export interface QueuedText {
  readonly queueId: string
  readonly units: readonly Unit[]
}

export interface QueuedEditing {
  /** True if the editor differs from the queued input. */
  isChanged(): boolean
  /** Empties the editor. */
  drop(): void
}

/** If the input is sent meanwhile, its edited text stays in the editor. */
export function useQueueEditing(queued: QueuedText | undefined, { now, edit }: EditorHandle): QueuedEditing {
  const edited = useRef<QueuedText>(undefined)
  const before = useRef<readonly Unit[]>([])
  const isChanged = (): boolean => {
    const [is, was] = [now().buffer.units, edited.current?.units ?? []].map((units) => textOfUnits(units))
    return is !== was
  }
  useLayoutEffect(() => {
    if (edited.current?.queueId === queued?.queueId) return
    const { units } = now().buffer
    if (edited.current === undefined) before.current = units
    if (queued === undefined) edit({ type: 'put', units: joinInputs(isChanged() ? units : [], before.current) })
    else edit({ type: 'put', units: queued.units })
    edited.current = queued
  })
  return {
    isChanged,
    drop: () => {
      edit({ type: 'put', units: [] })
    },
  }
}

function joinInputs(first: readonly Unit[], second: readonly Unit[]): readonly Unit[] {
  return first.length === 0 || second.length === 0 ? [...first, ...second] : [...first, '\n', ...second]
}
