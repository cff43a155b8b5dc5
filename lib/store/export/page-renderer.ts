// Renders Markdown and code as HTML by two libraries loaded on demand.
// Guarantees: the HTML can neither run nor load anything.
import type { HLJSApi } from 'highlight.js'
import type { MarkdownIt } from 'markdown-it'
import { activeCharacters, showActiveCharacters } from '../../streams/values/display-text.ts'

export interface PageRenderer {
  /**
   * HTML of a Markdown text: embedded HTML becomes text, pictures become names, links lead to http(s) and mailto only.
   */
  markdown(text: string): string
  /** HTML of code with highlighted words; plain if the language is unknown or the code is long. */
  code(text: string, language?: string): string
}

export interface PageRendererOptions {
  /** Milliseconds of highlighting; later code stays plain, so that no file keeps a process busy. Default 3,000. */
  readonly highlightMs?: number
}

/** Loads markdown-it and highlight.js (about 30 ms, paid by pages only). One renderer a page. */
export async function pageRenderer({ highlightMs = 3_000 }: PageRendererOptions = {}): Promise<PageRenderer> {
  const [{ default: Markdown }, { default: highlighter }] = await Promise.all([
    import('markdown-it'),
    import('highlight.js/lib/common'),
  ])
  const code = boundedHighlight(highlighter, highlightMs)
  const markdown = new Markdown({
    html: false,
    linkify: false,
    highlight: (text, language) => `<pre><code>${code(text, language)}</code></pre>`,
  })
  restrictMarkdown(markdown)
  return {
    markdown: (text) =>
      text.length > maxMarkdownLength ? `<div class="said">${escapeHtml(text)}</div>` : markdown.render(text),
    code,
  }
}

/** Characters; a longer text is not rendered as Markdown. */
const maxMarkdownLength = 100_000
/** Longer code, or code with long unbroken runs, is not highlighted: grammars take quadratic time on it. */
const maxCodeLength = 20_000
const longRun = /[\w$-]{300}|\s{300}|([^\w\s])\1{99}/

function boundedHighlight(highlighter: HLJSApi, maxTime: number): PageRenderer['code'] {
  let spent = 0
  return (text, language = '') => {
    const known = highlighter.getLanguage(language) !== undefined
    if (!known || spent > maxTime || text.length > maxCodeLength || longRun.test(text)) return escapeHtml(text)
    const begun = performance.now()
    const { value } = highlighter.highlight(text, { language, ignoreIllegals: true })
    spent += performance.now() - begun
    return value
  }
}

const safeLink = /^(?:https?:\/\/|mailto:)[^\s\\]+$/i

function restrictMarkdown(markdown: MarkdownIt): void {
  const { rules } = markdown.renderer
  markdown.validateLink = (url) => safeLink.test(url)
  rules.link_open = (tokens, index, options, _environment, self) => {
    tokens[index]?.attrSet('rel', 'noopener noreferrer nofollow')
    return self.renderToken(tokens, index, options)
  }
  // a loaded picture would report the reader and the time to its server
  rules.image = (tokens, index, options, environment, self) => {
    const token = tokens[index]
    const words = self.renderInlineAsText(token?.children ?? [], options, environment)
    return `<span class="picture">[picture: ${escapeHtml(words)} ${escapeHtml(String(token?.attrGet('src') ?? ''))}]</span>`
  }
  for (const cell of ['th_open', 'td_open']) {
    rules[cell] = (tokens, index, options, _environment, self) => {
      const token = tokens[index]
      const side = /text-align:(left|right|center)/.exec(String(token?.attrGet('style')))?.[1]
      if (token !== undefined) token.attrs = side === undefined ? null : [['class', side]] // the policy forbids inline style
      return self.renderToken(tokens, index, options)
    }
  }
}

// Escapes text for an HTML element or a double-quoted attribute.

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** Makes active characters in HTML visible: `&lt;U+202E&gt;`. CR LF becomes LF. */
export function visibleHtml(html: string): string {
  return html
    .replaceAll('\r\n', '\n')
    .replace(activeCharacters, (character) => escapeHtml(showActiveCharacters(character)))
}
