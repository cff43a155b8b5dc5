// Draws recorded screens of a terminal as one SVG that repeats them; it needs no script.
//
// Guarantees: a frame costs the lines that it changes. Each distinct line is drawn once. Without animation (reduced
// motion, renderers without CSS) the last frame shows.
import { cell, colours, drawnLine, escaped, fonts, length, margin } from './drawn-line.ts'
import { styledLines } from './styled-lines.ts'

export interface Frame {
  /** Milliseconds since the first frame; no frame is earlier than the one before it. */
  readonly at: number
  /** The screen with colours, one line a row. */
  readonly painted: string
  /** Absent if the terminal hides it. */
  readonly cursor?: { readonly column: number; readonly row: number }
}

export interface MovingPicture {
  readonly frames: readonly Frame[]
  /** Milliseconds that a round lasts; the last frame stands until then. */
  readonly duration: number
  readonly columns: number
  readonly rows: number
  readonly title: string
  readonly description: string
}

interface Change<T> {
  readonly at: number
  readonly to: T
}

/** @param widthOf returns the number of cells of a text */
export function movingPicture(picture: MovingPicture, widthOf: (text: string) => number): string {
  const { frames, duration, columns, rows, title, description } = picture
  const screens = frames.map(({ painted }) => styledLines(painted, widthOf).map((runs) => drawnLine(runs, 0, widthOf)))
  const drawn = new DrawnLines()
  const strips = Array.from({ length: rows }, (_, row) =>
    rowStrip(row, changesOf(frames, (index) => drawn.idOf(screens[index]?.[row] ?? '')), duration, columns),
  )
  const cursor = cursorLayer(
    changesOf(frames, (index) => cursorWorkspace(frames[index]?.cursor)),
    duration,
  )
  const [width, height] = [columns * cell.width + 2 * margin, rows * cell.height + 2 * margin]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${length(width)} ${length(height)}" ${fonts} fill="${colours.text}" role="img" aria-labelledby="t d">`,
    `<title id="t">${escaped(title)}</title>`,
    `<desc id="d">${escaped(description)}</desc>`,
    '<style>',
    `.m{animation:${length(duration / 1000)}s step-end infinite}`,
    ...[...strips, cursor].map(({ style }) => style).filter((style) => style !== ''),
    '@media (prefers-reduced-motion:reduce){.m{animation:none!important}}',
    '</style>',
    `<defs>${drawn.definitions()}</defs>`,
    `<rect x=".5" y=".5" width="${length(width - 1)}" height="${length(height - 1)}" rx="8" fill="${colours.back}" stroke="${colours.edge}"/>`,
    cursor.elements,
    ...strips.map(({ elements }) => elements).filter((elements) => elements !== ''),
    '</svg>\n',
  ].join('\n')
}

/** Gives each distinct line an id; the empty line has the id ''. */
class DrawnLines {
  readonly #ids = new Map<string, string>()

  idOf(elements: string): string {
    if (elements === '') return ''
    const id = this.#ids.get(elements) ?? `l${this.#ids.size.toString(36)}`
    this.#ids.set(elements, id)
    return id
  }

  definitions(): string {
    return Array.from(this.#ids, ([elements, id]) => `<g id="${id}">${elements}</g>`).join('\n')
  }
}

/** Reads one thing from each frame, without the frames that leave it as it is. */
function changesOf<T>(frames: readonly Frame[], read: (index: number) => T): Change<T>[] {
  const changes: Change<T>[] = []
  for (const [index, { at }] of frames.entries()) {
    const to = read(index)
    if (changes.at(-1)?.to !== to) changes.push({ at, to })
  }
  return changes
}

interface Layer {
  readonly style: string
  readonly elements: string
}

/**
 * A window of one line over a strip that holds the row's lines one below the other. The line of the last frame is the
 * first one, so that the window shows it without an animation.
 */
function rowStrip(row: number, changes: readonly Change<string>[], duration: number, columns: number): Layer {
  const lines = [...new Set([changes.at(-1)?.to ?? '', ...changes.map(({ to }) => to)])]
  const uses = lines.map((id, workspace) =>
    id === '' ? '' : `<use href="#${id}" y="${workspace * cell.height + cell.baseline}"/>`,
  )
  if (uses.every((use) => use === '')) return { style: '', elements: '' }
  const [y, width] = [margin + row * cell.height, columns * cell.width + 2 * margin]
  const box = `<svg y="${y}" width="${length(width)}" height="${cell.height}">`
  if (lines.length === 1) return { style: '', elements: `${box}${uses.join('')}</svg>` }
  const steps = changes.map(({ at, to }) => step(at / duration, `translateY(${0 - lines.indexOf(to) * cell.height}px)`))
  return {
    style: keyframes(`r${row}`, steps),
    elements: `${box}<g class="m" style="animation-name:r${row}">${uses.join('')}</g></svg>`,
  }
}

function cursorWorkspace(cursor: Frame['cursor']): string {
  if (cursor === undefined) return 'scale(0)'
  return `translate(${length(cursor.column * cell.width)}px,${cursor.row * cell.height}px)`
}

function cursorLayer(changes: readonly Change<string>[], duration: number): Layer {
  const last = changes.at(-1)?.to ?? 'scale(0)'
  const steps = changes.map(({ at, to }) => step(at / duration, to))
  const box = `<rect x="${margin}" y="${margin}" width="${cell.width}" height="${cell.height}" fill="${colours.text}" opacity=".4"/>`
  const still = last.replaceAll('px', '')
  return {
    style: keyframes('cursor', steps),
    elements: `<g transform="${still}" class="m" style="animation-name:cursor">${box}</g>`,
  }
}

function step(part: number, transform: string): string {
  return `${Number((100 * part).toFixed(3))}%{transform:${transform}}`
}

function keyframes(name: string, steps: readonly string[]): string {
  return `@keyframes ${name}{${steps.join('')}}`
}
