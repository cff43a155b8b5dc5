// Tests the engine over ripgrep with programs that print half a message.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createRipgrepEngine } from '../../../lib/tools/search/ripgrep-engine.ts'
import { valuesOf } from '../../support/values-of.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-ripgrep-'))
afterAll(() => rmSync(folder, { recursive: true }))

const begun = String.raw`{"type":"begin","data":{"path":{"text":"./a"}}}\n{"type":"match","da`

function engineOf(name: string, commands: string) {
  const program = path.join(folder, name)
  writeFileSync(program, `#!/bin/sh\n${commands}\n`, { mode: 0o700 })
  return createRipgrepEngine(program)
}

function searchEnd(name: string, commands: string, limitMs: number) {
  const search = { pattern: 'a', isLiteral: true, ignoreCase: false, context: 0, globs: [], selects: () => true }
  return valuesOf(engineOf(name, commands).lines({ ...search, folder, limitMs }))
}

it('drops the message that its time limit cut in two [TOOLS-search-limits]', async () => {
  expect(await searchEnd('slow', `printf '${begun}'; exec /bin/sleep 9`, 300)).toEqual([
    { type: 'end', isCutShort: true, unreadable: 0 },
  ])
})

it('fails if a message is cut in two without a limit [TOOLS-search-faults]', async () => {
  await expect(searchEnd('broken', `printf '${begun}'`, 9000)).rejects.toThrow(SyntaxError)
})

it.each([
  ['needle', ['needle', 'b/needle-needle', 'a-needle']],
  ['-needle', ['b/needle-needle', 'a-needle']],
  ['', ['needle', 'b', 'b/needle-needle', 'a-needle', 'd/e']],
])('lists the names that contain "%s", also those in two pieces [TOOLS-search-find]', async (containing, expected) => {
  const pieces = [String.raw`./needle\0./b\0./b/nee`, String.raw`dle-needle\0./a-nee`, String.raw`dle\0./d/e\0`]
  const engine = engineOf('names', pieces.map((piece) => `printf '${piece}'`).join('; /bin/sleep 0.03; '))
  const values = await valuesOf(engine.files({ folder, limitMs: 9000, containing }))
  expect(values.flatMap((value) => (value.type === 'files' ? value.files : []))).toEqual(expected)
})
