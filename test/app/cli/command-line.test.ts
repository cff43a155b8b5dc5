// Tests how the command line is parsed, and which command lines are refused.
// Over 250 lines: one table of command lines and their results; half of it would not show which ones are refused.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseCommandLine } from '../../../app/cli/command-line.ts'

function refusal(...commandLine: string[]): string {
  try {
    parseCommandLine(commandLine)
  } catch (error) {
    expect(error).toMatchObject({ code: 'bad_request' })
    return (error as Error).message
  }
  throw new Error(`not refused: ${commandLine.join(' ')}`)
}

const here = process.cwd()
const sessions = { mode: 'sessions', json: false }
const plain = {
  mode: 'print',
  format: 'text',
  choice: { cwd: here, from: 'new' },
  words: '',
  files: [],
  stdin: 'added',
  limits: {},
}

describe('parseCommandLine', () => {
  it.each<[string[], object]>([
    [['--version'], { mode: 'version' }],
    [['-p', 'x', '--version'], { mode: 'version' }],
    [['--help'], { mode: 'help', topic: 'rxpi' }],
    [['-h'], { mode: 'help', topic: 'rxpi' }],
    [['help'], { mode: 'help', topic: 'rxpi' }],
    [['help', 'sessions'], { mode: 'help', topic: 'sessions' }],
    [['version'], { mode: 'version' }],
    [['-v'], { mode: 'version' }],
    [['fix the bug'], { ...plain, words: 'fix the bug', stdin: 'only' }],
    [['--', 'fix', '@it'], { ...plain, words: 'fix @it', stdin: 'only' }],
    [['@a.ts', 'why?'], { ...plain, words: 'why?', files: ['a.ts'], stdin: 'only' }],
    [['-c', 'and a test'], { ...plain, choice: { cwd: here, from: 'latest' }, words: 'and a test', stdin: 'only' }],
    [['tool', '--help'], { mode: 'help', topic: 'tool' }],
    [['doctor', '-h'], { mode: 'help', topic: 'doctor' }],
    [['protocol', '-h'], { mode: 'help', topic: 'protocol' }],
    [['protocol', '--json-schema'], { mode: 'protocol' }],
    [['serve'], { mode: 'serve' }],
    [['serve', '--extension', '/a.ts'], { mode: 'serve', extensions: ['/a.ts'] }],
    [['rpc', '-e', '/a.ts', '-e', 'b'], { mode: 'rpc', extensions: ['/a.ts', path.join(here, 'b')] }],
    [
      ['-p', 'x', '--extension', '../a.ts', '--cwd', '/work', '-e', '/b'],
      { ...plain, words: 'x', choice: { cwd: '/work', from: 'new', extensions: [path.resolve('../a.ts'), '/b'] } },
    ],
    [
      ['serve', '--idle-exit', '10m', '--socket', '/run/a.sock'],
      { mode: 'serve', idleExitMs: 600_000, socket: '/run/a.sock' },
    ],
    [['serve', '--idle-exit', '1.5h'], { mode: 'serve', idleExitMs: 5_400_000 }],
    [['serve', '--idle-exit', '300ms'], { mode: 'serve', idleExitMs: 300 }],
    [['serve', '--proxy', '8787'], { mode: 'serve', proxy: { port: 8787, hosts: [], models: [], origins: [] } }],
    [
      [
        'serve',
        '--proxy',
        '[::1]:0',
        '--proxy-origin',
        'https://a.example,http://localhost:5173',
        '--proxy-host',
        'b.example',
      ],
      {
        mode: 'serve',
        proxy: {
          port: 0,
          host: '::1',
          hosts: ['b.example'],
          models: [],
          origins: ['https://a.example', 'http://localhost:5173'],
        },
      },
    ],
    [
      ['serve', '--proxy', '0.0.0.0:80', '--proxy-model', 'ollama/qwen3,vllm/m'],
      {
        mode: 'serve',
        proxy: { port: 80, host: '0.0.0.0', hosts: [], models: ['ollama/qwen3', 'vllm/m'], origins: [] },
      },
    ],
    [['serve', '--help'], { mode: 'help', topic: 'serve' }],
    [['stop', '--socket', 'a.sock'], { mode: 'stop', socket: 'a.sock' }],
    [['status', '--json'], { mode: 'status', json: true }],
    [['rpc'], { mode: 'rpc' }],
    [['rpc', '--socket', '/a'], { mode: 'rpc', socket: '/a' }],
    [['abort', 'abcdefghij23', '--socket', '/a'], { mode: 'abort', session: 'abcdefghij23', socket: '/a' }],
    [['attach', 'abcdefghij23'], { mode: 'attach', session: 'abcdefghij23', json: false, from: { tail: 100 } }],
    [
      ['attach', 'abcdefghij23', '--json', '--after', '0', '--socket', '/a'],
      { mode: 'attach', session: 'abcdefghij23', json: true, from: { after: 0 }, socket: '/a' },
    ],
    [
      ['attach', 'abcdefghij23', '--tail', '0'],
      { mode: 'attach', session: 'abcdefghij23', json: false, from: { tail: 0 } },
    ],
    [['-p', 'x', '--socket', '/a'], { ...plain, words: 'x', socket: '/a' }],
    [['sessions', 'list', '--all'], { mode: 'sessions', action: 'list', json: false }],
    [['sessions', 'list', '--cwd', '/', '--json'], { mode: 'sessions', action: 'list', cwd: '/', json: true }],
    [['sessions', 'tree', 'abcdefghij23'], { ...sessions, action: 'tree', target: { session: 'abcdefghij23' } }],
    [['sessions', 'tree', '/a.jsonl'], { ...sessions, action: 'tree', target: { file: '/a.jsonl' } }],
    [
      ['sessions', 'show', 'abcdefghij23', '--entry', 'abcdefg2'],
      { ...sessions, action: 'show', target: { session: 'abcdefghij23' }, entryId: 'abcdefg2' },
    ],
    [
      ['sessions', 'rm', 'abcdefghij23', '--json'],
      { mode: 'sessions', action: 'rm', session: 'abcdefghij23', json: true },
    ],
    [['sessions', 'list'], { mode: 'sessions', action: 'list', cwd: here, json: false }],
    [
      ['sessions', 'undo', 'abcdefghij23', '--dry-run'],
      { ...sessions, action: 'undo', session: 'abcdefghij23', dryRun: true, force: false },
    ],
    [['sessions', 'compact'], { ...sessions, action: 'compact', session: '' }],
    [
      ['compact', 'abcdefghij23', 'the', 'tests'],
      { ...sessions, action: 'compact', session: 'abcdefghij23', focus: 'the tests' },
    ],
    ...(['pin', 'unpin', 'hide', 'unhide'] as const).map((action): [string[], object] => [
      ['sessions', action, 'abcdefghij23', 'abcdefg2'],
      { ...sessions, action, session: 'abcdefghij23', entryId: 'abcdefg2' },
    ]),
    [
      ['sessions', 'replace', 'abcdefghij23', 'abcdefg2', 'a', 'text'],
      { ...sessions, action: 'replace', session: 'abcdefghij23', entryId: 'abcdefg2', text: 'a text' },
    ],
    [
      ['sessions', 'branch', 'abcdefghij23', 'abcdefg2', '--restore-files', '--force'],
      { ...sessions, action: 'branch', session: 'abcdefghij23', toEntry: 'abcdefg2', dryRun: false, force: true },
    ],
    [['sessions', '-h'], { mode: 'help', topic: 'sessions' }],
    [
      ['sessions', 'verify', 'abcdefghij23'],
      { mode: 'sessions', action: 'verify', target: { session: 'abcdefghij23' }, json: false },
    ],
    [
      ['sessions', 'repair', 'a/../b.jsonl', '--json'],
      { mode: 'sessions', action: 'repair', target: { file: path.resolve('b.jsonl') }, json: true },
    ],
    [
      ['sessions', 'verify', './abcdefghij23'],
      { mode: 'sessions', action: 'verify', target: { file: path.resolve('abcdefghij23') }, json: false },
    ],
    [[], { ...plain, stdin: 'only' }],
    [['-c'], { ...plain, stdin: 'only', loneOption: 'continue', choice: { cwd: here, from: 'latest' } }],
    [['-r'], { ...plain, stdin: 'only', loneOption: 'resume', resume: true }],
    [['-p', 'why?'], { ...plain, words: 'why?' }],
    [['why?', '--print'], { ...plain, words: 'why?' }],
    [['-p', 'fix', 'the', 'build'], { ...plain, words: 'fix the build' }],
    [['-p', 'x', '@a.ts', '@b.png'], { ...plain, words: 'x', files: ['a.ts', 'b.png'] }],
    [['-p', '@a.ts'], { ...plain, files: ['a.ts'] }],
    [['-p', '@'], { ...plain, words: '@' }],
    [['-p', '--', '@a.ts', '--help'], { ...plain, words: '@a.ts --help' }],
    [['-p', 'doctor'], { ...plain, words: 'doctor' }],
    [['--mode', 'json', '-p', 'x'], { ...plain, words: 'x', format: 'json' }],
    [['--mode', 'json', 'x'], { ...plain, words: 'x', format: 'json' }],
    [['-p', 'x', '--no-stdin'], { ...plain, words: 'x', stdin: 'ignored' }],
    [['-cp', 'x'], { ...plain, words: 'x', choice: { cwd: here, from: 'latest' } }],
    [['-p', 'x', '--no-session'], { ...plain, words: 'x', choice: { cwd: here, from: 'unstored' } }],
    [
      ['-p', 'x', '--session', 'abcdefghijk2'],
      { ...plain, words: 'x', choice: { cwd: here, from: { session: 'abcdefghijk2' } } },
    ],
    [['-p', 'x', '--cwd', 'sub'], { ...plain, words: 'x', choice: { cwd: path.resolve('sub'), from: 'new' } }],
    [['-p', 'x', '--cwd', '/'], { ...plain, words: 'x', choice: { cwd: '/', from: 'new' } }],
    [
      ['-p', 'x', '--tools', 'read, bash'],
      { ...plain, words: 'x', choice: { cwd: here, from: 'new', tools: ['read', 'bash'] } },
    ],
    [['-p', 'x', '--tools', ''], { ...plain, words: 'x', choice: { cwd: here, from: 'new', tools: [] } }],
    [
      ['-p', 'x', '--model', 'a/b', '--thinking', 'high', '--system', '@s'],
      { ...plain, words: 'x', choice: { cwd: here, from: 'new', model: 'a/b', thinkingLevel: 'high', system: '@s' } },
    ],
    [
      ['-p', 'x', '--max-turns', '4', '--max-usd', '0.5', '--timeout', '1.5'],
      { ...plain, words: 'x', limits: { turns: 4, usd: 0.5 }, timeoutMs: 1_500 },
    ],
    [['tool', 'read'], { mode: 'tool', name: 'read', args: {}, cwd: here, json: false }],
    [
      ['tool', 'read', '{"path":"a"}', '--json', '--cwd=/'],
      { mode: 'tool', name: 'read', args: { path: 'a' }, cwd: '/', json: true },
    ],
    [
      ['sessions', 'export', 'abcdefghij23', '-o', '/out.html'],
      { ...sessions, action: 'export', target: { session: 'abcdefghij23' }, format: 'html', to: '/out.html' },
    ],
    [
      ['sessions', 'export', 'abcdefghij23', '-o', '/out.html', '--force'],
      {
        ...sessions,
        action: 'export',
        target: { session: 'abcdefghij23' },
        format: 'html',
        to: '/out.html',
        overwrite: true,
      },
    ],
    [
      ['sessions', 'export', '/a.jsonl', '--format', 'md'],
      { ...sessions, action: 'export', target: { file: '/a.jsonl' }, format: 'markdown' },
    ],
    [['sessions', 'import', '/a.jsonl'], { ...sessions, action: 'import', file: '/a.jsonl', cwd: here }],
    [['sessions', 'replay', 'abcdefghij23'], { ...sessions, action: 'replay', target: { session: 'abcdefghij23' } }],
    [
      ['sessions', 'replay', '/a.jsonl', '--speed', '2.5', '--max-pause', '0.5'],
      { ...sessions, action: 'replay', target: { file: '/a.jsonl' }, speed: 2.5, maxPauseMs: 500 },
    ],
    [
      ['sessions', 'replay', '/a.jsonl', '--speed', 'max'],
      { ...sessions, action: 'replay', target: { file: '/a.jsonl' }, speed: 0 },
    ],
    [['doctor'], { mode: 'doctor', cwd: here, json: false }],
    [['doctor', '--json', '--model', 'a/b'], { mode: 'doctor', cwd: here, json: true, model: 'a/b' }],
  ])(
    'parses %j [CLI-sessions, CLI-protocol, CLI-options, CLI-model, CLI-help, CLI-resume]',
    (commandLine, invocation) => {
      expect(parseCommandLine(commandLine)).toEqual(invocation)
    },
  )

  it.each<[string[], RegExp]>([
    [
      ['--frobnicate'],
      /^there is no option --frobnicate\. A prompt that begins with a dash goes after --; see rxpi --help$/,
    ],
    [['-p', 'x', '--max-turns', '-1'], /^--max-turns must be a number above 0, not "-1"$/],
    [['-x'], /^there is no option -x\./],
    [['-p', 'x', '--timeout', '-1'], /^--timeout must be a number above 0, not "-1"$/],
    [['-p', '--model', '-c'], /^--model needs a value, and another option follows/],
    [['-p', '--print=x'], /^--print takes no value/],
    [['serve', '--idle-exit'], /^--idle-exit needs a value; see rxpi serve --help$/],
    [['sessions', '--frobnicate'], /see rxpi sessions --help$/],
    [['--modle', 'a/b'], /^there is no option --modle\. Did you mean --model\? A prompt/],
    [['fix', 'the', 'bug'], /^there is no command "fix"; to ask the model, write: rxpi -p "fix …"$/],
    [['which port?', '--output-schema', 'f'], /^--output-schema is for one run: it needs -p beside the prompt$/],
    [['fix it', '--max-turns', '3'], /^--max-turns is for one run: it needs -p/],
    [['sesions'], /^there is no command "sesions"\. Did you mean rxpi sessions\? To ask the model/],
    [['sessions', 'lst'], /not "lst"\. Did you mean rxpi sessions list\?$/],
    [['config', 'ste'], /unset\. Did you mean rxpi config set\?$/],
    [['-p', '--model'], /^--model needs a value/],
    [['--print=yes'], /--print/],
    [['fly'], /no command "fly".*rxpi -p/],
    [
      ['sessions'],
      /sessions needs one of list, search, tree, show, branch, undo, compact, pin, unpin, hide, unhide, replace, rename, label, switch, rm, export, import, replay, verify, repair, not ""/,
    ],
    [['sessions', 'replay'], /needs a session's id or its log's file/],
    [
      ['sessions', 'undo', 'abcdefghij23', 'abcdefg2'],
      /sessions undo takes no more arguments; unexpected argument "abcdefg2"/,
    ],
    [['sessions', 'undo', 'abcdefghij23', '--dry-run', '--force'], /there is nothing to force/],
    [['sessions', 'undo', 'abcdefghij23', '--restore-files'], /"rxpi sessions undo" has no option --restore-files/],
    [['sessions', 'branch', 'abcdefghij23', 'abcdefg2', '--force'], /--force needs --restore-files/],
    [['sessions', 'branch', 'abcdefghij23', 'abcdefg2', '--new-file', '--restore-files'], /no files to restore/],
    [['sessions', 'branch', 'abcdefghij23', 'abcdefg2', '--summarise', '--restore-files'], /cannot be used together/],
    [['-p', 'x', '--force'], /--force works with rxpi sessions and rxpi mcp add only/],
    [['-p', 'x', '--write'], /--write works with rxpi policy import and rxpi mcp import only/],
    [['-p', 'x', '--dry-run'], /--dry-run works with rxpi sessions and rxpi import pi only/],
    [['sessions', 'replay', 'abcdefghij23', '--speed', '0'], /--speed must be a number from 0.01 .*, or max, not "0"/],
    [['sessions', 'replay', 'abcdefghij23', '--speed', '1e3'], /--speed must be/],
    [['sessions', 'replay', 'abcdefghij23', '--max-pause', 'x'], /--max-pause must be a number of seconds/],
    [['sessions', 'replay', 'abcdefghij23', '--max-pause', '2147484'], /2147483 at most/],
    [['-p', 'x', '--speed', '2'], /--speed works with rxpi sessions only/],
    [['sessions', 'search'], /needs a text of 1 to 200/],
    [['sessions', 'search', 'a', '--all', '--cwd', '/'], /cannot be used together/],
    [['sessions', 'list', 'a'], /sessions list takes options only; unexpected argument "a"/],
    [['sessions', 'list', '--all', '--cwd', '/'], /cannot be used together/],
    [['--all', '-p', 'Hi'], /--all works with rxpi sessions only/],
    [['sessions', 'verify'], /needs a session's id or its log's file/],
    [['sessions', 'verify', 'a', 'b'], /sessions verify takes no more arguments; unexpected argument "b"/],
    [['sessions', 'export'], /needs a session's id or its log's file/],
    [['sessions', 'export', 'abcdefghij23', '--format', 'pdf'], /--format must be html, md or pi, not "pdf"/],
    [['sessions', 'export', 'abcdefghij23', '--format', 'toString'], /--format must be/],
    [['sessions', 'export', 'abcdefghij23', '-o', ''], /--output needs a file/],
    [['sessions', 'export', 'abcdefghij23', '--force'], /--force needs -o/],
    [['sessions', 'import'], /sessions import needs a file/],
    [['sessions', 'import', 'a', 'b'], /sessions import takes no more/],
    [['-p', 'Hi', '--output', 'a'], /--output works with rxpi sessions only/],
    [['sessions', 'branch', 'abcdefghij23'], /the id of an entry is missing/],
    [['sessions', 'branch', 'abcdefghij23', 'abcdefg2', 'x'], /unexpected argument "x"/],
    [['sessions', 'branch', 'abcdefghij23', 'abcdefg2', '--new-file', '--summarise'], /nothing to summarise/],
    [['sessions', 'rename', 'abcdefghij23'], /needs a title/],
    [['sessions', 'label', 'abcdefghij23', 'x'], /is not the id of an entry/],
    [['sessions', 'replace', 'abcdefghij23', 'abcdefg2'], /replace needs a text; sessions hide hides/],
    [['sessions', 'pin', 'abcdefghij23'], /the id of an entry is missing/],
    [['compact', 'the tests'], /is not the id of a session/],
    [['sessions', 'tree', ''], /needs a session's id/],
    [['sessions', 'undo', ''], /needs a session's id/],
    [['sessions', 'rm', '../../etc'], /is not the id of a session/],
    [['sessions', 'switch', 'abcdefghij23', 'b'], /unexpected argument "b"/],
    [['sessions', 'show', 'abcdefghij23', '--entry', 'x'], /is not the id of an entry/],
    [['sessions', 'tree', 'abcdefghij23', '--entry', 'x'], /"rxpi sessions tree" has no option --entry/],
    [['sessions', 'verify', 'a', '--cwd', 'b'], /"rxpi sessions verify" has no option --cwd; see rxpi sessions --help/],
    [['-p', 'x', '--mode', 'xml'], /--mode must be text or json, not "xml"/],
    [['-p', 'x', '--thinking', 'deep'], /--thinking must be one of off, .*, not "deep"/],
    [['-p', 'x', '--model', ''], /--model must not be empty/],
    [['-p', 'x', '--cwd', ''], /--cwd must not be empty/],
    [['-p', 'x', '--session', '../../etc'], /--session must be the id of a session/],
    [['-p', 'x', '--max-turns', '0'], /--max-turns must be a number above 0, not "0"/],
    [['-p', 'x', '--max-turns', '1.5'], /--max-turns must be a whole number/],
    [['-p', 'x', '--max-turns=-1'], /--max-turns/],
    [['-p', 'x', '--max-usd', 'free'], /--max-usd must be a number above 0, not "free"/],
    [['-p', 'x', '--timeout', '1e3'], /--timeout must be a number/],
    [['-p', 'x', '--timeout', '2147484'], /--timeout must be at most 2147483 seconds/],
    [['-p', 'x', '-c', '--no-session'], /--continue and --no-session cannot be used together/],
    [['-p', 'x', '-c', '--session', 'abcdefghijk2'], /--session and --continue/],
    [['-p', 'x', '--session', 'abcdefghijk2', '--cwd', '/'], /--session uses the folder of the session/],
    [['-p', 'x', '--json'], /--mode json/],
    [['-c', '--no-stdin'], /--continue needs -p and a prompt/],
    [['tool'], /tool needs a name/],
    [['tool', 'read', '{'], /are not JSON/],
    [['tool', 'read', '[1]'], /must be a JSON object, not \[1\]/],
    [['tool', 'read', '{}', 'more'], /unexpected argument "more"/],
    [['tool', 'read', '--model', 'a/b'], /"rxpi tool" has no option --model/],
    [['doctor', 'me'], /unexpected argument "me"/],
    [['protocol'], /protocol needs --json-schema/],
    [['protocol', '--json-schema', 'x'], /unexpected argument "x"/],
    [['protocol', '--json'], /no option --json/],
    [['-p', 'x', '--json-schema'], /--json-schema works with rxpi protocol only/],
    [['doctor', '-p'], /no option --print/],
    [['-r', '-p', 'x'], /--resume opens a list/],
    [['-r', '--mode', 'json'], /--resume opens a list/],
    [['-p', 'x', '--extension', ''], /--extension must not be empty/],
    [
      ['-p', 'x', ...Array.from({ length: 101 }, () => ['-e', 'a.ts']).flat()],
      /--extension can be there 100 times at most/,
    ],
    [['rpc', '--socket', '/s', '-e', 'a.ts'], /--extension and --socket cannot be used together/],
    [['sessions', 'list', '--extension', 'a.ts'], /no option --extension/],
    [['-p', 'x', '--scenario', 'plan:'], /--scenario must be NAME or NAME:PHASE, not "plan:"/],
    [['-p', 'x', '--sandbox', 'none'], /--sandbox must be auto, off, read-only or workspace, not "none"/],
    [['-p', 'x', '--approve', 'never'], /--approve must be ask, writes or auto, not "never"/],
    [['serve', '--idle-exit', '10'], /--idle-exit must be a time above 0 with its unit/],
    [['serve', '--idle-exit', '0s'], /--idle-exit must be a time above 0/],
    [['serve', '--idle-exit', '-5m'], /--idle-exit/],
    [['serve', '--idle-exit', '597h'], /--idle-exit must be at most 596h/],
    [['serve', '--proxy', 'localhost'], /--proxy must be a port, or a host and a port, not "localhost"/],
    [['serve', '--proxy', '70000'], /--proxy must be a port/],
    [['serve', '--proxy', '::1:80'], /--proxy must be a port/],
    [['serve', '--proxy', ''], /--proxy must not be empty/],
    [['serve', '--proxy', '80', '--proxy-origin', 'https://a.example/'], /--proxy-origin must be an origin/],
    [['serve', '--proxy', '80', '--proxy-origin', 'null'], /--proxy-origin must be an origin/],
    [['serve', '--proxy-model', 'a/b'], /--proxy-model needs --proxy/],
    [['serve', '--proxy', '80', '--idle-exit', '1m'], /--idle-exit and --proxy cannot be used together/],
    [['status', '--proxy', '80'], /"rxpi status" has no option --proxy/],
    [['-p', 'x', '--proxy', '80'], /--proxy works with server commands only/],
    [['serve', '--json'], /"rxpi serve" has no option --json/],
    [['serve', 'now'], /unexpected argument "now"/],
    [['stop', '--socket', ''], /--socket must not be empty/],
    [['rpc', '--json'], /"rxpi rpc" has no option --json/],
    [['attach'], /attach needs a session/],
    [['abort'], /abort needs a session: rxpi abort <id>/],
    [['abort', 'x'], /the argument of abort must be the id of a session/],
    [['abort', 'abcdefghij23', 'more'], /unexpected argument "more"/],
    [['abort', 'abcdefghij23', '--json'], /--json/],
    [['attach', 'x'], /the argument of attach must be the id of a session/],
    [['attach', 'abcdefghij23', 'more'], /unexpected argument "more"/],
    [['attach', 'abcdefghij23', '--tail', '1', '--after', '2'], /cannot be used together/],
    [['attach', 'abcdefghij23', '--tail', '-1'], /--tail/],
    [['-p', 'x', '--idle-exit', '1s'], /--idle-exit works with server commands only/],
    [['-p', 'x', '--output-schema', ''], /--output-schema must not be empty/],
    [['serve', '--output-schema', 'f'], /"rxpi serve" has no option --output-schema/],
  ])('rejects %j [CLI-options]', (commandLine, message) => {
    expect(refusal(...commandLine)).toMatch(message)
  })
})

describe('--trust', () => {
  it('is for one run, one call or one explanation [CLI-power]', () => {
    expect(parseCommandLine(['-p', 'x', '--trust'])).toMatchObject({ choice: { trust: true } })
    expect(parseCommandLine(['-p', 'x'])).not.toHaveProperty('choice.trust')
    expect(parseCommandLine(['tool', 'read', '{}', '--trust'])).toMatchObject({ trust: true })
    expect(parseCommandLine(['policy', 'explain', 'read', '{}', '--trust'])).toMatchObject({ trust: true })
    expect(() => parseCommandLine(['config', 'set', 'a', 'b', '--trust'])).toThrow('has no option --trust')
  })
})
