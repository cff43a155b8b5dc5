// Exports a session as one self-contained HTML page.
// Guarantees: no script and no external resource; its policy names the hash of its only style sheet
// (docs/design/security.md#S21).
import { createHash } from 'node:crypto'
import type { LogToExport } from './complete-records.ts'
import { pageTime, pageTitle } from './page-labels.ts'
import { pageStep } from './page-message.ts'
import type { PageRenderer } from './page-renderer.ts'
import { escapeHtml, visibleHtml } from './page-renderer.ts'
import type { SessionPath } from './session-path.ts'
import { sessionPath } from './session-path.ts'
import { countOf } from '../../streams/values/count-of.ts'

/** The page in pieces: the conversation from its first message to the head. */
export function* exportHtml(log: LogToExport, renderer: PageRenderer): Generator<string, void> {
  const path = yield* sessionPath(log)
  yield visibleHtml(pageHead(path))
  for (const step of path.steps) {
    const html = pageStep(step, { path, renderer })
    if (html !== '') yield visibleHtml(`${html}\n`)
  }
  yield '</main>\n</body>\n</html>\n'
}

function pageHead(path: SessionPath): string {
  const title = escapeHtml(pageTitle(path))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${pageStyle}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="meta">${escapeHtml(describeSession(path))}</p>
</header>
<main>
`
}

function policy(): string {
  const hash = createHash('sha256').update(pageStyle).digest('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`
}

function describeSession({ header, elsewhere }: SessionPath): string {
  const others =
    elsewhere === 0
      ? ''
      : ` · ${countOf(elsewhere, 'message')} on other branches ${elsewhere === 1 ? 'is' : 'are'} not on this page`
  return `Session ${header.id} · begun ${pageTime(header.createdAt)} · in ${header.cwd}${others}`
}

// The page's only style sheet; the page's policy names its hash, so no other style applies.

const pageStyle = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --dim: #777; --accent: #2864c7; --bad: #c0392b;
  --word: #a626a4; --text: #3b7d23; --number: #986801; --name: #2864c7 }
@media (prefers-color-scheme: dark) { :root { --dim: #999; --accent: #7fb0ff; --bad: #ff7b6b; --word: #d38aea; --text: #98c379;
  --number: #d19a66; --name: #7fb0ff } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
header { border-bottom: 1px solid var(--line); margin-bottom: 1rem }
h1 { font-size: 1.4rem; margin: 0 }
a { color: var(--accent) }
article { margin: 1rem 0; padding: .5rem 1rem; border-left: 3px solid var(--line) }
article.user { border-color: var(--accent); background: var(--soft) }
article > h2 { font-size: .8rem; margin: 0 0 .5rem; color: var(--dim); font-weight: 600 }
article > h2 a { color: inherit; text-decoration: none }
.meta, .change, .label, .none { color: var(--dim); font-size: .85rem }
.label { border: 1px solid var(--line); border-radius: 1rem; padding: 0 .5rem }
.said { white-space: pre-wrap }
details { margin: .5rem 0; border: 1px solid var(--line); border-radius: .3rem; padding: .2rem .6rem }
summary { cursor: pointer; font-family: ui-monospace, monospace; font-size: .85rem; white-space: nowrap; overflow: hidden;
  text-overflow: ellipsis }
.failed > summary, .end { color: var(--bad) }
.thinking { color: var(--dim) }
pre { overflow-x: auto; background: var(--soft); padding: .6rem; border-radius: .3rem; font-size: .85rem; white-space: pre-wrap }
code { font-family: ui-monospace, monospace; font-size: .9em }
img { max-width: 100% }
table { border-collapse }
th, td { border: 1px solid var(--line); padding: .2rem .5rem }
.right { text-align: right }
.center { text-align: center }
.hljs-keyword, .hljs-built_in, .hljs-literal, .hljs-selector-tag, .hljs-doctag { color: var(--word) }
.hljs-string, .hljs-regexp, .hljs-addition, .hljs-attribute { color: var(--text) }
.hljs-number, .hljs-symbol, .hljs-bullet, .hljs-variable, .hljs-template-variable { color: var(--number) }
.hljs-title, .hljs-section, .hljs-name, .hljs-attr, .hljs-type, .hljs-meta { color: var(--name) }
.hljs-comment, .hljs-quote { color: var(--dim); font-style: italic }
.hljs-deletion { color: var(--bad) }
.hljs-emphasis { font-style: italic }
.hljs-strong { font-weight: bold }
`
