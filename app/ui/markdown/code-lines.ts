// Formats code as lines, with syntax colours if the language is known; cuts no line.
import type { HLJSApi } from 'highlight.js'
import { terminalSafe } from '../../process/terminal-safe.ts'
import type { Line, Span } from '../text/span.ts'
import type { Role } from '../theme/theme.ts'

let highlighter: HLJSApi | undefined
let loading: Promise<unknown> | undefined

/** Loads the highlighter (30 ms, once); code is plain until then. Resolves when it is loaded. */
export function loadHighlighter(): Promise<unknown> {
  loading ??= import('highlight.js/lib/common').then((module) => (highlighter = module.default))
  return loading
}

/** True if the highlighter is loaded. */
export function isHighlighting(): boolean {
  return highlighter !== undefined
}

/** Longer code, or code with long runs, stays plain: grammars take quadratic time on it. */
const highlightLimit = 20_000
const longRun = /[\w$-]{300}|\s{300}|([^\w\s])\1{99}/

/** One line a line of code; escapes untrusted text. */
export function codeLines(code: string, language: string): Line[] {
  const safe = terminalSafe(code).replaceAll('\t', '    ')
  const name = language.toLowerCase()
  if (highlighter?.getLanguage(name) === undefined || safe.length > highlightLimit || longRun.test(safe)) {
    return safe.split('\n').map((text) => [{ text, roles: [] }])
  }
  return linesOf(highlighter.highlight(safe, { language: name, ignoreIllegals: true }).value)
}

/** Parses the highlighter's HTML: text and nested spans with one class each. */
function linesOf(html: string): Line[] {
  const lines: Span[][] = [[]]
  const open: (Role | undefined)[] = []
  for (const [token, opened] of html.matchAll(/<span class="([^"]*)">|<\/span>|[^<]+/g)) {
    if (opened !== undefined) open.push(roleOf(opened))
    else if (token === '</span>') open.pop()
    else {
      const role = open.findLast((each) => each !== undefined)
      const roles = role === undefined ? plain : roleLists[role]
      unescapeEntities(token)
        .split('\n')
        .forEach((text, index) => {
          if (index > 0) lines.push([])
          if (text !== '') lines.at(-1)?.push({ text, roles })
        })
    }
  }
  return lines
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#x27;': "'",
}

function unescapeEntities(text: string): string {
  return text.replace(/&(?:lt|gt|amp|quot|#x27);/g, (entity) => entities[entity] ?? entity)
}

const plain: readonly Role[] = []
const words = ['keyword', 'string', 'number', 'comment', 'name', 'added', 'removed', 'strong', 'emphasis'] as const
const roleLists = Object.fromEntries(words.map((role) => [role, [role]])) as unknown as Record<Role, readonly Role[]>

const roles: Readonly<Record<string, (typeof words)[number]>> = {
  'hljs-keyword': 'keyword',
  'hljs-built_in': 'keyword',
  'hljs-literal': 'number',
  'hljs-type': 'name',
  'hljs-number': 'number',
  'hljs-string': 'string',
  'hljs-regexp': 'string',
  'hljs-symbol': 'string',
  'hljs-comment': 'comment',
  'hljs-quote': 'comment',
  'hljs-doctag': 'comment',
  'hljs-meta': 'comment',
  'hljs-title': 'name',
  'hljs-section': 'name',
  'hljs-name': 'name',
  'hljs-attr': 'name',
  'hljs-attribute': 'name',
  'hljs-selector-tag': 'keyword',
  'hljs-selector-class': 'name',
  'hljs-selector-id': 'name',
  'hljs-variable': 'name',
  'hljs-template-variable': 'name',
  'hljs-addition': 'added',
  'hljs-deletion': 'removed',
  'hljs-strong': 'strong',
  'hljs-emphasis': 'emphasis',
}

function roleOf(classes: string): Role | undefined {
  return roles[classes.split(' ')[0] ?? '']
}
