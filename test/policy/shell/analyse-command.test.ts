// Tests the analysis of shell commands: simple commands, contexts, files, folders and bounds.
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../support/cpu-time.ts'
import { analyseCommand } from '../../../lib/policy/shell/analyse-command.ts'

const options = { cwd: '/srv/project', home: '/home/ann' }
const analyse = (text: string) => analyseCommand(text, options)
const names = (text: string) => analyse(text).commands.map(({ words }) => words.map((word) => word.text).join(' '))

describe('simple commands', () => {
  it.each([
    ['a && b | c; d &', ['a', 'b', 'c', 'd']],
    ['if a; then b; else c; fi', ['a', 'b', 'c']],
    [
      'sudo -u root env A=1 sh -c "ls -l"',
      ['sudo -u root env A=1 sh -c ls -l', 'env A=1 sh -c ls -l', 'sh -c ls -l', 'ls -l'],
    ],
    ['echo $(date) <(ls)', ['date', 'ls', 'echo … /dev/fd/rxpi-1']],
    ['X=rm; $X a', ['', 'rm a']],
    ['f() { ls "$1"; }; f src', ['f src', 'ls src']],
    ['for x in a b; do cat "$x"; done', ['cat a', 'cat b']],
    ['ls *.ts {a,b}', ['ls *.ts a b']],
    ["$'\\x6c\\x73' -l", ['ls -l']],
    ['sh <<EOF\nls\nEOF', ['sh', 'ls']],
    ['echo ls -l | sh', ['echo ls -l', 'sh', 'ls -l']],
    ['find src -name "*.o" -exec ls {} +', ['find src -name *.o -exec ls {} +', 'ls src/…/*.o']],
  ])('of %s', (text, expected) => {
    expect(names(text)).toEqual(expected)
  })

  it('have context, assignments, redirections and the wrapper that runs them', () => {
    const { commands } = analyse('A=1 timeout 5 make > out.txt 2>&1 &')
    expect(commands[0]).toEqual({
      words: ['timeout', '5', 'make'].map((value) => ({ value, text: value })),
      assignments: [{ name: 'A', value: '1' }],
      redirections: [
        { mode: 'write', target: { value: 'out.txt', text: 'out.txt' } },
        { mode: 'duplicate', target: undefined },
      ],
      context: ['background'],
      cwd: ['/srv/project'],
    })
    expect(commands[1]).toMatchObject({ context: ['background', 'nested'], wrapper: 'timeout' })
  })
})

describe('files', () => {
  it.each([
    ['echo x > a.txt', ['/srv/project/a.txt'], []],
    ['cp src/a.ts /etc/b', ['/etc/b', '/etc/b/a.ts'], ['/srv/project/src/a.ts']],
    ['sed -i s/a/b/ ../x.ts', ['/srv/x.ts'], ['/srv/x.ts']],
    ['cd sub && rm y', ['/srv/project/sub/y'], []],
    ['cat < in | tee .git/hooks/pre-commit', ['/srv/project/.git/hooks/pre-commit'], ['/srv/project/in']],
    ['dd if=a of=b', ['/srv/project/b'], ['/srv/project/a']],
    ['git config core.hooksPath x', ['/srv/project/.git/config'], undefined],
    ['git config --global user.name x', ['/home/ann/.gitconfig'], undefined],
    ['grep -rn foo ~/other', [], ['/home/ann/other']],
    ['rm .git/hooks/*', ['/srv/project/.git/hooks/*'], []],
    [
      'ln -s a b; touch c; mkdir d; chmod +x e; mv f g',
      ['b', 'b/a', 'c', 'd', 'e', 'g', 'g/f', 'f'].map((name) => `/srv/project/${name}`),
      undefined,
    ],
  ])('of %s [POLICY-shell-files]', (text, writes, reads) => {
    const analysis = analyse(text)
    expect(analysis.writes).toEqual(writes)
    if (reads !== undefined) expect(analysis.reads).toEqual(reads)
  })

  it.each([
    ['ln -s ~ k && cat k/.ssh/id_rsa', '/home/ann/.ssh/id_rsa'],
    ['ln -sf ../other k; cd k && cat x', '/srv/other/x'],
    ['ln --symbolic /srv/other; cat other/x', '/srv/other/x'],
    ['ln -s ~/src src; cat src/src/../.netrc', '/home/ann/.netrc'],
    ['ln -s ~ a; ln -s a b; cat ./b//.netrc', '/home/ann/.netrc'],
    ['(cd sub && ln -s / r); cat sub/r/etc/shadow', '/etc/shadow'],
  ])('are those behind links that the command makes: %s [POLICY-shell-files]', (text, file) => {
    expect(analyse(text).reads).toContain(file)
  })

  it('are bounded if links lead in a circle or paths are long, and no hard link is followed', () => {
    expect(analyse('ln -s a b; ln -s b a; cat a').reads).toEqual(['/srv/project/a', '/srv/project/b'])
    expect(analyse(`ln -s / a; cat a/${'b/'.repeat(70)}x`).unknowns).toMatchObject([{ kind: 'limit' }])
    expect(analyse('ln -s . a; cat a/a/a/a/a/a/a/a/x').unknowns).toMatchObject([{ kind: 'limit' }])
    expect(analyse('ln a b; cat b').reads).toEqual(['/srv/project/a', '/srv/project/b'])
  })

  it('are named as the kernel takes them too, if `..` may leave the target of a link [POLICY-shell-files]', () => {
    expect(analyse('cd sub && cat ../a > b/../c && ls /etc/./d */../e ..').climbs).toEqual([
      { access: 'write', file: '/srv/project/sub/b/../c' },
      { access: 'read', file: '/srv/project/sub/../a' },
      ...['sub/*/../e', 'sub/..'].map((file) => ({ access: 'read', file: `/srv/project/${file}` })),
    ])
    expect(analyse('cat a ./b src/c...d; cd ../x; cat y').climbs).toEqual([])
  })

  it.each([
    'cd -P sub/.. && cat a',
    'set -P; cd sub; cd ..; cat a',
    'env -C sub/.. cat a',
    'cd -P sub/.. && cd ./ && cat a',
  ])('are behind links, too, in a folder that %s enters as the kernel does [POLICY-shell-files]', (text) => {
    const files = analyse(text).climbs.map(({ file }) => file)
    expect(files).toContainEqual(expect.stringMatching(/^\/srv\/project\/sub\/\.\.[./]*\/a$/))
  })

  it('are in the folder that the text means, if the shell enters it [POLICY-shell-files]', () => {
    expect(analyse('cd sub/.. && cat a').climbs).toEqual([])
  })

  it('written under a name that is not known make the analysis incomplete', () => {
    expect(analyse('echo x > "$OUT"').unknowns).toMatchObject([{ kind: 'file' }])
  })
})

