// Tests the record of a command's output: the shown tail and the file of the whole.
import { describe, expect, it } from 'vitest'
import { recordOutput } from '../../../lib/tools/shell/output-record.ts'
import type { SpillFile } from '../../../lib/host/files/spill-file.ts'

/** A file in memory that records its calls. */
function fakeSpill() {
  const done: string[] = []
  let content = ''
  const file: SpillFile = {
    path: '/spill',
    isCapped: false,
    problem: undefined,
    write: (text) => void (content += text),
    close: () => void done.push('close'),
    remove: () => void done.push('remove'),
  }
  return { done, file, content: () => content }
}

function record(pieces: readonly string[]) {
  const spill = fakeSpill()
  let created = 0
  const output = recordOutput(() => {
    created += 1
    return spill.file
  })
  for (const piece of pieces) output.add(piece)
  return { output, spill, created: () => created }
}

describe('recordOutput', () => {
  it.each([
    ['nothing', [], 0],
    ['a line in pieces', ['a', 'b', '\n'], 1],
    ['a last line without its end', ['a\n', 'b'], 2],
    ['as many lines as can be shown', ['x\n'.repeat(1999), 'x'], 2000],
    ['as many bytes as can be shown', [`${'é'.repeat(25_599)}\n`, 'é'.repeat(0)], 1],
  ])('shows %s whole, without a file', (_, pieces, totalLines) => {
    const { output, spill } = record(pieces)
    const recorded = output.finish()
    const whole = pieces.join('')
    expect(recorded).toMatchObject({ text: whole, isCut: false, totalLines, totalBytes: Buffer.byteLength(whole) })
    expect(recorded.spill).toBe(undefined)
    expect(spill.done).not.toContain('write')
  })

  it.each([
    ['lines', ['x\n'.repeat(1500), 'x\n'.repeat(1500)]],
    ['bytes', ['é'.repeat(20_000), 'é'.repeat(20_000), '\nend']],
    ['one huge piece after a small one', ['first\n', 'y'.repeat(500_000), '\nlast']],
    ['many small pieces', Array.from({ length: 30_000 }, (_, index) => `${index}\n`)],
  ])('stores the whole in a file if it is too long by %s', (_, pieces) => {
    const { output, spill, created } = record(pieces)
    const recorded = output.finish()
    expect(recorded.isCut).toBe(true)
    expect(recorded.spill).toBe(spill.file)
    expect(pieces.join('').endsWith(recorded.text)).toBe(true)
    expect([spill.content() === pieces.join(''), created(), spill.done]).toEqual([true, 1, ['close']])
  })

  it('reports that a line is cut', () => {
    expect(record(['x'.repeat(60_000)]).output.finish()).toMatchObject({ isLineCut: true, lines: 1, totalLines: 1 })
  })

  it('removes the file if it is not needed', () => {
    const { output, spill } = record(['x\n'.repeat(2000)])
    expect(output.finish()).toMatchObject({ isCut: false, lines: 2000 })
    expect(spill.done).toEqual(['close', 'remove'])
  })

  it('removes the file of an abandoned call, never that of an ended one', () => {
    const shown = record(['x\n'.repeat(3000)])
    shown.output.discard()
    expect(shown.spill.done).toEqual(['remove'])
    const ended = record(['x\n'.repeat(3000)])
    ended.output.finish()
    ended.output.discard()
    expect(ended.spill.done).toEqual(['close'])
  })
})
