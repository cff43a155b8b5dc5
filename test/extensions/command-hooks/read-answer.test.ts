// Tests how exit codes and output of a hook command become its answer.
import { describe, expect, it } from 'vitest'
import { readAnswer } from '../../../lib/extensions/command-hooks/read-answer.ts'
import type { HookOutput } from '../../../lib/extensions/command-hooks/run-hook-command.ts'

const ended: HookOutput = { exitCode: 0, timedOut: false, stdout: '', stderr: '' }
const answer = (output: Partial<HookOutput>, isGate = true) => readAnswer({ ...ended, ...output }, 'check.sh', isGate)
const json = (value: object) => answer({ stdout: JSON.stringify(value) })

describe('an exit code', () => {
  it.each<[string, Partial<HookOutput>, object]>([
    ['0 says nothing', {}, {}],
    ['0 with text is context', { stdout: ' On call: Ann.\n' }, { context: 'On call: Ann.' }],
    ['0 with broken JSON is context', { stdout: '{not json' }, { context: '{not json' }],
    ['2 objects with standard error', { exitCode: 2, stdout: 'x', stderr: 'not here\n' }, { block: 'not here' }],
    ['2 without a word objects too', { exitCode: 2 }, { block: 'the hook check.sh objects' }],
    ['1 changes nothing', { exitCode: 1, stderr: 'oops' }, { notice: 'The hook check.sh ended with code 1: oops' }],
  ])('%s', (_, output, expected) => {
    expect(answer(output)).toEqual(expected)
  })

  it.each<[string, Partial<HookOutput>]>([
    ['is over its time', { exitCode: null, timedOut: true }],
    ['is ended by a signal', { exitCode: null }],
    ['cannot be executed', { exitCode: 126 }],
    ['is not there', { exitCode: 127 }],
  ])('a gate that %s objects; elsewhere it changes nothing', (_, output) => {
    expect(answer(output)).toEqual({ block: expect.any(String) as string, notice: expect.any(String) as string })
    expect(answer(output, false)).toEqual({ notice: expect.any(String) as string })
  })
})

describe('a JSON object', () => {
  it.each<[string, object, object]>([
    ['denies', { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'no' } }, { block: 'no' }],
    ['denies in the older form', { decision: 'block', reason: 'no' }, { block: 'no' }],
    ['asks', { hookSpecificOutput: { permissionDecision: 'ask', permissionDecisionReason: 'hm' } }, { ask: 'hm' }],
    ['allows, which decides nothing', { hookSpecificOutput: { permissionDecision: 'allow' } }, {}],
    ['approves, which decides nothing', { decision: 'approve' }, {}],
    [
      'changes the input',
      { hookSpecificOutput: { updatedInput: { command: 'ls' } } },
      { updatedInput: { command: 'ls' } },
    ],
    ['adds context', { hookSpecificOutput: { additionalContext: 'Note' } }, { context: 'Note' }],
    ['tells people', { systemMessage: 'Hello' }, { notice: 'Hello' }],
    ['ends the run', { continue: false, stopReason: 'over' }, { block: 'over', stop: true }],
    ['of other types says nothing', { decision: 7, reason: [], hookSpecificOutput: 'x', systemMessage: 1 }, {}],
  ])('%s', (_, value, expected) => {
    expect(json(value)).toEqual(expected)
  })
})
