import { plural } from '../../../lib/format.ts'
import type { GroupTexts } from '../texts.ts'

export const de: GroupTexts = {
  title: 'Zusammen einchecken',
  why: 'Jeder Aufenthalt ohne Zimmer bekommt eines, wie bei einem einzelnen Check-in. Die Karten machen Sie auf den Blättern der Gäste.',
  checkIn: (count) => plural(count, { one: '1 Gast einchecken', other: `${count} Gäste einchecken` }),
  again: (count) =>
    plural(count, { one: '1 Gast noch einmal versuchen', other: `${count} Gäste noch einmal versuchen` }),
  ofBooking: (count) => `Alle ${count} dieser Buchung einchecken`,
  running: 'wird eingecheckt',
  done: 'im Haus',
  refused: (why) => `Nicht eingecheckt: ${why}`,
  allDone: 'Alle sind im Haus.',
  clear: 'Auswahl beenden',
  close: 'Schließen',
}
