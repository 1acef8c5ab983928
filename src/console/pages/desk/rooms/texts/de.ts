import { plural } from '../../../lib/format.ts'
import type { RoomTexts } from './en.ts'

export const de: RoomTexts = {
  title: 'Zimmer',
  none: 'Noch keine Zimmer. Legen Sie sie in der Einrichtung an.',
  howTo:
    'Wählen Sie Zimmer, dann den neuen Status. Außer Betrieb: wird nicht an Gäste gegeben. Gesperrt: wird auch nicht verkauft.',
  noneOfThese: 'Kein Zimmer ist so.',
  all: 'Alle',
  allFloors: 'Alle Etagen',
  floor: (name) => `Etage ${name}`,
  byStatus: 'Nach Stand',
  byFloor: 'Nach Etage',
  arrivesToday: 'Anreise heute',
  leavesToday: 'Abreise heute',
  occupied: 'Gast im Haus',
  setStatus: 'Neuer Stand',
  chosen: (count) => plural(count, { one: '1 Zimmer gewählt', other: `${count} Zimmer gewählt` }),
  chooseNone: 'Auswahl aufheben',
  changed: (names) => `Geändert: ${names}.`,
  undo: 'Zurücknehmen',
  status: {
    Dirty: 'Schmutzig',
    Cleaning: 'Wird gereinigt',
    Clean: 'Sauber',
    Inspected: 'Geprüft',
    OutOfService: 'Außer Betrieb',
    OutOfOrder: 'Gesperrt',
  },
}
