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

function searchEnd(name: string, commands: string, limitMs: number) {
  const program = path.join(folder, name)
  writeFileSync(program, `#!/bin/sh\n${commands}\n`, { mode: 0o700 })
  const search = { pattern: 'a', isLiteral: true, ignoreCase: false, context: 0, globs: [], selects: () => true }
  return valuesOf(createRipgrepEngine(program).lines({ ...search, folder, limitMs }))
}

it('drops the message that its time limit cut in two [TOOLS-search-limits]', async () => {
  expect(await searchEnd('slow', `printf '${begun}'; exec /bin/sleep 9`, 300)).toEqual([
    { type: 'end', isCutShort: true, unreadable: 0 },
  ])
})

it('fails if a message is cut in two without a limit [TOOLS-search-faults]', async () => {
  await expect(searchEnd('broken', `printf '${begun}'`, 9000)).rejects.toThrow(SyntaxError)
})
