// Exports a session in any format, as text pieces made in short slices.
import { concatMap, defer, from, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { inSlices } from '../../host/process/run-in-slices.ts'
import { exportHtml } from './export-html.ts'
import { exportMarkdown } from './export-markdown.ts'
import { exportPi } from './export-pi.ts'
import type { LogToExport } from './complete-records.ts'
import { pageRenderer } from './page-renderer.ts'

export type ExportFormat = 'pi' | 'markdown' | 'html'

/**
 * Emits the text in pieces (some are empty) and completes: the whole tree for `pi` (version 3 of its files), the
 * conversation up to the head for `markdown` and `html`. Fails with `read_only` if the log is damaged.
 */
export function exportSession(log: LogToExport, format: ExportFormat): Observable<string> {
  return exportSteps(log, format).pipe(concatMap((begin) => inSlices(begin)))
}

/** Emits once: a function that begins the same pieces, for a reader that sets the pace. */
export function exportSteps(log: LogToExport, format: ExportFormat): Observable<() => Generator<string, void>> {
  switch (format) {
    case 'pi':
      return of(() => exportPi(log))
    case 'markdown':
      return of(() => exportMarkdown(log))
    case 'html':
      return defer(() => from(pageRenderer())).pipe(map((renderer) => () => exportHtml(log, renderer)))
  }
}
