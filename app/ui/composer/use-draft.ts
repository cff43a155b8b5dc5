// React hook that puts a text into the editor, before what was typed meanwhile or in place of it.
import { useEffect, useRef } from 'react'
import type { ImageContent } from '../../../lib/streams/messages/message.ts'
import type { EditorHandle } from '../editor/editor-handle.ts'
import { unitsOfInput } from '../editor/unit.ts'

/** Text to put into the editor. */
export interface Draft {
  readonly text: string
  readonly images?: readonly ImageContent[]
  /** True: what was typed is gone. Default: false. */
  readonly replaces?: boolean
  readonly revision: number
}

export function useDraft({ text, images, replaces = false, revision }: Draft, { now, edit }: EditorHandle): void {
  const revisionShown = useRef(0)
  useEffect(() => {
    if (revision === revisionShown.current) return
    revisionShown.current = revision
    const { buffer, chips } = now()
    const put = unitsOfInput(text, images ?? [], chips)
    const rest = replaces || buffer.units.length === 0 || put.length === 0 ? [] : ['\n', ...buffer.units]
    edit({ type: 'put', units: [...put, ...rest] })
  }, [text, images, replaces, revision, now, edit])
}
