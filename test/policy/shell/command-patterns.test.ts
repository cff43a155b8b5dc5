// Tests the patterns of permission rules against simple commands.
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../support/cpu-time.ts'
import { analyseCommand } from '../../../lib/policy/shell/analyse-command.ts'
import { isCoveredBy, matchesCommandPattern } from '../../../lib/policy/shell/command-patterns.ts'

const analyse = (text: string) => analyseCommand(text, { cwd: '/srv/project', home: '/home/ann' })

describe('a pattern', () => {
  it.each([
    ['git status', 'git status', true],
    ['git status', 'git status -s', false],
    ['git', 'git status', false],
    ['git *', 'git', true],
    ['git *', 'git push -f', true],
    ['git * main', 'git push origin main', true],
    ['git * main', 'git push origin dev', false],
    ['npm run test:*', 'npm run test', true],
    ['npm run test:*', 'npm run test --watch', true],
    ['npm run test:*', 'npm run test:unit', false],
    ['npm run test:*', 'npm run tester', false],
    ['npm run test *', 'npm run test a b', true],
    ['npm run test*', 'npm run test:unit', true],
    ['npm run test*', 'npm run test a', false],
    ['npm *', '/usr/bin/npm test', true],
    ['npm *', './npm test', false],
    ['/usr/bin/npm *', '/usr/bin/npm test', true],
    ['/usr/bin/npm *', 'npm test', false],
    ['echo "a b"', "echo 'a b'", true],
    ['cat *', 'cat "$X"', false],
    ['cat *', 'cat *.ts', false],
    ['cat *', 'cat src/*.ts', true],
    ['cat *', 'cat src/$X', false],
    ['* --version', 'node --version', true],
    ['*', 'anything at all', true],
    ['rm -*f *', 'rm -rf x', true],
    ['', 'ls', false],
  ])('%s against %s: %s', (pattern, text, expected) => {
    const [command] = analyse(text).commands
    expect(command !== undefined && matchesCommandPattern(pattern, command)).toBe(expected)
  })

  it('with many stars takes no time', () => {
    const [command] = analyse(`x ${'a '.repeat(2_000)}`).commands
    const started = cpuMs()
    expect(command !== undefined && matchesCommandPattern(`${'* '.repeat(200)}b`, command)).toBe(false)
    expect(cpuMs() - started).toBeLessThan(1_000)
  })
})

describe('patterns cover a command', () => {
  const covers = (patterns: readonly string[], text: string) =>
    isCoveredBy(patterns, analyse(text), { workspace: '/srv/project' })

  it.each([
    [['npm run test:*'], 'npm run test'],
    [['ls *', 'cat *'], 'ls -l && cat x | cat'],
    [['ls *', 'date'], 'ls -l || date'],
    [['npm *'], 'npm test > out.txt 2>&1'],
    [['npm *'], 'npm test > /dev/null'],
    [['npm *'], 'npm test > /srv/project/out.txt'],
    [['sudo *', 'ls *'], 'sudo ls'],
    [['timeout *', 'npm *'], 'timeout 5 npm test'],
    [['*'], 'cd src && npm test > out.txt'],
  ])('%j covers %s', (patterns, text) => {
    expect(covers(patterns, text)).toBe(true)
  })

  it.each([
    ['a part that matches none', ['npm *'], 'npm test && rm x'],
    ['a substitution that matches none', ['echo *'], 'echo $(rm x)'],
    ['a wrapped command that matches none', ['sudo *'], 'sudo rm x'],
    ['a text that matches none', ['sh *'], "sh -c 'rm x'"],
    ['an assignment prefix', ['npm *'], 'PATH=. npm test'],
    ['any assignment prefix', ['npm *'], 'X=1 npm test'],
    ['an exported PATH', ['npm *', 'export *'], 'export PATH=.; npm test'],
    ['a redirection out of the workspace', ['npm *'], 'npm test > /etc/x'],
    ['a redirection for reading and writing out of the workspace', ['npm *'], 'npm test <> /etc/x'],
    ['a redirection that climbs out', ['npm *'], 'npm test > ../x'],
    ['a redirection to an unknown file', ['npm *'], 'npm test > $X'],
    ['an input from outside', ['cat *'], 'cat < /etc/passwd'],
    ['an unknown command', ['*'], '$X'],
    ['an unknown word', ['npm *'], 'npm "$X"'],
    ['broken syntax', ['npm *'], 'npm test )'],
    ['no command', ['*'], ''],
    ['a redirection in the folder of a subshell', ['*'], '(cd / && ls > y)'],
    ['a redirection through a link that the command makes', ['*'], 'ln -s /etc out; ls > out/y'],
    ['a redirection before the way back', ['*'], 'cd /etc; ls > y; cd /srv/project'],
    ['a redirection after an unknown cd', ['*'], 'cd "$X" && ls > y'],
    ['GIT_ variables', ['*'], 'export GIT_DIR=x'],
  ])('%s is not covered [S4d]', (_, patterns, text) => {
    expect(covers(patterns, text)).toBe(false)
  })

  it('a redirection through a link out of the workspace is not covered [S4d]', () => {
    const realPath = (file: string): string => file.replace(/^\/srv\/project\/(?:out|src\/\.\.\/out)/, '/etc')
    const coversLinked = (text: string) =>
      isCoveredBy(['npm *', 'cd *'], analyse(text), { workspace: '/srv/project', realPath })
    expect(['npm test > out/x', 'npm test < out/x', 'cd src && npm test > ../out/x'].map(coversLinked)).toEqual([false, false, false]) // prettier-ignore
    expect(['npm test > x', 'cd src && npm test > x'].map(coversLinked)).toEqual([true, true])
  })
})
