// Tests that commands which want a terminal fail with words instead of waiting for their time limit.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createBashTool } from '../../../lib/tools/shell/bash.ts'
import {
  describeMissingTerminal,
  refuseScreenProgram,
  withoutPrompts,
} from '../../../lib/tools/shell/missing-terminal.ts'
import { resultOf, testContext, textOf } from '../../contract/tool-contract.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-terminal-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

async function run(command: string, env: Readonly<Record<string, string>> = {}) {
  const context = testContext(folder)
  const result = await resultOf(
    createBashTool(),
    { command, timeout: 10 },
    { ...context, env: { ...context.env, ...env } },
  )
  return { isError: result.isError === true, text: textOf(result) }
}

describe('a command without a terminal', () => {
  it.each(['', 'vim', '/usr/bin/nano -w'])(
    'git opens no editor, whatever EDITOR is: "%s" [JOBS-terminal]',
    async (EDITOR) => {
      execFileSync('git', ['init', '-q', folder])
      const commit = 'git -c user.name=a -c user.email=a@b.c commit -q --allow-empty'
      expect(await run(`${commit} -m first`)).toMatchObject({ isError: false })
      const { isError, text } = await run(`${commit} --amend`, EDITOR === '' ? {} : { EDITOR })
      expect(isError).toBe(true)
      expect(text).toMatch(/no terminal for an editor here: pass the text as an option/)
      expect(text).toContain('[The command asked for input')
      expect(await run(`${commit} --amend --no-edit`)).toMatchObject({ isError: false })
    },
  )

  it.each(['read -p "Name? " name; test -n "$name"', 'python3 -c "input()"', 'git add -p missing'])(
    'fails at once: %s [JOBS-terminal]',
    async (command) => {
      const { isError } = await run(command)
      expect(isError).toBe(true)
    },
  )

  it.each(['cat <&2', 'vim a.txt; false', 'IFS= read -r x <&1 || exit 3'])(
    'finds the end of what it asks for on its output: %s [JOBS-terminal]',
    async (command) => {
      const began = performance.now()
      const { text } = await run(command)
      expect(text).not.toContain('time limit')
      expect(performance.now() - began).toBeLessThan(8_000)
    },
  )

  it('finds no terminal for the passphrase of a key, and is told so [JOBS-terminal]', async ({ skip }) => {
    const options = ['-q', '-t', 'ed25519', '-N', 'secret', '-f', path.join(folder, 'key')]
    skip(spawnSync('ssh-keygen', options).status !== 0, 'OpenSSH is not installed')
    const { isError, text } = await run('ssh-keygen -y -f key')
    expect([isError, text]).toEqual([true, expect.stringContaining('[The command asked for input') as string])
  })

  it.each(['echo x > /dev/stderr', 'echo x | tee /dev/stdout'])(
    'that opens its output by name is told what works: %s',
    async (command) => {
      const { isError, text } = await run(command)
      if (isError) expect(text).toContain('[/dev/stderr and /dev/stdout cannot be opened by name here; write >&2')
      else expect(text).toContain('x\n') // a system whose output can be opened
    },
  )

  it('keeps an editor with a window of its own, and pages nothing', () => {
    expect(withoutPrompts({ EDITOR: 'code --wait', VISUAL: 'nvim' })).toMatchObject({
      EDITOR: 'code --wait',
      PAGER: 'cat',
    })
    expect(withoutPrompts({ VISUAL: 'nvim' })).not.toHaveProperty('VISUAL')
    expect(withoutPrompts({ GIT_TERMINAL_PROMPT: '1' })).toMatchObject({ GIT_TERMINAL_PROMPT: '1' })
  })
})

describe('a program that draws on a screen', () => {
  it.each(['vim a.txt', 'sudo nano /etc/hosts', '/usr/bin/top', 'htop', 'watch ls'])(
    'is refused with the way out: %s [JOBS-terminal]',
    async (command) => {
      const { isError, text } = await run(command)
      expect(isError).toBe(true)
      expect(text).toMatch(/needs a terminal, and this command has none; it was not run\. .*pty: true/)
    },
  )

  it.each([
    'vim --version',
    'vim -es -c q a',
    'top -b -n 1',
    'echo vim',
    'nvim --headless +q',
    'vim a && ls',
    'cat vim.txt',
    '',
  ])('is not refused if it may run without one: %s', (command) => {
    expect(refuseScreenProgram(command)).toBeUndefined()
  })
})

describe('the remark on a failure', () => {
  it.each([
    ['ssh-keygen -y -f k', 'Enter passphrase: Load key "k": incorrect passphrase supplied to decrypt private key\r\n'],
    ['git push', "Enter passphrase for key '/home/ann/.ssh/id': git@host: Permission denied (publickey).\n"],
    ['sudo -n id', 'sudo: a password is required\n'],
    ['sudo ls', 'sudo: a terminal is required to read the password'],
    ['docker run -it x', 'the input device is not a TTY'],
    ['git push', "fatal: could not read Username for 'https://x': terminal prompts disabled"],
    ['ssh x', 'Permission denied (publickey,password).'],
    ['npm init', 'Press ^C at any time to quit.\npackage name: (x) '],
    ['vim a; false', 'Vim: Error reading input, exiting...'],
    ['read x', ''],
  ])('names the way out: %s', (command, output) => {
    expect(describeMissingTerminal(command, output)).toContain('pty: true')
  })

  it.each([
    ['npm test', 'expected 1 to be 2'],
    ['cat README.md', ''],
    ['printf "a: b"; false', 'a: b'],
    [
      'ssh x',
      'Pseudo-terminal will not be allocated because stdin is not a terminal.\nssh: connect to host x port 22: Connection refused',
    ],
  ])('is absent without a sign of a question: %s', (command, output) => {
    expect(describeMissingTerminal(command, output)).toBeUndefined()
  })
})
