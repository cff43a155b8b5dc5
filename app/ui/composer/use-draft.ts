// React hook that puts a returned input into the editor, before the text that was typed meanwhile.
import { useEffect, useRef } from 'react'
import type { ImageContent } from '../../../lib/streams/messages/message.ts'
import type { EditorHandle } from '../editor/editor-handle.ts'
import { unitsOfInput } from '../editor/text-buffer.ts'

/** Text to put into the editor. */
export interface Draft {
  readonly text: string
  readonly images?: readonly ImageContent[]
  readonly revision: number
}

/** Puts a returned input before the text that was typed meanwhile. */
export function useDraft({ text, images, revision }: Draft, { now, edit }: EditorHandle): void {
  const revisionShown = useRef(0)
  useEffect(() => {
    if (revision === revisionShown.current) return
    revisionShown.current = revision
    const { buffer, chips } = now()
    const put = unitsOfInput(text, images ?? [], chips)
    const rest = buffer.units.length === 0 || put.length === 0 ? [] : ['\n', ...buffer.units]
    edit({ type: 'put', units: [...put, ...rest] })
  }, [text, images, revision, now, edit])
}
