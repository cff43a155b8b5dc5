// Where a path lies is decided by its names alone: no link is followed, and a name may begin with two dots.
import path from 'node:path'

/** Whether `place` is `folder` or lies below it; both absolute. */
export function isInside(place: string, folder: string): boolean {
  const relative = path.relative(folder, place)
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)
}
