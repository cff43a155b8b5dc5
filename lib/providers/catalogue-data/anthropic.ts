// Written by scripts/catalogue/catalogue.ts from @earendil-works/pi-ai 1.5.2 of 2026-11-10 (licence MIT); do not change it by hand.
import type { CatalogueRow } from '../catalogue/catalogue-row.ts'

export const rows: readonly CatalogueRow[] = [
  ["claude-fable-5","Claude Fable 5",1000000,128000,"ri",[10,50,1,12.5]],
  ["claude-fable-5-1","Claude Fable 5.1",1000000,128000,"ri",[10,50,0.25,12.5]],
  ["claude-fable-5-2","Claude Fable 5.2",1000000,128000,"ri",[8,40,0.2,10]],
  ["claude-haiku-4-5","Claude Haiku 4.5 (latest)",200000,64000,"ri",[1,5,0.1,1.25]],
  ["claude-haiku-4-5-20251001","Claude Haiku 4.5",200000,64000,"ri",[1,5,0.1,1.25]],
  ["claude-haiku-5-5","Claude Haiku 5.5",1000000,128000,"ri",[0.1,0.5,0.01,0.125],{"tiers":[[100000,0.5,2.5,0.05,0.625]]}],
  ["claude-opus-4-5","Claude Opus 4.5 (latest)",200000,64000,"ri",[5,25,0.5,6.25]],
  ["claude-opus-4-5-20251101","Claude Opus 4.5",200000,64000,"ri",[5,25,0.5,6.25]],
  ["claude-opus-4-6","Claude Opus 4.6",1000000,128000,"ri",[5,25,0.5,6.25]],
  ["claude-opus-4-7","Claude Opus 4.7",1000000,128000,"ri",[5,25,0.5,6.25]],
  ["claude-opus-4-8","Claude Opus 4.8",1000000,128000,"ri",[5,25,0.5,6.25]],
  ["claude-opus-5","Claude Opus 5",1000000,128000,"ri",[5,25,0.5,6.25]],
  ["claude-opus-5-5","Claude Opus 5.5",1000000,128000,"ri",[4,20,0.2,5]],
  ["claude-sonnet-4-5","Claude Sonnet 4.5 (latest)",200000,64000,"ri",[3,15,0.3,3.75]],
  ["claude-sonnet-4-5-20250929","Claude Sonnet 4.5",200000,64000,"ri",[3,15,0.3,3.75]],
  ["claude-sonnet-4-6","Claude Sonnet 4.6",1000000,128000,"ri",[3,15,0.3,3.75]],
  ["claude-sonnet-5","Claude Sonnet 5",1000000,128000,"ri",[2,10,0.2,2.5]],
  ["claude-sonnet-5-5","Claude Sonnet 5.5",1000000,128000,"ri",[2,10,0.1,2.5]],
]
