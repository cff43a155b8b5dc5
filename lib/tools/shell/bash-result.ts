// Converts a command's end to a result: its output, then in brackets what the output does not show.
import { stripVTControlCharacters } from 'node:util'
import type { ConfinedEnd } from '../../streams/ports/sandbox.ts'
import { textResult } from '../../streams/ports/tool.ts'
import type { ToolResult } from '../../streams/ports/tool.ts'
import { formatBytes } from '../../streams/values/format-bytes.ts'
import type { RecordedOutput } from './output-record.ts'
import type { RemarkedEnd } from './sandbox-remarks.ts'
import { outputLimits } from '../shared/output-limits.ts'

/** The `details` of a `bash` result. */
export interface BashDetails {
  /** Null if a signal ended it. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  /** Lines of the whole output, shown or not. */
  readonly totalLines: number
  /** Bytes of the whole output, shown or not. */
  readonly totalBytes: number
  /** True if the result shows only the end of the output. */
  readonly isCut: boolean
  /** The file with all of it, if it is cut. */
  readonly fullOutput?: string
  /** Processes that outlived the command and were ended. */
  readonly leftBehind: number
  /** Set if it ran in a terminal of a client. */
  readonly inClientTerminal?: true
}

/**
 * The result of an ended command; an error unless its exit code is 0. Terminal escape sequences are dropped: a model
 * pays for them without a use. Live updates and the file with the full output have them.
 * The remarks are lines in brackets.
 */
export function bashResult(
  end: ConfinedEnd,
  output: RecordedOutput,
  limitMs: number,
  { remarks, inClientTerminal }: Pick<RemarkedEnd, 'remarks' | 'inClientTerminal'> = { remarks: [] },
): ToolResult {
  const { exitCode, signal, cutShort } = end
  const shown = stripVTControlCharacters(output.text)
  const notices = [describeCut(output), describeLeftBehind(end), describeEnd(end, limitMs), ...remarks].filter(
    (notice) => notice !== undefined,
  )
  const gap = notices.length === 0 || shown === '' || shown.endsWith('\n') ? '' : '\n'
  const text = `${shown}${gap}${notices.join('\n')}`
  const details: BashDetails = {
    exitCode,
    signal,
    timedOut: cutShort,
    totalLines: output.totalLines,
    totalBytes: output.totalBytes,
    isCut: output.isCut,
    ...(output.spill?.path !== undefined && { fullOutput: output.spill.path }),
    leftBehind: end.leftBehind.length,
    ...(inClientTerminal && { inClientTerminal }),
  }
  const isError = exitCode !== 0 || cutShort
  return textResult(text === '' ? '(no output)' : text, { details, ...(isError && { isError }) })
}

function describeCut(output: RecordedOutput): string | undefined {
  if (!output.isCut) return undefined
  const { lines, totalLines, totalBytes } = output
  const range = output.isLineCut
    ? `the last ${formatBytes(outputLimits.maxBytes)} of line ${totalLines}`
    : `lines ${totalLines - lines + 1}-${totalLines} of ${totalLines}`
  return `[This is ${range} (${formatBytes(totalBytes)} in all). ${describeSpill(output)}]`
}

function describeSpill({ spill }: RecordedOutput): string {
  if (spill === undefined) return 'The rest was not stored.'
  if (spill.path === undefined) return `The rest could not be stored: ${spill.problem ?? 'unknown reason'}.`
  if (spill.problem !== undefined)
    return `Its beginning, as far as it could be stored (${spill.problem}): ${spill.path}`
  return `${spill.isCapped ? 'Its beginning (256 MB are stored)' : 'All of it'}: ${spill.path}`
}

function describeLeftBehind({ leftBehind, survivors }: ConfinedEnd): string | undefined {
  if (survivors.length > 0) {
    const pids = survivors.map(({ pid }) => pid).join(', ')
    return `[Still running, because they could not be ended: ${namesOf(survivors)} (pid ${pids}).]`
  }
  if (leftBehind.length === 0) return undefined
  return `[The command left processes running (${namesOf(leftBehind)}); they were ended, because nothing outlives a call.]`
}

function namesOf(processes: ConfinedEnd['leftBehind']): string {
  return [...new Set(processes.map(({ name }) => name))].slice(0, 5).join(', ')
}

function describeEnd({ exitCode, signal, cutShort }: ConfinedEnd, limitMs: number): string | undefined {
  if (cutShort) {
    return `[Ended after ${limitMs / 1000} s, its time limit. If it needs longer, set a longer timeout (in seconds) or background: true; if it waits for input, pty: true.]`
  }
  if (signal !== null) return `[Ended by signal ${signal}.]`
  return exitCode === 0 ? undefined : `[exit code ${exitCode}]`
}
