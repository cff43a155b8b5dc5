// A session as one HTML page that needs nothing else: no script, nothing loaded, one style sheet whose hash its policy names (SECURITY S21).
import { createHash } from 'node:crypto'
import { escapeHtml, visibleHtml } from './escape-html.ts'
import { pageStep } from './page-message.ts'
import type { PageRenderer } from './page-renderer.ts'
import { pageStyle } from './page-style.ts'
import { pageTime, pageTitle } from './page-words.ts'
import { sessionPath } from './session-path.ts'
import type { SessionPath } from './session-path.ts'
import type { LogToExport } from './whole-records.ts'

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
<p class="meta">${escapeHtml(about(path))}</p>
</header>
<main>
`
}

function policy(): string {
  const hash = createHash('sha256').update(pageStyle).digest('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`
}

function about({ header, elsewhere }: SessionPath): string {
  const others = elsewhere === 0 ? '' : ` · ${elsewhere} messages on other branches are not on this page`
  return `Session ${header.id} · begun ${pageTime(header.createdAt)} · in ${header.cwd}${others}`
}
