// Computes the lines of an overlay: its width, its height, and its column on the screen.
import type { ScreenSize } from '../../../streams/surfaces/surfaces.ts'
import type { PiSurfaceComponent } from '../contract/pi-registrations.ts'

type Size = number | string

interface Margin {
  readonly left?: number
  readonly right?: number
}

/** As pi-tui takes them. A client has no place for rows: an overlay stands where dialogs do. */
export interface OverlayOptions {
  readonly width?: Size
  readonly minWidth?: number
  readonly maxHeight?: Size
  readonly anchor?: string
  readonly offsetX?: number
  readonly col?: Size
  readonly margin?: Margin | number
  readonly nonCapturing?: boolean
  visible?(columns: number, rows: number): boolean
}

/** Cells of an overlay that names no width, if the screen has them. */
const usualWidth = 80

/** The lines of a component as an overlay of these options; none while it wants to be invisible. */
export function overlayLines(component: PiSurfaceComponent, options: OverlayOptions, screen: ScreenSize): string[] {
  const { columns, rows } = screen
  if (options.visible?.(columns, rows) === false) return []
  const { left, right } = margins(options.margin)
  const room = Math.max(1, columns - left - right)
  const wanted = Math.max(cells(options.width, columns) ?? usualWidth, options.minWidth ?? 0)
  const width = Math.max(1, Math.min(wanted, room))
  const start = Math.min(Math.max(0, startColumn(options, { left, room, width })), Math.max(0, columns - width))
  const height = cells(options.maxHeight, rows)
  const lines = component.render(width)
  const shown = height === undefined ? lines : lines.slice(0, Math.max(1, height))
  return start === 0 ? [...shown] : shown.map((line) => `${' '.repeat(start)}${line}`)
}

function startColumn(
  { anchor = 'center', col, offsetX = 0 }: OverlayOptions,
  { left, room, width }: { readonly left: number; readonly room: number; readonly width: number },
): number {
  const free = room - width
  if (typeof col === 'number') return col + offsetX
  if (col !== undefined) return left + Math.floor(free * share(col)) + offsetX
  const words = anchor.split('-')
  if (words.includes('left')) return left + offsetX
  return left + (words.includes('right') ? free : Math.floor(free / 2)) + offsetX
}

function cells(size: Size | undefined, all: number): number | undefined {
  if (size === undefined || typeof size === 'number') return size
  return Math.floor(all * share(size))
}

/** `50%` is 0.5; what is no percentage is the whole. */
function share(size: string): number {
  const percent = Number.parseFloat(size)
  return Number.isFinite(percent) ? percent / 100 : 1
}

function margins(margin: OverlayOptions['margin']): { readonly left: number; readonly right: number } {
  if (typeof margin === 'number') return { left: margin, right: margin }
  return { left: margin?.left ?? 0, right: margin?.right ?? 0 }
}
