// Gives a session the texts of installed packages; loads nothing if none is installed.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { defer, from, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { InstalledTexts } from '../../streams/ports/prompt-commands.ts'

const none: InstalledTexts = { packages: [], problems: [] }

/** Emits once, as the packages are now; synchronously without any. Never fails. @param home `$RXPI_HOME` */
export function sessionPackages(home: string): Observable<InstalledTexts> {
  return defer(() =>
    existsSync(path.join(home, 'packages/packages.json'))
      ? from(import('../../extensions/packages/package-texts.ts')).pipe(map((room) => room.packageTexts(home)))
      : of(none),
  )
}
