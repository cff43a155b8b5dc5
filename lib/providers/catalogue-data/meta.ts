// Written by scripts/catalogue/catalogue.ts from @earendil-works/pi-ai 1.5.2 of 2026-11-10 (licence MIT); do not change it by hand.
import type { CatalogueRow } from '../catalogue/catalogue-row.ts'

export const rows: readonly CatalogueRow[] = [
  ["muse-ember-1.0","Muse Ember",1048576,524288,"ri",[0.1,0.5,0.004],{"tiers":[[200000,0.3,1.5,0.012]],"effort":"-,minimal,low,medium,high,xhigh"}],
  ["muse-spark-1.1","Muse Spark 1.1",1048576,131072,"ri",[1.25,4.25,0.15],{"effort":"-,minimal,low,medium,high,xhigh"}],
  ["muse-spark-1.2","Muse Spark 1.2",1048576,131072,"ri",[1.25,4.25,0.15],{"effort":"-,minimal,low,medium,high,xhigh"}],
  ["muse-spark-1.2-contributor","Muse Spark 1.2 Contributor",1048576,131072,"ri",[0.1,0.2,0.002],{"effort":"-,minimal,low,medium,high,xhigh"}],
  ["muse-spark-1.3","Muse Spark 1.3",1048576,131072,"ri",[1.25,4.25,0.15],{"effort":"-,minimal,low,medium,high,xhigh"}],
  ["muse-spark-1.3-contributor","Muse Spark 1.3 Contributor",1048576,131072,"ri",[0.1,0.2,0.002],{"effort":"-,minimal,low,medium,high,xhigh"}],
  ["muse-wonder-1.0","Muse Wonder",1048576,131072,"ri",[4,20,0.2],{"effort":"-,minimal,low,medium,high,xhigh"}],
]
