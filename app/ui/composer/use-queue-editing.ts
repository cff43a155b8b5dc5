// While an input that waits is changed in the editor, what was being written before stays behind it, and comes back.
import { useLayoutEffect, useRef } from 'react'
import { textOfUnits } from '../editor/text-buffer.ts'
import type { Unit } from '../editor/text-buffer.ts'
import type { EditorHandle } from '../editor/editor-handle.ts'

/** An input that waits, as the editor takes it. */
export interface QueuedText {
  readonly queueId: string
  readonly units: readonly Unit[]
}

export interface QueuedEditing {
  /** The editor holds something else than what waits. */
  isChanged(): boolean
  /** The editor is emptied: nothing of it is to stay. */
  drop(): void
}

/** One that was sent meanwhile leaves in the editor what was made of it. */
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
    if (queued === undefined) edit({ type: 'put', units: joined(isChanged() ? units : [], before.current) })
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

function joined(first: readonly Unit[], second: readonly Unit[]): readonly Unit[] {
  return first.length === 0 || second.length === 0 ? [...first, ...second] : [...first, '\n', ...second]
}
