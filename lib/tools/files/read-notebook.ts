// Shows the cells of a Jupyter notebook as text: source and text outputs, without images and metadata.
import { textResult } from '../../streams/ports/tool.ts'
import { truncateHead } from '../../streams/values/truncate.ts'
import { formatBytes } from '../../streams/values/format-bytes.ts'
import { outputLimits } from '../shared/output-limits.ts'
import { FileProblem } from '../shared/file-problem.ts'
import { wholeFile } from './read-window.ts'
import type { OpenFile, ReadContent } from './read-window.ts'
import { countOf } from '../../streams/values/count-of.ts'

/** A larger notebook is read as text. */
const maxBytes = 32 * 2 ** 20

/** Undefined if the file is not a notebook: then it is read as text. `offset` and `limit` count the shown lines. */
export async function readNotebook(
  file: OpenFile,
  { offset = 1, limit = outputLimits.maxLines }: { readonly offset?: number; readonly limit?: number },
  signal: AbortSignal,
): Promise<ReadContent | undefined> {
  if (file.size > maxBytes) return undefined
  const whole = await wholeFile(file, signal)
  const cells = parseCells(whole.toString('utf8'))
  if (cells === undefined) return undefined
  const lines = cells.map(cellText).join('\n').trimEnd().split('\n')
  if (offset > lines.length) {
    throw new FileProblem(
      `${file.path} has ${countOf(lines.length, 'line')} of cells: offset ${offset} is past its end.`,
    )
  }
  const maxLines = Math.min(limit, outputLimits.maxLines)
  const shown = truncateHead(lines.slice(offset - 1).join('\n'), { ...outputLimits, maxLines })
  const last = offset + shown.lines - 1
  const notice = shown.cutLine
    ? `\n[Line ${offset} is longer than ${formatBytes(outputLimits.maxBytes)}: only its beginning is shown. For the next line use offset=${offset + 1}]`
    : last < lines.length
      ? `\n[Lines ${offset}-${last} are shown. Continue with offset=${last + 1}]`
      : ''
  const text = cells.length === 0 ? '(The notebook has no cells.)' : `${shown.text.trimEnd()}${notice}`
  const isWhole = offset === 1 && notice === ''
  const details = { path: file.path, firstLine: offset, lines: shown.lines, isWhole, cells: cells.length }
  return { result: textResult(text, { details }), whole: isWhole ? whole : undefined }
}

type Fields = Readonly<Record<string, unknown>>

function parseCells(text: string): Fields[] | undefined {
  try {
    const { cells } = fieldsOf(JSON.parse(text))
    return Array.isArray(cells) ? cells.map(fieldsOf) : undefined
  } catch {
    return undefined // no JSON: the caller reads it as text
  }
}

function cellText(cell: Fields, index: number): string {
  const kind = typeof cell['cell_type'] === 'string' ? cell['cell_type'] : 'cell'
  const outputs = Array.isArray(cell['outputs']) ? cell['outputs'].map((output) => outputText(fieldsOf(output))) : []
  const shown = outputs.filter((output) => output !== '').map((output) => `--- output\n${output}`)
  return [`=== cell ${index + 1} (${kind})`, joined(cell['source']), ...shown, ''].join('\n')
}

/** The text of an output; other content by its type. */
function outputText(output: Fields): string {
  if (output['text'] !== undefined) return joined(output['text']).trimEnd()
  if (Array.isArray(output['traceback']))
    return joined(output['traceback'].map((line) => `${String(line)}\n`)).trimEnd()
  const data = fieldsOf(output['data'])
  const text = data['text/plain']
  const others = Object.keys(data).filter((type) => type !== 'text/plain')
  return [joined(text).trimEnd(), ...others.map((type) => `[${type}]`)].filter((part) => part !== '').join('\n')
}

/** A text of the format: one string, or a list of lines; without the colours of a terminal. */
function joined(value: unknown): string {
  const text = Array.isArray(value) ? value.map(String).join('') : typeof value === 'string' ? value : ''
  return text.replace(/\u{1B}\[[\d;]*m/gu, '')
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
