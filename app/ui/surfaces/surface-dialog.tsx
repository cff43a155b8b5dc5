// Shows an extension's dialog in place of the input: it gets all keys but Ctrl-C, which closes it.
import { Box, Text } from 'ink'
import type { ReactElement } from 'react'
import { useTheme } from '../hooks/use-theme.ts'
import { useUi } from '../hooks/use-ui.ts'
import type { KeyPress } from '../keys/key-press.ts'
import { useKeys } from '../keys/use-keys.ts'
import { cutToWidth } from '../text/cell-width.ts'
import { span } from '../text/span.ts'
import type { Surface } from '../view/fold-screen.ts'
import { closeSurface, sendSurfaceKey } from './send-surface-key.ts'
import { SurfaceLines } from './surface-lines.tsx'

export interface SurfaceDialogProps {
  readonly surface: Surface
  /** Cells. */
  readonly columns: number
  readonly rows: number
}

/** The way out cannot be captured: no keybinding and no extension changes it. */
const wayOut = 'ctrl+c'

export function SurfaceDialog({ surface, columns, rows }: SurfaceDialogProps): ReactElement {
  const ui = useUi()
  const { paint } = useTheme()
  const onKey = (press: KeyPress): void => {
    const isEscape = press.kind === 'key' && press.name === 'escape'
    if (press.kind === 'key' && press.name === wayOut) closeSurface(ui, surface.id)
    else if (surface.keys === true) sendSurfaceKey(ui, surface.id, press)
    else if (isEscape) closeSurface(ui, surface.id)
  }
  useKeys(onKey, true)
  const source = span(surface.source ?? 'extension').text
  return (
    <Box flexDirection="column">
      <SurfaceLines surface={surface} columns={columns} rows={rows} hasCursor />
      <Text wrap="truncate">{paint('dim', cutToWidth(`${source} · Ctrl-C closes`, columns))}</Text>
    </Box>
  )
}
