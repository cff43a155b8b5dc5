// Draws the lines of surfaces: safe, cut to the width, with the terminal's cursor at the marker.
import { Box, Text } from 'ink'
import type { ReactElement } from 'react'
import { useTypingCursor } from '../hooks/use-typing-cursor.ts'
import type { Surface } from '../view/fold-screen.ts'
import { cutSurfaceLine } from './cut-surface-line.ts'
import type { SurfacePart } from './surface-rows.ts'

export interface SurfaceLinesProps {
  readonly surface: Surface
  /** Cells. */
  readonly columns: number
  readonly rows: number
  /** True: it has the keys, and the cursor marker counts. Default: false. */
  readonly hasCursor?: boolean
}

export function SurfaceLines({ surface, columns, rows, hasCursor = false }: SurfaceLinesProps): ReactElement {
  const lines = surface.lines.slice(0, rows).map((line) => cutSurfaceLine(line, columns))
  const y = lines.findIndex(({ cursor }) => cursor !== undefined)
  const x = lines[y]?.cursor
  const box = useTypingCursor(hasCursor && x !== undefined ? { x, y } : undefined)
  return (
    <Box ref={box} flexShrink={0}>
      <Text>{lines.map(({ text }) => (text === '' ? ' ' : text)).join('\n')}</Text>
    </Box>
  )
}

/** Surfaces without keys, one below the other. */
export function SurfaceParts({ parts, columns }: { readonly parts: readonly SurfacePart[]; readonly columns: number }) {
  return parts.map(({ surface, rows }) => (
    <SurfaceLines key={surface.id} surface={surface} columns={columns} rows={rows} />
  ))
}
