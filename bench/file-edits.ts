// Edits of a file of 10 MB: by text, and by anchors in an unchanged and in a changed file.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { lastValueFrom, of } from 'rxjs'
import { outputOf } from '../lib/streams/tool-definition/tool-output.ts'
import type { AnyTool, ToolContext, ToolResult } from '../lib/streams/ports/tool.ts'
import { builtInTools } from '../lib/tools/index.ts'
import type { Benchmark, Report } from './report.ts'
import { median } from './statistics.ts'

const lineCount = 200_000
const rounds = 9
const middle = lineCount / 2

export const fileEdits: Benchmark = {
  name: 'edits',
  about: 'one edit in the middle of a file of 10 MB',
  run: async ({ folder }) => {
    const session = toolSession(folder)
    const file = path.join(folder, 'big.ts')
    const times = new Map<string, number[]>()
    const measure = async (what: string, name: string, args: object): Promise<string> => {
      const began = performance.now()
      const result = await session(name, args)
      times.set(what, [...(times.get(what) ?? []), performance.now() - began])
      return result
    }
    for (let round = 0; round < rounds; round += 1) {
      writeFileSync(file, sourceLines(round))
      const change = { oldText: lineOf(middle, round), newText: `${lineOf(middle, round)} // changed` }
      await measure('edit', 'edit', { path: file, edits: [change] })
      const shown = await measure('read', 'read', { path: file, hashes: true, offset: middle + 10, limit: 3 })
      const [first = '', , third = ''] = shown.split('\n').map((line) => line.slice(0, line.indexOf(':')))
      await measure('anchors', 'hashline_edit', {
        path: file,
        edits: [{ op: 'replace', pos: first, lines: ['changed'] }],
      })
      writeFileSync(file, `new\n${readFileSync(file, 'utf8')}`)
      await measure('changed', 'hashline_edit', { path: file, edits: [{ op: 'append', pos: third, lines: ['more'] }] })
    }
    return report(times)
  },
}

/** Calls the tools of one session. @throws if a call fails */
function toolSession(cwd: string): (name: string, args: object) => Promise<string> {
  const registry = builtInTools()
  const { signal } = new AbortController()
  const ask$ = () => of({ outcome: 'deny', by: 'default' } as const)
  const context: ToolContext = { cwd, env: {}, signal, sessionId: 'aaaaaaaaaaaa', toolCallId: 'call_1', ask: ask$ }
  return async (name, args) => {
    const tool: AnyTool | undefined = registry.find((each) => each.name === name)
    if (tool === undefined) throw new Error(`there is no tool ${name}`)
    const calls$ = outputOf(tool.execute(args as never, context), context)
    const last = await lastValueFrom(calls$, { defaultValue: undefined })
    if (last?.type !== 'result' || last.isError === true) throw new Error(`${name} failed`)
    return textOf(last)
  }
}

function textOf({ content: [first] }: ToolResult): string {
  return first?.type === 'text' ? first.text : ''
}

function lineOf(line: number, round: number): string {
  return `export const value_${round}_${line} = compute(${line})`
}

function sourceLines(round: number): string {
  return Array.from({ length: lineCount }, (_, line) => `${lineOf(line, round)}\n`).join('')
}

function report(times: ReadonlyMap<string, readonly number[]>): Report {
  const timeOf = (what: string): number => median(times.get(what) ?? [])
  return {
    tables: [
      {
        title: 'milliseconds of one call',
        columns: [{ title: 'call' }, { title: 'times' }, { title: 'ms', digits: 1 }],
        rows: [
          ['edit', rounds, timeOf('edit')],
          ['read with hashes', rounds, timeOf('read')],
          ['hashline_edit', rounds, timeOf('anchors')],
          ['hashline_edit, the file has changed', rounds, timeOf('changed')],
        ],
      },
    ],
    targets: [
      { what: 'edit in a file of 10 MB', measured: timeOf('edit'), limit: 500, unit: 'ms' },
      { what: 'hashline_edit in a file of 10 MB', measured: timeOf('anchors'), limit: 500, unit: 'ms' },
    ],
    notes: ['a call reads the whole file, writes it anew and waits for the disk'],
  }
}
