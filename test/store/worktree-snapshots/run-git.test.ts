// Tests the errors of git calls.
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { GitFailure, runGit } from '../../../lib/store/worktree-snapshots/run-git.ts'

/** The output of a program before it ends with 1. */
async function complaintOf(message: string): Promise<unknown> {
  const { signal } = new AbortController()
  const args = ['-c', 'printf "%s" "$OUTPUT" >&2; exit 1']
  return runGit({ program: '/bin/sh', args, cwd: tmpdir(), env: { OUTPUT: message }, signal }).catch(
    (thrown: unknown) => thrown,
  )
}

describe('runGit', () => {
  it.each([
    ['the first line of git’s error output', 'fatal: no\nhint: yes', 'fatal: no'],
    [
      'names as they are written',
      "fatal: dubious ownership in '/home/jörg/日本'",
      "fatal: dubious ownership in '/home/jörg/日本'",
    ],
    ['its exit code, if it prints nothing', '', 'git -c ended with 1'],
  ])('fails with %s', async (_, message, expected) => {
    expect(await complaintOf(message)).toEqual(new GitFailure(expected))
  })
})
