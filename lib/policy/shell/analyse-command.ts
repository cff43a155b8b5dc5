// Analyses a shell command before it runs: simple commands, dangers, and the files that it touches.
// Guarantees: runs nothing and reads no disk; work is bounded, and what exceeds the bound is reported as unknown.
import { parse } from 'unbash'
import type { ParsedScript } from 'unbash'
import { commandClasses, wrapperReasons } from './model/command-analysis.ts'
import type {
  AnalyseOptions,
  ClassFinding,
  CommandAnalysis,
  PathClimb,
  ShellWord,
  SimpleCommand,
  Tier,
  Unknown,
} from './model/command-analysis.ts'
import type { Evaluator, Frame, Invocation } from './model/evaluator.ts'
import { throughLinks } from './model/own-links.ts'
import { isAnyPath, patternText, resolvePattern } from './model/path-patterns.ts'
import { copyState, createState } from './model/shell-state.ts'
import type { ShellState } from './model/shell-state.ts'
import { anyText, hasMarks, hasUnknown, ownJob, setupText, wordText } from './model/word-marks.ts'
import { runInvocation } from './walk/run-invocation.ts'
import { walkFunction, walkStatements } from './walk/walk-script.ts'

export type { AnalyseOptions, CommandAnalysis } from './model/command-analysis.ts'
export { commandClasses } from './model/command-analysis.ts'

const maxText = 65_536
const maxSteps = 2_000
const maxDepth = 16
const maxShown = 200
const order: readonly Tier[] = ['critical', 'high', 'medium']

/** Worst first. Of one tier, what a command does comes before the rights with which `sudo` runs it. */
function rankOf({ tier, class: name, why }: ClassFinding): number {
  return order.indexOf(tier) * 2 + (name === 'permission_escalation' && wrapperReasons.has(why) ? 1 : 0)
}

/** Analyses the text as bash would read it. Never throws. */
export function analyseCommand(text: string, options: AnalyseOptions): CommandAnalysis {
  const { cwd, home, workspace = cwd, env = {} } = options
  const collected = new Collector({ home, workspace })
  const state = createState(cwd, env)
  const hidden = /[\p{Cf}\u0000-\u0008\u000B-\u001F\u007F-\u009F\uE000-\uF8FF]/u.exec(text)
  if (text.length > maxText) collected.unknown('limit', text, 'the command is longer than 64 KiB')
  else {
    if (hidden !== null) collected.unknown('syntax', text.slice(hidden.index), 'the command has invisible characters')
    collected.runAll(text.replace(/[\uE000-\uF8FF]/g, '\uFFFD'), state)
  }
  return collected.result(state)
}

class Collector implements Evaluator {
  readonly scene: Evaluator['scene']
  readonly traps: Evaluator['traps'] = []
  readonly called = new Set<string>()
  private readonly commands: SimpleCommand[] = []
  private readonly findings = new Map<string, ClassFinding>()
  private readonly unknowns = new Map<string, Unknown>()
  private readonly writes = new Set<string>()
  private readonly reads = new Set<string>()
  private readonly climbs = new Map<string, PathClimb>()
  private readonly assigned = new Set<string>()
  private steps = 0
  private paths = 0

  constructor(scene: Evaluator['scene']) {
    this.scene = scene
  }

  /** The whole text, then the traps, then the functions that nothing called. */
  runAll(text: string, state: ShellState): void {
    const frame: Frame = { context: [], depth: 0, calls: [], bodies: [], spawns: false }
    this.runText(text, state, frame)
    for (let trap = this.traps.shift(); trap !== undefined; trap = this.traps.shift()) {
      this.runText(trap.text, copyState(trap.state), trap.frame)
    }
    for (const [name, body] of state.functions) {
      if (this.called.has(name)) continue
      const own = { ...copyState(state), positional: undefined }
      this.runFunction(name, body, own, { ...frame, calls: [name], bodies: [body], depth: 1 })
    }
  }

  runText(source: string, state: ShellState, frame: Frame): void {
    if (frame.depth > maxDepth) {
      this.unknown('limit', source, 'texts are nested too deeply')
      return
    }
    if (source.length > maxText) {
      this.unknown('limit', source, 'a nested text is longer than 64 KiB')
      return
    }
    if (source.trim() === setupText) {
      this.unknown('code', '$(…)', 'sets variables and functions that are not known')
      return
    }
    if (hasUnknown(source.replaceAll(ownJob, '')))
      this.unknown('text', wordText(source), 'a shell reads text that is not known before it runs')
    const script = parse(source)
    this.check(script, source)
    walkStatements(this, script.commands, state, { ...frame, depth: frame.depth + 1 })
  }

  runGuess(source: string, state: ShellState, frame: Frame): void {
    const commands = this.commands.length
    const unknowns = new Set(this.unknowns.keys())
    this.runText(source, state, frame)
    this.commands.length = commands
    for (const key of this.unknowns.keys()) if (!unknowns.has(key)) this.unknowns.delete(key)
  }

  outputOf(script: ParsedScript, state: ShellState, frame: Frame): string {
    if (frame.depth > maxDepth) {
      this.unknown('limit', '$(…)', 'substitutions are nested too deeply')
      return anyText
    }
    this.check(script, '$(…)')
    return walkStatements(this, script.commands, state, { ...frame, depth: frame.depth + 1 }).trimEnd()
  }

