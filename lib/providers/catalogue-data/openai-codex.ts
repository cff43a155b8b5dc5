// Written by scripts/catalogue/catalogue.ts from @earendil-works/pi-ai 1.5.2 of 2026-11-10 (licence MIT); do not change it by hand.
import type { CatalogueRow } from '../catalogue/catalogue-row.ts'

export const rows: readonly CatalogueRow[] = [
  ["gpt-5.6-luna","GPT-5.6 Luna",272000,128000,"ri",[],{"effort":"none,low,low,medium,high,xhigh"}],
  ["gpt-5.6-sol","GPT-5.6 Sol",272000,128000,"ri",[],{"effort":"none,low,low,medium,high,xhigh"}],
  ["gpt-5.6-terra","GPT-5.6 Terra",272000,128000,"ri",[],{"effort":"none,low,low,medium,high,xhigh"}],
  ["gpt-6-astra","GPT-6 Astra",272000,128000,"ri",[],{"effort":"-,low,low,medium,high,xhigh"}],
  ["gpt-6-luna","GPT-6 Luna",272000,128000,"ri",[],{"effort":"none,low,low,medium,high,xhigh"}],
  ["gpt-6-sol","GPT-6 Sol",272000,128000,"ri",[],{"effort":"none,low,low,medium,high,xhigh"}],
  ["gpt-6.1-sol","GPT-6.1 Sol",500000,128000,"ri",[],{"effort":"-,low,low,medium,high,xhigh"}],
  ["gpt-6.1-terra","GPT-6.1 Terra",500000,128000,"ri",[],{"effort":"none,low,low,medium,high,xhigh"}],
]
