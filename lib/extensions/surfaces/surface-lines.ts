// Makes the event of a surface of what its component rendered: safe lines, 64 KiB at most.
import type { EventNamed } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import { surfaceLine } from '../../streams/surfaces/surface-line.ts'
import type { SurfaceEntry } from './held-surface.ts'

/** UTF-8 bytes of all lines of a surface. */
export const surfaceBytes = 65_536
/** A screen has no more rows. */
const mostLines = 1_000
/** UTF-16 units of a line that are read: the rest is beyond every screen. */
const lineUnits = 16_384

/** The safe lines, as far as they are 64 KiB. @throws Failure `bad_request` unless it is a list of strings */
export function surfaceLines(rendered: unknown): readonly string[] {
  if (!Array.isArray(rendered) || rendered.some((line) => typeof line !== 'string'))
    throw new Failure('bad_request', '`render` has to return a list of strings')
  const lines: string[] = []
  let bytes = 0
  for (const line of rendered.slice(0, mostLines) as readonly string[]) {
    const safe = surfaceLine(line.slice(0, lineUnits))
    bytes += Buffer.byteLength(safe) + 1
    if (bytes > surfaceBytes) break
    lines.push(safe)
  }
  return lines
}

export function surfaceEvent(
  { owner, value: { id, component } }: SurfaceEntry,
  drawn: { readonly lines: readonly string[]; readonly columns?: number; readonly closed?: boolean },
): EventNamed<'surface'> {
  const { placement, position, key } = component
  return {
    ...{ type: 'surface', id, placement, ...drawn, lines: [...drawn.lines], source: owner },
    ...(placement === 'widget' && { position: position ?? 'above' }),
    ...(key !== undefined && drawn.closed !== true && { keys: true }),
  }
}
