// Runs the script of bash with a function in place of rxpi; zsh and fish are not on every machine.
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { shellScripts } from '../../../../app/commands/completions/shell-scripts.ts'

/** What the script asks for, and the candidates that it takes. */
function complete(line: string, answer: string): { readonly request: string[]; readonly reply: string[] } {
  const script = `
rxpi() { printf '%s\\n' "$@" >&3; printf '%s' "$ANSWER"; }
${shellScripts.bash}
COMP_POINT=\${#COMP_LINE}
_rxpi 2>/dev/null
printf '%s\\n' "\${COMPREPLY[@]}"`
  const env = { PATH: process.env['PATH'] ?? '', COMP_LINE: line, ANSWER: answer }
  const ended = spawnSync('bash', ['--norc', '-c', script], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const linesOf = (text: string | null | undefined): string[] => (text ?? '').split('\n').slice(0, -1)
  return { request: linesOf(ended.output[3]), reply: linesOf(ended.stdout) }
}

describe('the script of bash', () => {
  it('asks with the line up to the cursor, and takes the candidates without their texts', () => {
    expect(complete('rxpi se', 'closed\nsessions\tall actions\nserve\ta server\n')).toEqual({
      request: ['completions', 'candidates', 'bash', '--', 'rxpi se'],
      reply: ['sessions', 'serve'],
    })
  })

  it('runs nothing that is typed [CLI-completions]', () => {
    const line = 'rxpi -p "$(echo ran >&3)" `echo ran >&3` $(echo ran >&3) --mo'
    expect(complete(line, 'closed\n--mode\tx\n')).toEqual({
      request: ['completions', 'candidates', 'bash', '--', line],
      reply: ['--mode'],
    })
  })
})
