import type { ComponentChildren } from 'preact'
import { el, type View } from '../../lib/controls/el.ts'
import { addressText, momentOnPaper } from '../../lib/controls/on-paper.ts'
import { heads } from '../../lib/controls/rows.ts'
import { language } from '../../lib/language/language.ts'
import type { Address } from '../../lib/server/resources.ts'
import { now, session } from '../../lib/server/session.ts'
import { t } from './texts.ts'

/** The house on the head of a paper; null for a caller who may not read it. */
export type House = { name: string; address: Address } | null

/** A page of paper with the house, a title, and who printed it when. The screen does not show it. */
export function paper(house: House, title: string, ...parts: ComponentChildren[]): View {
  return el.section(
    { class: 'paper', lang: language.value },
    house && el.p(null, [house.name, addressText(house.address)].join(', ')),
    el.h1(null, title),
    ...parts,
    el.p({ class: 'quiet printed' }, t.value.printed(session.value?.name ?? '', momentOnPaper(now()))),
  )
}

/** Named values below each other. A value that is not known is left free, to be written by hand. */
export function values(rows: readonly (readonly [name: string, value: string | null | undefined])[]): View {
  return el.table(
    { class: 'values' },
    el.tbody(
      null,
      rows.map(([name, value]) =>
        el.tr({ key: name }, el.th({ scope: 'row' }, name), el.td(null, value ?? '')),
      ),
    ),
  )
}

/** A table on paper. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): View {
  return el.table(
    null,
    heads(columns),
    el.tbody(
      null,
      rows.map((cells, row) =>
        el.tr(
          { key: row },
          cells.map((text, at) => el.td({ key: at }, text)),
        ),
      ),
    ),
  )
}
