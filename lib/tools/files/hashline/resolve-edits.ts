// Decides where each edit of a call applies in the present file, or why it does not.
// Guarantees: a line is identified by the stored content of the version that its anchor names, or by its whole text.
import type { PlacedEdit } from './apply-line-edits.ts'
import { lineCheck, parseAnchor } from './anchor.ts'
import type { Anchor } from './anchor.ts'
import type { LineIndex } from './text-lines.ts'
import { locateLines, versionPair } from './locate-lines.ts'
import type { LineEdit, VersionPair } from './locate-lines.ts'
import { mergeLineEdits } from './merge-line-edits.ts'
import { textLines } from './read-hashes.ts'
import type { ShownVersion } from './shown-versions.ts'

/** An edit as the model sends it. */
export interface WrittenEdit {
  readonly op: 'replace' | 'append' | 'prepend'
  readonly pos?: string
  readonly end?: string
  readonly lines: readonly string[]
}

/** Why an edit has no certain place. */
export interface EditProblem {
  readonly index: number
  readonly reason: string
  /** About where the edit belongs in the present file, from 0. */
  readonly near: number
}

export interface ResolvedEdits {
  readonly placed: readonly PlacedEdit[]
  readonly problems: readonly EditProblem[]
  /** True if an anchor was found in another place, or in a file that had changed. */
  readonly recovered: boolean
}

export interface ResolveOptions {
  readonly present: LineIndex
  /** SHA-256 of the present file. */
  readonly digest: string
  /** The file's real path. */
  readonly target: string
  findVersion(id: string): ShownVersion | undefined
}

export async function resolveEdits(edits: readonly WrittenEdit[], options: ResolveOptions): Promise<ResolvedEdits> {
  const pairs = new Map<string, VersionPair>()
  const steps = edits.map((edit, index) =>
    resolveEdit({ ...edit, lines: splitLines(edit.lines) }, index, options, pairs),
  )
  const placed = steps.flatMap((step) => ('placed' in step ? [step.placed] : []))
  const problems = steps.flatMap((step) => ('problem' in step ? [step.problem] : []))
  const moved = steps.flatMap((step) => ('pair' in step ? [step] : []))
  if (problems.length === 0) return { placed, problems, recovered: moved.length > 0 }
  // a merge takes all edits of one version, or none
  const [first] = moved
  const isMergeable =
    first !== undefined && moved.length === steps.length && moved.every(({ pair }) => pair === first.pair)
  const merged = isMergeable
    ? await mergeLineEdits(
        moved.map(({ edit }) => edit),
        first.pair,
      )
    : undefined
  return merged === undefined
    ? { placed, problems, recovered: false }
    : { placed: [merged], problems: [], recovered: true }
}

type Step =
  | { readonly placed: PlacedEdit }
  | { readonly placed: PlacedEdit; readonly pair: VersionPair; readonly edit: LineEdit }
  | { readonly problem: EditProblem }
  | { readonly problem: EditProblem; readonly pair: VersionPair; readonly edit: LineEdit }

