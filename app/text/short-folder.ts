// Shortens a folder below the home folder: `~/project`.

/** @param home absolute; if it is unknown or `/`, the folder stays whole */
export function shortenFolder(folder: string, home: string | undefined): string {
  if (home === undefined || home === '' || home === '/') return folder
  return folder === home || folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder
}
