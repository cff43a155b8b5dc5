// Tests places in which quotes keep no command from running, targets that braces and blanks hide, and loops that move.
import { describe, expect, it } from 'vitest'
import { readOnlyProblem } from '../../../lib/policy/decide/read-only-command.ts'
import { hidesCommands } from '../../../lib/policy/decide/match-rules.ts'
import { analyseCommand } from '../../../lib/policy/shell/analyse-command.ts'
import { isCoveredBy } from '../../../lib/policy/shell/command-patterns.ts'

const workspace = '/home/ada/project'
const folders = { cwd: workspace, workspace }
const analyse = (command: string) => analyseCommand(command, { ...folders, home: '/home/ada' })
const isCovered = (command: string) =>
  isCoveredBy(['cat *', 'cd *', 'echo *', 'ls *', ':'], analyse(command), { workspace })

describe('a quoted substitution that bash runs is not hidden', () => {
  it.each([
    `echo $(( '$(rm -rf ~)' ))`,
    `echo $[ '$(rm -rf ~)' ]`,
    `(( x = '$(rm -rf ~)' ))`,
    `for ((i='$(rm -rf ~)';i<1;i++)); do ls; done`,
    `a['$(rm -rf ~)']=1`,
    `echo \${a['\`rm -rf ~\`']}`,
    `echo "\${x:'$(rm -rf ~)'}"`,
    `echo "\${x:-$'$(rm -rf ~)'}"`,
    `cat <<E\n\${x:-'$(rm -rf ~)'}\nE`,
    `cat <<E\n\${x:-\${y:-'$(rm -rf ~)'}}\nE`,
  ])('%s', (command) => {
    expect(hidesCommands(analyse(command))).toBe(true)
    expect(isCovered(command)).toBe(false)
    expect(readOnlyProblem(analyse(command), folders)).toBeDefined()
  })

  it.each([
    `echo '$(rm -rf ~)'`,
    `echo $(( '1' ))`,
    `cat <<E\n\${x:-'a'}\nE`,
    `echo \${x:-'$(a)'}`,
    `echo $(( $(echo '$(a)') ))`,
  ])('and others stay: %s', (command) => expect(hidesCommands(analyse(command))).toBe(false))
})

describe('the target of a redirection', () => {
  it.each([`echo x > {../x,}`, `x=' ../x'; echo x > $x`, `echo x &> {../x,}`, `cat < {../x,}`])(
    'leaves the workspace: %s',
    (command) => expect(isCovered(command)).toBe(false),
  )

  it('is protected behind braces and blanks', () => {
    expect(analyse(`echo x > {.git/hooks/pre-commit,}`).writes).toContain(`${workspace}/.git/hooks/pre-commit`)
    expect(analyse(`x=' .git/config'; echo x > $x`).writes).toContain(`${workspace}/.git/config`)
    expect(analyse(`cat < {~/.ssh/id_rsa,}`).reads).toContain('/home/ada/.ssh/id_rsa')
  })
})

describe('a loop that leaves its folder', () => {
  it.each([
    `while ls; do ls > x; cd ..; done`,
    `for i in $(ls); do echo > x; cd ..; done`,
    `for ((;;)); do ls > x; cd ..; done`,
    `while ls > x; cd ..; do :; done`,
    `until ls > x; cd ..; do :; done`,
  ])('writes elsewhere in its later turns: %s', (command) => expect(isCovered(command)).toBe(false))

  it('that stays is covered', () => expect(isCovered(`while ls; do ls > x; done`)).toBe(true))
})
