// React hook that puts texts into the editor, before what was typed meanwhile or in place of it.
import { useEffect, useRef } from 'react'
import type { EditorHandle } from '../editor/editor-handle.ts'
import { unitsOfInput } from '../editor/unit.ts'
import type { Unit } from '../editor/unit.ts'
import type { Draft } from '../view/view.ts'

/**
 * Each draft is put once; several of one frame stand in their order. One that replaces also replaces those before it.
 * @param onTaken called with the number of the last draft that was put
 */
export function useDrafts(
  drafts: readonly Draft[],
  { now, edit }: EditorHandle,
  onTaken: (revision: number) => void,
): void {
  const shown = useRef(0)
  const taken = useRef(onTaken)
  taken.current = onTaken
  useEffect(() => {
    const fresh = drafts.filter(({ revision }) => revision > shown.current)
    const last = fresh.at(-1)
    if (last === undefined) return
    shown.current = last.revision
    const { buffer, chips } = now()
    const replacing = fresh.findLastIndex(({ replaces = false }) => replaces)
    const counted = fresh.slice(Math.max(replacing, 0))
    const typed = replacing === -1 ? buffer.units : []
    const units = joined([...putUnits(counted, chips), typed])
    if (replacing !== -1 || units.length > typed.length) edit({ type: 'put', units })
    taken.current(last.revision)
  }, [drafts, now, edit])
}

/** The units of each draft. @param chips number of chips so far */
function putUnits(drafts: readonly Draft[], chips: number): readonly (readonly Unit[])[] {
  let number = chips
  return drafts.map(({ text, images = [] }) => {
    const units = unitsOfInput(text, images, number)
    number += units.filter((unit) => typeof unit !== 'string').length
    return units
  })
}

/** One behind the other, each on a line of its own. */
function joined(texts: readonly (readonly Unit[])[]): readonly Unit[] {
  return texts.filter(({ length }) => length > 0).flatMap((units, index) => (index === 0 ? units : ['\n', ...units]))
}
