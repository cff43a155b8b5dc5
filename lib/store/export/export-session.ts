// One way out for every format: the text of a session in pieces, made in short slices.
import { concatMap, defer, from } from 'rxjs'
import type { Observable } from 'rxjs'
import { inSlices } from '../../host/process/run-in-slices.ts'
import { exportMarkdown } from './export-markdown.ts'
import { exportPi } from './export-pi.ts'
import { pageRenderer } from './page-renderer.ts'
import type { LogToExport } from './session-path.ts'
import { createHash } from 'node:crypto'
import { escapeHtml, visibleHtml } from './page-renderer.ts'
import { pageStep } from './page-message.ts'
import type { PageRenderer } from './page-renderer.ts'
import { pageStyle } from './page-style.ts'
import { pageTime, pageTitle } from './page-words.ts'
import { sessionPath } from './session-path.ts'
import type { SessionPath } from './session-path.ts'

export type ExportFormat = 'pi' | 'markdown' | 'html'

/**
 * Emits the text in pieces (some are empty) and completes: the whole tree for `pi` (version 3 of its files), the conversation up to the head
 * for `markdown` and `html`. Fails with `read_only` where the log is damaged.
 */
export function exportSession(log: LogToExport, format: ExportFormat): Observable<string> {
  switch (format) {
    case 'pi':
      return inSlices(() => exportPi(log))
    case 'markdown':
      return inSlices(() => exportMarkdown(log))
    case 'html':
      return defer(() => from(pageRenderer())).pipe(concatMap((renderer) => inSlices(() => exportHtml(log, renderer))))
  }
}

// A session as one HTML page that needs nothing else: no script, nothing loaded, one style sheet whose hash its policy names (docs/design/security.md#S21).

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
