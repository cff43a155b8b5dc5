// Describes what modules written for pi register: handlers, commands, shortcuts, flags, renderers.
import type { PiRecord } from './pi-shapes.ts'

export type PiHandler = (event: PiRecord, context: PiRecord) => unknown

export interface PiCommand {
  readonly description?: string
  handler(args: string, context: PiRecord): unknown
}

export interface PiShortcut {
  readonly description?: string
  handler(context: PiRecord): unknown
}

export interface PiFlag {
  readonly description?: string
  readonly type: 'boolean' | 'string'
  readonly default?: boolean | string
}

/** A component of `pi-tui`: it renders lines for a width. */
export interface PiComponent {
  render(width: number): string[]
}

/** A component that a module shows as a surface. */
export interface PiSurfaceComponent extends PiComponent {
  focused?: boolean
  handleInput?(data: string): void
  dispose?(): void
  /** Of editors. */
  getText?(): string
  setText?(text: string): void
}

/** Makes the component of a surface. */
export type PiComponentFactory = (...parts: unknown[]) => PiSurfaceComponent | Promise<PiSurfaceComponent>

export type PiRenderer = (value: PiRecord, options: PiRecord, theme: unknown) => PiComponent | undefined

/** The function that a module of pi exports. */
export type PiFactory = (pi: PiRecord) => unknown
