// Tests that bash continues in the folder and with the variables of the call before.
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { filter, map, NEVER } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Jobs, JobStart } from '../../../../lib/streams/ports/jobs.ts'
import type { AnyTool, ToolContext } from '../../../../lib/streams/ports/tool.ts'
import { createBashTool } from '../../../../lib/tools/shell/bash.ts'
import { userShell } from '../../../../lib/tools/shell/spawn-user-shell.ts'
import { call, testContext, textOf } from '../../../contract/tool-contract.ts'
import { valuesOf } from '../../../support/values-of.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-persist-')))
  mkdirSync(path.join(folder, 'sub dir'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function run(bash: AnyTool, command: string, more: object = {}, context: Partial<ToolContext> = {}) {
  const values = await valuesOf(call(bash, { command, ...more }, testContext(folder, context)))
  const result = values.at(-1)
  if (result?.type !== 'result') throw new Error('no result')
  const live = values.flatMap((value) => (value.type === 'progress' && typeof value.content === 'string' ? [value.content] : [])).join('') // prettier-ignore
  return { text: textOf(result), live, isError: result.isError === true, details: result.details }
}

/** Runs a job to its end, as a session does. */
async function job(bash: AnyTool, command: string, more: object = {}, toolCallId = 'job') {
  const shell$ = userShell(testContext(folder))
  let output: string | undefined
  const start$ = ({ shellContext }: JobStart) =>
    shell$(command, NEVER, undefined, shellContext).pipe(
      filter((event) => event.type === 'end'),
      map((end) => {
        output = end.output
        return { jobId: 'a', command, pty: false, running: true, startedAt: 0 }
      }),
    )
  const context = { jobs: { start: start$ } as Partial<Jobs> as Jobs, toolCallId }
  const { text } = await run(bash, command, { background: true, ...more }, context)
  return { text, output }
}

/** The output alone: a first result names the folder. */
const outputOf = async (...input: Parameters<typeof run>) =>
  (await run(...input)).text.replace(/\[The shell is in .*\]$/, '').trimEnd()

describe('bash with persist', () => {
  it('keeps folder, new, changed and removed variables, and names the folder [JOBS-persist]', async () => {
    const bash = createBashTool({ persist: true })
    const first = await run(bash, `cd 'sub dir'; export A=$'one\\ntwo' KEEP=1 ; unset LANG; B=unexported`)
    expect(first.text).toBe(`[The shell is in ${folder}/sub dir.]`)
    expect(await outputOf(bash, 'pwd; echo "$A|$B|${LANG-none}"')).toBe(`${folder}/sub dir\none\ntwo||none`)
    expect(await outputOf(bash, 'unset KEEP; cd ..')).toBe('')
    expect(await outputOf(bash, 'echo "${KEEP-gone} ${PWD##*/}"')).toBe(`gone ${path.basename(folder)}`)
  })

  it('keeps nothing without the setting', async () => {
    const bash = createBashTool()
    await run(bash, 'cd "sub dir"; export A=1')
    expect((await run(bash, 'echo "${PWD##*/} $A"')).text).toBe(`${path.basename(folder)} \n`)
  })

  it.each([
    ['exit code', 'cd "sub dir"; exit 7', 'exit code 7'],
    ['errexit', 'cd "sub dir"; set -e; false; echo no', 'exit code 1'],
    ['nounset, a failing last command and traps of its own', 'cd "sub dir"; set -u; trap "echo err" ERR DEBUG; ls nowhere 2>/dev/null', 'exit code 2'], // prettier-ignore
    ['xtrace', 'set -x; cd "sub dir"; set +x; false', 'exit code 1'],
  ])('a command with %s changes as well, and its result is its own', async (_, command, shown) => {
    const bash = createBashTool({ persist: true })
    const { text, live } = await run(bash, command)
    expect(text).toContain(`[${shown}]`)
    expect(text + live).not.toMatch(/__rxpi|\0|\u{FFFD}/u)
    expect(await outputOf(bash, 'basename "$PWD"')).toBe('sub dir')
  })

  it.each(['echo one; echo two >&2', 'printf "a\\0b"', 'cat <<< text', 'if', '-x', 'echo $# $0', 'seq 5000'])(
    'the output of %s is that without the setting',
    async (command) => {
      const plain = await run(createBashTool(), command)
      const stored = await run(createBashTool({ persist: true }), command)
      const comparable = (text: string) => text.replace(/\[The (?:shell is|folder and).*\]$/, '').replace(/(?:-c|eval): /g, '').trimEnd() // prettier-ignore
      expect(comparable(stored.text)).toBe(comparable(plain.text))
    },
  )

  it.each([
    ['is ended by its limit', 'cd "sub dir"; sleep 30', { timeout: 0.3 }],
    ['ends by a signal', 'cd "sub dir"; kill -9 $$', {}],
    ['becomes another program', 'cd "sub dir"; exec echo x', {}],
    ['has an EXIT trap', 'cd "sub dir"; trap "echo bye" EXIT', {}],
  ])('a command that %s keeps nothing, and says so', async (_, command, more) => {
    const bash = createBashTool({ persist: true })
    expect((await run(bash, command, more)).text).toContain('are not kept: it did not end by itself')
    expect(await outputOf(bash, 'basename "$PWD"')).toBe(path.basename(folder))
  })

  it('does not run in a folder that is gone, and begins in the session’s again', async () => {
    const bash = createBashTool({ persist: true })
    await run(bash, 'cd "sub dir"')
    rmSync(path.join(folder, 'sub dir'), { recursive: true })
    expect(await run(bash, 'touch made')).toMatchObject({
      isError: true,
      text: `The folder ${folder}/sub dir is gone; the command was not run. The next one begins in ${folder}.`,
    })
    expect(await outputOf(bash, 'ls; pwd')).toBe(folder)
  })

  it('is judged where it will run, and refused if that changes before', async () => {
    const bash = createBashTool({ persist: true })
    const judge = (toolCallId: string, args: object = {}) => bash.workingContext?.({ command: '', ...args }, { cwd: folder, toolCallId }) // prettier-ignore
    judge('late')
    await run(bash, 'cd "sub dir"; export PATH=$PWD:$PATH OTHER=1')
    expect(judge('next')).toEqual({ cwd: `${folder}/sub dir`, changed: ['PATH'] })
    expect(judge('job', { background: true })).toEqual({ cwd: `${folder}/sub dir`, changed: ['PATH'] })
    expect((await run(bash, 'echo ran', {}, { toolCallId: 'late' })).text).toContain('was not run')
    expect(await outputOf(bash, 'echo ran', {}, { toolCallId: 'next' })).toBe('ran')
  })

  it('gives a call that leaves the sandbox no PATH of earlier calls', async () => {
    const bash = createBashTool({ persist: true })
    await run(bash, 'export PATH=/evil:$PATH GIT_DIR=/evil OTHER=1')
    expect(await outputOf(bash, 'echo "${PATH%%:*} $GIT_DIR $OTHER"')).toBe('/evil /evil 1')
    const outside = await outputOf(bash, 'echo "${PATH%%:*} $GIT_DIR $OTHER"', { escalate: 'a reason' })
    expect(outside).not.toContain('/evil')
    expect(outside).toMatch(/ 1$/)
  })

  it('calls of one answer run one after the other', () => {
    const bash = createBashTool({ persist: true })
    expect(bash.locks?.({ command: 'a' }, { cwd: folder })).toEqual({ write: ['bash.persist'] })
    expect(bash.locks?.({ command: 'a', background: true }, { cwd: folder })).toEqual({ write: ['bash.persist'] })
  })

  it('starts a job in the folder and with the variables of the call before [JOBS-persist]', async () => {
    const bash = createBashTool({ persist: true })
    const script = 'echo "${PWD##*/} $A ${LANG-none} ${GIT_DIR-no}"; cd /; export A=3'
    await run(bash, 'cd "sub dir"; export A=2 GIT_DIR=/evil; unset LANG')
    const inside = await job(bash, script)
    expect(inside).toEqual({ text: expect.stringContaining(`is running in ${folder}/sub dir.`) as string, output: 'sub dir 2 none /evil\n' }) // prettier-ignore
    expect((await job(bash, script, { escalate: 'a reason' })).output).toBe('sub dir 2 none no\n')
    expect(await outputOf(bash, 'echo "${PWD##*/} $A"')).toBe('sub dir 2') // a job changes nothing
    rmSync(path.join(folder, 'sub dir'), { recursive: true })
    expect((await job(bash, 'touch made')).output).toMatch(/sub dir: No such file or directory/)
    expect(readdirSync(folder)).toEqual([])
  })

  it('starts no job elsewhere than where it was judged', async () => {
    const bash = createBashTool({ persist: true })
    bash.workingContext?.({ command: '' }, { cwd: folder, toolCallId: 'late' })
    await run(bash, 'cd "sub dir"')
    const started = await job(bash, 'touch made', {}, 'late')
    expect(started).toMatchObject({ output: undefined, text: expect.stringContaining('was not run') as string })
  })
})
