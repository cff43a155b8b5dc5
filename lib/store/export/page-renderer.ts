// Markdown and code become HTML by two libraries that are loaded when a page is made, and what they give can neither run nor load anything.
import type { HLJSApi } from 'highlight.js'
import type { MarkdownIt } from 'markdown-it'
import { activeCharacters, removeActiveCharacters } from '../../streams/values/display-text.ts'

export interface PageRenderer {
  /** HTML of a Markdown text: HTML in it is text, pictures are named, links lead to http(s) and mailto only. */
  markdown(text: string): string
  /** HTML of code with its words marked by classes; plain where the language is not known or the code is long. */
  code(text: string, language?: string): string
}

export interface PageRendererOptions {
  /** Milliseconds of searching code for words; what comes after stays plain, so that no file keeps a process busy. Default 3,000. */
  readonly highlightMs?: number
}

/** Loads markdown-it and highlight.js: about 30 ms that only pages pay. One renderer a page. */
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
      text.length > longestMarkdown ? `<div class="said">${escapeHtml(text)}</div>` : markdown.render(text),
    code,
  }
}

/** Characters; a longer text is no longer what a person or model writes, and stands as it is. */
const longestMarkdown = 100_000
/** Longer code is not searched for words, nor is what has long runs without a break: grammars take time with the square of them. */
const longestCode = 20_000
const longRun = /[\w$-]{300}|\s{300}|([^\w\s])\1{99}/

function boundedHighlight(highlighter: HLJSApi, mostTime: number): PageRenderer['code'] {
  let spent = 0
  return (text, language = '') => {
    const known = highlighter.getLanguage(language) !== undefined
    if (!known || spent > mostTime || text.length > longestCode || longRun.test(text)) return escapeHtml(text)
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
  // a picture that a page loads tells its server who reads the page, and when
  rules.image = (tokens, index, options, environment, self) => {
    const token = tokens[index]
    const words = self.renderInlineAsText(token?.children ?? [], options, environment)
    return `<span class="picture">[picture: ${escapeHtml(words)} ${escapeHtml(String(token?.attrGet('src') ?? ''))}]</span>`
  }
  for (const cell of ['th_open', 'td_open']) {
    rules[cell] = (tokens, index, options, _environment, self) => {
      const token = tokens[index]
      const side = /text-align:(left|right|center)/.exec(String(token?.attrGet('style')))?.[1]
      if (token !== undefined) token.attrs = side === undefined ? null : [['class', side]] // the policy allows no style here
      return self.renderToken(tokens, index, options)
    }
  }
}

// Text becomes HTML that is only text, in an element as in an attribute in double quotes.

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

/**
 * HTML with its active characters made visible, wherever they stand: `&lt;U+202E&gt;`. A Windows line end is one line feed.
 */
export function visibleHtml(html: string): string {
  return html
    .replaceAll('\r\n', '\n')
    .replace(activeCharacters, (character) => escapeHtml(removeActiveCharacters(character)))
}
