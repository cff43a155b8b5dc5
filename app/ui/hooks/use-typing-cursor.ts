// The terminal's own cursor stands where the next character goes: input methods open their window there.
import { measureElement, useCursor } from 'ink'
import type { CursorPosition, DOMElement } from 'ink'
import { useRef } from 'react'
import type { RefObject } from 'react'

/** Cells and rows from the corner of the box that gets the ref, from 0; undefined: the cursor is somebody else's. */
export function useTypingCursor(at: CursorPosition | undefined): RefObject<DOMElement | null> {
  const { setCursorPosition } = useCursor()
  const box = useRef<DOMElement>(null)
  setCursorPosition(at && cursorIn(box, at))
  return box
}

/**
 * Ink asks for the place when it writes a frame, after the layout of that very frame: it is right whatever stands above the
 * box, in the frame where that changes too.
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
