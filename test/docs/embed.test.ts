// Tests that the examples of docs/embed.md run over a socket, and that its lists are those of the code.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serverOptions } from '../../lib/services/contract/program-sessions.ts'
import { pageExamples } from '../support/page-examples.ts'
import type { PageExamples } from '../support/page-examples.ts'
import { isFull } from '../support/sample-size.ts'

const page = 'docs/embed.md'
let shown: PageExamples

beforeAll(() => {
  shown = pageExamples(page)
})
afterAll(() => {
  shown[Symbol.dispose]()
})

describe('docs/embed.md', () => {
  it('has a server in five lines that listens', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-embed-'))
    const socket = path.join(folder, 'agent.sock')
    const [short = ''] = shown.examples
    expect(short.split('\n').filter((line) => line !== '' && !line.startsWith('import'))).toHaveLength(3)
    const ended = short
      .replace('/tmp/my-agent/agent.sock', socket)
      .replace('=> console.log(', '=> (server.close().subscribe(), ')
    expect(await shown.run(ended, { HOME: folder, RXPI_HOME: path.join(folder, 'state') })).toBe('ran')
    expect(existsSync(socket)).toBe(false)
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  it('has a program of two clients that runs, and fails with another answer', async () => {
    const [, whole = ''] = shown.examples
    expect(await shown.run(whole)).toBe('ran')
    if (!isFull) return // one more program
    expect(await shown.run(whole.replace("deepEqual(answers, ['It", "deepEqual(answers, ['No"))).toContain(
      'AssertionError',
    )
  }, 60_000)

  it('names what the server decides', () => {
    const text = readFileSync(page, 'utf8')
    const [, list = ''] = /The server decides ([^.]*)\./.exec(text) ?? []
    expect(Array.from(list.matchAll(/`(\w+)`/g), ([, name]) => name)).toEqual([...serverOptions])
  })
})
