// Joins the parts of one benchmark: all tables, then all targets, then all notes.
import type { Report } from './report.ts'

export function joinReports(parts: readonly Report[]): Report {
  return {
    tables: parts.flatMap(({ tables }) => tables),
    targets: parts.flatMap(({ targets }) => targets),
    notes: parts.flatMap(({ notes }) => notes),
  }
}
