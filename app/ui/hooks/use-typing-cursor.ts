// React hook that puts the terminal's cursor at the insertion point, where input methods open.
import { measureElement, useCursor } from 'ink'
import type { CursorPosition, DOMElement } from 'ink'
import { useRef } from 'react'
import type { RefObject } from 'react'

/** Position from the corner of the box with the ref, from 0; undefined: another component has the cursor. */
export function useTypingCursor(at: CursorPosition | undefined): RefObject<DOMElement | null> {
  const { setCursorPosition } = useCursor()
  const box = useRef<DOMElement>(null)
  setCursorPosition(at && cursorIn(box, at))
  return box
}

/**
 * Ink reads the position when it writes a frame, after that frame's layout, so it is right even if the rows above
 * change.
 */
function cursorIn(box: RefObject<DOMElement | null>, { x, y }: CursorPosition): CursorPosition {
  const position = () => (box.current === null ? { x: 0, y: 0 } : measureElement(box.current))
  return {
    get x() {
      return position().x + x
    },
    get y() {
      return position().y + y
    },
  }
}
