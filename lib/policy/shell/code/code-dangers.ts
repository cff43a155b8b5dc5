// Finds dangers in code of other languages by the names that it calls, and the files that it names.
import type { Evaluator, Invocation } from '../model/evaluator.ts'
import { literals } from '../model/option-value.ts'
import type { CommandClass } from '../model/command-analysis.ts'
import type { ShellState } from '../model/shell-state.ts'

interface Danger {
  readonly class: CommandClass
  readonly all: readonly RegExp[]
  readonly why: string
}

const dangers: readonly Danger[] = [
  {
    class: 'process_termination',
    all: [
      /\bos\.kill(?:pg)?\b|\bprocess\.kill\(|\bposix_kill\b|\bProcess\.kill\b|\bkill\s*\(?\s*['"]?(?:-?\d+|KILL|TERM|INT|HUP|SIG\w+)\b|\.terminate\(\)|psutil.*\.kill\(/,
    ],
    why: 'ends processes',
  },
  {
    class: 'network_listener',
    all: [
      /http\.server|HTTPServer|TCPServer\b|UDPServer\b|socketserver|createServer\(|\.listen\(|\.bind\(|Bun\.serve|Deno\.(?:serve|listen)|\bListen\s*=>|stream_socket_server|socket_listen|WEBrick|SimpleHTTP/,
    ],
    why: 'accepts connections from the network',
  },
  {
    class: 'pipe_to_shell',
    all: [
      /\b(?:exec|eval|Function|instance_eval|load|import|require|loads)\b|vm\.run/,
      /urlopen|urlretrieve|requests\.(?:get|post)|httpx\.|\bfetch\(|https?\.get\(|Net::HTTP|URI\.open|open-uri|file_get_contents\(\s*['"]https?:|LWP::|curl_exec|\bget\s*\(?\s*['"]https?:/,
      /(?<![.\w])(?:exec|eval)\b|\bFunction\s*\(|instance_eval|vm\.run/,
    ],
    why: 'runs what it downloads',
  },
  {
    class: 'package_installation',
    all: [/\binstall[._]packages\(|\binstall_(?:github|cran|git|local)\(|\bpak::pak\(|\bPkg\.add\(/],
    why: 'installs packages; their scripts run as you',
  },
  {
    class: 'permission_escalation',
    all: [/\bset(?:res|re)?[ug]id\s*\(?\s*0|\bchmod\w*\(.*(?:0o?4[0-7]{3}|0o?777|S_ISUID)|\bos\.setuid\b/],
    why: 'takes or gives more permissions',
  },
  {
    class: 'device_write',
    all: [
      /['"]\s*[+>]*\s*\/dev\/(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|r?disk\d|mem|kmem|mapper\/)\w*['"]/,
      /['"][rwa]b?\+?b?['"]|['"]\s*\+?>|write|O_WRONLY|O_RDWR|createWriteStream/,
    ],
    why: 'writes to a device',
  },
]

/** Reports the classes that the code shows. */
export function codeFindings(run: Evaluator, invocation: Invocation, language: string, code: string): void {
  for (const { class: name, all, why } of dangers) {
    if (all.every((each) => each.test(code))) run.find(name, invocation, `${language} code ${why}`)
  }
}

const maxPaths = 40

/** Reports the files that the code names: all as read, and those that it opens for writing. */
export function codeFiles(run: Evaluator, code: string, state: ShellState): readonly string[] {
  const named = literals(code, `"'\``)
    .map((text) => text.replace(/^\$ENV\{\w+\}|^\$\{?\w+\}?(?=\/)/, ''))
    .filter((text) => /[/.~]/.test(text) && text.length < 300 && !/[\s*?<>|$%]/.test(text))
  const paths = [...new Set(named)].slice(0, maxPaths).flatMap((text) => candidates(text, run.scene.home))
  for (const path of paths) run.read(path, state)
  for (const path of writtenPaths(code)) run.write(path, state)
  return paths
}

/** `expanduser('~/.x')` and `HOME + '/.x'` are below the home folder. */
function candidates(text: string, home: string): readonly string[] {
  if (text.startsWith('~/')) return [home + text.slice(1)]
  if (text.startsWith('/.')) return [text, home + text]
  return /^\.\w/.test(text) ? [text, `${home}/${text}`] : [text]
}

const writers: readonly RegExp[] = [
  /\bopen\(\s*(?:[frbu]{0,2})(['"])([^'"\n]{1,300})\1\s*,\s*(?:mode\s*=\s*)?['"][rb]?[wax+]/g,
  /\b(?:writeFile|appendFile|createWriteStream|unlink|rm|rmdir|truncate|chmod|mkdir|open|writeFileSync|appendFileSync|unlinkSync|rmSync|file_put_contents|remove|unlink|rename|replace|symlink|touch)(?:Sync)?\(\s*(['"`])([^'"`\n]{1,300})\1(?!\s*\)\s*\.read)/g,
  /\bPath\(\s*(['"])([^'"\n]{1,300})\1\s*\)\.(?:write_|unlink|rename|touch|chmod|replace|symlink)/g,
  /\bFile\.(?:write|open|delete|rename|symlink|chmod)\(\s*(['"])([^'"\n]{1,300})\1(?!\s*\))/g,
  /\b(?:copy\w*|move|rename\w*|link\w*|symlink\w*)\([^()\n]{1,300},\s*(['"`])([^'"`\n]{1,300})\1\s*\)/g,
]

function writtenPaths(code: string): readonly string[] {
  if (code.length > 20_000) return []
  const found = writers.flatMap((pattern) => [...code.matchAll(pattern)].map(([, , path = '']) => path))
  return [...new Set(found)].filter((path) => path !== '' && !/[\s$%{]/.test(path)).slice(0, maxPaths)
}