function resolveEdit(
  written: WrittenEdit,
  index: number,
  options: ResolveOptions,
  pairs: Map<string, VersionPair>,
): Step {
  const { op, pos, end, lines } = written
  const { present } = options
  const fail = (reason: string, near = 0): Step => ({ problem: { index, reason, near } })
  if (op !== 'replace' && lines.length === 0) return fail('lines is empty: nothing would be added')
  if (op !== 'replace' && end !== undefined) return fail(`${op} takes no end`)
  if (pos === undefined) {
    if (op === 'replace') return fail('replace needs pos')
    return { placed: { index, start: op === 'append' ? present.count : 0, removed: 0, lines } }
  }
  const anchor = parseAnchor(pos)
  const endAnchor = end === undefined ? anchor : parseAnchor(end)
  if (anchor === undefined) return fail(`${quote(pos)} is not an anchor such as 12#k7q2f`)
  if (endAnchor === undefined) return fail(`${quote(end ?? '')} is not an anchor such as 12#k7q2f`, anchor.line)
  if (endAnchor.line < anchor.line) return fail(`end ${endAnchor.written} is above pos ${anchor.written}`, anchor.line)
  const version = options.findVersion(anchor.version)
  if (version === undefined) return locateByText(written, index, [anchor, endAnchor], present)
  const edit: LineEdit = { index, op, first: anchor.line, last: endAnchor.line, lines }
  const pair = pairs.get(version.id) ?? pairOf(version, options)
  pairs.set(version.id, pair)
  const reason = describeMismatch([anchor, endAnchor], version, pair, options)
  if (reason !== undefined) return fail(reason, anchor.line)
  if (version.digest === options.digest) return { placed: positionEdit(edit, anchor.line) }
  const position = locateLines(edit, pair)
  if (position !== undefined) return { placed: positionEdit(edit, position), pair, edit }
  const what = edit.first === edit.last ? `line ${edit.first + 1}` : `lines ${edit.first + 1}-${edit.last + 1}`
  const near = pair.landmark(edit.first) ?? edit.first
  return { problem: { index, reason: `the file has changed at ${what} since it was shown`, near }, pair, edit }
}

function pairOf(version: ShownVersion, { present, digest }: ResolveOptions): VersionPair {
  return versionPair(version.digest === digest ? present : textLines(version.bytes), present)
}

function positionEdit({ index, op, first, last, lines }: LineEdit, start: number): PlacedEdit {
  const count = last - first + 1
  if (op === 'replace') return { index, start, removed: count, lines }
  return { index, start: op === 'append' ? start + count : start, removed: 0, lines }
}

/** Why the anchors are not lines of this version as it was shown. */
function describeMismatch(
  anchors: readonly [Anchor, Anchor],
  version: ShownVersion,
  { shown }: VersionPair,
  { target }: ResolveOptions,
): string | undefined {
  if (version.target !== target) return `${anchors[0].written} is an anchor of another file, ${version.target}`
  if (anchors[1].version !== version.id)
    return `${anchors[0].written} and ${anchors[1].written} are of different versions of the file`
  for (const { written, line, check, text } of anchors) {
    if (line >= shown.count || !version.hasShown(line) || lineCheck(line, shown.text(line)) !== check)
      return `${written} is not an anchor that was shown`
    if (text !== undefined && !isTextOf(text, shown.text(line))) return `the text behind ${written} is not that line's`
  }
  return undefined
}

/** A model may shorten a long line, or lose blanks at its end. */
function isTextOf(written: string, line: string): boolean {
  if (written.trimEnd() === line.trimEnd()) return true
  const shortened = /^(.{8,})(?:…|\.\.\.)\s*$/s.exec(written)?.[1]
  return shortened !== undefined && line.startsWith(shortened)
}

/**
 * Without the stored version only a line's whole text can identify it: it must be in its place, and occur once. Lines
 * between the two ends of a range are not known, so there may be none.
 */
function locateByText(
  { op, lines }: WrittenEdit,
  index: number,
  [first, last]: readonly [Anchor, Anchor],
  present: LineIndex,
): Step {
  const isKnown = [first, last].every(
    ({ line, text }) => text !== undefined && text.trim() !== '' && isOnlyLine(present, line, text),
  )
  if (isKnown && last.line - first.line <= 1) {
    return { placed: positionEdit({ index, op, first: first.line, last: last.line, lines }, first.line) }
  }
  const example = `${first.written}:its text`
  const reason = `the lines of ${first.written} are not remembered; use fresh anchors, or add the line's whole text: ${example}`
  return { problem: { index, reason, near: first.line } }
}

function isOnlyLine(present: LineIndex, line: number, text: string): boolean {
  if (line >= present.count || present.text(line) !== text) return false
  for (let other = 0; other < present.count; other += 1)
    if (other !== line && present.text(other) === text) return false
  return true
}

/** Models send several lines in one text too. */
function splitLines(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.replace(/\r?\n$/, '').split(/\r?\n/))
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
