// A folder below one's home is told from there: `~/project`.

/** @param home absolute; where it is not known, or the root of everything, the folder is told whole */
export function shortFolder(folder: string, home: string | undefined): string {
  if (home === undefined || home === '' || home === '/') return folder
  return folder === home || folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder
}
