// Words a number of things.

/** `1 tool`, `2 tools`. @param noun its plural ends with `s` */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
