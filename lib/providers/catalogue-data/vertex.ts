// Written by scripts/catalogue/catalogue.ts from @earendil-works/pi-ai 1.5.2 of 2026-11-10 (licence MIT); do not change it by hand.
import type { CatalogueRow } from '../catalogue/catalogue-row.ts'

export const rows: readonly CatalogueRow[] = [
  ["gemini-2.5-flash","Gemini 2.5 Flash",1048576,65536,"ri",[0.3,2.5,0.03]],
  ["gemini-2.5-flash-lite","Gemini 2.5 Flash-Lite",1048576,65536,"ri",[0.1,0.4,0.01]],
  ["gemini-2.5-pro","Gemini 2.5 Pro",1048576,65536,"ri",[1.25,10,0.125]],
  ["gemini-3-flash-preview","Gemini 3 Flash Preview",1048576,65536,"ri",[0.5,3,0.05]],
  ["gemini-3.1-flash-lite","Gemini 3.1 Flash Lite",1048576,65536,"ri",[0.25,1.5,0.025]],
  ["gemini-3.1-pro-preview","Gemini 3.1 Pro Preview",1048576,65536,"ri",[2,12,0.2]],
  ["gemini-3.1-pro-preview-customtools","Gemini 3.1 Pro Preview Custom Tools",1048576,65536,"ri",[2,12,0.2]],
  ["gemini-3.5-flash","Gemini 3.5 Flash",1048576,65536,"ri",[1.5,9,0.15]],
  ["gemini-3.5-flash-lite","Gemini 3.5 Flash Lite",1048576,65536,"ri",[0.3,2.5,0.03]],
  ["gemini-3.6-flash","Gemini 3.6 Flash",1048576,65536,"ri",[0.75,3.75,0.075]],
  ["gemini-3.7-flash","Gemini 3.7 Flash",1048576,65536,"ri",[0.75,3.75,0.075]],
  ["gemini-3.8-flash","Gemini 3.8 Flash",1048576,65536,"ri",[0.75,3.75,0.075]],
  ["gemini-4-argon","Gemini 4 Argon",1048576,65536,"ri",[2,10,0.1]],
]
