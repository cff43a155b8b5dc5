// Tests which commands a phase that only reads lets run: each program with words that read, and words that change.
import { describe, expect, it } from 'vitest'
import { readOnlyProblem } from '../../../lib/policy/decide/read-only-command.ts'
import { analyseCommand } from '../../../lib/policy/shell/analyse-command.ts'

const workspace = '/home/ada/project'

function problemOf(command: string, cwd = workspace): string | undefined {
  return readOnlyProblem(analyseCommand(command, { cwd, home: '/home/ada', workspace }), { cwd, workspace })
}

describe('a command that reads runs', () => {
  it.each([
    'cat a | sort -u | uniq -c',
    '/usr/bin/cat a; /bin/ls',
    'rg x src',
    'find . -name a.ts -print',
    'fd x',
    'sort -k 2 a',
    'uniq a',
    'uniq -c a',
    'ls | uniq -',
    'tree -L 2',
    'file a',
    'date +%s',
    'date -u',
    "sed -n '1,20p' a",
    "sed -n '5p' a",
    "sed -n '12,$p' a b",
    'command -v node',
    'command -V node',
    'node --version',
    'go version',
    'npm version',
    'make --version',
    'cat *.ts',
    'file src/*',
    'echo x > /dev/null 2> /dev/stderr',
    'x=1; y=2; echo $x',
    'cd src && ls',
    'git',
    'git --no-pager log -3',
    'git -P -C .. diff',
    'git branch',
    'git branch -av --list',
    'git branch -rvv',
    'git tag',
    'git tag -l v1',
    'git tag --list',
    'git remote',
    'git remote -v',
    'git stash list',
    'git stash show',
    'git config --get user.name',
    'git worktree list',
    'git reflog',
    'git reflog show',
    'git reflog show -3',
    'git version',
    'cd -L .. && git log',
    '/usr/bin/git status',
  ])('%s', (command) => {
    expect(problemOf(command)).toBeUndefined()
  })
})

describe('a command that may change something does not', () => {
  it.each([
    ['rg --pre ./run x', /rg --pre \.\/run x is not known as read-only/],
    ['rg --hostname-bin=./run x', /./],
    ['find . -delete', /./],
    ['find . -exec rm x', /./],
    ['find . -fprintf out %p', /./],
    ['fd x -x touch y', /./],
    ['fd x -HX touch y', /./],
    ['fd --exec touch', /./],
    ['sort -o out a', /./],
    ['sort -uo out a', /./],
    ['sort --output=out a', /./],
    ['sort --compress-program=./run a', /./],
    ['sort -T /srv a', /./],
    ['uniq a b', /./],
    ['ls | uniq - out', /./],
    ['uniq -- -in out', /./],
    ['tree -o out', /./],
    ['tree -aR', /./],
    ['file -C -m magic', /./],
    ['file -bC', /./],
    ['file --compile', /./],
    ['file --compil -m magic', /./],
    ['date -s 12:00', /./],
    ['date -us 12:00', /./],
    ['date --set=12:00', /./],
    ['date 01010000', /./],
    ["sed -n '1w out' a", /./],
    ["sed -n '1e run' a", /./],
    ["sed 's/a/b/' a", /./],
    ["sed -n '1p;w out' a", /./],
    ["sed -n '1p' -i a", /./],
    ["sed -n 'x1p' a", /./],
    ['command rm a', /./],
    ['command node x.js', /./],
    ['node x.js', /./],
    ['node --version x.js', /./],
    ['python', /./],
    ['npm versions', /./],
    ['make version', /./],
    ['node version', /./],
    ['bun version', /./],
    ['x=y make --version', /./],
    ['"$tool" --version', /is not certain/],
    ['file *', /file \* is not known as read-only/],
    ['sort "$x"', /./],
    ['echo x > a', /it changes .*project\/a/],
    ['cat a >> b', /it changes/],
    ['cat <> a', /./],
    ['PATH=/srv ls', /./],
    ['PATH=/srv; ls', /it sets PATH/],
    ['http_proxy=x; ls', /it sets http_proxy/],
    ['x1Y=2; ls', /it sets x1Y/],
    ['rm a', /./],
    ['touch a', /./],
    ['git commit', /./],
    ['git -c core.pager=x log', /./],
    ['git --exec-path=/srv log', /./],
    ['git --git-dir=/srv log', /./],
    ['git log --output=out', /./],
    ['git diff --ext-diff', /./],
    ['git grep -O x', /./],
    ['git grep -iO x', /./],
    ['git grep --open-files-in-pager x', /./],
    ['git cat-file --textconv x', /./],
    ['git branch new', /./],
    ['git branch -d old', /./],
    ['git branch -a new', /./],
    ['git branch -aD old', /./],
    ['git branch --list-all', /./],
    ['git tag v1', /./],
    ['git tag -lx v1', /./],
    ['git tag --list -d v1', /./],
    ['git remote add x y', /./],
    ['git reflog show --output=out', /./],
    ['git stash show --textconv', /./],
    ['git remote -v update', /./],
    ['git stash', /./],
    ['git stash drop', /./],
    ['git stash show --ext-diff', /./],
    ['git stash show --output=out', /./],
    ['git config user.name x', /./],
    ['git config --get-urlmatch-x y', /./],
    ['git worktree add x', /./],
    ['git reflog expire', /./],
  ])('%s', (command, reason) => {
    expect(problemOf(command)).toMatch(reason)
  })

  it('names a long command by its beginning', () => {
    expect(problemOf(`node ${'x'.repeat(300)}`)).toMatch(/^node x{95}… is not known as read-only$/)
    expect(problemOf(`node ${'x'.repeat(95)}`)).toMatch(/^node x{95} is not known/)
  })
})

describe('git runs in the workspace and above it, where no repository of others can be', () => {
  it.each([
    ['cd /srv/other && git log', '/srv/other'],
    ['cd src && git log', 'src'],
    ['cd -P /srv/other && git log', '/srv/other'],
    ['cd && git log', 'another folder'],
    ['cd - && git log', '-'],
    ['pushd /srv/other; git log', '/srv/other'],
    ['popd; git log', 'another folder'],
    ['git -C /srv/other log', '/srv/other'],
    ['git -C link/.. log', 'link/..'],
    ['git -C ./link/../. log', './link/../.'],
  ])('%s', (command, folder) => {
    expect(problemOf(command)).toContain(`git obeys the configuration of ${folder}, which`)
  })

  it('also if the session works elsewhere', () => {
    expect(problemOf('git log', '/srv/other')).toContain('git obeys the configuration of /srv/other')
    expect(problemOf('ls', '/srv/other')).toBeUndefined()
  })
})
