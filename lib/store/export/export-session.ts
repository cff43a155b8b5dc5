// One way out for every format: the text of a session in pieces, made in short slices.
import { concatMap, defer, from } from 'rxjs'
import type { Observable } from 'rxjs'
import { inSlices } from '../../host/process/in-slices.ts'
import { exportHtml } from './export-html.ts'
import { exportMarkdown } from './export-markdown.ts'
import { exportPi } from './export-pi.ts'
import { pageRenderer } from './page-renderer.ts'
import type { LogToExport } from './whole-records.ts'

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