  runInvocation(invocation: Invocation, state: ShellState, frame: Frame): void {
    runInvocation(this, invocation, state, frame)
  }

  runFunction: Evaluator['runFunction'] = (_name, body, state, frame) => void walkFunction(this, body, state, frame)

  processPath(): string {
    return `/dev/fd/rxpi-${++this.paths}`
  }

  spend(steps = 1): boolean {
    this.steps += steps
    if (this.steps <= maxSteps) return true
    this.unknown('limit', '…', 'the command has too many parts')
    return false
  }

  record({ words, assignments, redirections }: Invocation, { context, wrapper }: Frame, state: ShellState): void {
    this.commands.push({
      words: words.map(shown),
      assignments: assignments.map(({ name, value }) => ({ name, value: hasMarks(value) ? undefined : value })),
      redirections: redirections.map(({ mode, target }) => ({
        mode,
        target: target === undefined || mode === 'duplicate' ? undefined : redirected(target, state),
      })),
      context,
      cwd: knownFolders(state),
      ...(wrapper === undefined ? {} : { wrapper }),
    })
  }

  find: Evaluator['find'] = (name, { words, redirections }, why) => {
    const files = redirections.flatMap(({ mode, target }) =>
      mode === 'write' && target !== undefined ? [`> ${target}`] : [],
    )
    const command = shorten([...words, ...files].map(wordText).join(' '))
    const key = `${name} ${command}`
    if (!this.findings.has(key))
      this.findings.set(key, { class: name, tier: commandClasses[name].tier, command, why: shorten(why) })
  }

  unknown: Evaluator['unknown'] = (kind, text, why) => {
    const key = `${kind} ${why} ${shorten(text)}`
    if (this.unknowns.size < 50 && !this.unknowns.has(key)) this.unknowns.set(key, { kind, text: shorten(text), why })
  }

  write(word: string, state: ShellState): void {
    if (isAnyPath(word)) this.unknown('file', wordText(word), 'writes to a file whose name is not known')
    else if (state.cwds === undefined && !word.startsWith('/'))
      this.unknown('file', wordText(word), 'writes in a folder that is not known')
    else this.note('write', word, state)
  }

  read(word: string, state: ShellState): void {
    if (!isAnyPath(word)) this.note('read', word, state)
  }

  assign(name: string): void {
    this.assigned.add(name)
  }

  result(state: ShellState): CommandAnalysis {
    const unknowns = [...this.unknowns.values()]
    return {
      commands: this.commands,
      classes: [...this.findings.values()].sort((one, other) => rankOf(one) - rankOf(other)),
      writes: [...this.writes],
      reads: [...this.reads],
      climbs: [...this.climbs.values()],
      isComplete: unknowns.length === 0,
      unknowns,
      cwd: knownFolders(state),
      assigned: [...this.assigned],
    }
  }

  private note(access: PathClimb['access'], word: string, { cwds = [], links }: ShellState): void {
    const path = word.startsWith('~/') ? `${this.scene.home}${word.slice(1)}` : word
    const named = absolutes(path, cwds)
    const linked = named.map((each) => throughLinks(each, links))
    if (linked.includes(undefined)) this.unknown('limit', wordText(word), 'a path leads through too many links')
    for (const written of [...named, ...linked.flatMap((each) => each ?? [])]) {
      const file = patternText(resolvePattern(written, '/'))
      if (/\/\.\.(?:\/|$)/.test(written))
        this.climbs.set(`${access} ${written}`, { access, file: patternText(written) })
      if (!isStream(file)) (access === 'read' ? this.reads : this.writes).add(file)
    }
  }

  /** An error of the tolerant parser makes the analysis incomplete. */
  private check(script: ParsedScript, source: string): void {
    const [error] = script.errors ?? []
    if (error !== undefined)
      this.unknown('syntax', source.slice(error.pos) || source, 'this is not complete shell syntax')
  }
}

function knownFolders({ cwds }: ShellState): readonly string[] | undefined {
  return cwds?.some(hasMarks) === true ? undefined : cwds
}

/** Pipes, terminals and the null device are not files; the kernel's links to them lead into `/proc`. */
function isStream(path: string): boolean {
  return /^\/dev\/(?:null|zero|full|u?random|tty|std(?:in|out|err)|fd\/[\w-]+)$/.test(path)
}

function absolutes(path: string, cwds: readonly string[]): readonly string[] {
  return path.startsWith('/') ? [path] : cwds.map((cwd) => `${cwd}/${path}`)
}

/** Behind a link that the command makes, the file is not certain. */
function redirected(word: string, { cwds = [], links }: ShellState): ShellWord {
  const isCertain = absolutes(word, cwds).every((path) => throughLinks(path, links)?.length === 0)
  return isCertain ? shown(word) : { ...shown(word), value: undefined }
}

function shown(word: string): ShellWord {
  const isGlob = hasMarks(word) && !hasUnknown(word)
  return { value: hasMarks(word) ? undefined : word, text: shorten(wordText(word)), ...(isGlob ? { isGlob } : {}) }
}

function shorten(text: string): string {
  return text.length <= maxShown ? text : `${text.slice(0, maxShown - 1)}…`
}
