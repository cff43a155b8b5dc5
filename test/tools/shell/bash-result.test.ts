// Tests the text of a command's result.
import { describe, expect, it } from 'vitest'
import type { ProcessEnd } from '../../../lib/host/process/process-event.ts'
import { bashResult } from '../../../lib/tools/shell/bash-result.ts'
import type { RecordedOutput } from '../../../lib/tools/shell/output-record.ts'
import { textOf } from '../../contract/tool-contract.ts'

const ended: ProcessEnd = { type: 'end', exitCode: 0, signal: null, cutShort: false, leftBehind: [], survivors: [] }
const sudo = { pid: 12, parent: 1, group: 12, startTime: '1', name: 'sudo' }
const short: RecordedOutput = {
  text: 'out\n',
  isCut: false,
  isLineCut: false,
  lines: 1,
  totalLines: 1,
  totalBytes: 4,
  spill: undefined,
}
const spill = { path: '/spill', isCapped: false, problem: undefined, write: String, close: String, remove: String }
const cut: RecordedOutput = { ...short, isCut: true, totalLines: 9000, totalBytes: 300 * 2 ** 20, spill }

describe('bashResult', () => {
  it.each<[string, Partial<ProcessEnd>, RecordedOutput, string]>([
    ['the whole output', {}, short, 'out\n'],
    ['the omitted lines', {}, cut, 'out\n[This is lines 9000-9000 of 9000 (300 MB in all). All of it: /spill]'],
    [
      'that the file is capped',
      {},
      { ...cut, spill: { ...spill, isCapped: true } },
      'out\n[This is lines 9000-9000 of 9000 (300 MB in all). Its beginning (256 MB are stored): /spill]',
    ],
    [
      'that the file ends early',
      {},
      { ...cut, spill: { ...spill, problem: 'no space' } },
      'out\n[This is lines 9000-9000 of 9000 (300 MB in all). Its beginning, as far as it could be stored (no space): /spill]',
    ],
    [
      'whom it left running, each name once, before the exit code',
      { exitCode: 1, leftBehind: [sudo, sudo] },
      short,
      'out\n[The command left processes running (sudo); they were ended, because nothing outlives a call.]\n[exit code 1]',
    ],
    [
      'the processes that could not be ended',
      { leftBehind: [sudo], survivors: [sudo] },
      short,
      'out\n[Still running, because they could not be ended: sudo (pid 12).]',
    ],
  ])('returns %s', (_, end, output, text) => {
    expect(textOf(bashResult({ ...ended, ...end }, output, 1000))).toBe(text)
  })

  it('is an error for a command that was cut short, even if it exits with 0', () => {
    expect(bashResult({ ...ended, cutShort: true }, short, 1000).isError).toBe(true)
    expect(bashResult(ended, short, 1000)).not.toHaveProperty('isError')
  })
})