describe('a home in a temporary folder', () => {
  it.each([
    ['/tmp/ann', 'rm -rf ~/.config', ['recursive_delete']],
    ['/tmp/ann', 'rm -rf /tmp/other', []],
    ['/tmp', 'rm -rf /tmp/other', []],
  ])('%s: %s has the classes %j', (home, text, expected) => {
    const { classes } = analyseCommand(text, { cwd: '/srv/project', home })
    expect(classes.map((found) => found.class)).toEqual(expected)
  })
})

describe('the working folder', () => {
  it.each([
    ['cd sub', ['/srv/project/sub']],
    ['cd sub; true', ['/srv/project/sub', '/srv/project']],
    ['cd sub && cd ..', ['/srv/project']],
    ['(cd sub)', ['/srv/project']],
    ['cd "$X" && true', undefined],
    ['cd sub || exit 1; true', ['/srv/project/sub']],
    ['cd sub && x; true', ['/srv/project/sub', '/srv/project']],
    ['cd sub && x || true', ['/srv/project/sub', '/srv/project']],
    ['cd sub && x || exit 1; true', ['/srv/project/sub']],
  ])('after %s', (text, expected) => {
    expect(analyse(`${text} && true`).commands.at(-1)?.cwd).toEqual(expected)
  })

  it('at the end is several if a `cd` may have failed', () => {
    expect(analyse('cd sub && true').cwd).toEqual(['/srv/project/sub', '/srv/project'])
    expect(analyse('(cd sub)').cwd).toEqual(['/srv/project'])
  })
})

describe('bounds', () => {
  const deep = 'x'.repeat(3)
  it.each([
    ['a long command', `echo ${'a'.repeat(70_000)}`],
    ['many commands', 'ls;'.repeat(5_000)],
    [
      'nested shells',
      Array.from({ length: 40 }).reduce<string>((text) => `sh -c ${JSON.stringify(text)}`.slice(0, 60_000), deep),
    ],
    ['nested substitutions', `${'$(echo '.repeat(100)}x${')'.repeat(100)}`],
    ['many braces', `echo ${'{a,b}'.repeat(20)}`],
    ['nested loops', `${'for i in 1 2 3 4 5 6 7 8 9; do '.repeat(8)}ls${'; done'.repeat(8)}`],
    [
      'functions that double',
      Array.from({ length: 30 }, (_, index) => `f${index}() { f${index + 1}; f${index + 1}; }`).join(';') + '; f0',
    ],
  ])('%s ends quickly as unknown [POLICY-shell-bounds]', (_, text) => {
    const started = cpuMs()
    expect(analyse(text).isComplete).toBe(false)
    expect(cpuMs() - started).toBeLessThan(1_000)
  })

  it.each([
    ['slashes', `ls ${'/'.repeat(60_000)}x`],
    ['brackets', `ls ${'['.repeat(60_000)}`],
    ['open braces', `ls ${'{'.repeat(20_000)}a,b`],
    ['quotes', `ls ${"''".repeat(30_000)}`],
    ['stars', `rm -rf ${'a*'.repeat(2_000)}/..`],
    ['a long inline program', `python3 -c '${'while '.repeat(10_000)}'`],
    ['dots', `rm -rf ${'../'.repeat(20_000)}`],
    ['a long sed script', `sed '${'s/a/b/;'.repeat(8_000)}' x`],
    ['links behind links', `ln -s . a; ${`rm ${'a/'.repeat(60)}${'b'.repeat(3_000)}; `.repeat(18)}`],
    ['many variables', Array.from({ length: 1_500 }, (_each, index) => `A${index}=$A${index - 1}x`).join('; ')],
  ])('%s take less than a second [POLICY-shell-bounds]', (_, text) => {
    const started = cpuMs()
    analyse(text)
    expect(cpuMs() - started).toBeLessThan(1_000)
  })
})
